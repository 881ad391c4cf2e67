"""Type tests on values: which of the things that a variable may be pass `isinstance`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import ARG, FALSE, NONE, TRUE, Atom, Const, Hole, Instance, Lib, Num, Object, Text, Value

if TYPE_CHECKING:
    from remit.analysis.engine.heap import Heap

_NAMED = {f"builtins.{name}": name for name in "str bytes list tuple dict set int float bool frozenset".split()} | {
    f"pathlib.{name}": "path" for name in ("Path", "PurePath", "PosixPath", "PurePosixPath")
}
_KINDS = frozenset({"list", "tuple", "dict", "set"})
_PATHS = ("pathlib.",)


def type_names(types: Value) -> frozenset[str] | None:
    """The types that a test names, or None if one of them is not a plain one."""
    out = set()
    for atom in types:
        name = _NAMED.get(atom.name) if isinstance(atom, Lib) else None
        if name is None:
            return None
        out.add(name)
    return frozenset(out) or None


def kinds_of(atom: Atom, heaps: list[Heap], *, bytes_possible: bool) -> frozenset[str] | None:
    """The plain types that a thing may have; None if it may have others."""
    if isinstance(atom, Text):
        return frozenset({"str", "bytes"}) if bytes_possible or not _is_str(atom) else frozenset({"str"})
    if isinstance(atom, Num):
        return frozenset({"int", "float"})
    if atom in {TRUE, FALSE}:
        return frozenset({"bool", "int"})
    if isinstance(atom, Const):
        return frozenset({"none"}) if atom == NONE else None
    if isinstance(atom, Instance):
        return frozenset({"path"}) if atom.cls.startswith(_PATHS) else None
    if isinstance(atom, Object):
        kind = heaps[atom.index].kind
        return frozenset({kind}) if kind in _KINDS else None
    return None


def _is_str(text: Text) -> bool:
    """A literal of the program, or an argument with literals around it: both are text where nothing makes bytes."""
    return all(not isinstance(part, Hole) or (part.origin == ARG and part.exact) for part in text.parts)


def passing(value: Value, types: frozenset[str], heaps: list[Heap], *, keep: bool, bytes_possible: bool) -> Value:
    """What is left of a value where a type test holds (`keep`), or does not."""
    out: set[Atom] = set()
    for atom in value:
        kinds = kinds_of(atom, heaps, bytes_possible=bytes_possible)
        if kinds is None or (kinds & types if keep else kinds - types):
            out.add(atom)
    return frozenset(out)
