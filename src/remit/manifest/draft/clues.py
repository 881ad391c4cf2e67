"""Clues: evidence in a skill for a capability, the points of each kind, and the capabilities that they require
together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.core.capability import vocabulary
from remit.core.errors import DataError
from remit.core.table import read_table
from remit.manifest.model import Evidence
from remit.skill.prose.lexicon import ENOUGH
from remit.skill.prose.reader import asked

if TYPE_CHECKING:
    from remit.core.scope import Scope
    from remit.skill.prose.sentences import Sentence


class Clue(NamedTuple):
    """`kind` says where it comes from (a sentence, a command, a script …); `data/weights.table` has its points by kind."""

    capability: str
    points: int
    kind: str
    evidence: Evidence
    scope: Scope | None = None  # None: the words do not say on what


def clues_in(sentence: Sentence, file: str) -> Iterator[Clue]:
    """Return what one sentence asks for; each capability once, by its strongest words."""
    for capability, points, rule in asked(sentence):
        yield Clue(capability, points, "sentence", Evidence(file, sentence.line, sentence.text, rule))


@cache
def weights() -> dict[tuple[str, str], int]:
    """Return points by kind and capability; `*` stands for every capability without a row of its own."""
    out: dict[tuple[str, str], int] = {}
    for row in read_table(Path(str(files("remit.manifest.draft").joinpath("data/weights.table"))), 3):
        kind, capability, points = row.cells
        if capability != "*" and capability not in vocabulary():
            raise DataError(f"{row.where}: `{capability}` is not a capability", "`remit explain` lists all")
        if not points.isdigit() or (kind, capability) in out:
            raise DataError(f"{row.where}: the row is given twice or has no number", "correct the row")
        out[kind, capability] = int(points)
    return out


def points_for(kind: str, capability: str) -> int:
    """Return the points of a clue."""
    table = weights()
    found = table.get((kind, capability))
    return table[kind, "*"] if found is None else found


_BLOCK = "fence"  # a block that is only shown, like the dependencies in a build file, is no command


@cache
def implications() -> tuple[tuple[str, str, str], ...]:
    """Return the rows of the table: a required capability, what it cannot do without, and why."""
    return read_implications(Path(str(files("remit.manifest.draft").joinpath("data/implies.table"))))


def read_implications(path: Path) -> tuple[tuple[str, str, str], ...]:
    """Parse a table; an unknown capability or a duplicate row is refused with its location."""
    out: dict[tuple[str, str], str] = {}
    for row in read_table(path, 3):
        first, second, why = row.cells
        for name in (first, second):
            if name not in vocabulary():
                raise DataError(f"{row.where}: `{name}` is not a capability", "`remit explain` lists all")
        if first == second or (first, second) in out:
            raise DataError(f"{row.where}: the row says nothing new", "remove it")
        out[first, second] = why
    return tuple((first, second, why) for (first, second), why in out.items())


def with_implied(found: Mapping[str, tuple[Clue, ...]]) -> dict[str, tuple[Clue, ...]]:
    """Add what the required capabilities cannot do without; the strongest clue for one is the evidence for the other."""
    out = dict(found)
    grown = True
    while grown:
        grown = False
        for first, second, why in implications():
            if first in out and second not in out and any(clue.kind != _BLOCK for clue in out[first]):
                grown = True
                evidence = out[first][0].evidence._replace(rule=f"{first}: {why}")
                out[second] = (Clue(second, ENOUGH, "implied", evidence),)
    return dict(sorted(out.items()))


_LOGIN = re.compile(r"\b(?:login|auth)\b")
_BY_COMMAND = re.compile(r"cli`|~service`")  # the words that a rule found


def required(clues: Iterable[Clue]) -> dict[str, tuple[Clue, ...]]:
    """Return the capabilities that the skill needs, each with its clues, the strongest first."""
    places: dict[str, dict[tuple[str, int], Clue]] = {}
    for clue in clues:
        at = places.setdefault(clue.capability, {})
        key = (clue.evidence.file, clue.evidence.line)
        if key not in at or at[key].points < clue.points:
            at[key] = clue
    out: dict[str, tuple[Clue, ...]] = {}
    for capability, found in sorted(places.items()):
        listed = sorted(found.values(), key=lambda clue: (-clue.points, clue.evidence))
        if sum(clue.points for clue in listed) >= points_for("enough", capability):
            out[capability] = tuple(listed)
    return with_implied(_without_hosted_tools(out))


def _without_hosted_tools(found: dict[str, tuple[Clue, ...]]) -> dict[str, tuple[Clue, ...]]:
    """Remove clues for an API if the skill reaches the service through tools of the host.

    Its name, its key and a login are no evidence then; a program of the skill or a command that calls it is.
    """
    if "tool.invoke" not in found or any(map(_calls_itself, found.get("api.call", ()))):
        return found
    return {capability: clues for capability, clues in found.items() if capability != "api.call"}


def _calls_itself(clue: Clue) -> bool:
    if clue.kind == "sentence":
        return bool(_BY_COMMAND.search(clue.evidence.rule))
    return bool(clue.points) and not _LOGIN.search(clue.evidence.rule)
