"""Elements of arrays, and operators on single texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import BOTTOM, Text, Value, text
from remit.analysis.shell.state import Flag, Items
from remit.analysis.shell.values import EMPTY, NUMBER, inexact, is_numeric, join, join_all, literal_of, texts

if TYPE_CHECKING:
    from collections.abc import Collection

    from remit.analysis.shell.syntax import Param


def element(arrays: Collection[Items], key: str | None) -> Value:
    """The element at a key; at an unknown one, any."""
    out: Value = BOTTOM
    for items in arrays:
        found = None if key is None else next((v for k, v in items.pairs if k == key), None)
        if found is not None:
            out = join(out, found)
        elif key is None:
            out = join_all((out, EMPTY, items.rest, *(v for _, v in items.pairs)))
        else:
            out = join_all((out, EMPTY, items.rest))
    return out or EMPTY


def stored(items: Items, key: str, value: Value) -> Items:
    """The array with this element, which comes first if its key is 0."""
    pairs = tuple((k, v) for k, v in items.pairs if k != key)
    return Items(((key, value), *pairs) if key == "0" else (*pairs, (key, value)), items.rest)


def store(items: Items, key: str | None, value: Value, *, assoc: bool) -> Items:
    """`a[key]=value`; an unknown key may be any element."""
    if key is None:
        return Items((), join_all((items.rest, value, *(v for _, v in items.pairs))))
    keys = [k for k, _ in items.pairs]
    if key in keys:
        return Items(tuple((k, value if k == key else v) for k, v in items.pairs), items.rest)
    pairs = [*items.pairs, (key, value)]
    if not assoc:
        pairs.sort(key=lambda pair: int(pair[0]) if pair[0].isdigit() else 0)
    return Items(tuple(pairs), items.rest)


def attributed(value: Value, flags: int) -> Value:
    """The value as a variable with these attributes holds it."""
    if flags & Flag.INTEGER:
        return value if all(is_numeric(item) for item in texts(value)) else NUMBER
    return frozenset(change_case(item, ",," if flags & Flag.LOWER else "^^") for item in texts(value))


def change_case(item: Text, op: str) -> Text:
    """The text in the other case."""

    def change(part: str) -> str:
        return part.upper() if op[0] == "^" else part.lower()

    if len(op) == 1:
        first = item.parts[0] if item.parts else ""
        if not isinstance(first, str):
            return Text((inexact(first), *item.parts[1:]))
        return text(change(first[:1]) + first[1:], *item.parts[1:])
    return text(*(change(p) if isinstance(p, str) else inexact(p) for p in item.parts))


def integer(value: Value) -> int | None:
    """The number that a value is."""
    known = literal_of(value)
    if known is None:
        return None
    known = known.strip()
    return int(known) if known.lstrip("-").isdigit() and known.isascii() and len(known) < 15 else None


def without_operator(piece: Param) -> Param:
    """The same parameter, as it is."""
    return type(piece)(piece.name, piece.quoted, piece.pos, index=piece.index, indirect=piece.indirect)
