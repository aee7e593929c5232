"""Writes the data of the examples: `orders.log` and `orders.csv`. The same bytes every time.

    python examples/data/generate.py

The log is half an hour of an order service. A deployment makes the connection pool smaller; two
minutes later it is empty, orders fail, clients retry; rolling back ends it.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path

HERE = Path(__file__).parent
SEED = 20260314

ROUTES = (
    ("GET /v1/products/{id}", 6, 18),
    ("GET /v1/orders/{id}", 4, 25),
    ("POST /v1/orders", 3, 70),
    ("GET /health", 1, 2),
)
BEGIN = datetime(2026, 3, 14, 9, 0)
MINUTES = 30
DEPLOYED, EMPTY, ROLLED_BACK = 11, 13, 18

PRODUCTS = {"lamp": 39.0, "desk": 240.0, "chair": 119.0, "shelf": 85.5, "rug": 64.0}
REGIONS = {"north": 5, "south": 3, "west": 4, "east": 2}
ORDERS = 400


def log_lines(chance: random.Random) -> Iterator[str]:
    for minute in range(MINUTES):
        start = BEGIN + timedelta(minutes=minute)
        is_broken = EMPTY <= minute < ROLLED_BACK
        lines = [*_requests(chance, is_broken=is_broken), *_events(minute)]
        seconds = sorted(chance.uniform(0, 60) for _ in lines)
        for second, (level, component, message) in zip(seconds, lines, strict=True):
            time = (start + timedelta(seconds=second)).isoformat(timespec="milliseconds")
            yield f"{time}Z {level:<5} [{component}] {message}"


def _requests(chance: random.Random, *, is_broken: bool) -> Iterator[tuple[str, str, str]]:
    for _ in range(chance.randint(14, 20) if is_broken else chance.randint(9, 13)):
        route, _, usual_ms = chance.choices(ROUTES, [weight for _, weight, _ in ROUTES])[0]
        path = route.format(id=chance.randint(1000, 9999))
        ms = int(chance.lognormvariate(0, 0.4) * usual_ms)
        if is_broken and "orders" in route and chance.random() < 0.7:
            waited = chance.randint(4980, 5040)
            yield "WARN", "db", f"no connection free after {waited} ms, 5 of 5 in use"
            yield "INFO", "http", f"{path} 503 {waited + ms}ms"
        else:
            yield "INFO", "http", f"{path} {_status(chance, route)} {ms + 1}ms"


def _status(chance: random.Random, route: str) -> int:
    if "{id}" in route and chance.random() < 0.04:
        return 404
    return 201 if route.startswith("POST") else 200


def _events(minute: int) -> Iterator[tuple[str, str, str]]:
    if minute % 10 == 0:
        yield "INFO", "stock", f"synchronised {480 + minute} products"
    if minute == DEPLOYED:
        yield "INFO", "deploy", "version 4.12.0 started, replacing 4.11.3"
        yield "WARN", "config", "db.pool_size is 5, was 40 (default applies: key was renamed)"
    if minute == EMPTY:
        yield "ERROR", "alerts", "error rate of orders above 10%"
    if minute == ROLLED_BACK:
        yield "INFO", "deploy", "version 4.11.3 started, replacing 4.12.0"


def orders(chance: random.Random) -> Iterator[tuple[object, ...]]:
    yield "id", "day", "region", "product", "quantity", "unit_price", "returned"
    for number in range(1, ORDERS + 1):
        day = date(2026, 1, 1) + timedelta(days=chance.randrange(90))
        region = chance.choices(list(REGIONS), list(REGIONS.values()))[0]
        product = chance.choice(list(PRODUCTS))
        price = round(PRODUCTS[product] * chance.choice((1, 1, 1, 0.9)), 2)
        # Something is wrong with the chairs that go east.
        risk = 0.4 if (product, region) == ("chair", "east") else 0.05
        yield number, day, region, product, chance.randint(1, 4), price, int(chance.random() < risk)


def write(directory: Path = HERE) -> None:
    """Write both files, each from the same beginning."""
    log = "".join(f"{line}\n" for line in log_lines(_chance()))
    (directory / "orders.log").write_text(log, encoding="utf-8", newline="\n")
    with (directory / "orders.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(orders(_chance()))


def _chance() -> random.Random:
    return random.Random(SEED)  # noqa: S311 - it has to repeat, not to surprise


if __name__ == "__main__":
    write()
