"""The rules of the scan: data/told.table, one line a rule."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.errors import DataError
from remit.policy.dlp.patterns import compiled
from remit.policy.dlp.severity import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

_FILE = Path(__file__).parent.with_name("data") / "told.table"
_CELLS = 5
_TOGETHER = 6  # rules in one search: more of them need more memory than RE2 gives to one
KINDS = ("asked", "said", "command", "spoken", "standing", "turn")
STANDING = "{every}"  # the part that says what a standing order is


class Rule(NamedTuple):
    """One line."""

    name: str
    severity: Severity
    kind: str
    does: str
    words: Any  # of RE2
    where: str


class Sieve(NamedTuple):
    """A few rules, and one pattern that finds whatever one of them finds: nearly every sentence has none, and one search says so."""

    any: Any  # of RE2
    rules: tuple[Rule, ...]


@dataclass(frozen=True)
class Rules:
    """All of them by kind, and what a standing order looks like."""

    by_kind: dict[str, tuple[Rule, ...]]
    standing: Any  # of RE2

    @cached_property
    def sieves(self) -> dict[str, tuple[Sieve, ...]]:
        """The rules of each kind, a few together, in their order."""
        return {
            kind: tuple(_sieve(rows[at : at + _TOGETHER]) for at in range(0, len(rows), _TOGETHER))
            for kind, rows in self.by_kind.items()
        }

    def perhaps(self, kind: str, text: str) -> Iterator[Rule]:
        """The rules of a kind that may find something in a text."""
        for sieve in self.sieves[kind]:
            if sieve.any.search(text):
                yield from sieve.rules


def _sieve(rows: tuple[Rule, ...]) -> Sieve:
    import re2  # noqa: PLC0415  (light imports)

    options = re2.Options()
    options.never_capture = True
    return Sieve(re2.compile("|".join(f"(?:{row.words.pattern})" for row in rows), options), rows)


@cache
def rules() -> Rules:
    """The rules of this version."""
    return load(_FILE)


def load(path: Path) -> Rules:
    """Read a table; a row that cannot be read is refused with its line."""
    parts: dict[str, str] = {}
    found: dict[str, list[Rule]] = {kind: [] for kind in KINDS}
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        where = f"{path.name}:{number}"
        head, _, rest = line.partition(" | ")
        if head.startswith("{"):
            parts[head] = _filled(rest, parts)
            continue
        cells = line.split(" | ", _CELLS - 1)
        if len(cells) != _CELLS or cells[1] not in set(Severity) or cells[2] not in KINDS or not all(cells):
            raise DataError(
                f"{where}: a cell is missing, or its severity or kind is unknown",
                "write `rule | severity | kind | what it makes the agent do | pattern`",
            )
        name, severity, kind, does, words = cells
        found[kind].append(Rule(name, Severity(severity), kind, does, compiled(_filled(words, parts), where), where))
    if STANDING not in parts:
        raise DataError(f"{path.name}:1: the part `{STANDING}` is missing", "define it above the rules")
    return Rules({kind: tuple(rows) for kind, rows in found.items()}, compiled(parts[STANDING], path.name))


def _filled(words: str, parts: dict[str, str]) -> str:
    for part, meaning in parts.items():
        words = words.replace(part, meaning)
    return words
