"""Conditions of summaries: whether an atom can pass a test. What cannot be decided counts as true."""

from __future__ import annotations

from remit.analysis.domain import Anything, Atom, Bound, Class, Closure, Const, Data, Instance, Lib, Num, Object, Text


def _is_true(atom: Atom, _: str) -> bool:
    if isinstance(atom, Const):
        return atom.name not in {"none", "false", "undefined"}
    if isinstance(atom, Text):
        return bool(atom.parts)
    return not (isinstance(atom, Num) and atom.low == 0 and atom.high == 0)


def _is_false(atom: Atom, _: str) -> bool:
    if isinstance(atom, Const):
        return atom.name in {"none", "false", "undefined"}
    if isinstance(atom, Text):
        return atom.literal == "" or atom.literal is None
    if isinstance(atom, Num):
        return (atom.low is None or atom.low <= 0) and (atom.high is None or atom.high >= 0)
    return not isinstance(atom, Closure | Lib | Class | Bound | Instance)


def _has_chars(atom: Atom, chars: str) -> bool:
    if isinstance(atom, Text):
        return any(not isinstance(part, str) or any(char in part for char in chars) for part in atom.parts)
    return not isinstance(atom, Const | Num)


def _may_be_url(atom: Atom, _: str) -> bool:
    if isinstance(atom, Text):
        first = atom.parts[0] if atom.parts else ""
        if not isinstance(first, str):
            return first.origin in {"any", "net"} and first.alphabet == "any"
        scheme, colon, _rest = first.partition(":")
        return bool(colon) and scheme.isalnum() and len(scheme) > 1
    return not isinstance(atom, Const | Num | Instance | Object)


def _equals(atom: Atom, wanted: str) -> bool:
    if isinstance(atom, Text):
        literal = atom.literal
        return literal is None or literal == wanted
    if isinstance(atom, Const):
        return atom.name == wanted.lower()
    return not isinstance(atom, Num) or not wanted.lstrip("-").isdigit() or _in_range(atom, int(wanted))


def _in_range(atom: Num, number: int) -> bool:
    return (atom.low is None or atom.low <= number) and (atom.high is None or number <= atom.high)


def _differs(atom: Atom, wanted: str) -> bool:
    if isinstance(atom, Text):
        return atom.literal != wanted
    if isinstance(atom, Const):
        return atom.name != wanted.lower()
    return not (isinstance(atom, Num) and str(atom.low) == str(atom.high) == wanted)


def _has_kind(atom: Atom, kind: str) -> bool:
    if isinstance(atom, Anything | Data):
        return kind != "function" or isinstance(atom, Anything)
    if kind == "text":
        return isinstance(atom, Text) or (isinstance(atom, Instance) and atom.payload is not None)
    if kind == "num":
        return isinstance(atom, Num)
    if kind == "function":
        return isinstance(atom, Closure | Lib | Bound | Class | Object)
    return isinstance(atom, Object | Instance)


TEXT_TESTS = frozenset({"chars", "eq", "ne"})  # of an object that carries a text, they look at the text
TESTS = {
    "true": _is_true, "false": _is_false, "chars": _has_chars, "url": _may_be_url, "eq": _equals, "ne": _differs, "kind": _has_kind,
}  # fmt: skip
