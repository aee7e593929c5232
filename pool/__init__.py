"""Codepool: run a model's JavaScript program in a locked-down process that can call your tools."""
