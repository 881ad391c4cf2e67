"""A skill's own tests: found by convention if its manifest names none, run confined and observed, and compared with the manifest."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Callable, Collection, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.capsule.cases import By, Case, place_files
from remit.capsule.confinement import DATA, SEARCHED, STAND_INS, Limits, confined
from remit.capsule.observe import Content, Observation, observe
from remit.capsule.run import Observed, run_confined
from remit.capsule.verdict import Source, Tested, TestRecord, judge, make_record
from remit.core.capability import vocabulary
from remit.core.patterns import lazy_pattern
from remit.core.scope import HostScope, NameScope, ScopeKind
from remit.core.scope.component import literal
from remit.core.table import read_table
from remit.manifest.identity import manifest_digest
from remit.manifest.model import Decision, Manifest

if TYPE_CHECKING:
    from remit.policy.permit import Permit


_FOR_PYTEST = re.compile(rb"^(?:import pytest|from pytest|(?:async )?def test)", re.MULTILINE)
_TARGET = re.compile(rb"^test\s*:(?!=)", re.MULTILINE)
_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")


def discover(paths: Collection[str], read: Callable[[str], bytes]) -> tuple[tuple[str, ...], ...]:
    """Return the test commands of a skill with these files; `read` returns the content of one."""
    return (*_python(paths, read), *_package(paths, read), *_make(paths, read))


def _python(paths: Collection[str], read: Callable[[str], bytes]) -> Iterator[tuple[str, ...]]:
    for row in read_table(DATA / "tests.table", 4):
        folder, names, unittest, pytest = row.cells
        found = [
            path for path in sorted(paths) if _lies_in(path, folder) and fnmatchcase(path.rpartition("/")[2], names)
        ]
        if found:
            yield tuple(shlex.split(pytest if any(_FOR_PYTEST.search(read(path)) for path in found) else unittest))


def _lies_in(path: str, folder: str) -> bool:
    return "/" not in path if folder == "." else path.startswith(f"{folder}/")


def _package(paths: Collection[str], read: Callable[[str], bytes]) -> Iterator[tuple[str, ...]]:
    if "package.json" not in paths:
        return
    try:
        script = json.loads(read("package.json"))["scripts"]["test"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return
    if isinstance(script, str) and script.strip():
        yield ("sh", "-c", script)


def _make(paths: Collection[str], read: Callable[[str], bytes]) -> Iterator[tuple[str, ...]]:
    file = next((name for name in _MAKEFILES if name in paths), None)
    if file and _TARGET.search(read(file)):
        yield ("make", "test")


_PLAIN = lazy_pattern(r"\w[\w.+-]*", re.ASCII)
_MOST = 20_000  # effects of one command
_COMPARISONS = 2_000_000  # of effects with scopes of the manifest: some tens of seconds


class Subject(NamedTuple):
    """A skill under test: a staged copy, the digest of its content, its files and the code among them."""

    name: str
    staged: Path
    content: str
    paths: frozenset[str]  # files and folders, relative to the skill
    code: frozenset[str]
    interpreters: frozenset[tuple[str, str]]
    manifest: Manifest


class Command(NamedTuple):
    """A test command, its source and permit, how it must end, and its input."""

    case: Case
    source: Source
    permit: Permit

    @property
    def words(self) -> tuple[str, ...]:
        """Return its words."""
        return self.case.words


def run_tests(
    subject: Subject,
    commands: Sequence[Command],
    scratch: Path,
    limits: Limits,
    done: Callable[[Command, Observed], None],
) -> TestRecord:
    """Run the commands and make the record. `done` is called after each, to show its output."""
    runs: list[Tested] = []
    for number, command in enumerate(commands):
        found, seen = run_command(subject, command, scratch / f"run-{number}", limits)
        runs.append(Tested(command.case, command.source, found, seen))
        done(command, found)
    seen = tuple(dict.fromkeys(item for run in runs for item in run.seen))
    digests = (subject.content, manifest_digest(subject.manifest))
    standing_in = {name for run in runs for name in run.case.stand_ins}
    standing_in |= set(missing_programs(subject.manifest) if any(run.source is Source.CASE for run in runs) else ())
    return make_record(subject.name, digests, runs, judge(seen, subject.manifest), tuple(sorted(standing_in)))


def run_command(
    subject: Subject, command: Command, scratch: Path, limits: Limits
) -> tuple[Observed, tuple[Observation, ...]]:
    """Run one command in a copy of the skill. Return how it ended, and its observations as far as they can be compared."""
    names = _hosts(subject.manifest)
    content = Content(subject.paths, subject.code, names, subject.interpreters)
    staged = subject.staged
    if command.case.files:
        staged = scratch.with_name(f"{scratch.name}-skill")
        shutil.copytree(subject.staged, staged, symlinks=True)
        place_files(command.case, staged)
    place = confined(staged, names, limits)
    if command.source is Source.CASE:
        agent = command.case.by is By.AGENT  # only that a program is started counts, and nothing that it does by itself
        searched = (STAND_INS, *SEARCHED) if agent or command.case.stand_ins else (*SEARCHED, STAND_INS)
        variables = {**dict(place.environment), "PATH": ":".join(searched)}
        granted = tuple(sorted(_programs(subject.manifest) - {"python3"}))
        missing = missing_programs(subject.manifest)
        stand_ins = granted if agent else tuple(dict.fromkeys((*missing, *command.case.stand_ins)))
        place = place._replace(stand_ins=stand_ins, environment=tuple(variables.items()))
    found = run_confined(command.permit, command.words, place, scratch)
    return _comparable(found, observe(found.acts, content), subject.manifest)


def missing_programs(manifest: Manifest) -> tuple[str, ...]:
    """Return programs that a manifest names and that are not installed; in cases, idle stand-ins replace them."""
    folders = [Path(folder) for folder in SEARCHED]
    return tuple(sorted(name for name in _programs(manifest) if not any((one / name).exists() for one in folders)))


def _programs(manifest: Manifest) -> frozenset[str]:
    """Return the programs that a manifest grants by name."""
    entries = (entry for entry in manifest.permissions if entry.effect is not Decision.DENY)
    scopes = (scope for entry in entries if _starts(entry.capability) for scope in entry.scopes)
    names = (literal(scope.pattern) for scope in scopes if isinstance(scope, NameScope))
    return frozenset(name for name in names if name and _PLAIN.fullmatch(name))


def _starts(pattern: str) -> bool:
    return any(vocabulary()[name].scope_kind is ScopeKind.PROGRAM for name in vocabulary().expand(pattern))


def _comparable(
    found: Observed, seen: tuple[Observation, ...], manifest: Manifest
) -> tuple[Observed, tuple[Observation, ...]]:
    """Return the observations, cut and marked as incomplete if comparing them would take too long."""
    scopes = sum(len(entry.scopes) for entry in manifest.permissions)
    most = min(_MOST, _COMPARISONS // max(scopes, 1))
    if len(seen) <= most:
        return found, seen
    return found._replace(problems=(*found.problems, "more was done than can be compared")), seen[:most]


def _hosts(manifest: Manifest) -> tuple[str, ...]:
    """Return hosts that a manifest names: they resolve in the sandbox, so that connections to them are observed."""
    scopes = (scope for entry in manifest.permissions if entry.effect is not Decision.DENY for scope in entry.scopes)
    return tuple(sorted({scope.host for scope in scopes if isinstance(scope, HostScope) and _is_name(scope.host)}))


def _is_name(host: str) -> bool:
    return (
        not host.startswith("*") and ":" not in host and not host.rpartition(".")[2].isdigit() and host != "localhost"
    )
