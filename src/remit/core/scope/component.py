r"""Patterns of one path component or one name.

`*` is any run of characters, `?` is one character, `\c` is the character c, `\x{2028}` the character of that code.
`[` and `{` are refused unless escaped: in other tools they begin a class, here they would silently mean themselves.

The normal form escapes exactly `* ? [ { \` and what is not printable, and writes a run of wildcards as its `?` before
its `*`. Sets of pattern positions are bits of an integer, so a step over one character is a few integer operations.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from remit.core.errors import ManifestError
from remit.core.patterns import lazy_pattern

_SPECIAL = frozenset("*?[{\\")
_PLAIN = lazy_pattern(r"[A-Za-z0-9._+@, -]*", re.ASCII)  # the common case: needs no look at each character
STAR, ONE = 0, 1
Token = int | str  # the common case: needs no character-by-character check

# Beyond this number of states an inclusion is undecided; callers take the safe answer.
BUDGET = 5_000


class BudgetSpentError(Exception):
    """A comparison needs more states than `BUDGET`."""


def escape(text: str) -> str:
    """Return the pattern that matches exactly this text."""
    if _PLAIN.fullmatch(text):
        return text
    return "".join(map(_escaped, text))


def _escaped(char: str) -> str:
    if char in _SPECIAL:
        return "\\" + char
    return char if char.isprintable() else f"\\x{{{ord(char):x}}}"


@lru_cache(4096)
def tokens(pattern: str) -> tuple[Token, ...]:
    """Return the tokens of a pattern; a malformed one is refused."""
    if "\0" in pattern:
        message = "a name cannot hold the character NUL"
        raise ManifestError(message, "remove it")
    out: list[Token] = []
    at = 0
    while at < len(pattern):
        char = pattern[at]
        at += 1
        if char == "*":
            out.append(STAR)
        elif char == "?":
            out.append(ONE)
        elif char in "[{":
            message = f"`{char}` in `{pattern}` is not a class here"
            raise ManifestError(
                message, f"write one scope for each alternative, or `\\{char}` for the character itself"
            )
        elif char == "\\":
            literal, at = _unescape(pattern, at)
            out.append(literal)
        else:
            out.append(char)
    return tuple(out)


def _unescape(pattern: str, at: int) -> tuple[str, int]:
    """Return the character of an escape whose backslash is before `at`, and where it ends."""
    if at < len(pattern) and pattern[at] != "x":
        return pattern[at], at + 1
    end = pattern.find("}", at)
    digits = pattern[at + 2 : end]
    if end > 0 and pattern[at + 1 : at + 2] == "{" and digits and all(d in "0123456789abcdefABCDEF" for d in digits):
        code = int(digits, 16) if len(digits) <= 6 else 0x110000
        if 0 < code < 0x110000:
            return chr(code), end + 1
    message = f"`{pattern}` has an unfinished escape"
    raise ManifestError(message, "write `\\\\` for a backslash, `\\x{2028}` for a character by its code")


def normal(pattern: str) -> str:
    """Return the normal form of a pattern."""
    if _PLAIN.fullmatch(pattern):
        return pattern
    return spell(tokens(pattern))


def spell(items: tuple[Token, ...]) -> str:
    """Return the pattern of these tokens, in normal form."""
    out: list[str] = []
    ones = stars = 0
    for token in (*items, ""):
        if token == STAR:
            stars += 1
        elif token == ONE:
            ones += 1
        else:
            out.append("?" * ones + "*" * bool(stars))
            ones = stars = 0
            out.append(_escaped(token) if isinstance(token, str) and token else "")
    return "".join(out)


@lru_cache(8192)  # called for every component of every path in a decision, with few distinct values
def literal(pattern: str) -> str | None:
    """Return the only text that a pattern matches, or None if it has a wildcard."""
    if _PLAIN.fullmatch(pattern):
        return pattern
    items = tokens(pattern)
    return None if STAR in items or ONE in items else "".join(map(str, items))


class _Machine(NamedTuple):
    """A pattern as bit sets over its positions."""

    star: int
    one: int
    chars: dict[str, int]
    start: int
    accept: int

    def step(self, states: int, char: str) -> int:
        moved = (states & (self.one | self.chars.get(char, 0))) << 1 | states & self.star
        return moved | (moved & self.star) << 1


@lru_cache(4096)
def _machine(pattern: str) -> _Machine:
    star = one = 0
    chars: dict[str, int] = {}
    items = tokens(normal(pattern))  # so that no star follows another, and one closing step is enough
    for at, token in enumerate(items):
        if token == STAR:
            star |= 1 << at
        elif token == ONE:
            one |= 1 << at
        else:
            chars[str(token)] = chars.get(str(token), 0) | 1 << at
    return _Machine(star, one, chars, 1 | (1 & star) << 1, 1 << len(items))


def match(pattern: str, text: str) -> bool:
    """Whether the pattern matches the text."""
    if _PLAIN.fullmatch(pattern):
        return pattern == text
    machine = _machine(pattern)
    states = machine.start
    for char in text:
        states = machine.step(states, char)
    return bool(states & machine.accept)


# What has been read of a word so far: nothing, `.`, `..`, or more. An empty word is no name; the first three are no
# component.
_DOTS = {(0, "."): 1, (1, "."): 2}
_FRESH = "\0"  # stands for every character that no pattern mentions; no name contains it


@lru_cache(4096)
def signatures(pattern: str, others: tuple[str, ...], *, component: bool = True) -> frozenset[frozenset[int]]:
    """For each word of `pattern`, which of `others` match it: all the combinations that occur.

    Words are valid components (not empty, `.` or `..`) or, with `component` off, any names but the empty one.
    """
    machines = tuple(map(_machine, (pattern, *others)))
    alphabet = {char for machine in machines for char in machine.chars} | {".", _FRESH}
    wild, spelled = machines[0].star | machines[0].one, machines[0].chars
    start = (0, *(machine.start for machine in machines))
    seen, todo = {start}, [start]
    found: set[frozenset[int]] = set()
    while todo:
        dots, *states = todo.pop()
        if states[0] & machines[0].accept and (dots == 3 or (dots and not component)):
            found.add(frozenset(i for i, m in enumerate(machines[1:]) if states[i + 1] & m.accept))
        for char in alphabet if states[0] & wild else spelled:
            first = machines[0].step(states[0], char)
            if not first:
                continue
            rest = (m.step(s, char) for m, s in zip(machines[1:], states[1:], strict=True))
            state = (_DOTS.get((dots, char), 3), first, *rest)
            if state not in seen:
                seen.add(state)
                todo.append(state)
        if len(seen) > BUDGET:
            raise BudgetSpentError
    return frozenset(found)


def included(small: str, large: str, *, component: bool = True) -> bool:
    """Whether every word of `small` is one of `large`."""
    if large in (small, "*"):
        return True
    text = literal(small)
    if text is not None:
        return match(large, text)
    return all(signatures(small, (large,), component=component))


def meet(left: str, right: str, *, component: bool = True) -> bool:
    """Whether some word matches both patterns."""
    text = literal(left)
    if text is not None:
        return match(right, text)
    text = literal(right)
    if text is not None and text.strip("."):  # a name, and neither `.` nor `..`
        return match(left, text)
    return any(signatures(left, (right,), component=component))
