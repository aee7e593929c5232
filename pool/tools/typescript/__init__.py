"""JSON Schema, draft-04 to 2020-12, becomes TypeScript for reading.

`shapes.py` turns a schema into a small tree of types, `printing.py` turns the tree into text. What
a schema says and TypeScript cannot becomes `unknown`, never an error.
"""
