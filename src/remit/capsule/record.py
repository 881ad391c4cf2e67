"""The test record: what ran, what was observed, what the manifest says of it, and whether the level `tested` is reached.

The same skill, tools and outcome give the same bytes: no times, no process ids, no paths of the machine. Names in the
temporary folder are drawn at random, so that they are recorded as `$TMP/**`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.capsule.acts import Outcome
from remit.capsule.cases import By, Case, Prints
from remit.capsule.observe import Meaning, Role, Seen
from remit.capsule.run import Ending
from remit.capsule.verdict import Judged, Unit, why_unseen
from remit.core.digest import canonical
from remit.core.scope import DEEP, HOME, TEMP, HostScope, PathScope, Scope

if TYPE_CHECKING:
    from remit.capsule.run import Observed

VERSION = 1
_CHANGES = frozenset({"file.write", "file.delete", "file.chmod"})


class Source(StrEnum):
    """What declares a command to be a test."""

    MANIFEST = "manifest"
    DISCOVERED = "discovered"
    GIVEN = "given"
    CASE = "case"  # of `tests/remit-cases.json`


class Run(NamedTuple):
    """One command and how it ended."""

    command: tuple[str, ...]
    source: Source
    how: Ending
    code: int | None
    problems: tuple[str, ...] = ()
    expected: int = 0  # the status with which it ends if all is well
    by: By = By.SKILL
    unlike: tuple[str, ...] = ()  # what the case says of effects and output, and is not so

    @property
    def passed(self) -> bool:
        """Whether it ended as expected, and was observed completely."""
        ended = self.how is Ending.EXITED and self.code == self.expected
        return ended and not self.problems and not self.unlike


class Finding(NamedTuple):
    """An observation in the words of the manifest, and the indexes of the commands that caused it."""

    capability: str
    scope: str
    outcome: str
    commands: tuple[int, ...]


class Tested(NamedTuple):
    """One command that ran: its source, how it ended, and its observations."""

    case: Case
    source: Source
    found: Observed
    seen: tuple[Seen, ...]


class TestRecord(NamedTuple):
    """The result of a test."""

    skill: str
    content: str  # digest of the skill without its evidence
    manifest: str  # digest
    tools: tuple[tuple[str, str], ...]
    runs: tuple[Run, ...]
    observed: tuple[Finding, ...]
    loaded: tuple[str, ...]  # code of the skill
    looked_for: tuple[str, ...]  # start-up files of programs, in an empty home
    outside: tuple[Finding, ...]
    denied: tuple[Finding, ...]
    exercised: tuple[tuple[str, str], ...]  # capability and scope
    untested: tuple[tuple[str, str, str], ...]  # and why, if no test can show it
    stand_ins: tuple[
        str, ...
    ] = ()  # programs that were not there or reach hosts, so that others which do nothing were started

    @property
    def level_reached(self) -> bool:
        """Whether the skill is `tested`: all passed and stayed inside, and what a test can exercise was exercised."""
        shown = all(why for _, _, why in self.untested)
        return bool(self.runs) and all(run.passed for run in self.runs) and not self.outside and shown


def make_record(
    skill: str, digests: tuple[str, str], runs: Sequence[Tested], judged: Judged, stand_ins: tuple[str, ...] = ()
) -> TestRecord:
    """Make the record of some runs; `judged` covers the observations of all of them."""
    by: dict[Seen, tuple[int, ...]] = {}
    for number, run in enumerate(runs):
        for item in run.seen:
            by[item] = (*by.get(item, ()), number)
    return TestRecord(
        skill,
        *digests,
        tuple(sorted({tool for run in runs for tool in run.found.tools})),
        tuple(map(_ran, runs)),
        _findings((*judged.inside, *judged.outside, *judged.denied), by),
        _loaded(item for item in by if item.outcome is not Outcome.ABSENT),
        _loaded(item for item in by if item.meanings[0].scope[:1] == (HOME,)),
        _findings(judged.outside, by),
        _findings(judged.denied, by),
        tuple(sorted({(unit.capability, unit.scope.render()) for unit in judged.exercised})),
        tuple(sorted({(*_unit(unit), why_unseen(unit.capability, unit.scope)) for unit in judged.untested})),
        stand_ins,
    )


def _ran(run: Tested) -> Run:
    found, case = run.found, run.case
    unlike = tuple(_unlike(case, found, run.seen))
    return Run(case.words, run.source, found.how, found.code, found.problems, case.status, case.by, unlike)


def changes(seen: Iterable[Seen]) -> tuple[str, ...]:
    """Return the files that a command changed, and the hosts that it tried to reach."""
    found = set()
    for item in seen:
        capability, scope = item.meanings[0].capability, general(item.meanings[0].scope)
        reaches = isinstance(scope, HostScope)
        changed = item.outcome is Outcome.DONE and capability in _CHANGES and not item.passing
        if item.role is Role.EFFECT and (reaches or changed):
            found.add(f"{capability} {scope.render()}")
    return tuple(sorted(found))


def _unlike(case: Case, found: Observed, seen: Sequence[Seen]) -> Iterator[str]:
    if case.effects is not None:
        done = changes(seen)
        yield from (f"it does not do {one}" for one in case.effects if one not in done)
        yield from (f"it does {one}" for one in done if one not in case.effects)
    if case.prints and case.prints is not Prints.of(found.output):
        yield f"it prints {Prints.of(found.output)}, not {case.prints}"


def _findings(items: Iterable[tuple[Seen, Meaning]], by: dict[Seen, tuple[int, ...]]) -> tuple[Finding, ...]:
    found: dict[tuple[str, str, str], set[int]] = {}
    for item, meaning in items:
        key = (meaning.capability, general(meaning.scope).render(), str(item.outcome))
        found.setdefault(key, set()).update(by[item])
    return tuple(Finding(*key, tuple(sorted(found[key]))) for key in sorted(found))


def general(scope: Scope) -> Scope:
    """Return a scope without randomly drawn names."""
    return PathScope(TEMP, (DEEP,)) if isinstance(scope, PathScope) and scope.anchor == TEMP else scope


def _loaded(items: Iterable[Seen]) -> tuple[str, ...]:
    """Return what was loaded; a file of the skill by its path in the skill."""
    found = {item.meanings[-1].scope.render() for item in items if item.role is Role.LOADED}
    return tuple(sorted(found))


def _unit(unit: Unit) -> tuple[str, str]:
    return unit.capability, unit.scope.render()


def record_value(record: TestRecord) -> dict[str, Any]:
    """Return a record as JSON values."""
    return {
        "version": VERSION,
        "skill": record.skill,
        "content": record.content,
        "manifest": record.manifest,
        "tools": dict(record.tools),
        "commands": [_run(run) for run in record.runs],
        "observed": [_finding(item) for item in record.observed],
        "loaded": list(record.loaded),
        "looked_for": list(record.looked_for),
        "outside": [_finding(item) for item in record.outside],
        "denied": [_finding(item) for item in record.denied],
        "exercised": [{"capability": name, "scope": scope} for name, scope in record.exercised],
        "untested": [
            {"capability": name, "scope": scope, **({"unobservable": why} if why else {})}
            for name, scope, why in record.untested
        ],
        "level_reached": record.level_reached,
        **({"stand_ins": list(record.stand_ins)} if record.stand_ins else {}),
    }


def record_bytes(record: TestRecord) -> bytes:
    """Return a record as evidence stores it."""
    return canonical(record_value(record)) + b"\n"


def _run(run: Run) -> dict[str, Any]:
    return {
        "command": list(run.command),
        "source": str(run.source),
        "ending": str(run.how),
        "status": run.code,
        "complete": not run.problems,
        "problems": list(run.problems),
        **({"expected": run.expected} if run.expected else {}),
        **({"by": str(run.by)} if run.by is not By.SKILL else {}),
        **({"unlike": list(run.unlike)} if run.unlike else {}),
    }


def _finding(item: Finding) -> dict[str, Any]:
    return {
        "capability": item.capability,
        "scope": item.scope,
        "outcome": item.outcome,
        "commands": list(item.commands),
    }
