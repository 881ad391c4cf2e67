"""Words as texts: what a word may begin with, and how it is cut."""

from __future__ import annotations

from remit.analysis.domain import (
    ANCHORS,
    ANYTHING,
    ARG,
    FILE,
    MODEL,
    NUMERIC,
    SEGMENT,
    TREE,
    UNKNOWN,
    Anything,
    Data,
    Hole,
    Instance,
    Num,
    Text,
    Value,
    concat,
    text,
)

WILD = Text((Hole(UNKNOWN, ANYTHING, False),))
SOME: Value = frozenset({WILD})
EMPTY = Text(())


def texts(value: Value) -> frozenset[Text]:
    """A value as the texts that a child receives. Nothing known (or no text at all) is any text."""
    if len(value) == 1:
        (atom,) = value
        if isinstance(atom, Text):
            return value  # type: ignore[return-value]
    out: set[Text] = set()
    for atom in value:
        if isinstance(atom, Text):
            out.add(atom)
        elif isinstance(atom, Num):
            exact = atom.low is not None and atom.low == atom.high and float(atom.low).is_integer()
            out.add(text(str(int(atom.low or 0))) if exact else Text((Hole(UNKNOWN, NUMERIC),)))
        elif isinstance(atom, Instance) and atom.payload is not None:
            out |= atom.payload
        elif isinstance(atom, Anything):
            out.add(Text((Hole(atom.origin),)))
        elif isinstance(atom, Data):
            out.add(Text((Hole(atom.origin, ANYTHING, False),)))
        else:
            out.add(WILD)
    return frozenset(out) or frozenset({WILD})


def literal(value: Value) -> str | None:
    """The text itself, if it is the only one and has no hole."""
    found = texts(value)
    return next(iter(found)).literal if len(found) == 1 else None


def head(item: Text) -> str:
    """The literal with which a text begins (empty if a hole comes first)."""
    first = item.parts[0] if item.parts else ""
    return first if isinstance(first, str) else ""


def tail(item: Text) -> str:
    """The literal with which a text ends."""
    last = item.parts[-1] if item.parts else ""
    return last if isinstance(last, str) else ""


def cut(item: Text, count: int) -> Text:
    """A text without its first `count` literal characters."""
    start = head(item)
    return text(start[count:], *item.parts[1:]) if start else item


def partition(item: Text, mark: str) -> tuple[Text, Text] | None:
    """What stands before and after the first `mark` in a literal part; None if there is none."""
    for index, part in enumerate(item.parts):
        if isinstance(part, str) and mark in part:
            before, _, after = part.partition(mark)
            return text(*item.parts[:index], before), text(after, *item.parts[index + 1 :])
    return None


def from_user(hole: Hole) -> bool:
    """Whether the hole is exactly what the caller, the environment or the model gives."""
    return hole.exact and (hole.origin in {ARG, MODEL} or hole.origin.startswith("env:"))


def dash(item: Text) -> str:
    """Whether a word may be an option: `no`, `yes` (it begins with a dash), `user` (only if the user says so), `wild`."""
    if not item.parts:
        return "no"
    first = item.parts[0]
    if isinstance(first, str):
        return "yes" if first[0] == "-" and item.parts != ("-",) else "no"
    if first.origin in ANCHORS or first.alphabet == NUMERIC:
        return "no"
    return "user" if from_user(first) else "wild"


def has_hole(item: Text) -> bool:
    """Whether part of the text is unknown."""
    return any(isinstance(part, Hole) for part in item.parts)


def derived(value: Value, alphabet: str = ANYTHING) -> Value:
    """Text computed from another: its origins are kept, but it is no longer the same text."""
    out = set()
    for item in texts(value):
        origins = {part.origin for part in item.parts if isinstance(part, Hole)}
        for origin in origins or {UNKNOWN}:
            out.add(Text((Hole(FILE if origin in ANCHORS else origin, alphabet, False),)))
    return frozenset(out)


def basename(item: Text) -> Text:
    """The last component of a path, as `basename` prints it."""
    parts = list(item.parts)
    if parts and isinstance(parts[-1], str):
        parts[-1] = parts[-1].rstrip("/")
    for index in range(len(parts) - 1, -1, -1):
        part = parts[index]
        if isinstance(part, str):
            if "/" in part:
                return text(part.rpartition("/")[2], *parts[index + 1 :])
        elif part.alphabet not in {NUMERIC, SEGMENT}:
            after = parts[index + 1 :]
            return text(Hole(FILE if part.origin in ANCHORS else part.origin, SEGMENT, False), *after)
    return text(*parts)


def dirname(item: Text) -> Text:
    """The folder part of a path, as `dirname` prints it."""
    parts = list(item.parts)
    if parts and isinstance(parts[-1], str):
        parts[-1] = parts[-1].rstrip("/") or parts[-1]
    for index in range(len(parts) - 1, -1, -1):
        part = parts[index]
        if isinstance(part, str):
            if "/" in part:
                before = part.rpartition("/")[0]
                return text(*parts[:index], before) if index or before else text("/")
        elif part.alphabet not in {NUMERIC, SEGMENT}:
            return Text((*parts[:index], Hole(part.origin, ANYTHING, False)))
    return text(".")


def below(item: Text) -> Text:
    """Anything inside a folder."""
    start = item if not item.parts or tail(item).endswith("/") else concat(item, text("/"))
    return concat(start, Text((Hole(FILE, TREE, False),)))
