"""The verdict on a test (which observations lie outside the manifest or are denied, which entries were exercised), and its
record: what ran, what was observed, and whether the level `tested` is reached.

An observation is inside if one granting entry covers one of its meanings. An entry is exercised for each capability
and each scope that it names, one by one, by an act that succeeded or that only the sandbox refused. What was looked for and
not found exercises nothing, but must be inside all the same.

The same skill, tools and outcome give the same bytes of a record: no times, no process ids, no paths of the machine.
Names in the temporary folder are drawn at random, so that they are recorded as `$TMP/**`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.capsule.cases import By, Case, Prints
from remit.capsule.confinement import DATA
from remit.capsule.observe import Meaning, Observation, Role
from remit.capsule.run import Ending
from remit.capsule.trace import Outcome
from remit.core.capability import matches, vocabulary
from remit.core.digest import canonical
from remit.core.effect import Effect
from remit.core.errors import DataError
from remit.core.location import Location
from remit.core.scope import DEEP, HOME, TEMP, WORKSPACE, HostScope, PathScope, Scope, ScopeKind, SymbolScope, overlaps
from remit.core.sensitive import may_touch
from remit.core.table import read_table
from remit.core.via import recorded
from remit.manifest.model import Decision, Manifest, Permission
from remit.policy.entry_matches import BOUND, denies_wholly, grants

if TYPE_CHECKING:
    from remit.capsule.run import Observed


# What a caller may pass while a test runs: anything in the scratch folders, and servers of the test itself.
_PASSED = (PathScope(WORKSPACE, (DEEP,)), PathScope(TEMP, (DEEP,)))
_IN_FILES = {
    "secret": "",
    "policy": "write",
}  # capabilities that are seen as an action on a file that is known to matter
_NOT_FIXED = "its value is known only when the skill is used"
_NO_FILE = "it is in no known file: in a variable, or in the store of a program"
_OWN_SERVERS = (HostScope("127.0.0.1"), HostScope("::1"), HostScope("localhost"))


class ManifestStanding(Enum):
    """What a manifest says of an observation."""

    INSIDE = 1
    OUTSIDE = 2
    DENIED = 3


class Unit(NamedTuple):
    """One capability on one scope that an entry grants; `entry` is its index in the manifest."""

    entry: int
    capability: str
    scope: Scope


class JudgedRun(NamedTuple):
    """Each observation, by what the manifest says of it; and each unit, by whether it was exercised."""

    inside: tuple[tuple[Observation, Meaning], ...]
    outside: tuple[tuple[Observation, Meaning], ...]
    denied: tuple[tuple[Observation, Meaning], ...]
    exercised: tuple[Unit, ...]
    untested: tuple[Unit, ...]


def judge(seen: Sequence[Observation], manifest: Manifest) -> JudgedRun:
    """Compare observations with a manifest."""
    granting = [_bound(entry) for entry in manifest.permissions if entry.effect is not Decision.DENY]
    denials = [entry for entry in manifest.permissions if entry.effect is Decision.DENY]
    stands = [_stands(item, granting, denials) for item in seen if item.role is Role.EFFECT]
    inside, outside, denied = (
        tuple((item, meaning) for found, item, meaning in stands if found is standing) for standing in ManifestStanding
    )
    exercised: list[Unit] = []
    untested: list[Unit] = []
    for unit, entry in units(manifest):
        (exercised if any(_exercises(item, entry, unit) for item in seen) else untested).append(unit)
    return JudgedRun(inside, outside, denied, tuple(exercised), tuple(untested))


def _stands(
    item: Observation, granting: Sequence[Permission], denials: Sequence[Permission]
) -> tuple[ManifestStanding, Observation, Meaning]:
    # a denial of one name of a path holds for its other names too
    refused = {
        meaning.capability
        for meaning in item.meanings
        if any(denies_wholly(entry, _effect(meaning)) for entry in denials)
    }
    for meaning in item.meanings:
        if meaning.capability not in refused and any(_permits(entry, meaning, item) for entry in granting):
            return ManifestStanding.INSIDE, item, meaning
    denied = next((meaning for meaning in item.meanings if meaning.capability in refused), None)
    if denied:
        return ManifestStanding.DENIED, item, denied
    return ManifestStanding.OUTSIDE, item, item.meanings[0]


def _permits(entry: Permission, meaning: Meaning, item: Observation) -> bool:
    if item.portless:
        entry = entry._replace(scopes=tuple(map(_any_port, entry.scopes)))
    return grants(entry, _effect(meaning)) or (item.passing and _leads(entry, meaning))


def _leads(entry: Permission, meaning: Meaning) -> bool:
    """Return whether a folder lies on the way to something that an entry grants.

    Reading, copying or deleting a tree visits its folders; creating a file may create the folders above it.
    """
    scope = meaning.scope
    if not isinstance(scope, PathScope):
        return False
    names = vocabulary().expand(entry.capability)
    on_paths = any(vocabulary()[name].scope_kind is ScopeKind.PATH for name in names)
    named = on_paths if meaning.capability == "file.read" else matches(entry.capability, meaning.capability)
    below = PathScope(scope.anchor, (*scope.parts, DEEP))
    return named and any(
        isinstance(one, PathScope) and one.anchor == scope.anchor and overlaps(one, below) for one in entry.scopes
    )


def _exercises(item: Observation, entry: Permission, unit: Unit) -> bool:
    if item.outcome is Outcome.ABSENT:
        return False
    one = entry._replace(capability=unit.capability, scopes=(unit.scope,))
    one = _bound(one if not item.portless else one._replace(scopes=(_any_port(unit.scope),)))
    return any(grants(one, _effect(meaning)) for meaning in item.meanings)


def units(manifest: Manifest) -> Iterable[tuple[Unit, Permission]]:
    """Yield each capability on each scope that a manifest grants, with its entry."""
    for number, entry in enumerate(manifest.permissions):
        if entry.effect is Decision.DENY:
            continue
        for name in _named(entry.capability):
            for scope in entry.scopes:
                yield Unit(number, name, scope), entry


def _named(pattern: str) -> tuple[str, ...]:
    """Return the capabilities that an entry names: `file.*` also covers `source.read`, but does not name it."""
    head = pattern.removesuffix("*") if pattern.endswith(".*") else ""
    return tuple(name for name in vocabulary().expand(pattern) if name.startswith(head))[
        : None if head or pattern == "*" else 1
    ]


def _bound(entry: Permission) -> Permission:
    """Return an entry with the caller's values replaced by those of a test."""
    return entry._replace(scopes=tuple(found for scope in entry.scopes for found in passed(scope)))


