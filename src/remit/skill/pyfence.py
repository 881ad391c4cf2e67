"""Python in documents, which is often a sketch: sessions, notebook lines, elisions, bodies with only a comment.

What a reader completes mentally is completed here, without moving a line: an elided argument (`f(a=1, ...)`) is
dropped, a missing body is `pass`. A paragraph that still does not parse becomes a piece of its own, so that it is
reported as unreadable without affecting the rest of the fence.
"""

from __future__ import annotations

import ast
import os
import textwrap
import warnings
from functools import lru_cache
from itertools import pairwise

from remit.core.patterns import lazy_pattern
from remit.skill import commands
from remit.skill.notebook import split_magics
from remit.skill.piece import Piece

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


def pieces(text: str, line: int, scripts: frozenset[str]) -> list[tuple[str, Piece]]:
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
