"""The library without an event loop, as cells of a notebook.

Editors that know `# %%` run it cell by cell; `python examples/notebook.py` runs it at once.
"""

# %%
from contextlib import ExitStack
from pathlib import Path

from pool import BlockingPool, tool

DATA = Path(__file__).parent / "data"


@tool
def load(name: str) -> str:
    """Text of one of the example files."""
    return (DATA / Path(name).name).read_text(encoding="utf-8")


# %% One pool for the whole notebook; close it in the last cell.
cells = ExitStack()
pool = cells.enter_context(BlockingPool(size=1))

# %%
outcome = pool.run(
    """
    const rows = (await tools.load({ name: "orders.csv" })).trim().split("\\n").slice(1);
    const regions = Object.groupBy(rows, (row) => row.split(",")[2]);
    return Object.fromEntries(Object.entries(regions).map(([name, rows]) => [name, rows.length]));
    """,
    tools=[load],
)
print(outcome.value)

# %% An error names the line and column of the program.
print(pool.run("const a = {};\nreturn a.b.c;").error)

# %%
cells.close()
