"""What a summary file promises must be sayable: known capabilities, classes that exist, parameters that are named."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.analysis.summaries.library import Library
from remit.analysis.summaries.parser import parse
from remit.core.capability import vocabulary
from remit.core.errors import DataError

if TYPE_CHECKING:
    from pathlib import Path

    from remit.analysis.summaries.model import Entry, Expr, Section

_LANGUAGES = frozenset({"python", "js", "ts", "shell", "sql", "any"})


def problems(path: Path) -> list[str]:
    """Everything that is wrong with one file."""
    try:
        sections = parse(path.read_text(encoding="utf-8"), path.name)
    except DataError as error:
        return [error.message]
    library = Library("js" if path.parent.name == "node" else "python", [path])
    return [line for section in sections.values() for line in _section(section, library)]


def _section(section: Section, library: Library) -> Iterator[str]:
    where = f"{section.file}:{section.line}"
    for base in section.bases:
        if library.section(base) is None:
            yield f"{where}: base class `{base}` has no summary"
    entries = [section.rest] if section.rest else []
    for name in section.entries:
        try:
            found = section.entries.get(name)
        except DataError as error:
            yield error.message
        else:
            entries.extend([found] if found is not None else [])
    for entry in entries:
        for problem in _entry(entry, library):
            yield f"{section.file}:{entry.line}: `{section.name}.{entry.name}`: {problem}"


def _entry(entry: Entry, library: Library) -> Iterator[str]:
    for effect in entry.effects:
        if effect.kind == "cap" and effect.text not in vocabulary():
            yield f"`{effect.text}` is not a capability"
        if effect.kind in {"code", "loads"} and effect.text not in _LANGUAGES:
            yield f"`{effect.text}` is not a language"
        for arg in effect.args:
            yield from _expression(arg, library)
    if entry.result is not None:
        yield from _expression(entry.result, library)


def _expression(expr: Expr, library: Library) -> Iterator[str]:
    if expr.op in {"instance", "class"}:
        section = library.section(expr.text)
        if section is None or not section.is_class:
            yield f"`{expr.text}` is neither a parameter nor a summarised class"
    if expr.op == "module" and library.module(expr.text) is None:
        yield f"module `{expr.text}` has no summary"
    for arg in expr.args:
        yield from _expression(arg, library)
