"""A skill's own tests, run one after the other: each confined and watched, all of it held against the manifest."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from remit.capsule.confinement import Limits, confined
from remit.capsule.judging import judge
from remit.capsule.observe import Content, observe
from remit.capsule.record import make_record
from remit.capsule.run import run_confined
from remit.core.scope import HostScope
from remit.manifest.identity import manifest_digest
from remit.manifest.model import Decision

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from remit.capsule.observe import Seen
    from remit.capsule.record import Source, TestRecord
    from remit.capsule.run import Observed
    from remit.manifest.model import Manifest
    from remit.policy.permit import Permit


_MOST = 20_000  # effects of one command
_COMPARISONS = 2_000_000  # of effects with scopes of the manifest: some tens of seconds


class Subject(NamedTuple):
    """A skill that is tested: a staged copy of it, the digest of its content, its files and those that are code."""

    name: str
    staged: Path
    content: str
    paths: frozenset[str]  # files and folders, relative to the skill
    code: frozenset[str]
    interpreters: frozenset[tuple[str, str]]
    manifest: Manifest


class Command(NamedTuple):
    """A command that tests the skill, who says so, and the permit to run it."""

    words: tuple[str, ...]
    source: Source
    permit: Permit


def run_tests(
    subject: Subject,
    commands: Sequence[Command],
    scratch: Path,
    limits: Limits,
    done: Callable[[Command, Observed], None],
) -> TestRecord:
    """Run the commands and make the record. `done` is told of each, so that its output can be shown."""
    names = _hosts(subject.manifest)
    content = Content(subject.paths, subject.code, names, subject.interpreters)
    runs: list[tuple[tuple[str, ...], Source, Observed, tuple[Seen, ...]]] = []
    for number, command in enumerate(commands):
        place = confined(subject.staged, names, limits)
        found = run_confined(command.permit, command.words, place, scratch / f"run-{number}")
        runs.append(
            (command.words, command.source, *_comparable(found, observe(found.acts, content), subject.manifest))
        )
        done(command, found)
    seen = tuple(dict.fromkeys(item for _, _, _, items in runs for item in items))
    digests = (subject.content, manifest_digest(subject.manifest))
    return make_record(subject.name, digests, runs, judge(seen, subject.manifest))


def _comparable(found: Observed, seen: tuple[Seen, ...], manifest: Manifest) -> tuple[Observed, tuple[Seen, ...]]:
    """What was seen, if it can be compared in reasonable time; else a part of it, and that it is a part."""
    scopes = sum(len(entry.scopes) for entry in manifest.permissions)
    most = min(_MOST, _COMPARISONS // max(scopes, 1))
    if len(seen) <= most:
        return found, seen
    return found._replace(problems=(*found.problems, "more was done than can be compared")), seen[:most]


def _hosts(manifest: Manifest) -> tuple[str, ...]:
    """The hosts that a manifest grants by name: they resolve in the sandbox, so that connections to them are seen."""
    scopes = (scope for entry in manifest.permissions if entry.effect is not Decision.DENY for scope in entry.scopes)
    return tuple(sorted({scope.host for scope in scopes if isinstance(scope, HostScope) and _is_name(scope.host)}))


def _is_name(host: str) -> bool:
    return (
        not host.startswith("*") and ":" not in host and not host.rpartition(".")[2].isdigit() and host != "localhost"
    )
