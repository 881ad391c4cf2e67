"""Sets of texts: joining, concatenating, widening, and what a hole may do.

A shell knows only text, so its values are sets of `Text`. They are bounded: a set that grows past a limit is widened to
what its members have in common, and a hole.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from remit.analysis import domain
from remit.analysis.domain import Anything, Data, Hole, Num, Text, Value, concat, text
from remit.core.patterns import lazy_pattern

EMPTY: Value = frozenset({Text(())})
TOP: Value = frozenset({Text((Hole(domain.UNKNOWN, domain.ANYTHING, False),))})
MACHINE: Value = frozenset({Text((Hole(domain.FILE, domain.ANYTHING, False),))})
_PLAIN_TEXT: Value = frozenset({Text((Hole(domain.MIXED, domain.ANYTHING, False),))})
NUMBER: Value = frozenset({Text((Hole(domain.UNKNOWN, domain.NUMERIC, False),))})
MAX_TEXTS = 48
MAX_DOCUMENTS = 6  # texts so long that they are code or prose
_DOCUMENT = 150
_WHOLE = frozenset({*domain.ANCHORS, domain.MODEL, domain.RANDOM})  # origins of one word
MAX_PARTS = 40
MAX_CHARS = 20_000
PLAIN = lazy_pattern(r"[\w.:/@%,+ -]*")
_NUMBER = lazy_pattern(r"\s*[-+]?[0-9]+(?:\.[0-9]*)?\s*")


class Fields(NamedTuple):
    """Words in order, then any number of words out of `rest`.

    If it is known which word certainly ends them, it is `last`, and the words before it are out of `inner`; both are part of `rest`.
    """

    words: tuple[Value, ...] = ()
    rest: Value = domain.BOTTOM
    inner: Value = domain.BOTTOM
    last: Value = domain.BOTTOM


def texts(value: Value) -> frozenset[Text]:
    """The texts of a value that another language may have made."""
    if all(type(atom) is Text for atom in value):
        return value  # type: ignore[return-value]
    return frozenset(_as_text(atom) for atom in value)


def _as_text(atom: object) -> Text:
    if isinstance(atom, Text):
        return atom
    if isinstance(atom, Num):
        if atom.low is not None and atom.low == atom.high and float(atom.low).is_integer():
            return Text((str(int(atom.low)),))
        return Text((Hole(domain.UNKNOWN, domain.NUMERIC, False),))
    origin = atom.origin if isinstance(atom, (Data, Anything)) else domain.UNKNOWN
    return Text((Hole(origin, domain.ANYTHING, False),))


def literal_of(value: Value) -> str | None:
    """The one text that this value is."""
    if len(value) != 1:
        return None
    (atom,) = value
    return atom.literal if isinstance(atom, Text) else None


def origin_of(parts: Iterable[object]) -> str:
    """The origin that all holes share."""
    found = {part.origin for part in parts if isinstance(part, Hole)}
    return found.pop() if len(found) == 1 else domain.UNKNOWN


def value_origin(value: Value) -> str:
    """The origin that all holes of all texts share; unknown if there is none."""
    return origin_of(part for item in texts(value) for part in item.parts)


def is_numeric(item: Text) -> bool:
    """Whether this text is a number for certain."""
    return bool(item.parts) and all(
        part.alphabet == domain.NUMERIC if isinstance(part, Hole) else _NUMBER.fullmatch(part) is not None
        for part in item.parts
    )


def inexact(part: Hole) -> Hole:
    """The hole, computed from."""
    return part._replace(exact=False) if part.exact and part.origin not in domain.ANCHORS else part


def blur(item: Text) -> Text:
    """A text computed from this one in an unknown way."""
    if is_numeric(item):
        return Text((Hole(domain.UNKNOWN, domain.NUMERIC, False),))
    return Text((Hole(_pure_origin(item.parts), domain.ANYTHING, False),))


def _pure_origin(parts: Iterable[object]) -> str:
    """The origin of a text that holds nothing of the skill's own: else a hidden `rm` would pass as the caller's word."""
    pieces = list(parts)
    return origin_of(pieces) if all(isinstance(part, Hole) for part in pieces) else domain.UNKNOWN


def may_split(part: Hole) -> bool:
    """Whether an unquoted hole may become several words or none."""
    return part.alphabet not in (domain.NUMERIC, domain.QUOTED) and part.origin not in _WHOLE


def bounded(item: Text) -> Text:
    """A text that is not too long to carry around."""
    return blur(item) if len(item.parts) > MAX_PARTS or size(item) > MAX_CHARS else item


def join(left: Value, right: Value) -> Value:
    """Either of both."""
    if left is right or left == right or not right:
        return left
    if not left:
        return right
    both = left | right
    return widen(both) if len(both) > MAX_TEXTS else both


def join_all(values: Iterable[Value]) -> Value:
    """Any of these."""
    out: Value = domain.BOTTOM
    for value in values:
        out = join(out, value)
    return out


def cat(left: Value, right: Value) -> Value:
    """One after the other."""
    if left == EMPTY:
        return right
    if right == EMPTY:
        return left
    lefts, rights = texts(left), texts(right)
    count = len(lefts) * len(rights)
    if count > MAX_DOCUMENTS:
        most = MAX_DOCUMENTS if max(map(size, lefts)) > _DOCUMENT else MAX_TEXTS
        if count > most:  # what is added is less than what it is added to
            rights = texts(widen(rights))
        if len(lefts) * len(rights) > MAX_TEXTS:
            lefts = texts(widen(lefts))
    return frozenset(bounded(concat(a, b)) for a in lefts for b in rights)


def cat_words(words: Iterable[Value], between: Value) -> Value:
    """All words as one text."""
    out = EMPTY
    for index, word in enumerate(words):
        out = cat(cat(out, between) if index else out, word)
    return out


def size(item: Text) -> int:
    """How many known characters a text has."""
    return sum([len(part) for part in item.parts if isinstance(part, str)])  # a list is faster here


def widen(value: Value) -> Value:
    """One text that stands for all: what they begin with, then a hole."""
    items = list(texts(value))
    if len(items) <= 1:
        return value
    if all(is_numeric(item) for item in items):
        return NUMBER
    prefix = _common_prefix(items)
    return frozenset({text(*prefix, Hole(_shared_origin(items), domain.ANYTHING, False))})


def _shared_origin(items: list[Text]) -> str:
    """The origin of a hole that stands for any of these texts."""
    parts = [part for item in items for part in item.parts]
    if all(isinstance(part, Hole) for part in parts):
        return origin_of(parts)
    return domain.MIXED if all(map(_plain, items)) else domain.UNKNOWN


def _plain(item: Text) -> bool:
    """Whether a text is made of plain words, numbers and what the caller gives."""
    return all(given(part) if isinstance(part, Hole) else PLAIN.fullmatch(part) for part in item.parts)


def given(part: Hole) -> bool:
    """Whether the caller chooses this text, or it cannot be more than a number or a name."""
    return (
        part.origin in (domain.ARG, domain.STDIN, domain.MODEL, domain.MIXED, domain.RANDOM)
        or part.origin.startswith("env:")
        or part.alphabet == domain.NUMERIC
    )


def _common_prefix(items: list[Text]) -> tuple[str | Hole, ...]:
    """Whole parts that all texts share, and what the next literals share up to a slash or blank."""
    prefix: list[str | Hole] = []
    for column in zip(*(item.parts for item in items), strict=False):
        if all(part == column[0] for part in column):
            prefix.append(column[0])
            continue
        if all(isinstance(part, str) for part in column):
            prefix.append(_shared([part for part in column if isinstance(part, str)]))
        break
    return tuple(prefix)


def _shared(literals: list[str]) -> str:
    low, high = min(literals), max(literals)
    size = next((i for i, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), min(len(low), len(high)))
    return low[:size]


def widen_against(old: Value, new: Value, *, hard: bool) -> Value:
    """The widening of a loop: what grew becomes a hole; `hard` gives up its beginning too. Single holes are few, so they stay."""
    added = new - old
    if not added:
        return old
    both = old | new
    if all(is_numeric(item) for item in texts(both)):
        return NUMBER
    if all(map(_atomic, texts(added))):
        return both
    if hard:
        return frozenset({Text((Hole(_shared_origin(list(texts(both))), domain.ANYTHING, False),))})
    kept = frozenset(item for item in texts(both) if _atomic(item))
    return kept | widen(texts(both) - kept)


def _atomic(item: Text) -> bool:
    """Whether a text is nothing but a hole, or empty: there are few of these."""
    return not item.parts or (
        len(item.parts) == 1 and isinstance(item.parts[0], Hole) and item.parts[0].origin not in domain.ANCHORS
    )


def within(small: Value, large: Value) -> bool:
    """Whether a value holds no more than another."""
    if small <= large or large >= TOP:
        return True
    if large >= _PLAIN_TEXT and all(map(_plain, texts(small - large))):
        return True
    return large >= NUMBER and is_numeric_value(small - large)


def both_printed(before: Value, first: Value, then: Value) -> Value:
    """The output of two commands of which the first failed: `first` and `then` are all that is printed after each alone."""
    if is_numeric_value(first - EMPTY) and is_numeric_value(then - EMPTY):
        return NUMBER
    if then == EMPTY:
        return first
    parts = [part for item in texts(first) for part in item.parts]
    words = [part for item in texts(then) for part in item.parts]
    plain = all(given(part) if isinstance(part, Hole) else PLAIN.fullmatch(part.strip()) for part in words)
    holes = all(isinstance(part, Hole) or part.isspace() for part in parts)
    if before == EMPTY and holes and plain:
        return frozenset({Text((Hole(origin_of(parts), domain.ANYTHING, False),))})
    return cat(first, then)


def is_numeric_value(value: Value) -> bool:
    """Whether a value is a number for certain."""
    return all(is_numeric(item) for item in texts(value))


def trim_newlines(value: Value) -> Value:
    """What a command substitution makes of an output."""
    out = set[Text]()
    for item in texts(value):
        parts = text(*(part.replace("\0", "") if isinstance(part, str) else part for part in item.parts)).parts
        while parts and isinstance(parts[-1], str):
            last = parts[-1].rstrip("\n")
            if last == parts[-1]:
                break
            parts = (*parts[:-1], last) if last else parts[:-1]
        out.add(Text(parts))
    return frozenset(out)


def may_be_empty(item: Text) -> bool:
    """Whether the text may be empty."""
    return all(
        isinstance(part, Hole) and part.alphabet not in domain.NO_SLASH and part.origin not in domain.ANCHORS
        for part in item.parts
    )


def join_fields(left: Fields, right: Fields) -> Fields:
    """Either list of words: position by position as far as both go, then a bag."""
    if left == right:
        return left
    size = min(len(left.words), len(right.words))
    words = tuple(join(a, b) for a, b in zip(left.words[:size], right.words[:size], strict=True))
    rest = join(left.rest, right.rest)
    for extra in (*left.words[size:], *right.words[size:]):
        rest = join(rest, extra)
    if left.last and right.last and len(left.words) == len(right.words):
        return Fields(words, rest, join(left.inner, right.inner), join(left.last, right.last))
    return Fields(words, rest)


def bag(fields: Fields) -> Value:
    """What any of the words may be."""
    return join(join_all(fields.words), fields.rest)
