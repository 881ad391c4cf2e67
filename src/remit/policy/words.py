r"""The words of a command, as every shell reads them: exact where that is certain, over-approximated for denials.

`plain_words` answers only for one simple command in which nothing expands, so that the words that are judged are the words that
run. `spoken` lists every command that a text may contain, for denials: it may list too many.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from remit.core.patterns import lazy_pattern

_UNCERTAIN = frozenset("$`;&|<>(){}*?[]!")  # outside of quotes these expand, or begin something else
_EXPANDS = frozenset("$`")  # inside of double quotes
_ESCAPABLE = frozenset('$`"\\')
_RUN = lazy_pattern(r"[\w./:@%+,=-]+", re.ASCII)  # characters that mean themselves everywhere
_OPERATORS = lazy_pattern(r"[;&|\n\r(){}<>`]+")
_QUOTES = lazy_pattern(r"['\"\\]|\$(?=['\"(])")
_TAKES_TEXT = lazy_pattern(r"-[A-Za-z]*c|--command", re.ASCII)  # the next word is a command again
MAX_TEXTS = 64  # nesting depth of texts; beyond it the meaning is unknown


def plain_words(text: str) -> tuple[str, ...] | None:
    """Return the words of one simple command in which nothing expands; None if it is not certainly one."""
    words: list[str] = []
    word: list[str] | None = None
    at = 0
    while at < len(text):
        char = text[at]
        if char in " \t":
            if word is not None:
                words.append("".join(word))
            word = None
            at += 1
            continue
        if char in "~#=" if word is None else char == "~" and word[-1].endswith(("=", ":")):
            return None  # a home, a comment, the path of a program
        found = _piece(text, at)
        if found is None:
            return None
        word = [] if word is None else word
        word.append(found[0])
        at = found[1]
    if word is not None:
        words.append("".join(word))
    # an assignment in front changes what the program does without being one of its words
    return tuple(words) if words and words[0] and "=" not in words[0] else None


def _piece(text: str, at: int) -> tuple[str, int] | None:
    """Return what a run of characters, an escape or a quotation at `at` adds to a word, and where it ends."""
    run = _RUN.match(text, at)
    if run:
        return run[0], run.end()
    char = text[at]
    if char == "'":
        end = text.find("'", at + 1)
        return (text[at + 1 : end], end + 1) if end >= 0 else None
    if char == '"':
        return _double(text, at + 1)
    if char == "\\":
        return (text[at + 1], at + 2) if at + 1 < len(text) and text[at + 1] not in "\n\r" else None
    return None if char in _UNCERTAIN or char.isspace() else (char, at + 1)


def _double(text: str, at: int) -> tuple[str, int] | None:
    """Return the same after a double quote."""
    out: list[str] = []
    while at < len(text):
        char = text[at]
        if char == '"':
            return "".join(out), at + 1
        after = text[at + 1 : at + 2]
        if char in _EXPANDS or (char == "\\" and after in ("\n", "\r")):
            return None
        if char == "\\" and after and after in _ESCAPABLE:
            char = after
            at += 1
        out.append(char)
        at += 1
    return None


def spoken(text: str) -> tuple[tuple[str, ...], ...] | None:
    """Return the words of every command that a text may contain, nested ones included; None if it is too complex."""
    seen = {text}
    todo = [text]
    out: dict[tuple[str, ...], None] = {}
    while todo:
        for command in _readings(todo.pop()):
            out[command] = None
            for inner in _inner(command):
                if inner not in seen:
                    seen.add(inner)
                    todo.append(inner)
        if len(seen) > MAX_TEXTS:
            return None
    return tuple(out)


def _inner(command: tuple[str, ...]) -> Iterator[str]:
    """Yield words that are commands themselves: after `-c` and `--command`, and all that follows `eval`."""
    for at, word in enumerate(command):
        if word.startswith("--command="):
            yield word.partition("=")[2]
        elif word == "eval":
            yield " ".join(command[at + 1 :])
        elif _TAKES_TEXT.fullmatch(word):
            yield from command[at + 1 : at + 2]


def _readings(text: str) -> list[tuple[str, ...]]:
    """Return the one reading of a plain command; else cut at each operator, with quotes respected, with quotes dropped,
    and uncut.
    """
    plain = plain_words(text)
    if plain:
        return [plain]
    bare = _QUOTES.sub("", text)
    pieces = [*_cut(text), *_OPERATORS.split(bare), bare]
    return [words for piece in pieces if (words := plain_words(piece) or tuple(_QUOTES.sub("", piece).split()))]


def _cut(text: str) -> list[str]:
    """Return the text between operators outside of quotes."""
    out: list[str] = []
    begin = at = 0
    while at < len(text):
        if text[at] in "'\"\\":
            found = _piece(text, at)
            at = found[1] if found else at + 1
        elif _OPERATORS.match(text[at]):
            out.append(text[begin:at])
            at += 1
            begin = at
        else:
            at += 1
    return [*out, text[begin:]]
