"""The replay of a counterexample session against the current skill. Nothing runs: each link is looked up again.

A session stands if every link holds. It is gone if one does not, unless a file that it goes through is opaque: then
it is undecided. That one session is gone says nothing about others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from remit.core.effect import Effect, Opaque, Origin
from remit.core.location import Location
from remit.manifest.model import Manifest, Verification
from remit.policy.projector import Projector
from remit.policy.refusal import Refusal
from remit.policy.skill_policy import SkillPolicy
from remit.proof.containment import contain
from remit.proof.counterexample import (
    RUNS,
    Counterexample,
    Evidence,
    Script,
    SessionStart,
    envelope_of,
    names_file,
    request_for,
)

_DIGITS = len("sha256:") + 12  # of a digest that people compare; the whole is compared here


_OF_MANIFEST = ("manifest", "projector")
_ASKS = frozenset({"must-ask"})  # refused only until a person agrees


class ReplayResult(StrEnum):
    """The result of a replay."""

    STANDS = "stands"
    GONE = "gone"
    UNKNOWN = "unknown"


class Link(NamedTuple):
    """One step of a session, and whether it still holds."""

    name: str  # `begins`, `envelope`, `script`, `effect`, `manifest`, `projector`
    holds: bool
    text: str


class Replay(NamedTuple):
    """A session, its links, and the result."""

    session: Counterexample
    links: tuple[Link, ...]
    standing: ReplayResult


def replay(session: Counterexample, found: Evidence, opaque: Sequence[Opaque], manifest: Manifest | None) -> Replay:
    """Look up every link of a session in a new analysis."""
    links = (
        _begins(session, found),
        _envelope(session),
        *_scripts(session, found),
        _effect(session.effect, found),
        _manifest(session.effect, manifest),
        _projector(session, manifest),
    )
    if all(link.holds for link in links):
        return Replay(session, links, ReplayResult.STANDS)
    files = {where.file for where in _places(session)}
    # a manifest that holds the effect ends the session whatever else there is
    outside = all(link.holds for link in links if link.name in _OF_MANIFEST)
    blind = outside and any(item.where.file in files or item.where == Location(".") for item in opaque)
    return Replay(session, links, ReplayResult.UNKNOWN if blind else ReplayResult.GONE)


def _places(session: Counterexample) -> Iterator[Location]:
    yield session.beginning.where
    yield session.effect.where
    yield from session.effect.path
    for script in session.scripts:
        yield from (Location(script.file), script.started)


def _begins(session: Counterexample, found: Evidence) -> Link:
    how, where, command = session.beginning
    if how is SessionStart.UNPROMPTED:
        holds = where.file in found.digests
        return Link("begins", holds, f"no line names {where}, and nothing forbids to start it")
    who = "the host runs" if how is SessionStart.HOOK else "the text tells the agent to run"
    origin = Origin(str(how))
    said = f" `{command}`" if command else ""
    told = not command or any(
        (item.where, item.text, item.origin) == (where, command, origin) for item in found.commands
    )
    # a line that is told to the agent has an effect: what it starts, or what it does itself
    acts = any(effect.where == where and effect.origin is origin for effect in found.effects)
    return Link("begins", told and acts, f"{where}: {who}{said or ' what is there'}")


def _envelope(session: Counterexample) -> Link:
    expected = envelope_of(session)
    if expected is None:
        return Link("envelope", session.envelope is None, "none: a hook asks no one")
    said = expected.args.get("target", "")
    return Link("envelope", session.envelope == expected, f"{expected.op}{' ' if said else ''}{said}")


def _scripts(session: Counterexample, found: Evidence) -> Iterator[Link]:
    if not session.scripts and session.effect.origin is Origin.SCRIPT:
        yield Link("script", holds=False, text="no script leads to the effect")
    for script in session.scripts:
        now = found.digests.get(script.file)
        started = session.beginning.how is SessionStart.UNPROMPTED or _starts(script, found)
        text = f"{script.file} {_short(script.digest)}"
        if now != script.digest:
            text += f", now {_short(now)}" if now else ", which is no longer there"
        elif not started:
            text += f": nothing at {script.started} starts it"
        yield Link("script", started and now == script.digest != "", text)


def _short(digest: str) -> str:
    return digest[:_DIGITS]


def _starts(script: Script, found: Evidence) -> bool:
    return any(
        effect.capability == RUNS and effect.where == script.started and names_file(effect.scope, script.file)
        for effect in found.effects
    )


def _effect(effect: Effect, found: Evidence) -> Link:
    calls = "".join(f"{where} → " for where in effect.path)
    text = f"{calls}{effect.where}: {effect.capability} {effect.scope.render()}, {effect.why}"
    known = any(effect._replace(via=other.via) == other for other in found.effects)  # a record has no cause of its own
    return Link("effect", known, text)


def _manifest(effect: Effect, manifest: Manifest | None) -> Link:
    if manifest is None:
        return Link("manifest", holds=True, text="there is no manifest, so nothing is granted")
    verdict = contain((effect,), (), (), manifest)
    if verdict.escapes:
        return Link("manifest", holds=True, text=f"{effect.capability}: {verdict.escapes[0].reason}")
    if verdict.denied:
        return Link("manifest", holds=False, text=f"line {verdict.denied[0].entry.line} denies it: tried, and refused")
    return Link("manifest", holds=False, text=f"{effect.capability} {effect.scope.render()} is granted")


def _projector(session: Counterexample, manifest: Manifest | None) -> Link:
    """Check the projector's answer to the effect at the most permissive level. A script does not ask it."""
    effect = session.effect
    if session.instance is None:
        return Link("projector", holds=True, text="no single thing in the scope is known that no entry grants")
    policy = SkillPolicy("", manifest or Manifest("", ()), Verification.FORMAL)
    asked = request_for(effect.capability, session.instance)
    answer = Projector(policy).project(asked)
    said = f"{effect.capability} {session.instance.render()}"
    if not isinstance(answer, Refusal) or answer.code in _ASKS:
        return Link("projector", holds=False, text=f"{said} is permitted")
    silent = (
        "" if session.beginning.how is SessionStart.INSTRUCTED and not session.scripts else "; but nothing asks for it"
    )
    return Link("projector", holds=True, text=f"{said} would be refused ({answer.code}){silent}")
