"""The rules of the scan: data/told.table, one line a rule."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from remit.core.errors import DataError
from remit.policy.dlp.patterns import compiled
from remit.policy.dlp.severity import Severity

_FILE = Path(__file__).parent.with_name("data") / "told.table"
_CELLS = 5
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


class Rules(NamedTuple):
    """All of them by kind, and what a standing order looks like."""

    by_kind: dict[str, tuple[Rule, ...]]
    standing: Any  # of RE2


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
