"""Backslash escapes: `$'…'`, `echo -e`, and `printf` each have their own dialect of them."""

from __future__ import annotations

import re
from functools import partial

from remit.core.patterns import lazy_pattern

_SIMPLE = {
    "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
    "\\": "\\", "'": "'", '"': '"', "?": "?",
}  # fmt: skip
_NUMBER = lazy_pattern(r"x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,3})")
_ECHO = lazy_pattern(r"\\(?:0([0-7]{0,3})|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|(.))", re.DOTALL)
# In an argument of `printf %b` the zero of an octal number may be left out.
_ARGUMENT = lazy_pattern(
    r"\\(?:(0[0-7]{0,3}|[1-7][0-7]{0,2})|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|(.))", re.DOTALL
)
_PRINTF = lazy_pattern(r"\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|(.))", re.DOTALL)


def _char(digits: str) -> str:
    """A character by its number, in hexadecimal."""
    code = int(digits, 16)
    return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else ""


def _byte(digits: str, base: int) -> str:
    """One byte; several may be one character of UTF-8, which `_joined` finds out."""
    return bytes([int(digits or "0", base) & 0xFF]).decode("utf-8", "surrogateescape")


def _joined(pieces: list[str]) -> str:
    """The text that bytes and characters make together."""
    return "".join(pieces).encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")


def decode_ansi(text: str, pos: int) -> tuple[str, int]:
    """The inside of `$'…'` from `pos`, and the offset after the closing quote (-1: there is none)."""
    out: list[str] = []
    size = len(text)
    while pos < size:
        ch = text[pos]
        if ch == "'":
            return _joined(out), pos + 1
        if ch != "\\" or pos + 1 >= size:
            out.append(ch)
            pos += 1
            continue
        following = text[pos + 1]
        if (match := _NUMBER.match(text, pos + 1)) is not None:
            byte, short, long, octal = match.groups()
            char = _byte(byte or octal, 16 if byte else 8) if byte or octal else _char(short or long)
            pos = match.end()
            if char in {"", "\0"}:  # a NUL ends the string
                return _joined(out), _closing(text, pos)
            out.append(char)
        elif following == "c" and pos + 2 < size:
            out.append(chr(ord(text[pos + 2]) & 0x1F))
            pos += 3
        else:
            out.append(_SIMPLE.get(following, "\\" + following))
            pos += 2
    return "", -1


def _closing(text: str, pos: int) -> int:
    """The offset after the quote that closes `$'…'`."""
    while pos < len(text):
        if text[pos] == "'":
            return pos + 1
        pos += 2 if text[pos] == "\\" else 1
    return -1


def _decode(pattern: re.Pattern[str], text: str) -> str:
    out: list[str] = []
    pos = 0
    for match in pattern.finditer(text):
        out.append(text[pos : match.start()])
        pos = match.end()
        octal, byte, short, long, other = match.groups()
        if other == "c":
            return _joined(out)
        if octal is not None or byte is not None:
            out.append(_byte(octal or byte or "", 8 if byte is None else 16))
        elif other is not None:
            out.append(_SIMPLE.get(other, match.group()) if other not in "'?" else match.group())
        else:
            out.append(_char(short or long))
    out.append(text[pos:])
    return _joined(out)


echo_escapes = partial(_decode, _ECHO)  # what `echo -e` makes of a text; `\c` ends it
argument_escapes = partial(_decode, _ARGUMENT)  # what `%b` of `printf` makes of its argument
printf_escapes = partial(_decode, _PRINTF)  # what `printf` makes of its format
