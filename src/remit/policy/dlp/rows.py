"""The table of sensitive data (data/dlp.table), compiled. A malformed row is refused with its line."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from remit.core.errors import DataError
from remit.policy.dlp.checks import CHECKS, LENGTHS
from remit.policy.dlp.severity import Severity


def compiled(words: str, where: str) -> Any:
    """Compile a pattern, which has at most one group."""
    import re2  # noqa: PLC0415  (light imports)

    options = re2.Options()
    options.log_errors = False
    try:
        found = re2.compile(words, options)
    except re2.error as error:
        raise DataError(f"{where}: the pattern cannot be read: {error}", "write it as RE2 reads it") from None
    if found.groups > 1:
        raise DataError(f"{where}: the pattern has more than one group", "write `(?:…)` for the others")
    return found


_FILE = Path(__file__).parent.with_name("data") / "dlp.table"
_SHOWN = ("last4", "none", "kept")
_CELLS = 6
# classes and literals of ASCII, repeated, in groups: what RE2 and Python read alike, down to which of two matches is taken
_SIMPLE = re.compile(r"(?:\[[A-Za-z0-9 ._%+-]+\]|\\[.()+]|[A-Za-z0-9@ -]|\(\?:|[()|?*+]|\{[0-9]+(?:,[0-9]*)?\})+")


class Pattern(NamedTuple):
    """One row."""

    kind: str
    severity: Severity
    shown: str
    sign: str
    check: Callable[[str, Table], bool] | None
    words: Any  # of RE2
    where: str
    again: re.Pattern[str] | None = (
        None  # the same for Python, which is quick on a few characters; None where the two may differ
    )
    lengths: Callable[[str, Table], Collection[int]] | None = (
        None  # of the values that can pass the check, without their joints
    )


class Issuer(NamedTuple):
    """An issuer: a range of first digits, and the lengths of its numbers."""

    low: str
    high: str
    lengths: frozenset[int]


class Table(NamedTuple):
    """The compiled table."""

    patterns: tuple[Pattern, ...]
    iban: Mapping[str, int]
    issuers: tuple[Issuer, ...]
    unsigned: Any  # of RE2: all patterns without a sign in one
    card_lengths: frozenset[int]

    def issued(self, digits: str) -> bool:
        """Return whether an issuer has numbers of this length and prefix."""
        return any(one.low <= digits[: len(one.low)] <= one.high and len(digits) in one.lengths for one in self.issuers)


@cache
def table() -> Table:
    """Return the table of this version."""
    return load(_FILE)


def load(path: Path) -> Table:
    """Read a table; a malformed row is refused with its line."""
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
    lengths = frozenset(length for one in issuers for length in one.lengths)
    return Table(tuple(patterns), iban, tuple(issuers), _joined(patterns), lengths)


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
    made = compiled(words, where)
    again = re.compile(words) if _SIMPLE.fullmatch(words) else None
    return Pattern(
        kind, Severity(severity), shown, "" if sign == "-" else sign, CHECKS.get(check), made, where, again, LENGTHS.get(check)
    )  # fmt: skip


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
