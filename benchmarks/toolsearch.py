"""The product's own ranker and renderer, for evaluations from outside, and their figures.

    python -m benchmarks.toolsearch --data DIR [--compile NODE_MODULES]

DIR holds `catalog.jsonl` (tools: id, name, namespace, namespace_description, description,
input_schema) and `queries.jsonl` (query). Prints how long an index of 1,000, 10,000 and 50,000
tools takes to build, to ask and to change. How good the answers are is what an evaluation says that
calls `build`: `build(catalog)` gives `search(query, limit)`, which gives ids, best first. `render`
gives the TypeScript of a JSON Schema, and is timed over the schemas of the catalogue. With
`--compile`, TypeScript's compiler, which lies in that directory, has a look at all of them.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count, islice
from pathlib import Path
from typing import Any

from pool.tools.declarations import type_text
from pool.tools.ranking import Document, Index
from pool.tools.searchable import parameters
from pool.tools.semantic import SemanticIndex, VectorCache, nano_e5

SIZES = (1_000, 10_000, 50_000)
SHOWN = 8
CHANGES = 200
COMPILED_AT_ONCE = 600
CHECKER = Path(__file__).parents[1] / "tests" / "tools" / "typescript" / "check.mjs"


def build(catalog: Sequence[Mapping[str, Any]]) -> Callable[[str, int], list[str]]:
    """An index of a catalogue, as the function that searches it."""
    index = Index({tool["id"]: _document(tool) for tool in catalog})

    def search(query: str, limit: int) -> list[str]:
        return [match.key for match in index.search(query, limit=limit).matches]

    return search


def build_semantic(catalog: Sequence[Mapping[str, Any]]) -> Callable[[str, int], list[str]]:
    """The same with the extra `[semantic]`; vectors are kept in the user's cache directory."""
    cache = VectorCache(Path.home() / ".cache" / "codepool" / "vectors.db")
    index = SemanticIndex({tool["id"]: _document(tool) for tool in catalog}, nano_e5(), cache)
    index.fill()

    def search(query: str, limit: int) -> list[str]:
        return [match.key for match in index.search(query, limit=limit).matches]

    return search


def render(schema: Any) -> tuple[str, str]:
    """A JSON Schema as TypeScript, and the name of its type there."""
    return type_text(schema, "Input"), "Input"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.toolsearch", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, metavar="DIR")
    parser.add_argument("--compile", type=Path, metavar="NODE_MODULES")
    options = parser.parse_args(arguments)
    data = options.data
    tools = list(_rows(data / "catalog.jsonl"))
    catalog = {tool["id"]: _document(tool) for tool in tools}
    queries = [row["query"] for row in _rows(data / "queries.jsonl")]
    print("| tools | build s | query p50 ms | p99 ms | one tool changed, p50 ms | p99 ms |")
    print("|---|---|---|---|---|---|")
    for size in SIZES:
        print(_line(dict(islice(_copies(catalog), size)), queries))
    rendered = _times_ms(render, [tool["input_schema"] for tool in tools])
    print()
    print("| schemas | rendered, p50 ms | p99 ms | longest ms |")
    print("|---|---|---|---|")
    p50, p99 = _at(rendered, 50), _at(rendered, 99)
    print(f"| {len(rendered):,} | {p50:.2f} | {p99:.2f} | {rendered[-1]:.2f} |")
    if options.compile is not None:
        faults = _compiled([tool["input_schema"] for tool in tools], options.compile)
        print(f"\nof {len(tools):,} schemas, compiled with {faults} faults")


def _compiled(schemas: Sequence[Any], node_modules: Path) -> int:
    """The faults that the compiler finds, some hundred schemas at a time."""
    spaces = [
        f"export namespace N{at} {{\n{render(schema)[0]}\nexport type T = Input;\n}}"
        for at, schema in enumerate(schemas)
    ]
    rows = [
        {"id": str(at), "code": "\n".join(spaces[at : at + COMPILED_AT_ONCE]), "type": "unknown"}
        for at in range(0, len(spaces), COMPILED_AT_ONCE)
    ]
    answer = subprocess.run(
        ["node", str(CHECKER), str(node_modules.resolve())],
        input="\n".join(map(json.dumps, rows)),
        capture_output=True,
        text=True,
        check=True,
    )
    verdicts = [json.loads(line) for line in answer.stdout.splitlines()]
    assert len(verdicts) == len(rows)
    return sum(len(verdict["faults"]) for verdict in verdicts)


def _line(documents: Mapping[str, Document], queries: Sequence[str]) -> str:
    started = time.perf_counter()
    index = Index(documents)
    built_s = time.perf_counter() - started
    asked = _times_ms(lambda query: index.search(query, limit=SHOWN), queries)
    changed = _times_ms(lambda key: index.put(key, documents[key]), list(documents)[:CHANGES])
    figures = (f"{at:.2f}" for times in (asked, changed) for at in (_at(times, 50), _at(times, 99)))
    return f"| {len(documents):,} | {built_s:.2f} | {' | '.join(figures)} |"


def _times_ms(act: Callable[[Any], object], arguments: Sequence[Any]) -> list[float]:
    times = []
    for argument in arguments:
        started = time.perf_counter()
        act(argument)
        times.append((time.perf_counter() - started) * 1_000)
    return sorted(times)


def _at(times: Sequence[float], percent: int) -> float:
    return times[(len(times) - 1) * percent // 100]


def _copies(catalog: Mapping[str, Document]) -> Iterator[tuple[str, Document]]:
    """The catalogue, and again under other names, for as long as somebody asks."""
    for round in count():
        mark = f"_v{round}" if round else ""
        for id, document in catalog.items():
            yield id + mark, replace(document, name=document.name + mark)


def _document(tool: Mapping[str, Any]) -> Document:
    names, descriptions = parameters(tool.get("input_schema"))
    return Document(
        name=tool["name"],
        namespace=tool.get("namespace") or "",
        description=tool.get("description") or "",
        parameters=names,
        namespace_description=tool.get("namespace_description") or "",
        parameter_descriptions=descriptions,
    )


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines if line.strip())


if __name__ == "__main__":
    main()
