"""The specification as data rows: read, run against a pool, compared.

The format is described in docs/conformance.md and knows nothing of this implementation.
"""
