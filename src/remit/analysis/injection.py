"""Code with holes: a program whose text is known but for what other programs put into it.

A hole inside a string of the program, or where a value stands, leaves the rest of the program readable: it is read with
a name in the place of the hole. Where the hole may be a statement or the name of a function nothing can be said.
"""

from __future__ import annotations

import ast
import os
import re
import warnings
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from remit.analysis.domain import ANCHORS, NUMERIC, RANDOM, Hole, Text, Value
from remit.analysis.python.trees import children, walk
from remit.core.patterns import lazy_pattern

# Letters of a script that no program is written in: they are names for every parser, and themselves inside strings.
_FIRST, _LAST = 0x10600, 0x10736
_MARKS = lazy_pattern(f"[{chr(_FIRST)}-{chr(_LAST)}]")
_QUOTES = lazy_pattern(r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|//[^\n]*|/\*.*?\*/""", re.DOTALL)
_BEFORE = lazy_pattern(r"(?:[=(\[,+\-*/<>?&|:!]|\b(?:return|in|of|case|typeof))\s*$")
_AFTER = lazy_pattern(r"\s*(?:[)\],;}:+\-*/<>=!&|?]|$)", re.MULTILINE)


class OpenCode(NamedTuple):
    """A program with names in the place of its holes."""

    source: str
    holes: dict[str, Value]


def raw(part: Hole) -> bool:
    """Whether the text of a hole may be more than a number or a folder."""
    return part.alphabet != NUMERIC and part.origin not in ANCHORS and part.origin != RANDOM


@lru_cache(256)
def opened(language: str, code: Text) -> OpenCode | None:
    """The program with names for its holes; None if a hole may be anything that the program does."""
    holes: dict[str, Value] = {}
    pieces: list[str] = []
    for part in code.parts:
        if isinstance(part, str):
            if _MARKS.search(part):
                return None
            pieces.append(part)
            continue
        name = chr(_FIRST + len(holes))
        holes[name] = frozenset({Text((part,))})
        pieces.append(name)
    if not holes or len(holes) > _LAST - _FIRST:
        return None
    source = "".join(pieces)
    loose = _loose_python(source) if language == "python" else _loose_script(source)
    return None if loose else OpenCode(source, holes)


def _loose_python(source: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source, os.devnull)  # a syntax error makes the interpreter look for a file of this name
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True
    return any(_is_loose(parent, child) for parent in walk(tree) for child in children(parent)) or any(
        _MARKS.search(name) for name in _names(tree)
    )


def _is_loose(parent: ast.AST, child: ast.AST) -> bool:
    """Whether a hole stands where it would be a statement, a function or an object."""
    if not isinstance(child, ast.Name) or not _MARKS.search(child.id):
        return False
    if len(child.id) > 1 or not isinstance(child.ctx, ast.Load):
        return True
    if isinstance(parent, ast.Call):
        return parent.func is child
    return isinstance(parent, (ast.Expr, ast.Attribute, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.With))


def _names(tree: ast.AST) -> Iterator[str]:
    """Every name that is no variable."""
    for node in walk(tree):
        for field in ("attr", "name", "arg", "asname", "module"):
            value = getattr(node, field, None)
            if isinstance(value, str):
                yield value


def _loose_script(source: str) -> bool:
    """JavaScript and its like: outside of strings a hole must stand where only a value can stand."""
    inside = [found.span() for found in _QUOTES.finditer(source)]
    for found in _MARKS.finditer(source):
        at = found.start()
        if any(start < at < end for start, end in inside):
            continue
        if not _BEFORE.search(source, max(at - 40, 0), at) or not _AFTER.match(source, at + 1):
            return True
    return False
