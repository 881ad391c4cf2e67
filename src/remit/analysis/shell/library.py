"""The functions that a shell file defines, without running it."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING

from remit.analysis.shell.compound import parse
from remit.analysis.shell.syntax import Function, Unit, Word
from remit.analysis.shell.units import clean
from remit.analysis.world import Site
from remit.core.location import Location

if TYPE_CHECKING:
    from collections.abc import Iterator


def functions_of(source: bytes, file: str) -> list[Function]:
    """Every function that a file of the skill defines, at any depth."""
    unit = Unit(clean(source.decode("utf-8", "replace")), lambda line: Site(Location(file, line)))
    try:
        return list(_functions(parse(unit).items))
    except RecursionError:
        return []


def _functions(node: object) -> Iterator[Function]:
    if isinstance(node, Function):
        yield node
    if isinstance(node, tuple):
        for item in node:
            yield from _functions(item)
    elif is_dataclass(node) and not isinstance(node, (Word, Unit)):
        for part in fields(node):
            yield from _functions(getattr(node, part.name))
