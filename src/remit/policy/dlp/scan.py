"""What must not leave unseen: keys, tokens, numbers of cards and accounts, markings. The patterns are data (data/dlp.table).

Everything is linear in the text: patterns are RE2, and a check looks at one value once.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.errors import DataError
from remit.policy.dlp.checks import CHECKS
from remit.policy.dlp.patterns import compiled
from remit.policy.dlp.severity import Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

_FILE = Path(__file__).parent.with_name("data") / "dlp.table"
_SHOWN = ("last4", "none", "kept")
_CELLS = 6
_JOINT = re.compile(r"[ -]")
_WINDOW = 64  # characters: no number in groups is longer
_SHORT, _MOST_PLAIN = 500, 4096  # characters of a text that is remembered as holding nothing, and how many such texts


class Hit(NamedTuple):
    """A value in a text: what it is, where, and how grave it is."""

    kind: str
    start: int
    end: int
    severity: Severity


class Pattern(NamedTuple):
    """One row."""

    kind: str
    severity: Severity
    shown: str
    sign: str
    check: Callable[[str, Table], bool] | None
    words: Any  # of RE2
    where: str


class Issuer(NamedTuple):
    """First digits, as a range, and the lengths of the numbers that begin so."""

    low: str
    high: str
    lengths: frozenset[int]


class Table(NamedTuple):
    """data/dlp.table."""

    patterns: tuple[Pattern, ...]
    iban: Mapping[str, int]
    issuers: tuple[Issuer, ...]
    unsigned: Any  # of RE2: all patterns without a sign in one

    def issued(self, digits: str) -> bool:
        """Whether an issuer has numbers of this length that begin so."""
        return any(one.low <= digits[: len(one.low)] <= one.high and len(digits) in one.lengths for one in self.issuers)


@cache
def table() -> Table:
    """The table of this version."""
    return load(_FILE)


def load(path: Path) -> Table:
    """Read a table; a row that cannot be read is refused with its line."""
    patterns: list[Pattern] = []
    iban: dict[str, int] = {}
    issuers: list[Issuer] = []
    section = ""
    for number, raw in enumerate(path.read_text("utf-8").splitlines(), 1):
        line, where = raw.strip(), f"{path.name}:{number}"
        if not line or line.startswith("#"):
            continue
        if line.startswith("[") and line.endswith("]") and " | " not in line:
            section = line[1:-1]
        elif section == "values":
            patterns.append(_pattern(line, where))
        elif section == "iban":
            iban |= {_country(word, where): int(word[2:]) for word in line.split()}
        elif section == "card":
            issuers.append(_issuer(line, where))
        else:
            raise DataError(f"{where}: `[{section}]` is no section", "use `values`, `iban` or `card`")
    return Table(tuple(patterns), iban, tuple(issuers), _joined(patterns))


def _joined(patterns: Sequence[Pattern]) -> Any:
    import re2  # noqa: PLC0415  (light imports)

    return re2.compile("|".join(f"(?:{one.words.pattern})" for one in patterns if not one.sign) or r"[^\s\S]")


def _pattern(line: str, where: str) -> Pattern:

    cells = [cell.strip() for cell in line.split(" | ", _CELLS - 1)]
    if len(cells) != _CELLS or not all(cells):
        raise DataError(
            f"{where}: a row has {_CELLS} cells", "write `kind | severity | shown | sign | check | pattern`"
        )
    kind, severity, shown, sign, check, words = cells
    if severity not in set(Severity) or shown not in _SHOWN or (check != "-" and check not in CHECKS):
        raise DataError(
            f"{where}: `{severity}` is no severity, `{shown}` is not one of {', '.join(_SHOWN)}, or `{check}` is no check",
            "correct it",
        )
    return Pattern(
        kind, Severity(severity), shown, "" if sign == "-" else sign, CHECKS.get(check), compiled(words, where), where
    )


def _country(word: str, where: str) -> str:
    if not word[:2].isalpha() or not word[2:].isdigit():
        raise DataError(f"{where}: `{word}` is no country with a length", "write it like `DE22`")
    return word[:2]


def _issuer(line: str, where: str) -> Issuer:
    digits, _, lengths = line.partition(" ")
    low, _, high = digits.partition("-")
    if not low.isdigit() or len(high or low) != len(low) or not all(map(str.isdigit, lengths.split(","))):
        raise DataError(f"{where}: `{line}` is no range of first digits with lengths", "write it like `51-55 16`")
    return Issuer(low, high or low, frozenset(map(int, lengths.split(","))))


def find(text: str) -> tuple[Hit, ...]:
    """Every value in a text, in order. Where two overlap, the graver one counts, then the longer one."""
    return tuple(hit for hit, _ in _found(text))


def redact(text: str) -> str:
    """A text in which every value is replaced by its kind, with its last four characters where they tell which one it was."""
    if not text or text in _plain:
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
    return "".join([*out, text[at:]])


_plain: set[str] = set()  # texts in which nothing is replaced: the same commands and names come again and again


def _found(text: str) -> Sequence[tuple[Hit, Pattern]]:
    order = list(Severity)
    ranked = sorted(
        _all(text), key=lambda item: (order.index(item[0].severity), item[0].start - item[0].end, item[0].start)
    )
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
            if start < done:
                continue
            for reached, hit in _settled(text, pattern, start, end, known):
                done = reached
                if hit:
                    yield hit, pattern


def _settled(text: str, pattern: Pattern, start: int, end: int, known: Table) -> Iterator[tuple[int, Hit | None]]:
    """The values at a place where a pattern matches, each with where the search goes on.

    A number in groups may have taken the group before it or the word after it, which are then left out, one after the other.
    """
    while True:
        stop = _accepted(text, pattern, start, end, known)
        yield stop or end, Hit(pattern.kind, start, stop, pattern.severity) if stop else None
        joint = _JOINT.search(text, stop or start, end)
        if pattern.check is None or joint is None:
            return
        again = pattern.words.search(text[joint.end() : end + _WINDOW])
        if again is None or joint.end() + again.start() >= end:
            return  # what begins after the place is found as a place of its own
        start, end = (joint.end() + place for place in again.span(pattern.words.groups))


def _accepted(text: str, pattern: Pattern, start: int, end: int, known: Table) -> int:
    """Where the value that begins at a place ends; 0 if there is none."""
    while end > start:
        if _stands_alone(text, start, end) and (pattern.check is None or pattern.check(text[start:end], known)):
            return end
        end = text.rfind(" ", start, end) if pattern.check else start
    return 0


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether no letter or digit touches a value: a part of a longer run is something else. A number ends no other number."""
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
