"""Conversion of the fences and spans of a document into pieces of programs."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.core.patterns import lazy_pattern
from remit.core.table import read_toml
from remit.skill import commands, pyfence
from remit.skill.piece import Piece

if TYPE_CHECKING:
    from remit.skill.document import Document, Fence


class Tags(NamedTuple):
    """The tables of data/fences.toml, from tag to language."""

    analysed: dict[str, str]
    session: dict[str, str]
    opaque: dict[str, str]
    unlabelled: frozenset[str]


@cache
def tags() -> Tags:
    """Return the language that a tag names."""
    raw = read_toml(Path(__file__).with_name("data") / "fences.toml")
    analysed, session, opaque = (
        {tag: language for language, names in raw[part].items() for tag in names}
        for part in ("analysed", "session", "opaque")
    )
    return Tags(analysed, session, opaque, frozenset(raw["unlabelled"]["tags"]))


# A line that only Python has: a text that parses and has one is Python, whatever the fence says.
_IMPORT = lazy_pattern(
    r"^\s*(?:import\s+[\w.]+(?:\s+as\s+\w+)?\s*(?:[,;#].*)?|from\s+[\w.]+\s+import\s+[\w(*].*)$", re.MULTILINE
)


def from_fence(fence: Fence, scripts: frozenset[str]) -> list[tuple[str, Piece]]:
    """Return the runnable parts of a fence, each with its language."""
    known = tags()
    tag, text = fence.language, fence.text.removesuffix("\n")
    if not text.strip():
        return []
    language = known.analysed.get(tag) or known.session.get(tag)
    if language == "python":
        return pyfence.pieces(text.expandtabs(8), fence.line, scripts)
    if language == "shell":
        found = commands.unprompt(text, session=tag in known.session, scripts=scripts)
        return [("shell", Piece.whole(text, fence.line) if found is None else Piece.picked(found, fence.line))]
    if language or tag in known.opaque:
        return [(language or known.opaque[tag], Piece.whole(text, fence.line))]
    return _unlabelled(text, fence.line, scripts) if tag in known.unlabelled else []


def _unlabelled(text: str, line: int, scripts: frozenset[str]) -> list[tuple[str, Piece]]:
    """Return a block without a language as Python if it imports and parses or is a session, else as shell as far as its
    lines read as commands.
    """
    if ">>>" in text and (statements := commands.unprompt_python(text)) is not None:
        return [("python", Piece.picked(statements, line))]
    if _IMPORT.search(text) and pyfence.parses(text):
        return [("python", Piece.whole(text, line))]
    found = commands.unprompt(text, session=True)
    if found is not None and any(commands.is_command(command, scripts) for _, command in found):
        return [("shell", Piece.picked(found, line))]
    rows = text.split("\n")
    code = [row for row in rows if row.strip() and not row.lstrip().startswith("#")]
    fitting = [commands.is_command(row, scripts) for row in code]
    if not any(fitting):
        return []
    if fitting[0] and sum(fitting) * 2 >= len(fitting):
        return [("shell", Piece.whole(text, line))]
    return [("shell", Piece.picked(_with_continuations(rows, scripts), line))]


def _with_continuations(rows: list[str], scripts: frozenset[str]) -> list[tuple[int, str]]:
    out: list[tuple[int, str]] = []
    continued = False
    for index, row in enumerate(rows):
        if continued or commands.is_command(row, scripts):
            out.append((index, row.strip()))
            continued = row.rstrip().endswith("\\")
    return out


_STANDS_FOR = lazy_pattern(r"<\w[^<>\n]{0,79}>")  # `<the user's folder>`: no quote begins there


def from_spans(document: Document, scripts: frozenset[str]) -> list[Piece]:
    """Return inline code that reads as a command with arguments, in a sentence that asks for it."""
    run_by_host = {bang.text for bang in document.bangs}
    out: list[Piece] = []
    for span in document.spans:
        text = span.text.strip().removeprefix("$ ")
        if " " not in text or span.in_heading or len(text) > 1000 or span.text in run_by_host:
            continue
        if (
            commands.is_command(text, scripts, bare=False)
            and commands.is_instruction(span.sentence, span.heading)
            and commands.balanced(_STANDS_FOR.sub("_", text))
        ):
            out.append(Piece(text, (span.line,)))
    return out


def joins(text: str, language: str) -> bool:
    """Whether this text can be joined with others without breaking them."""
    if language == "shell":
        return commands.balanced(text)
    return language != "python" or pyfence.parses(text)
