r"""Detection of regular-expression constructs that our dialect lacks or interprets differently, with their positions.

A scan from left to right that knows escapes, classes, groups and repetitions, but not what they match.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from remit.core.patterns import lazy_pattern


class Unknown(NamedTuple):
    """A refused construct: its position, text and name, and what to write instead."""

    at: int
    text: str
    what: str
    remedy: str


_REPEAT_TEXT = "write the repeated part out; a denial may match more than intended"
_SPLIT = "write two entries or patterns, or a class such as `[^a]`; a denial may match more than intended"
_NO_CALL = "write the part out where it is used"
# After a backslash: characters, what they are, what to write.
_ESCAPES = (
    ("123456789gk", "a back-reference", _REPEAT_TEXT),
    ("Z", "an end of text", r"write `\z`, or `$`"),
    ("K", "a reset of the match", "remove it; only whether something matches counts"),
    ("G", "an end of the last match", "remove it, or write `^`"),
    ("R", "a line end", r"write `(\r\n|\n|\r)`"),
    ("h", "a blank", r"write `[ \t]`"),
    ("H", "a character that is no blank", r"write `[^ \t]`"),
    ("vV", "a vertical blank, which engines read in two ways", r"write `[\n\x0b\f\r]`, or `\x0b` for the character"),
    ("NX", "a character of another language", "write `.`, or a class"),
    ("u", "a character by its code", r"write `\x{2028}`"),
    ("C", "a single byte", "write `.`"),
    ("c", "a control character", r"write `\x01`"),
    ("<>", "a word boundary", r"write `\b`"),
)
# After `(?`: what follows, its name, what to write. The first match counts.
_GROUPS = (
    (lazy_pattern(r"[=!]"), "a look-ahead", _SPLIT),
    (lazy_pattern(r"<[=!]"), "a look-behind", _SPLIT),
    (lazy_pattern(r">"), "an atomic group", "write `(?:`"),
    (lazy_pattern(r"\("), "a conditional", "write both cases as alternatives: `(a|b)`"),
    (lazy_pattern(r"R|[+-]?[0-9]|&|P>"), "a recursion", _NO_CALL),
    (lazy_pattern(r"P="), "a back-reference", _REPEAT_TEXT),
    (lazy_pattern(r"#"), "a comment", "remove it"),
    (lazy_pattern(r"\|"), "a branch reset", "write `(?:`"),
    (lazy_pattern(r"C"), "a call-out", "remove it"),
    (lazy_pattern(r"'"), "a named group", "write `(?P<name>`"),
    (lazy_pattern(r"(?!P?<)[imsU-]*[^imsU:)-]"), "a flag", "only i, m, s and U are known"),
)
_COUNT = lazy_pattern(r"\{[0-9]+(?:,[0-9]*)?\}", re.ASCII)
_OPEN_COUNT = lazy_pattern(r"\{ *, *[0-9]+ *\}", re.ASCII)
_POSIX = lazy_pattern(r"\[:\^?[a-z]+:\]", re.ASCII)


def find_unknown(pattern: str) -> Unknown | None:
    """Return the first refused construct, if there is one. The engine still judges the rest."""
    at = 0
    while at < len(pattern):
        char = pattern[at]
        found: Unknown | None = None
        if char == "\\":
            found, at = _escape(pattern, at)
        elif char == "[":
            found, at = _class(pattern, at)
        elif char == "(":
            found, at = _group(pattern, at)
        elif char in "*+?{":
            found, at = _repetition(pattern, at)
        else:
            at += 1
        if found:
            return found
    return None


def _escape(pattern: str, at: int) -> tuple[Unknown | None, int]:
    char = pattern[at + 1 : at + 2]
    if char == "Q":  # up to \E everything is literal
        end = pattern.find("\\E", at + 2)
        return None, len(pattern) if end < 0 else end + 2
    for chars, what, remedy in _ESCAPES:
        if char and char in chars:
            return Unknown(at, "\\" + char, what, remedy), at
    return None, at + 2


def _class(pattern: str, at: int) -> tuple[Unknown | None, int]:
    at += 1
    at += pattern.startswith("^", at)
    first = True
    while at < len(pattern) and (first or pattern[at] != "]"):
        first = False
        posix = _POSIX.match(pattern, at)
        if posix:
            at = posix.end()
        elif pattern[at] == "\\":
            found, at = _escape(pattern, at)
            if found:
                return found, at
        else:
            at += 1
    return None, at + 1


def _group(pattern: str, at: int) -> tuple[Unknown | None, int]:
    if pattern.startswith("(*", at):
        return Unknown(at, "(*", "a verb", "remove it"), at
    if not pattern.startswith("(?", at):
        return None, at + 1
    for after, what, remedy in _GROUPS:
        found = after.match(pattern, at + 2)
        if found:
            return Unknown(at, f"(?{found[0]}", what, remedy), at
    return None, at + 2


def _repetition(pattern: str, at: int) -> tuple[Unknown | None, int]:
    if pattern[at] == "{":
        open_count = _OPEN_COUNT.match(pattern, at)
        if open_count:
            what = "a count without its lower end, which engines read in two ways,"
            return Unknown(at, open_count[0], what, "write `{0,` …"), at
        count = _COUNT.match(pattern, at)
        if not count:
            return None, at + 1
        end = count.end()
    else:
        end = at + 1
    if pattern.startswith("+", end):
        return Unknown(at, pattern[at : end + 1], "a possessive repetition", "remove its last `+`"), at
    return None, end
