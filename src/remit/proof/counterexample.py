"""Counterexamples: sessions that show why a skill is refused, up to the effect that no entry grants.

For each capability and scope that escapes, the shortest such session:

1. the line of a document that tells the agent to run something, or a hook; or neither: the agent may start any script
2. the envelope that the agent would send; a hook needs none
3. the scripts that are started, one by the other, each with its digest
4. the calls in the last of them, and the effect with file, line and reason
5. why no entry of the manifest covers it, and what to do

Where the text tells the agent to do the thing itself, the envelope is the effect, and there is no script. Pure: values in,
values out, in an order that depends on nothing else. `replay.py` checks a session against the skill again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from remit.core.effect import Command, Effect, Origin
from remit.core.location import Location
from remit.core.scope import SKILL, WORKSPACE, AnyScope, PathScope, Scope, covers
from remit.core.scope.component import escape
from remit.manifest.model import Decision, Manifest
from remit.policy.request import Envelope
from remit.proof.witness import witness

if TYPE_CHECKING:
    from remit.proof.outcome import Escape

_COMPARED = 100_000  # files with patterns
RUNS = "source.execute"  # the capability under which a script of the skill is started


class SessionStart(StrEnum):
    """How a session begins."""

    INSTRUCTED = "instructed"  # a document tells the agent to
    HOOK = "hook"  # the host does it by itself
    UNPROMPTED = "unprompted"  # nothing tells it to, and nothing keeps it from it


class Beginning(NamedTuple):
    """How a session begins, the responsible line, and its command as far as it is known."""

    how: SessionStart
    where: Location
    command: str = ""


class Script(NamedTuple):
    """A file of the skill that is started, with its digest, and the line that starts it."""

    file: str
    digest: str
    started: Location


class Counterexample(NamedTuple):
    """One session that leaves the manifest."""

    beginning: Beginning
    envelope: Envelope | None  # None: a hook sends no envelope
    scripts: tuple[Script, ...]  # the outermost first
    effect: Effect
    instance: Scope | None  # one thing in the effect's scope that no entry grants
    reason: str
    remedy: str

    @property
    def length(self) -> int:
        """The number of links."""
        return len(self.scripts) + len(self.effect.path)


class Evidence(NamedTuple):
    """The results of an analysis that sessions need."""

    effects: Sequence[Effect]
    commands: Sequence[Command]
    digests: Mapping[str, str]


def counterexamples(found: Evidence, escapes: Iterable[Escape], manifest: Manifest) -> tuple[Counterexample, ...]:
    """Return the shortest session for each escaping capability and scope, the shortest of all first."""
    granting = [entry for entry in manifest.permissions if entry.effect is not Decision.DENY]
    chains = _chains(found)
    best: dict[tuple[str, Scope], tuple[tuple[object, ...], Escape]] = {}
    for item in escapes:
        key = (item.effect.capability, item.effect.scope)
        weight = _weight(item.effect, chains)
        if key not in best or weight < best[key][0]:
            best[key] = (weight, item)
    ordered = sorted(best.values(), key=lambda pair: pair[0])
    return tuple(_session(item, found, chains, witness(item.effect, granting)) for _, item in ordered)


def _weight(effect: Effect, chains: Mapping[str, tuple[Effect, ...]]) -> tuple[object, ...]:
    """Return a sort key: short sessions first, those with an instruction before others, then by name."""
    chain = chains.get(_entry(effect)) if effect.origin is Origin.SCRIPT else ()
    length = len(effect.path) + (1 if chain is None else len(chain))
    return length, chain is None, effect.capability, effect.scope.render(), effect.where, effect.path


def _session(
    item: Escape, found: Evidence, chains: Mapping[str, tuple[Effect, ...]], instance: Scope | None
) -> Counterexample:
    beginning, scripts = _leading(item.effect, found, chains)
    session = Counterexample(beginning, None, scripts, item.effect, instance, item.reason, item.remedy)
    return session._replace(envelope=envelope_of(session))


def _leading(
    effect: Effect, found: Evidence, chains: Mapping[str, tuple[Effect, ...]]
) -> tuple[Beginning, tuple[Script, ...]]:
    """Return the beginning of a session that ends in an effect, and the scripts that it starts."""
    if effect.origin is not Origin.SCRIPT:
        return _begins(effect, found.commands), ()
    file = _entry(effect)
    chain = chains.get(file)
    if chain is None:
        where = Location(file)
        return Beginning(SessionStart.UNPROMPTED, where), (Script(file, found.digests.get(file, ""), where),)
    names = [*map(_entry, chain[1:]), file]
    scripts = [Script(name, found.digests.get(name, ""), run.where) for name, run in zip(names, chain, strict=True)]
    return _begins(chain[0], found.commands), tuple(scripts)


def envelope_of(session: Counterexample) -> Envelope | None:
    """Return the envelope of a session: to start its first script, or for the effect itself; None for a hook."""
    beginning = session.beginning
    if beginning.how is SessionStart.HOOK:
        return None
    if session.scripts:
        started = PathScope(WORKSPACE, _parts(session.scripts[0].file))
        return request_for(RUNS, started, _because(beginning))
    return request_for(session.effect.capability, session.instance or session.effect.scope, _because(beginning))


def request_for(capability: str, scope: Scope, because: str = "") -> Envelope:
    """Return the envelope that requests something."""
    return Envelope(capability, {} if isinstance(scope, AnyScope) else {"target": scope.render()}, because)


def _begins(effect: Effect, commands: Sequence[Command]) -> Beginning:
    how = SessionStart(str(effect.origin))
    command = next((item.text for item in commands if item.where == effect.where and _is_about(item, effect)), "")
    return Beginning(how, effect.where, command)


def _is_about(command: Command, effect: Effect) -> bool:
    """Return whether a command of the same line may be the one: of several, the one that names the script."""
    scope = effect.scope
    name = scope.parts[-1] if effect.capability == RUNS and isinstance(scope, PathScope) and scope.parts else ""
    return command.origin is effect.origin and name in command.text


def _because(beginning: Beginning) -> str:
    if beginning.how is SessionStart.UNPROMPTED:
        return f"{beginning.where} is a script of the skill"
    return f"{beginning.where} tells me to"


# ── which file starts which ──


def _entry(effect: Effect) -> str:
    """Return the file whose start leads to the effect."""
    return (effect.path[0] if effect.path else effect.where).file


def _chains(found: Evidence) -> dict[str, tuple[Effect, ...]]:
    """Return for each started file the shortest chain of script starts, the first by the agent or a hook."""
    runs = sorted(
        (effect for effect in found.effects if effect.capability == RUNS),
        key=lambda effect: (len(effect.path), effect.where, effect.scope.render(), effect.origin),
    )
    started = _started({effect.scope: None for effect in runs}, found.digests)
    by_entry: dict[str, list[Effect]] = {}
    for effect in runs:
        if effect.origin is Origin.SCRIPT:
            by_entry.setdefault(_entry(effect), []).append(effect)
    reached: dict[str, tuple[Effect, ...]] = {}
    ways: list[tuple[Effect, ...]] = [(effect,) for effect in runs if effect.origin is not Origin.SCRIPT]
    while ways:
        longer: list[tuple[Effect, ...]] = []
        for way in ways:
            for file in started[way[-1].scope]:
                if file not in reached:
                    reached[file] = way
                    longer += [(*way, effect) for effect in by_entry.get(file, ())]
        ways = longer
    return reached


def _started(scopes: Iterable[Scope], files: Mapping[str, str]) -> dict[Scope, tuple[str, ...]]:
    """Return the files of the skill that each scope names. A scope that may be anything names none.

    A pattern is compared with every file; beyond a limit of comparisons patterns name none either, and what they start counts as
    started without a known cause, which still gives a session.
    """
    out: dict[Scope, tuple[str, ...]] = {}
    left = _COMPARED
    for scope in scopes:
        plain = "/".join(scope.parts) if isinstance(scope, PathScope) else ""
        if plain in files:
            out[scope] = (plain,) if names_file(scope, plain) else ()
            continue
        left -= len(files)
        out[scope] = tuple(file for file in sorted(files) if names_file(scope, file)) if left >= 0 else ()
    return out


def names_file(scope: Scope, file: str) -> bool:
    """Return whether a scope names a file of the skill: by its path in the skill, or in the agent's working folder."""
    return (
        isinstance(scope, PathScope)
        and scope.anchor in (WORKSPACE, SKILL)
        and covers(scope, PathScope(scope.anchor, _parts(file)))
    )


def _parts(file: str) -> tuple[str, ...]:
    return tuple(map(escape, file.split("/")))
