"""The library: a pool inside an async program, a tool of its own, and live events.

python examples/library.py
"""

from __future__ import annotations

import anyio

from pool import CallRecord, Limits, Pool, TextItem, tool

PROGRAM = """
const cities = ["Lisbon", "Oslo", "Quito"];
const readings = await Promise.all(cities.map((city) => tools.temperature({ city })));
readings.forEach((reading, index) => text(`${cities[index]}: ${reading} °C`));
store("last", Object.fromEntries(cities.map((city, index) => [city, readings[index]])));
return Math.max(...readings);
"""

READINGS = {"Lisbon": 21.5, "Oslo": 4.0, "Quito": 15.0}


@tool
async def temperature(city: str) -> float:
    """Latest temperature of a city, in degrees Celsius."""
    await anyio.sleep(0.1)  # a service somewhere
    return READINGS[city]


async def main() -> None:
    async with Pool(size=2, limits=Limits(timeout_ms=10_000)) as pool:
        outcome = await pool.run(PROGRAM, tools=[temperature])
        print(outcome.status, "value:", outcome.value, "to store:", outcome.store.set)

        # The same program again, looked at while it runs. Runs of one tenant may share a process.
        async with pool.start(PROGRAM, tools=[temperature], tenant="weather") as run:
            async for event in run:
                match event:
                    case TextItem(text):
                        print("shown:", text)
                    case CallRecord():
                        print(f"call {event.index} of {event.name}: {event.status}")

        # What a program does wrong is an outcome, never an exception.
        outcome = await pool.run("text('before'); while (true) {}", limits=Limits(timeout_ms=2_000))
        print(outcome.status, outcome.reason, outcome.output)


if __name__ == "__main__":
    anyio.run(main)
