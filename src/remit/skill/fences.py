"""Conversion of the fences and spans of a document into pieces of programs."""

from __future__ import annotations

import ast
import os
import re
import textwrap
import warnings
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.core.patterns import lazy_pattern
from remit.core.table import read_toml
from remit.skill import commands
from remit.skill.notebook import split_magics

if TYPE_CHECKING:
    from remit.skill.document import Document, Fence


@dataclass(slots=True)
class Piece:
    """A piece of a program: a text with the line of the file for each of its lines."""

    text: str
    lines: tuple[int, ...]

    @classmethod
    def whole(cls, text: str, line: int) -> Piece:
        """Return a text that is in the file unchanged, from a line on."""
        return cls(text, tuple(range(line, line + text.count("\n") + 1)))

    @classmethod
    def picked(cls, rows: list[tuple[int, str]], line: int) -> Piece:
        """Return some lines, by index, of a text that begins at a line."""
        return cls("\n".join(text for _, text in rows), tuple(line + index for index, _ in rows))


# Python in documents is often a sketch. What a reader completes mentally is completed here, without moving a line: an elided
# argument (`f(a=1, ...)`) is dropped, a missing body is `pass`. A paragraph that still does not parse becomes a piece of its
# own, so that it is reported as unreadable without affecting the rest of the fence.
_ELIDED = lazy_pattern(r",[ \t]*(\s*)(?:\.\.\.|\u2026)(?=\s*,?\s*(?:#[^\n]*\n)?\s*[)\]}])")
_NO_BODY = lazy_pattern(r"expected an indented block")
_HEADER = lazy_pattern(r"^(\s*)(?:.*:)\s*(?:#.*)?$")
_MAX_REPAIRS = 12


def parses(text: str) -> bool:
    """Whether a text is valid Python."""
    return _failure(text) is None


@lru_cache(maxsize=64)  # a fence is checked several times on its way
def _failure(text: str) -> SyntaxError | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text, os.devnull)  # on a syntax error the interpreter looks for a file of this name
    except SyntaxError as error:
        return error
    except (ValueError, RecursionError, MemoryError):
        return SyntaxError("unreadable")
    return None


def python_pieces(text: str, line: int, scripts: frozenset[str]) -> list[tuple[str, Piece]]:
    """Return the programs of a Python fence that begins at a line, each with its language."""
    if (statements := commands.unprompt_python(text)) is not None:
        whole = Piece.picked(statements, line)
    else:
        whole = Piece.whole(textwrap.dedent(text), line)
    python, shell = split_magics(whole.text)
    out = _python(Piece(python, whole.lines), scripts) if python.strip() else []
    return out + [("shell", Piece(command, (whole.lines[index],))) for index, command in shell]


def _python(piece: Piece, scripts: frozenset[str]) -> list[tuple[str, Piece]]:
    if parses(piece.text):
        return [("python", piece)]
    code = [row for row in piece.text.split("\n") if row.strip() and not row.lstrip().startswith("#")]
    if code and all(commands.is_command(row, scripts) for row in code):
        return [("shell", piece)]
    repaired = repair(piece.text)
    if parses(repaired):
        return [("python", Piece(repaired, piece.lines))]
    return [
        ("python", part if parses(part.text) else Piece(repair(part.text), part.lines)) for part in _paragraphs(piece)
    ]


def repair(text: str) -> str:
    """Return the text with elisions dropped and missing bodies completed; the number of lines is unchanged."""
    text = _ELIDED.sub(r"\1", text)
    for _ in range(_MAX_REPAIRS):
        failure = _failure(text)
        if failure is None or not _NO_BODY.match(failure.msg or "") or not failure.lineno:
            return text
        rows = text.split("\n")
        at = min(failure.lineno, len(rows)) - 1
        while at >= 0 and not (rows[at].rstrip().endswith(":") or _HEADER.match(rows[at])):
            at -= 1
        if at < 0:
            return text
        head, mark, comment = rows[at].partition("#")
        rows[at] = (
            f"{head.rstrip()} pass  {mark}{comment}".rstrip() if head.rstrip().endswith(":") else f"{rows[at]} pass"
        )
        text = "\n".join(rows)
    return text


def _paragraphs(piece: Piece) -> list[Piece]:
    """Return stretches that begin at the left margin after a blank line."""
    rows = piece.text.split("\n")
    starts = [0] + [
        n for n in range(1, len(rows)) if rows[n][:1].strip() and not rows[n - 1].strip() and rows[n][0] not in ")]}"
    ]
    bounds = [*starts, len(rows)]
    out = [Piece("\n".join(rows[low:high]), piece.lines[low:high]) for low, high in pairwise(bounds)]
    return [
        part for part in out if any(row.strip() and not row.lstrip().startswith("#") for row in part.text.split("\n"))
    ]


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
        return python_pieces(text.expandtabs(8), fence.line, scripts)
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
    if _IMPORT.search(text) and parses(text):
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
    return language != "python" or parses(text)
