"""Brace expansion: `{a,b}` and `{1..3}` make several words before anything else is expanded."""

from __future__ import annotations

from itertools import pairwise

from remit.analysis.shell.syntax import Lit, Param, Piece, Word
from remit.analysis.shell.words import make_word
from remit.core.patterns import lazy_pattern

_RANGE = lazy_pattern(r"(-?\d{1,15})\.\.(-?\d{1,15})(?:\.\.(-?\d{1,9}))?|([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d{1,9}))?")
LIMIT = 64
_NAME_START = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
_NAME_CHARS = _NAME_START | frozenset("0123456789")


def brace_expand(word: Word) -> tuple[Word, ...]:
    """The words that this one becomes. Too many are one word twice, with a number where the range stood, or with `*`:
    a word that stands for any number of words is seen by its repetition."""
    if not any(isinstance(p, Lit) and not p.quoted and "{" in p.text for p in word.pieces):
        return (word,)
    stream: list[Piece | str] = []
    for piece in word.pieces:
        if isinstance(piece, Lit) and not piece.quoted:
            stream.extend(piece.text)
        else:
            stream.append(piece)
    expanded = _expand(stream, 0)
    if expanded is None:
        many = make_word([Param("_", True, word.pos, braced=True)], word.pos)
        return (many, many)
    if len(expanded) == 1 and expanded[0] == stream:
        return (word,)
    return tuple(make_word(_relexed(items), word.pos) for items in expanded)


def _relexed(items: list[Piece | str]) -> list[Piece]:
    """Braces are expanded before variables are read: in `x{$a,b}y` the first word reads the variable `ay`."""
    out: list[Piece] = []
    for item in items:
        last = out[-1] if out else None
        if not isinstance(item, str):
            out.append(item)
        elif isinstance(last, Param) and not last.braced and last.name[0] in _NAME_START and item in _NAME_CHARS:
            out[-1] = Param(last.name + item, last.quoted, last.pos)
        else:
            out.append(Lit(item, False))
    return out


def _expand(stream: list[Piece | str], depth: int) -> list[list[Piece | str]] | None:
    """All expansions of a stream of characters and opaque pieces; the leftmost real brace first."""
    start = 0
    while depth < 12:
        found = _find(stream, start)
        if found is None:
            break
        begin, end, commas = found
        options = _options(stream, begin, end, commas)
        if options is None:
            start = begin + 1
            continue
        tails = _expand(stream[end + 1 :], depth + 1)
        if tails is None:
            return None
        out: list[list[Piece | str]] = []
        for option in options:
            inner = _expand(option, depth + 1)
            if inner is None or len(out) + len(inner) * len(tails) > LIMIT:
                return None
            out.extend(stream[:begin] + middle + tail for middle in inner for tail in tails)
        return out
    return [stream]


def _find(stream: list[Piece | str], start: int) -> tuple[int, int, list[int]] | None:
    """The next brace that closes: its ends and the commas directly inside."""
    for begin in range(start, len(stream)):
        if stream[begin] != "{":
            continue
        level, commas = 0, list[int]()
        for at in range(begin + 1, len(stream)):
            ch = stream[at]
            if ch == "{":
                level += 1
            elif ch == "}":
                if not level:
                    return begin, at, commas
                level -= 1
            elif ch == "," and not level:
                commas.append(at)
    return None


def _options(stream: list[Piece | str], begin: int, end: int, commas: list[int]) -> list[list[Piece | str]] | None:
    if commas:
        cuts = [begin, *commas, end]
        return [stream[a + 1 : b] for a, b in pairwise(cuts)]
    inside = stream[begin + 1 : end]
    if not all(isinstance(x, str) for x in inside):
        return None
    match = _RANGE.fullmatch("".join(x for x in inside if isinstance(x, str)))
    if match is None:
        return None
    if match.group(1) is not None:
        if abs(int(match.group(1)) - int(match.group(2))) // abs(int(match.group(3) or 1) or 1) >= LIMIT // 2:
            number = Param("RANDOM", True, 0, braced=True)
            return [[number], [number]]
        values = _numbers(match.group(1), match.group(2), match.group(3))
    else:
        values = [chr(c) for c in _steps(ord(match.group(4)), ord(match.group(5)), int(match.group(6) or 1))]
    return [list(value) for value in values]


def _steps(low: int, high: int, step: int) -> range:
    step = abs(step) or 1
    if abs(high - low) // step > 10_000:
        high = low + 10_000 * step * (1 if high > low else -1)
    return range(low, high + 1, step) if low <= high else range(low, high - 1, -step)


def _numbers(first: str, last: str, step: str | None) -> list[str]:
    padded = any(len(n.lstrip("-")) > 1 and n.lstrip("-").startswith("0") for n in (first, last))
    width = max(len(first), len(last)) if padded else 0
    return [f"{n:0{width}d}" if width else str(n) for n in _steps(int(first), int(last), int(step or 1))]
