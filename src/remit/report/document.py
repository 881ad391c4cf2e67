"""A report of several tables, independent of the output format: sections, sentences, rows.

A sentence consists of our words and of untrusted texts (`Theirs`). Renderers escape the latter for their format, so
that code that builds a document need not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from remit.core.capability import vocabulary


class Theirs(NamedTuple):
    """Untrusted text: the name of a skill, a path, a host, a reason that quotes a file."""

    text: str


class Word(NamedTuple):
    """The name of a capability, a rule or a severity; in results of third parties it may be anything."""

    text: str

    @property
    def level(self) -> str:
        """Its level; empty if it is no capability."""
        return str(vocabulary()[self.text].level) if self.text in vocabulary() else ""


Part: TypeAlias = str | Theirs | Word
Sentence: TypeAlias = tuple[Part, ...]


class DocumentRow(NamedTuple):
    """A row of a table, and sentences below it."""

    cells: tuple[Sentence, ...]
    below: tuple[Sentence, ...] = ()


class Table(NamedTuple):
    """Columns of numbers first, aligned right, then of texts. The last column gets the remaining width."""

    title: str
    numbers: tuple[str, ...]
    texts: tuple[str, ...]
    rows: tuple[DocumentRow, ...]


class Section(NamedTuple):
    """The answer to one question."""

    title: str
    sentences: tuple[Sentence, ...] = ()
    tables: tuple[Table, ...] = ()
    notes: tuple[Sentence, ...] = ()  # how to read it


class Document(NamedTuple):
    """The whole report."""

    title: str
    sentences: tuple[Sentence, ...]
    sections: tuple[Section, ...]


def number(value: float) -> Sentence:
    """Return a number as a cell."""
    return (f"{value:,}",)


def listed(parts: Sequence[Theirs | Word], most: int = 0) -> Sentence:
    """Return parts separated by commas; of many only the first."""
    shown = parts[:most] if most else parts
    out: list[Part] = []
    for part in shown:
        out += [", ", part] if out else [part]
    if len(shown) < len(parts):
        out.append(f" and {len(parts) - len(shown)} more")
    return tuple(out)


def words(capabilities: Sequence[str], most: int = 0) -> Sentence:
    """Return names of capabilities."""
    return listed([Word(name) for name in capabilities], most)


def theirs(texts: Sequence[str], most: int = 0) -> Sentence:
    """Return untrusted texts."""
    return listed([Theirs(text) for text in texts], most)
