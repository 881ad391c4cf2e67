"""Clues: what in a skill speaks for a capability, what each kind is worth, and which capabilities they add up to."""

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
    """`kind` says where it comes from (a sentence, a command, a script …); `data/weights.table` knows its points by kind."""

    capability: str
    points: int
    kind: str
    evidence: Evidence
    scope: Scope | None = None  # None: the words do not say on what


def clues_in(sentence: Sentence, file: str) -> Iterator[Clue]:
    """What one sentence asks for; each capability once, by its strongest words."""
    for capability, points, rule in asked(sentence):
        yield Clue(capability, points, "sentence", Evidence(file, sentence.line, sentence.text, rule))


@cache
def weights() -> dict[tuple[str, str], int]:
    """Points by kind and capability; `*` stands for every capability that has no row of its own."""
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
    """The points of a clue."""
    table = weights()
    found = table.get((kind, capability))
    return table[kind, "*"] if found is None else found


_BLOCK = "fence"  # a block that is only shown, as the dependencies in a build file, is no command


@cache
def implications() -> tuple[tuple[str, str, str], ...]:
    """The rows of the table: what is needed, what it cannot do without, and why."""
    return read_implications(Path(str(files("remit.manifest.draft").joinpath("data/implies.table"))))


def read_implications(path: Path) -> tuple[tuple[str, str, str], ...]:
    """Read a table; a name that is no capability and a row that occurs twice are refused with their place."""
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
    """What is required, and what that cannot do without; the strongest clue for the one is the evidence for the other."""
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
    """The capabilities that the skill needs, each with its clues, the strongest first."""
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
    """A service that is reached through tools of the host is no API that the skill calls itself.

    Its name, its key and a login say nothing then; a program of the skill or a command that calls it does.
    """
    if "tool.invoke" not in found or any(map(_calls_itself, found.get("api.call", ()))):
        return found
    return {capability: clues for capability, clues in found.items() if capability != "api.call"}


def _calls_itself(clue: Clue) -> bool:
    if clue.kind == "sentence":
        return bool(_BY_COMMAND.search(clue.evidence.rule))
    return bool(clue.points) and not _LOGIN.search(clue.evidence.rule)
