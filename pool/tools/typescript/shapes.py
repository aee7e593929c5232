"""A JSON Schema becomes a tree of types, and named types for what it refers to."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final
from urllib.parse import unquote

from pool.tools.typescript.literals import literal
from pool.tools.typescript.notes import notes
from pool.tools.typescript.references import References
from pool.tools.typescript.types import (
    ANY_OBJECT,
    NEVER,
    NULL,
    UNKNOWN,
    Array,
    Member,
    Object,
    Tuple,
    Type,
    Word,
    intersection,
    options,
    union,
)

# Deeper nesting than this helps no reader; below it everything is `unknown`.
MAX_NESTING: Final = 32

# Subschemas of one document; what comes later is `unknown`. A real tool has some dozens.
MAX_SUBSCHEMAS: Final = 20_000

# Values of an enumeration that are written out; of more only the kinds are told.
MAX_LITERALS: Final = 500

_SCALARS: Final = {
    "string": Word("string"),
    "number": Word("number"),
    "integer": Word("number"),
    "boolean": Word("boolean"),
    "null": NULL,
    "bytes": Word("Uint8Array"),
}
_KINDS: Final = {str: "string", bool: "boolean", int: "number", float: "number"}

# Keywords that say what a schema without `type` is about.
_OF_OBJECTS: Final = (
    "properties",
    "required",
    "additionalProperties",
    "patternProperties",
    "propertyNames",
    "unevaluatedProperties",
)
_OF_ARRAYS: Final = ("items", "prefixItems", "additionalItems", "unevaluatedItems")

_REFERENCES: Final = ("$ref", "$dynamicRef", "$recursiveRef")

# A schema of these alone is another's: TypeScript's own stack ends in long chains of names.
_ONWARD: Final = frozenset({"$ref", "title", "description", "$comment"})

# Beside these an object without properties of its own is only the frame for theirs.
_COMBINED: Final = ("allOf", "anyOf", "oneOf", "if", "dependentSchemas", *_REFERENCES)

# Names that TypeScript or its library has, and the printer relies on.
_TAKEN: Final = frozenset(
    "Array Boolean Date Error Function Map Number Object Omit Partial Pick Promise Readonly Record "
    "RegExp Set String Symbol Uint8Array".split()
)


class Shapes:
    """The types of one schema document.

    Args:
        document: What references point into.
        prefix: Of names made up for types that have none.
        taken: Names that other types of the same text have; those of this document are added.
        name: Of the document itself, when the text gives it one.
        scope: Put before the names of types, where texts of several tools stand together.

    Attributes:
        root: The type of the document.
        named: The types that were referred to, by name, with their comments; in the order met.
    """

    def __init__(
        self,
        document: Any,
        prefix: str,
        taken: set[str],
        name: str | None = None,
        scope: str = "",
    ) -> None:
        self.named: dict[str, tuple[Type, tuple[str, ...]]] = {}
        self._prefix = prefix
        self._scope = scope
        self._taken = taken
        self._references = References(document)
        self._document = document
        self._names: dict[int, str] = {} if name is None else {id(document): name}
        self._waiting: deque[tuple[str, Any]] = deque()
        self._nesting = 0
        self._left = MAX_SUBSCHEMAS
        # The named type that is being made, while neither object nor array is around the place:
        # TypeScript allows recursion through those, and no other.
        self._inside = name
        self._leads_to: defaultdict[str, set[str]] = defaultdict(set)
        self.root = self.of(document)
        # Here and not where they are met: a chain of references may be longer than the stack.
        while self._waiting:
            self._inside, target = self._waiting.popleft()
            self.named[self._inside] = (self.of(target), notes(target, self._inside))

    def of(self, schema: Any) -> Type:
        """The type of a (sub)schema."""
        if schema is False:
            return NEVER
        if not isinstance(schema, Mapping) or self._nesting >= MAX_NESTING or self._left <= 0:
            return UNKNOWN
        self._nesting += 1
        self._left -= 1
        first, *others = self._parts(schema)
        # What only speaks of properties allows null, as far as the type beside it does.
        allows_null = schema.get("nullable") is True or (
            NULL in options(first) and "const" not in schema and "enum" not in schema
        )
        if others:
            first = union([each for each in options(first) if each != NULL])
        found = intersection([first, *others])
        self._nesting -= 1
        return union([found, NULL]) if allows_null else found

    def _parts(self, schema: Mapping[str, Any]) -> Iterator[Type]:
        """What each keyword demands; a value meets all of it."""
        if "const" in schema:
            yield Word(literal(schema["const"]))
        elif isinstance(schema.get("enum"), list):
            yield _enumeration(schema["enum"])
        else:
            yield self._typed(schema)
        for keyword in _REFERENCES:
            if isinstance(schema.get(keyword), str):
                yield self._reference(schema[keyword])
        for keyword in ("anyOf", "oneOf"):
            if isinstance(schema.get(keyword), list) and schema[keyword]:
                yield union([self.of(part) for part in schema[keyword]])
        if isinstance(schema.get("allOf"), list):
            yield intersection([self.of(part) for part in schema["allOf"]])
        yield from self._conditional(schema)

    def _conditional(self, schema: Mapping[str, Any]) -> Iterator[Type]:
        """Branches of which one holds, depending on what no type can tell."""
        if "if" in schema and ("then" in schema or "else" in schema):
            yield union([self._branch(schema.get("then")), self._branch(schema.get("else"))])
        for keyword in ("dependentSchemas", "dependencies"):
            dependents = schema.get(keyword)
            for dependent in dependents.values() if isinstance(dependents, Mapping) else ():
                if isinstance(dependent, Mapping):
                    yield union([self._branch(dependent), ANY_OBJECT])

    def _branch(self, schema: Any) -> Type:
        branch = self.of(schema)
        return ANY_OBJECT if branch == UNKNOWN else branch

    def _typed(self, schema: Mapping[str, Any]) -> Type:
        kinds = schema.get("type", _implied_type(schema))
        if not isinstance(kinds, list):
            return self._kind(kinds, schema)
        return union([self._kind(kind, schema) for kind in kinds]) if kinds else UNKNOWN

    def _kind(self, kind: Any, schema: Mapping[str, Any]) -> Type:
        if kind == "object":
            return self._object(schema)
        if kind == "array":
            return self._array(schema)
        if isinstance(kind, Mapping):  # as draft-03 had it
            return self.of(kind)
        return _SCALARS.get(kind, UNKNOWN) if isinstance(kind, str) else UNKNOWN

    def _array(self, schema: Mapping[str, Any]) -> Type:
        with self._within_a_value():
            places, rest = schema.get("prefixItems"), schema.get("items")
            if isinstance(rest, list):  # before 2020-12
                places, rest = rest, schema.get("additionalItems")
            rest = schema.get("unevaluatedItems") if rest is None else rest
            if not isinstance(places, list) or not places:
                return Array(self.of(rest))
            least, most = schema.get("minItems", 0), schema.get("maxItems")
            is_closed = rest is False or (isinstance(most, int) and most <= len(places))
            return Tuple(
                tuple(map(self.of, places)),
                min(least, len(places)) if isinstance(least, int) else 0,
                None if is_closed else self.of(rest),
            )

    def _object(self, schema: Mapping[str, Any]) -> Type:
        with self._within_a_value():
            properties, required = _properties(schema)
            members = tuple(
                Member(
                    name,
                    self.of(properties.get(name)),
                    name in required,
                    notes(properties.get(name), name),
                )
                for name in dict.fromkeys([*properties, *required])
            )
            names = _known_names(schema.get("propertyNames"))
            if not members and names:
                kind = self.of(schema.get("additionalProperties", True))
                return Object(tuple(Member(name, kind, False) for name in names), None)
            more = self._others(schema, members)
            told = schema.get("additionalProperties")
            return Object(members, more, notes(told) if more not in {None, UNKNOWN} else ())

    def _others(self, schema: Mapping[str, Any], members: tuple[Member, ...]) -> Type | None:
        """Type of the properties that are not named; None when the text should not mention any."""
        patterns = schema.get("patternProperties")
        patterns = patterns if isinstance(patterns, Mapping) else {}
        others = schema.get("additionalProperties", schema.get("unevaluatedProperties"))
        kinds = [self.of(each) for each in patterns.values()]
        is_closed = others is False and not any(keyword in schema for keyword in _COMBINED)
        if not kinds and (others is None or (others is False and not is_closed)):
            return None if members else UNKNOWN
        if others is not None and others is not False:
            kinds.append(self.of(others))
        if not kinds:
            return None
        kind = union(kinds)
        # An index signature binds the named properties too.
        fits = all(member.is_required and member.type == kind for member in members)
        return kind if fits else UNKNOWN

    @contextmanager
    def _within_a_value(self) -> Iterator[None]:
        """Below an object or an array a type may refer to itself."""
        outside, self._inside = self._inside, None
        yield
        self._inside = outside

    def _reference(self, pointer: str) -> Type:
        """The named type that a local reference points to; its text is made when first met."""
        target = self._followed(pointer)
        if not isinstance(target, Mapping):
            return NEVER if target is False else UNKNOWN
        name = self._names.get(id(target))
        if name is None:
            name = self._names[id(target)] = self._unused_name(target, pointer)
            self.named[name] = (UNKNOWN, ())  # keeps the place
            self._waiting.append((name, target))
        if self._inside is not None:
            if self._reaches(name, self._inside):
                return UNKNOWN
            self._leads_to[self._inside].add(name)
        return Word(name)

    def _followed(self, pointer: str) -> Any:
        """What a reference leads to in the end; None when that is nowhere, or in a circle."""
        seen = set()
        target = self._references.resolve(pointer)
        while isinstance(target, Mapping) and target.keys() <= _ONWARD and "$ref" in target:
            if id(target) in seen or not isinstance(target["$ref"], str):
                return None
            seen.add(id(target))
            target = self._references.resolve(target["$ref"])
        return target

    def _reaches(self, start: str, end: str) -> bool:
        seen, waiting = set(), [start]
        while waiting:
            name = waiting.pop()
            if name == end:
                return True
            if name not in seen:
                seen.add(name)
                waiting += self._leads_to[name]
        return False

    def _unused_name(self, target: Any, pointer: str) -> str:
        plain = self._prefix if target is self._document else _type_name(pointer, self._prefix)
        plain = self._scope + plain
        name, number = plain, 1
        while name in self._taken or name in _TAKEN:
            number += 1
            name = f"{plain}{number}"
        self._taken.add(name)
        return name


def _type_name(pointer: str, prefix: str) -> str:
    last = re.split(r"[/#]", unquote(pointer))[-1]
    words = re.sub(r"\W+", " ", last, flags=re.ASCII).split()
    name = "".join(word[:1].upper() + word[1:] for word in words)
    return name if name[:1].isalpha() else f"{prefix}{name}"


def _implied_type(schema: Mapping[str, Any]) -> str:
    if any(keyword in schema for keyword in _OF_OBJECTS):
        return "object"
    if any(keyword in schema for keyword in _OF_ARRAYS):
        return "array"
    return "bytes" if schema.get("format") == "binary" else ""


def _properties(schema: Mapping[str, Any]) -> tuple[Mapping[str, Any], frozenset[str] | list[str]]:
    """The properties and those that must be there; draft-03 said so at the property."""
    properties, required = schema.get("properties"), schema.get("required")
    properties = properties if isinstance(properties, Mapping) else {}
    names = [n for n in required if isinstance(n, str)] if isinstance(required, list) else []
    names += [
        name
        for name, each in properties.items()
        if isinstance(each, Mapping) and each.get("required") is True
    ]
    return properties, names


def _known_names(schema: Any) -> list[str]:
    values = schema.get("enum") if isinstance(schema, Mapping) else None
    return [each for each in values if isinstance(each, str)] if isinstance(values, list) else []


def _enumeration(values: list[Any]) -> Type:
    if len(values) <= MAX_LITERALS:
        return union([Word(literal(value)) for value in values])
    kinds = {_KINDS.get(type(value), "null" if value is None else "unknown") for value in values}
    return union([Word(kind) for kind in sorted(kinds)])
