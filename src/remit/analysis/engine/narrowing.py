"""Tests on values: which of the things that a variable may be pass `isinstance`, `in` and the like."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.analysis.domain import (
    ARG,
    FALSE,
    FLAT,
    NONE,
    TREE,
    TRUE,
    UNKNOWN,
    Atom,
    Const,
    Data,
    Hole,
    Instance,
    Lib,
    Num,
    Object,
    Text,
    Value,
)
from remit.analysis.engine.texts import join_paths, remade
from remit.core.patterns import lazy_pattern

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


def among(value: Value, members: Value) -> Value:
    """What is left of a value that equals one of these. Plain data and texts equal texts alone; what has its own idea of being equal
    stays what it is."""
    if not all(isinstance(atom, Text) for atom in members):
        return value
    known = all(isinstance(atom, Text) and atom.literal is not None for atom in members)
    out: set[Atom] = set()
    for atom in value:
        if isinstance(atom, Text) and atom.literal is not None:
            out.update({atom} if not known or atom in members else ())
        elif isinstance(atom, (Text, Data)):
            out.update(members)
        else:
            out.add(atom)
    return frozenset(out)


def flat(value: Value) -> Value:
    """What is left of a value that is a text without a slash."""
    out: set[Atom] = set()
    for atom in value:
        if isinstance(atom, Text) and atom.literal is not None:
            out.update(() if "/" in atom.literal else {atom})
        elif isinstance(atom, (Text, Data)):
            out.update(remade(frozenset({atom}), FLAT))
        else:
            out.add(atom)
    return frozenset(out)


# A pattern that is a row of characters and classes of them.
_PIECE = lazy_pattern(r"(\[(?:[^\]\\]|\\.)+\]|\\[wdsWDS.\-_]|[A-Za-z0-9_ -])(?:[+*?]|\{\d*,?\d*\})?")
_ROW = lazy_pattern(rf"\^?((?:{_PIECE.pattern.replace('(', '(?:', 1)})+)(\$|\\Z)?")


def matches_flat(pattern: str, *, whole: bool) -> bool:
    """Whether no text that matches has a slash. A pattern that need not match to the end (`whole`) says nothing of the rest."""
    row = _ROW.fullmatch(pattern)
    if row is None or not (whole or row[2]):
        return False
    try:
        return not any(re.fullmatch(piece[1], "/") for piece in _PIECE.finditer(row[1]))
    except re.error:
        return False


def below(value: Value, folder: Value, given: Value) -> Value:
    """What is left of paths that lie below a folder, if they are the real paths of those given, in which no `..` is left."""
    if not given or not all(isinstance(atom, Instance) and atom.cls.startswith(_PATHS) for atom in given):
        return value
    if not all(isinstance(atom, (Text, Instance)) for atom in folder) or not folder:
        return value
    places = join_paths(folder, frozenset({Text((Hole(UNKNOWN, TREE),))}))
    out: set[Atom] = set()
    for atom in value:
        if isinstance(atom, Instance) and atom.cls.startswith(_PATHS):
            out.update(Instance(atom.cls, frozenset({text})) for text in places if isinstance(text, Text))
        else:
            out.add(atom)
    return frozenset(out)
