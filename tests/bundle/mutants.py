"""Every way to spoil a JSON document, one place at a time, as bytes."""

import json
from typing import NamedTuple

from remit.core.digest import canonical


class Mutant(NamedTuple):
    """A spoiled document: what was done, at which place, and the bytes."""

    how: str
    at: tuple
    data: bytes


def places(value, at=()):
    """Every place of a value, the outermost first."""
    yield at
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(inner, (*at, key))


def _at(value, way):
    for key in way:
        value = value[key]
    return value


def _changed(value):
    """Another value of the same type, as near as can be."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        last = value[-1:] or "a"
        return value[:-1] + chr(ord(last) ^ 1 if last not in "\x7f\x80" else 97)
    if isinstance(value, list):
        return value[::-1] if len(value) > 1 and value[::-1] != value else [*value, *value]
    return "something" if value is None else {}


def _retyped(value):
    return {str: 7, int: "7", bool: 1, list: {}, dict: [], type(None): False}[type(value)]


def _nested(depth):
    return json.loads("[" * depth + "]" * depth)


def _spoiled(value, way, how):  # noqa: C901, PLR0912  one mutant for each branch
    """The bytes of a value that is spoiled at a place; None if this cannot be done there."""
    copy = json.loads(json.dumps(value))
    *above, last = way
    holder = _at(copy, above)
    mark = "\ue000spot\ue000"
    raw = {"nest": b"[" * 5_000 + b"]" * 5_000, "huge": b"9" * 4_000, "float": b"1e9", "nan": b"NaN"}
    if how in raw:
        holder[last] = mark
        return canonical(copy).replace(canonical(mark), raw[how])
    if how == "delete":
        del holder[last]
    elif how == "change":
        holder[last] = _changed(holder[last])
    elif how == "retype":
        holder[last] = _retyped(holder[last])
    elif how == "null":
        if holder[last] is None:
            return None
        holder[last] = None
    elif how == "deep":
        holder[last] = _nested(150)
    elif how == "long":
        holder[last] = "x" * 200_000
    elif how == "large":
        holder[last] = 2**53 - 1
    elif how == "add":
        if not isinstance(holder[last], dict):
            return None
        holder[last]["unheard of"] = 1
    elif how == "twice":
        if not isinstance(holder, dict):
            return None
        inner = canonical(holder[last])
        key = canonical(last)
        holder[last] = mark
        return canonical(copy).replace(key + b":" + canonical(mark), key + b":" + inner + b"," + key + b":" + inner)
    return canonical(copy)


HOWS = ("delete", "change", "retype", "null", "add", "twice", "nest", "deep", "huge", "large", "float", "nan", "long")


def mutants(value):
    """Mutants of a value: every kind at every field. Of a list, the first and the last item stand for the others."""
    original = canonical(value)
    for way in places(value):
        if not way or any(_between(_at(value, way[:depth]), key) for depth, key in enumerate(way)):
            continue
        for how in HOWS:
            data = _spoiled(value, way, how)
            if data is not None and data != original:
                yield Mutant(how, way, data)


def _between(holder, key):
    return isinstance(holder, list) and 0 < key < len(holder) - 1
