"""Conditions on known texts: what they decide."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

from remit.analysis.shell.patterns import matched
from remit.analysis.shell.values import literal_of, texts
from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    from remit.analysis.domain import Text, Value
    from remit.analysis.shell.values import Fields

ORDER = {
    "-eq": operator.eq, "-ne": operator.ne, "-lt": operator.lt, "-le": operator.le, "-gt": operator.gt, "-ge": operator.ge,
}  # fmt: skip
_INTEGER = lazy_pattern(r"0|-?[1-9][0-9]{0,14}")
_EQUAL = {"=": True, "==": True, "!=": False}


def holds(op: str, values: list[Value]) -> bool | None:
    """Whether one term of `[[ … ]]` holds (its right side is a pattern); None if that is open."""
    if op in ("-n", "-z"):
        return _all(_filled(item) is (op == "-n") if _filled(item) is not None else None for item in texts(values[0]))
    wanted = _EQUAL.get(op)
    if wanted is None:
        return None
    found = [matched(item, pattern)[1] for item in texts(values[0]) for pattern in texts(values[1])]
    return _all(None if verdict is None else verdict is wanted for verdict in found)


def decided(args: Fields, *, strict: bool) -> bool | None:
    """Whether `test` with these words succeeds; None if that is open. `strict`: `==` is an error in some shells."""
    if args.rest or (strict and any(literal_of(word) == "==" for word in args.words)):
        return None
    words = list(args.words)
    if words and literal_of(words[-1]) == "]":
        words.pop()
    if len(words) == 1:
        return holds("-n", words)
    if len(words) == 2 and literal_of(words[0]) in ("-n", "-z"):
        return holds(literal_of(words[0]) or "", words[1:])
    op = literal_of(words[1]) if len(words) == 3 else None
    if op in _EQUAL:
        return _same(words[0], words[2], wanted=_EQUAL[op or ""])
    return ordered(op, words[0], words[2]) if op is not None and op in ORDER else None


def ordered(op: str, left: Value, right: Value) -> bool | None:
    """Whether a comparison of two numbers holds; None if that is open."""
    pairs = [(a.literal or "", b.literal or "") for a in texts(left) for b in texts(right)]
    if not all(_INTEGER.fullmatch(a) and _INTEGER.fullmatch(b) for a, b in pairs):
        return None
    return _all(ORDER[op](int(a), int(b)) for a, b in pairs)


def _same(left: Value, right: Value, *, wanted: bool) -> bool | None:
    lefts, rights = ([item.literal for item in texts(value)] for value in (left, right))
    return _all(None if a is None or b is None else (a == b) is wanted for a in lefts for b in rights)


def _filled(item: Text) -> bool | None:
    """Whether a text has a character."""
    if any(isinstance(part, str) for part in item.parts):
        return True
    return None if item.parts else False


def _all(verdicts: object) -> bool | None:
    """The answer that all alternatives give."""
    found = set(verdicts)  # type: ignore[call-overload]
    return found.pop() if len(found) == 1 else None
