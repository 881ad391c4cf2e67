"""The words of a builtin spelled out: where it looks at the very text of a word that may be one of several, each is a case of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.each import each
from remit.analysis.shell.values import Fields, texts

if TYPE_CHECKING:
    from remit.analysis.domain import Text, Value

_MAX_CASES = 64


def spelled(args: Fields, *, every: bool) -> list[Fields] | None:
    """The cases; None if they are too many. `every`: all words are looked at, not only those that may be options."""
    cases: list[tuple[Value, ...]] = [()]
    leading = True
    for word in args.words:
        choices = _choices(word, every=every) if every or leading else [word]
        leading = leading and any(map(_option, texts(word)))
        cases = [(*before, choice) for before in cases for choice in choices]
        if len(cases) > _MAX_CASES:
            return None
    return [Fields(words, args.rest) for words in cases]


def _choices(word: Value, *, every: bool) -> list[Value]:
    """A text for each option that the word may be, and what else it may be together."""
    if len(word) < 2:
        return [word]
    alone = [item for item in each(texts(word)) if every or _option(item)]
    others: Value = texts(word) - frozenset(alone)
    return [*(frozenset({item}) for item in alone), *([others] if others else [])]


def _option(item: Text) -> bool:
    known = item.literal
    return known is not None and known[:1] in ("-", "+") and len(known.split()) == 1
