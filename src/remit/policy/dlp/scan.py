"""The scanner for sensitive data: keys, tokens, card and account numbers, markings. The patterns are data
(data/dlp.table).

Everything is linear in the text: patterns are RE2, and a check looks at one value once.
"""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from remit.policy.dlp.rows import Pattern, Table, table
from remit.policy.dlp.severity import Severity

_JOINT = re.compile(r"[ -]")
_WINDOW = 64  # characters: no number in groups is longer
_NEAR = 256  # characters that are searched by Python: of more, RE2 is quicker, and never slow
_SHORT, _MOST_PLAIN = 500, 4096  # characters of a text that is remembered as holding nothing, and how many such texts
_TINY, _MOST_LATELY = 64, 256  # characters from which on it is remembered what was found in a text, and in how many
_ORDER = {severity: place for place, severity in enumerate(Severity)}


class Hit(NamedTuple):
    """A value in a text: its kind, position and severity."""

    kind: str
    start: int
    end: int
    severity: Severity


def find(text: str) -> tuple[Hit, ...]:
    """Return every value in a text, in order. Where two overlap, the more severe one counts, then the longer one."""
    return tuple(hit for hit, _ in _found(text))


def redact(text: str) -> str:
    """Return the text with every value replaced by its kind, with its last four characters where they identify it."""
    if text in _plain:
        return text
    out: list[str] = []
    at = 0
    for hit, pattern in _found(text):
        if pattern.shown == "kept":
            continue
        last = text[hit.end - 4 : hit.end] if pattern.shown == "last4" and hit.end - hit.start >= 8 else ""
        out += [text[at : hit.start], f"‹{hit.kind}…{last}›"]  # noqa: RUF001  marks that no value holds
        at = hit.end
    if not out and len(text) <= _SHORT:
        if len(_plain) >= _MOST_PLAIN:
            _plain.clear()
        _plain.add(text)
    hidden = "".join([*out, text[at:]])
    return redact(hidden) if out else hidden  # a value that overlapped a graver one is seen when that one is gone


_plain: set[str] = set()  # texts in which nothing is replaced: the same commands and names come again and again


def _found(text: str) -> Sequence[tuple[Hit, Pattern]]:
    """Return the findings, cached for recent texts, since callers scan the same text several times."""
    if len(text) <= _TINY:
        return _sorted_out(text)
    name = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=32).digest()
    known = _lately.get(name)
    if known is None:
        known = _lately[name] = _sorted_out(text)
        if len(_lately) > _MOST_LATELY:
            _lately.popitem(last=False)
    return known


_lately: OrderedDict[bytes, Sequence[tuple[Hit, Pattern]]] = OrderedDict()  # by digests: no text stays here


def _sorted_out(text: str) -> Sequence[tuple[Hit, Pattern]]:
    ranked = sorted(_all(text), key=lambda item: (_ORDER[item[0].severity], item[0].start - item[0].end, item[0].start))
    taken: list[tuple[Hit, Pattern]] = []
    covered = bytearray(len(text))
    for item in ranked:
        hit = item[0]
        if not any(covered[hit.start : hit.end]):
            covered[hit.start : hit.end] = b"\x01" * (hit.end - hit.start)
            taken.append(item)
    return sorted(taken, key=lambda item: item[0].start)


def _all(text: str) -> Iterator[tuple[Hit, Pattern]]:
    known = table()
    unsigned = known.unsigned.search(text) is not None
    for pattern in known.patterns:
        if not (pattern.sign in text if pattern.sign else unsigned):
            continue
        done = 0
        for found in pattern.words.finditer(text):
            start, end = found.span(pattern.words.groups)
            if start < done:  # it begins in what was found already; something else may begin within it
                rest = _next(text, pattern, done, end)
                if rest is None:
                    continue
                start, end = rest
            for reached, hit in _settled(text, pattern, start, end, known):
                done = reached
                if hit:
                    yield hit, pattern


def _settled(text: str, pattern: Pattern, start: int, end: int, known: Table) -> Iterator[tuple[int, Hit | None]]:
    """Yield the values at a match of a pattern, each with the position where the search continues.

    A match of a grouped number may include the group before it or the word after it; these are dropped one by one.
    """
    while True:
        stop = _accepted(text, pattern, start, end, known)
        yield stop or end, Hit(pattern.kind, start, stop, pattern.severity) if stop else None
        joint = _JOINT.search(text, stop or start, end)
        if pattern.check is None or joint is None:
            return
        again = _next(text, pattern, joint.end(), end)
        if again is None:
            return  # what begins after the place is found as a place of its own
        start, end = again


def _next(text: str, pattern: Pattern, begin: int, end: int) -> tuple[int, int] | None:
    """Return the next match of a pattern that begins before a position; it may extend beyond by a window."""
    if pattern.again is not None and end - begin < _NEAR:
        near = pattern.again.search(text, begin, end + _WINDOW)
        return near.span(near.re.groups) if near and near.start() < end else None
    far = pattern.words.search(text[begin : end + _WINDOW])
    if far is None or begin + far.start() >= end:
        return None
    start, stop = far.span(pattern.words.groups)
    return begin + start, begin + stop


def _accepted(text: str, pattern: Pattern, start: int, end: int, known: Table) -> int:
    """Return the end of the value that begins at a position; 0 if there is none."""
    if pattern.check is None:
        return end if end > start and _stands_alone(text, start, end) else 0
    lengths = pattern.lengths(text[start:end], known) if pattern.lengths else None
    if lengths is not None and not lengths:
        return 0
    least = min(lengths) if lengths else 0
    while end > start:
        value = text[start:end]
        if lengths is not None:
            size = len(value) - value.count(" ") - value.count("-")
            if size < least:
                return 0  # and less is left with each word that is left out
        fits = lengths is None or size in lengths
        if fits and pattern.check(value, known) and _stands_alone(text, start, end):
            return end
        end = text.rfind(" ", start, end)
    return 0


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Return whether no letter or digit touches a value; otherwise it is part of a longer run. A digit before it may not
    end another number.
    """
    before, after = text[start - 1 : start], text[end : end + 1]
    if _is_part(before) and _is_part(text[start]):
        return False
    if _is_part(after) and _is_part(text[end - 1]):
        return False
    number = text[start].isdigit() and text[end - 1].isdigit()
    return not (
        number
        and (
            (before in (".", ",", "-") and text[start - 2 : start - 1].isalnum())
            or (after in (".", ",", "-") and text[end + 1 : end + 2].isalnum())
        )
    )


def _is_part(char: str) -> bool:
    return char.isalnum() or char == "_"