def passed(scope: Scope) -> tuple[Scope, ...]:
    """Return what a caller may pass for a scope while a test runs; the scope itself if it names things."""
    if isinstance(scope, PathScope) and scope.symbol == BOUND:
        return tuple(place._replace(parts=(*place.parts, *scope.parts)) for place in _PASSED)
    if isinstance(scope, SymbolScope) and scope.symbol == BOUND:
        return _OWN_SERVERS
    return (scope,)


def _any_port(scope: Scope) -> Scope:
    return scope._replace(port=None) if isinstance(scope, HostScope) else scope


def _effect(meaning: Meaning) -> Effect:
    return Effect(meaning.capability, meaning.scope, Location("."), recorded("observed"))


def why_unseen(capability: str, scope: Scope) -> str:
    """Return why a test cannot show a capability on a scope; empty if it can."""
    if isinstance(scope, PathScope | SymbolScope) and scope.symbol not in ("", BOUND):
        return _NOT_FIXED
    kind, _, action = capability.partition(".")
    if kind in _IN_FILES and capability not in may_touch(f"file.{_IN_FILES[kind] or action}", scope):
        return _NO_FILE
    return next((why for pattern, why in _unseen() if matches(pattern, capability)), "")


@cache
def _unseen() -> tuple[tuple[str, str], ...]:
    rows = []
    for row in read_table(DATA / "unseen.table", 2):
        if not vocabulary().expand(row.cells[0]):
            raise DataError(f"{row.where}: `{row.cells[0]}` is not a capability", "`remit explain` lists all")
        rows.append((row.cells[0], row.cells[1]))
    return tuple(rows)


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
    seen: tuple[Observation, ...]


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
    skill: str, digests: tuple[str, str], runs: Sequence[Tested], judged: JudgedRun, stand_ins: tuple[str, ...] = ()
) -> TestRecord:
    """Make the record of some runs; `judged` covers the observations of all of them."""
    by: dict[Observation, tuple[int, ...]] = {}
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


def changes(seen: Iterable[Observation]) -> tuple[str, ...]:
    """Return the files that a command changed, and the hosts that it tried to reach."""
    found = set()
    for item in seen:
        capability, scope = item.meanings[0].capability, general(item.meanings[0].scope)
        reaches = isinstance(scope, HostScope)
        changed = item.outcome is Outcome.DONE and capability in _CHANGES and not item.passing
        if item.role is Role.EFFECT and (reaches or changed):
            found.add(f"{capability} {scope.render()}")
    return tuple(sorted(found))


def _unlike(case: Case, found: Observed, seen: Sequence[Observation]) -> Iterator[str]:
    if case.effects is not None:
        done = changes(seen)
        yield from (f"it does not do {one}" for one in case.effects if one not in done)
        yield from (f"it does {one}" for one in done if one not in case.effects)
    if case.prints and case.prints is not Prints.of(found.output):
        yield f"it prints {Prints.of(found.output)}, not {case.prints}"


def _findings(
    items: Iterable[tuple[Observation, Meaning]], by: dict[Observation, tuple[int, ...]]
) -> tuple[Finding, ...]:
    found: dict[tuple[str, str, str], set[int]] = {}
    for item, meaning in items:
        key = (meaning.capability, general(meaning.scope).render(), str(item.outcome))
        found.setdefault(key, set()).update(by[item])
    return tuple(Finding(*key, tuple(sorted(found[key]))) for key in sorted(found))


def general(scope: Scope) -> Scope:
    """Return a scope without randomly drawn names."""
    return PathScope(TEMP, (DEEP,)) if isinstance(scope, PathScope) and scope.anchor == TEMP else scope


def _loaded(items: Iterable[Observation]) -> tuple[str, ...]:
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
    return item._asdict() | {"commands": list(item.commands)}
