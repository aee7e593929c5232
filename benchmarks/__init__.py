"""What the engine costs, measured from outside: `make bench`.

`scenarios.py` is the list, `subjects/` does the work, `runner.py` measures one scenario in a fresh
process and prints one JSON line, `report.py` makes the table. No figure is written down here:
every number in a report comes from the run that made the report, and errors are counted beside
it, so that something that fails fast does not look fast.
"""
