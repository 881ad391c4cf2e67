"""The terminal: width, colours, the characters of its encoding, and escaping of text that could steer it."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable
from typing import TextIO

_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36", "bad": "1;31"}
_FALLBACK = {
    "…": "...",
    "✗": "x",
    "✓": "+",
    "·": "-",
    "→": "->",
    "─": "-",
    "│": "|",
    "▸": ">",
    "←": "<-",
    "↑": "up ",
    "↓": "down",
    "“": '"',
    "”": '"',
}
_UNSAFE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_PLAIN = re.compile(r"[\x20-\x7e]*")
_CODE = re.compile(r"\x1b\[[0-9;]*m")
MIN_WIDTH, MAX_WIDTH, DEFAULT_WIDTH = 40, 140, 100


def visible(text: str) -> str:
    """Return untrusted text for printing: controls, invisible and unassigned characters are escaped."""
    if _PLAIN.fullmatch(text):
        return text
    return "".join(
        char if unicodedata.category(char) not in _UNSAFE else char.encode("unicode_escape", "surrogatepass").decode()
        for char in text
    )


def width_of(text: str) -> int:
    """Return how many columns a text takes; styles take none, wide characters two, combining ones none."""
    text = _CODE.sub("", text)
    if text.isascii():
        return len(text)
    return sum(_columns(char) for char in text)


def _columns(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _terminal_width(out: TextIO, *, terminal: bool) -> int:
    """Return the columns from COLUMNS, or of the terminal."""
    said = os.environ.get("COLUMNS", "")
    if said.isascii() and said.isdigit() and int(said[:6]) > 0:
        return int(said[:6])
    try:
        return os.get_terminal_size(out.fileno()).columns if terminal else DEFAULT_WIDTH
    except (OSError, ValueError):
        return DEFAULT_WIDTH


class Screen:
    """The output stream for text."""

    def __init__(self, out: TextIO, *, color: bool, width: int = DEFAULT_WIDTH) -> None:
        self.out = out
        self.color = color
        self.width = min(max(width, MIN_WIDTH), MAX_WIDTH)

    @classmethod
    def of(cls, out: TextIO, color: str) -> Screen:
        """Return a screen for a stream: with colours only on a terminal, unless they are requested or NO_COLOR is set."""
        terminal = out.isatty()
        wanted = color == "always" or (
            color == "auto" and terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        )
        return cls(out, color=wanted, width=_terminal_width(out, terminal=terminal))

    def style(self, text: str, *names: str) -> str:
        """Return text in a style, if styles are shown."""
        if not self.color or not text:
            return text
        return f"\x1b[{';'.join(_STYLES[name] for name in names)}m{text}\x1b[0m"

    def write(self, lines: Iterable[str]) -> None:
        """Print lines; characters that the encoding lacks are replaced."""
        for line in lines:
            self.out.write(self.shown(line) + "\n")

    def shown(self, line: str) -> str:
        """Return a line with the characters of the encoding."""
        if line.isascii():
            return line
        encoding = self.out.encoding or "ascii"
        try:
            line.encode(encoding)
        except (UnicodeEncodeError, LookupError):
            for char, plain in _FALLBACK.items():
                line = line.replace(char, plain)
            return line.encode(encoding, "backslashreplace").decode(encoding)
        return line

    def wrap(self, text: str, indent: int, first: int | None = None) -> list[str]:
        """Return lines that fit the width, from words of one text; `first` is the indent of the first line."""
        return wrap(text, self.width, indent, indent if first is None else first)


def wrap(text: str, width: int, indent: int, first: int) -> list[str]:
    """Break a text at blanks; a word that is too long stays whole on its own line, so that paths can be copied."""
    out: list[str] = []
    line, at, fresh = " " * first, first, True
    for word in text.split(" "):
        size = width_of(word)
        if not fresh and at + 1 + size > width:
            out.append(line.rstrip())
            line, at, fresh = " " * indent, indent, True
        if fresh and not word:
            continue  # blanks that only separate words do not begin a line
        line, at, fresh = (line + word, at + size, False) if fresh else (f"{line} {word}", at + 1 + size, False)
    out.append(line.rstrip())
    return out
