"""`python -m pool.cli` is the `codepool` command."""

from pool.cli import main

main()
