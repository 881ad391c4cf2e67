"""The texts that a call may write into files that it names: what it redirects, what it pipes into `tee`, what a patch adds, and the long
texts in the code of its own that writes a file.

It is an answer to "what could stand there", not "what will": a text too many is looked at for nothing. What is not known of a text (the
value of a variable) stands in it as one plain word.
"""

from __future__ import annotations

import ast
import re
import warnings
from typing import TYPE_CHECKING

from remit.analysis.domain import Text, lit
from remit.analysis.engine.texts import texts_of
from remit.analysis.programs import LANGUAGES
from remit.core.capability import FILE_WRITES
from remit.core.scope import ROOT, PathScope
from remit.core.scope.component import literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from remit.analysis.world import Child, Site
    from remit.guard.understand.live import LiveSession
    from remit.guard.understand.values import Part

_TEE = frozenset({"tee", "gtee", "sponge"})  # what comes in is what stands in the files that they name
_MOST = 64  # texts
_SHORTEST = 24  # characters of a text that can be a program in another one
_QUOTED = re.compile(r"`(?:\\.|[^`\\])*`|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "\n": ""}
_UNKNOWN = "unknown"  # for what is not known in a text: a word that is a name in every language


def piped(session: LiveSession, names: set[str], child: Child, site: Site) -> None:
    """The text that a program writes as it is: what is piped into it, or nothing."""
    known = [item.literal for word in child.words for item in texts_of(word)]
    if names & _TEE and child.stdin:
        text = child.stdin
    elif ("truncate" in names and {"0", "-s0", "--size=0"} & {*known}) or ("cp" in names and "/dev/null" in known):
        text = lit("")
    else:
        return
    for word in child.words[1:]:
        session.wrote(word, text, site)


def written(session: LiveSession, parts: Iterable[Part]) -> tuple[tuple[str, str], ...]:
    """Paths and texts, each pair once."""
    found: dict[tuple[str, str], None] = {}
    for name, content in (*session.parts.reports.launches.texts(), *session.told_texts.added):
        if name.literal is None or not name.literal.startswith("/") or name.literal.startswith("/dev/"):
            continue
        for item in content:
            if isinstance(item, Text) and (item.literal == "" or any(isinstance(piece, str) for piece in item.parts)):
                found[name.literal, _filled(item)] = None
    found |= dict.fromkeys(session.told_texts.patched)
    paths = [path for part in parts if part.capability in FILE_WRITES and (path := _path(part))]
    for language, code in session.told_texts.codes:
        for text in constants(language, code):
            found |= dict.fromkeys((path, text) for path in paths)
    return tuple(found)[:_MOST]


def _filled(text: Text) -> str:
    return "".join(piece if isinstance(piece, str) else _UNKNOWN for piece in text.parts)


def _path(part: Part) -> str:
    scope = part.scope
    if not isinstance(scope, PathScope) or scope.anchor != ROOT:
        return ""
    known = [literal(item) for item in scope.parts]
    return "" if None in known else "/" + "/".join(item or "" for item in known)


def constants(language: str, code: str) -> Iterator[str]:
    """The long texts in a program, the outermost ones, each as it would be written."""
    if LANGUAGES.get(language, language) != "python":
        yield from _templates(code)
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
            text = node.value if isinstance(node.value, str) else node.value.decode("utf-8", "replace")
            if len(text) >= _SHORTEST:
                yield text
        elif isinstance(node, ast.JoinedStr):
            pieces = [item.value if isinstance(item, ast.Constant) else _UNKNOWN for item in node.values]
            if sum(map(len, map(str, pieces))) >= _SHORTEST:
                yield "".join(map(str, pieces))


def _templates(code: str) -> Iterator[str]:
    """What stands between quotes in JavaScript."""
    for found in _QUOTED.finditer(code):
        piece = found[0][1:-1]
        if len(piece) >= _SHORTEST:
            yield _ESCAPED.sub(lambda escape: _ESCAPES.get(escape[1], escape[1]), piece)
