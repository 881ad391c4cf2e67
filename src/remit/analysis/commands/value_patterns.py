"""Whether a value matches the pattern of a condition, also if part of it is unknown."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from remit.analysis.commands.values import cut_from_user, tail, texts
from remit.analysis.domain import ANCHORS, FLAT, NUMERIC, SEGMENT, Hole, Text, Value
from remit.core.patterns import lazy_pattern

_HOLES = {NUMERIC: "[0-9eE+.-]*", SEGMENT: "[^/]+", FLAT: "[^/]*"}
_ATOM = lazy_pattern(r"(?:\\(.)|\[(.)\]|([^\\\[\](){}.*+?|^$]))(\?)?")
_CHOICES = 16
_SCHEME = lazy_pattern(r"[a-z][a-z0-9+.-]*:/*")
ANY_CASE = "(?i)"


class _Form(NamedTuple):
    """One alternative of a simple pattern: a literal, open at its start or end."""

    literal: str
    before: bool
    after: bool


def matches(values: list[Value], pattern: str, *, unsure: bool) -> bool | None:
    """Whether the whole value matches: None if that depends on what is not known."""
    answers = {_one(item, pattern) for value in values for item in texts(value)}
    if answers == {True}:
        return None if unsure else True
    return False if answers == {False} else None


def _one(item: Text, pattern: str) -> bool | None:
    if item.literal is not None:
        return re.fullmatch(pattern, item.literal, re.DOTALL) is not None
    if pattern.startswith(ANY_CASE):  # a hole may be of any case too
        pattern = pattern.removeprefix(ANY_CASE).lower()
        item = Text(tuple(part.lower() if isinstance(part, str) else part for part in item.parts))
    forms = _forms(pattern)
    if forms is None:
        return None
    answers = {_form(item, form) for form in forms}
    return True if True in answers else None if None in answers else False


@lru_cache(maxsize=512)
def _forms(pattern: str) -> tuple[_Form, ...] | None:
    """The alternatives of a pattern that is made of literals, `x?`, one group of them and `.*` at the ends; None for any
    other pattern."""
    branches = _branches(pattern)
    if branches is None:
        return None
    out: list[_Form] = []
    for branch in branches:
        before, after = branch.startswith(".*"), branch.endswith(".*") and branch != ".*"
        middle = branch[2:] if before else branch
        middle = middle[:-2] if after else middle
        pieces: list[tuple[str, ...]] = []
        at = 0
        while at < len(middle):
            found = _ATOM.match(middle, at)
            if found is None:
                return None
            char = found[1] or found[2] or found[3]
            if found[1] and found[1].isalnum():
                return None
            pieces.append((char, "") if found[4] else (char,))
            at = found.end()
        literals = ["".join(choice) for choice in product(*pieces)]
        if len(literals) > _CHOICES:
            return None
        out.extend(_Form(literal, before, after) for literal in literals)
    return tuple(out)


def _branches(pattern: str) -> list[str] | None:
    group = re.fullmatch(r"([^()|]*)\(([^()]*)\)([^()|]*)", pattern)
    if group is not None:
        return [group[1] + middle + group[3] for middle in group[2].split("|")]
    return None if "(" in pattern else pattern.split("|")


def asks_for_address(pattern: str) -> bool:
    """Whether a condition asks if a word is an address (`https?:.*`) rather than a path."""
    forms = _forms(pattern.removeprefix(ANY_CASE))
    return bool(forms) and all(
        not form.before and form.after and _SCHEME.fullmatch(form.literal) for form in forms or ()
    )


def _form(item: Text, form: _Form) -> bool | None:
    if not form.before and not form.after:
        first = item.parts[0]
        if form.literal.startswith("-") and isinstance(first, Hole) and cut_from_user(first):
            return False  # the assumption `option-like-arguments`, which the reader has printed for this word
        expression = "".join(map(_expression, item.parts))
        return None if re.fullmatch(expression, form.literal, re.DOTALL) else False
    if form.before and form.after:
        return True if any(isinstance(part, str) and form.literal in part for part in item.parts) else None
    if form.before:
        end = tail(item)
        return True if end.endswith(form.literal) else None if form.literal.endswith(end) else False
    start = _start(item)
    return True if start.startswith(form.literal) else None if form.literal.startswith(start) else False


def _expression(part: str | Hole) -> str:
    if isinstance(part, str):
        return re.escape(part)
    return "/.*" if part.origin in ANCHORS else _HOLES.get(part.alphabet, ".*")


def _start(item: Text) -> str:
    """The characters with which a text begins for certain; a folder of the run begins with a slash."""
    first = item.parts[0]
    if isinstance(first, str):
        return first
    return "/" if first.origin in ANCHORS else ""
