"""The alphabet of a skill's sessions: the kinds of effects of envelopes and scripts, each with its standing.

An agent may request anything: something that an entry of the manifest covers, or something outside. It may run a script of the
skill, and then everything that Method A found in the script can happen without being asked for one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from remit.core.capability import Change, vocabulary
from remit.core.effect import Effect, Opaque, Origin
from remit.core.scope import DEEP, WORKSPACE, AnyScope, PathScope, Scope, ScopeKind, covers, overlaps
from remit.core.scope.parse import program_scope
from remit.manifest.model import Decision, Manifest, Permission
from remit.policy.entry_matches import decides, declares, denies_wholly, grants, may_deny
from remit.policy.gate import Standing, standing
from remit.policy.request import Request
from remit.proof.sessions.manifest_semantics import (
    Circumstances,
    asked_for,
    circumstances,
    is_limited,
    meant,
    meant_of_thing,
    members,
    under,
)
from remit.proof.sessions.runtime_answers import RuntimeAnswer, RuntimeAnswers

MOST = 4096  # kinds of effects; a skill with more is not proved
ASKED = 2_000  # things about which the projector is asked; of more, so many are chosen evenly
CALLS = 200  # of these things, so many are asked about as calls, too
_SAID = (Standing.ASK, Standing.DENIED, Standing.OUTSIDE)  # whatever it changes
_ORDINARY = Circumstances()
_SNAPSHOTTED = PathScope(WORKSPACE, (DEEP,))


class EffectKind(NamedTuple):
    """Effects that gate and buffer treat alike, because capability and scope are the same."""

    standing: Standing  # as the rules that run treat it
    change: Change  # REVERSIBLE only where snapshots are taken
    capability: str
    scope: str
    meant: Standing  # as the manifest means it (`meaning.py`)
    undoable: bool  # a snapshot can really undo it

    @property
    def name(self) -> str:
        """The name in a trace."""
        return f"{self.capability} {self.scope}".rstrip()


class Alphabet(NamedTuple):
    """All kinds, sorted by content, and the kinds of each script."""

    kinds: tuple[EffectKind, ...]
    scripts: tuple[tuple[str, tuple[int, ...]], ...]  # a file, and its kinds by number


def alphabet(manifest: Manifest, effects: Iterable[Effect], opaque: Iterable[Opaque]) -> Alphabet:
    """Return the alphabet of a skill. An effect that a denial covers wholly is refused when a script attempts it, and
    cannot happen.
    """
    by_script: dict[str, set[EffectKind]] = {}
    asked: set[EffectKind] = {*_declared(manifest), *_outside(), *_judged(manifest)}
    for effect in effects:
        for kind in _kinds(manifest, effect.capability, effect.scope, _decision(effect, manifest)):
            if effect.origin is Origin.INSTRUCTED:
                asked.add(kind)
            elif kind.standing is not Standing.DENIED:
                by_script.setdefault(_entry(effect), set()).add(kind)
    for place in opaque:
        if place.origin is not Origin.INSTRUCTED:
            by_script.setdefault(place.where.file, set()).add(_anything(place))
    kinds = tuple(sorted(asked.union(*by_script.values())))
    numbers: Mapping[EffectKind, int] = {kind: number for number, kind in enumerate(kinds)}
    scripts = {file: tuple(sorted(numbers[kind] for kind in found)) for file, found in by_script.items()}
    return Alphabet(kinds, tuple(sorted(scripts.items())))


def _entry(effect: Effect) -> str:
    """Return the file that runs when the effect happens."""
    return effect.path[0].file if effect.path else effect.where.file


def _anything(place: Opaque) -> EffectKind:
    where = f"at {place.where.file}:{place.where.line}"
    return EffectKind(Standing.OUTSIDE, Change.IRREVERSIBLE, "anything", where, Standing.OUTSIDE, undoable=False)


def _outside() -> Iterator[EffectKind]:
    """Yield kinds outside the manifest that an agent may request."""
    for change in Change:
        undoable = change is not Change.IRREVERSIBLE
        yield EffectKind(Standing.OUTSIDE, change, "something", f"outside ({change})", Standing.OUTSIDE, undoable)


def _declared(manifest: Manifest) -> Iterator[EffectKind]:
    """Yield the kinds that entries cover, with the decision of each; asking the projector finds whether another one
    denies it.
    """
    for entry in manifest.permissions:
        for capability in vocabulary().expand(entry.capability):
            for scope in entry.scopes:
                if entry.effect is not Decision.DENY and not grants(entry, Request(capability, scope)):
                    continue  # the entry holds a part of it, which is asked about
                for kind in _kinds(manifest, capability, scope, entry.decision(capability)):
                    if kind.meant is not Standing.DENIED or kind.standing is Standing.DENIED:
                        yield kind


def _judged(manifest: Manifest) -> Iterator[EffectKind]:
    """Yield single things inside, beside and outside of the entries, as the real projector treats them."""
    answers = RuntimeAnswers(manifest)
    asked: dict[tuple[str, Scope, Circumstances], None] = {}
    limited: dict[tuple[str, Scope, Circumstances], None] = {}
    for entry in manifest.permissions:
        for capability in vocabulary().expand(entry.capability):
            kind = vocabulary()[capability].scope_kind
            asked |= {
                (capability, _as_read(thing, kind), _ORDINARY): None
                for scope in entry.scopes
                for thing in asked_for(kind, scope)
            }
            if is_limited(entry):
                inside = [_as_read(next(members(scope)), kind) for scope in entry.scopes]
                limited |= {(capability, thing, when): None for when in circumstances(entry) for thing in inside}
    left = {_ORDINARY: under(manifest, _ORDINARY)}
    every = (*_chosen(asked), *_chosen(limited))
    for number, (capability, thing, when) in enumerate(every):
        if when not in left:
            left[when] = under(manifest, when)
        calls = number % (-(-len(every) // CALLS) or 1) == 0
        answer = answers.standing(capability, thing, when, calls=calls)
        if answer is not None:
            yield _answered(left[when], answer, capability, thing, when.name)


def _as_read(thing: Scope, kind: ScopeKind) -> Scope:
    """Return a thing as requests name it: a program in a system folder by its name."""
    return program_scope(thing) if kind is ScopeKind.PROGRAM else thing


def _answered(manifest: Manifest, answer: RuntimeAnswer, capability: str, thing: Scope, when: str) -> EffectKind:
    """Return a kind with the projector's answer and the meaning of the manifest within its limits: nothing more
    permissive.
    """
    line = Standing.UNCHANGED if answer.freer else answer.line
    change = vocabulary()[capability].change
    kept = line is Standing.REVERSIBLE or (line is not Standing.IRREVERSIBLE and _snapshotted(thing) == (True,))
    real = Change.IRREVERSIBLE if change is Change.REVERSIBLE and not kept else change
    text = "" if isinstance(thing, AnyScope) else thing.render()
    name = f"{text} ({when})" if when else text
    means = meant_of_thing(manifest, capability, thing)
    return EffectKind(
        line, real, capability, name, Standing.OUTSIDE if answer.freer else means.standing, means.undoable
    )


def _chosen(found: Iterable[tuple[str, Scope, Circumstances]]) -> list[tuple[str, Scope, Circumstances]]:
    """Return all, sorted by text; if there are too many, an evenly spaced selection."""
    ordered = sorted(found, key=lambda one: (one[0], one[1].tag, one[1].render(), str(one[2])))
    return ordered[:: -(-len(ordered) // ASKED) or 1]


def _decision(effect: Effect, manifest: Manifest) -> Decision | None:
    """Return the most permissive decision that the manifest can have for an effect. None if no entry certainly grants
    it.

    Which of several entries has the word depends on the run: on their limits, on where places lie, on what a file is. So
    priorities count for nothing here, and one that allows is enough, if it can meet the effect.
    """
    entries = manifest.permissions
    if any(entry.effect is Decision.DENY and denies_wholly(entry, effect) for entry in entries):
        return Decision.DENY
    granting = [entry for entry in entries if entry.effect is not Decision.DENY]
    if not any(declares(entry, effect) for entry in granting):
        return None
    free = any(may_deny(entry, effect) and Decision.ALLOW in _words(entry, effect) for entry in granting)
    return Decision.ALLOW if free else Decision.CONFIRM


def _words(entry: Permission, effect: Effect) -> set[Decision]:
    """Return what an entry can decide, under each name that an effect can have."""
    return {entry.decision(effect.capability), decides(entry, effect)}


def _kinds(manifest: Manifest, capability: str, scope: Scope, decision: Decision | None) -> Iterator[EffectKind]:
    """Yield one kind, or two where snapshots cover only a part of the scope."""
    change = vocabulary()[capability].change
    text = "" if isinstance(scope, AnyScope) else scope.render()
    means = meant(manifest, capability, scope)
    parts = tuple(_snapshotted(scope)) if change is Change.REVERSIBLE else (False,)
    for snapshotted in parts:
        real = Change.IRREVERSIBLE if change is Change.REVERSIBLE and not snapshotted else change
        # of a scope that lies partly in the workspace this is the part inside, if the other part is there as well
        inside = snapshotted and len(parts) > 1 and means.standing in (Standing.IRREVERSIBLE, *_SAID)
        line = Standing.REVERSIBLE if inside and means.standing is Standing.IRREVERSIBLE else means.standing
        yield EffectKind(
            standing(decision, change, snapshotted=snapshotted), real, capability, text, line, means.undoable or inside
        )


def _snapshotted(scope: Scope) -> Sequence[bool]:
    """Return whether snapshots cover the scope: everywhere, nowhere, or in part."""
    if covers(_SNAPSHOTTED, scope):
        return (True,)
    return (True, False) if overlaps(_SNAPSHOTTED, scope) else (False,)
