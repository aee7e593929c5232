"""Tools of one's own: SQL over the orders in `data/orders.csv`, which nothing can change.

    codepool run examples/sales_report.js --tools examples/tools_sqlite.py

Every `@tool` at the top level is offered. Its parameters make the input schema, so the host
refuses wrong arguments before the function runs; its docstring is what the model reads.
"""

from __future__ import annotations

import csv
import sqlite3
from pathlib import Path
from threading import Lock

from pool import ToolError, tool

DATA = Path(__file__).parent / "data" / "orders.csv"
MAX_ROWS = 1_000

Cell = str | int | float | None


def _open(path: Path) -> sqlite3.Connection:
    # Calls run in threads; `_lock` keeps them apart.
    database = sqlite3.connect(":memory:", check_same_thread=False)
    database.execute(
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, day TEXT, region TEXT, product TEXT,"
        " quantity INTEGER, unit_price REAL, returned INTEGER)"
    )
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        next(rows)
        database.executemany("INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    database.commit()
    database.execute("PRAGMA query_only = ON")
    return database


_database = _open(DATA)
_lock = Lock()


@tool(inline=True)
def tables() -> dict[str, list[str]]:
    """Columns of every table, by table."""
    with _lock:
        names = _database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return {
            name: [column for _, column, *_ in _database.execute(f"PRAGMA table_info({name})")]
            for (name,) in names
        }


@tool(timeout_s=10)
def query(sql: str, parameters: list[Cell] | None = None) -> list[dict[str, Cell]]:
    """Run one SELECT statement of SQLite and return its rows, at most 1,000.

    Args:
        sql: The statement; values are written as ? and given in `parameters`.
        parameters: One value for each ?.
    """
    with _lock:
        try:
            cursor = _database.execute(sql, parameters or [])
            names = [column[0] for column in cursor.description or ()]
            rows = cursor.fetchmany(MAX_ROWS + 1)
        except sqlite3.Error as error:
            raise ToolError(f"SQLite: {error}") from error
    if len(rows) > MAX_ROWS:
        raise ToolError(f"more than {MAX_ROWS} rows; narrow the statement or use LIMIT")
    return [dict(zip(names, row, strict=True)) for row in rows]
