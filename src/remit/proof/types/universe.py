"""The finite universe of the types: every scope that occurs, and which entries cover it.

Types name finitely many things, so they speak of the scopes of the manifest, of those of the skill's effects, and of fixed
outsiders. Which of them an entry holds is not judged here: `policy.entry_matches` decides it, as it does at run time. What a denial holds
wholly is taken away; what it may only meet is refused at run time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from remit.core.capability import vocabulary
from remit.core.effect import Effect
from remit.core.errors import ManifestError
from remit.core.location import Location
from remit.core.scope import ANY_SCOPE, DEEP, WORKSPACE, PathScope, Scope, ScopeKind, parse_scope
from remit.core.table import read_table
from remit.core.via import recorded
from remit.manifest.model import Decision, Manifest, Permission
from remit.policy.entry_matches import declares, denies_wholly
from remit.proof.cost import cost
from remit.proof.types.generated_names import written

PAIRS = 12_000  # capabilities times scopes: seconds for a checker
COMPARISONS = 10_000_000  # see `proof.cost`: a few seconds
VOLUME = 24 * 1024 * 1024  # characters of what a checker quotes when it rejects: it names all that was expected
_NOWHERE = Location("", 0)
_WORKSPACE = PathScope(WORKSPACE, (DEEP,))


class Universe(NamedTuple):
    """Everything that occurs. Texts are sorted, because the order of the manifest's entries has no meaning."""

    scopes: Mapping[ScopeKind, Mapping[str, Scope]]  # by their texts
    held: Mapping[str, tuple[str, ...]]  # for each declared capability the texts of the scopes that it may have
    foreign: Mapping[ScopeKind, tuple[str, ...]]  # outsiders that are no scopes of this kind
    exercised: frozenset[tuple[str, str]]  # what the skill's effects are: capabilities and texts
    escaping: tuple[tuple[str, str], ...]  # of these what no entry holds, though no denial holds it either

    def texts(self, capability: str) -> Iterable[str]:
        """Return the scopes that a capability can have."""
        return self.scopes[vocabulary()[capability].scope_kind]


class TooLarge(NamedTuple):
    """Why the types of a manifest cannot be checked in bounded time."""

    reason: str


def survey(manifest: Manifest, effects: Iterable[Effect]) -> Universe | TooLarge:
    """Return everything that occurs in a manifest and in a skill's effects."""
    asked = {(effect.capability, effect.scope) for effect in effects}
    found = _occurring(manifest, asked)
    scopes = {kind: {written(scope): scope for scope in found[kind]} for kind in ScopeKind}
    if any(len(scopes[kind]) != len(found[kind]) for kind in ScopeKind):
        return TooLarge("two scopes are written alike")
    ordered = {kind: dict(sorted(scopes[kind].items())) for kind in ScopeKind}
    spoken = _spoken_of(manifest)
    excess = _excess(spoken, ordered)
    if excess:
        return TooLarge(excess)
    universe = Universe(
        ordered,
        _held(spoken, ordered),
        {kind: tuple(text for text in outsiders() if _meant(kind, text) is None) for kind in ScopeKind},
        frozenset((capability, written(scope)) for capability, scope in asked),
        tuple(
            sorted(
                {
                    (name, written(scope))
                    for name, scope in asked
                    if _escapes(Effect(name, scope, _NOWHERE, recorded("")), manifest)
                }
            )
        ),
    )
    return universe if _volume(universe) <= VOLUME else TooLarge("what is declared is too much to be shown")


def _escapes(effect: Effect, manifest: Manifest) -> bool:
    """Return whether an effect is neither covered nor a denied attempt."""
    denials = [entry for entry in manifest.permissions if entry.effect is Decision.DENY]
    granting = [entry for entry in manifest.permissions if entry.effect is not Decision.DENY]
    return not any(declares(entry, effect) for entry in granting) and not any(
        denies_wholly(entry, effect) for entry in denials
    )


def members(manifest: Manifest) -> int:
    """Return |D|, the number of granting entries: each envelope is covered by one of them, or by none."""
    return sum(entry.effect is not Decision.DENY for entry in manifest.permissions)


@cache
def outsiders() -> tuple[str, ...]:
    """Return the texts of `data/outsiders.table`."""
    return tuple(row.cells[0] for row in read_table(Path(__file__).with_name("data") / "outsiders.table", 2))


def _occurring(manifest: Manifest, asked: Iterable[tuple[str, Scope]]) -> dict[ScopeKind, set[Scope]]:
    found: dict[ScopeKind, set[Scope]] = {kind: {ANY_SCOPE} for kind in ScopeKind}
    for entry in manifest.permissions:
        kinds = {vocabulary()[name].scope_kind for name in vocabulary().expand(entry.capability)}
        for kind in kinds - {ScopeKind.NONE}:
            found[kind].update(_named_by(entry, kind))
    for capability, scope in asked:
        found[vocabulary()[capability].scope_kind].add(scope)
    for kind in ScopeKind:
        found[kind].update(filter(None, (_meant(kind, text) for text in outsiders())))
    return found


def _named_by(entry: Permission, kind: ScopeKind) -> Iterator[Scope]:
    yield from entry.scopes
    yield from entry.constraints.resource_scope
    if entry.constraints.workspace_only and kind is ScopeKind.PATH:
        yield _WORKSPACE


def _meant(kind: ScopeKind, text: str) -> Scope | None:
    """Return the scope of this kind with this text; None if the text is not in normal form."""
    try:
        scope = parse_scope(kind, text)
    except ManifestError:
        return None
    return scope if scope.render() == text else None


def _held(
    spoken: Mapping[str, list[Permission]], scopes: Mapping[ScopeKind, Mapping[str, Scope]]
) -> dict[str, tuple[str, ...]]:
    held: dict[str, tuple[str, ...]] = {}
    for name, entries in spoken.items():
        granting = [entry for entry in entries if entry.effect is not Decision.DENY]
        denials = [entry for entry in entries if entry.effect is Decision.DENY]
        texts = tuple(
            text
            for text, scope in scopes[vocabulary()[name].scope_kind].items()
            if _is_held(Effect(name, scope, _NOWHERE, recorded("")), granting, denials)
        )
        if texts:
            held[name] = texts
    return held


def _is_held(effect: Effect, granting: list[Permission], denials: list[Permission]) -> bool:
    return any(declares(entry, effect) for entry in granting) and not any(
        denies_wholly(entry, effect) for entry in denials
    )


def _spoken_of(manifest: Manifest) -> dict[str, list[Permission]]:
    """Return the entries that may cover each grantable capability, in the order of the vocabulary."""
    spoken: dict[str, list[Permission]] = {capability.name: [] for capability in vocabulary()}
    for entry in manifest.permissions:
        names = set(vocabulary().expand(entry.capability))
        # `source.X` speaks of `file.X` too
        names |= {"file." + name.removeprefix("source.") for name in names if name.startswith("source.")}
        for name in names & spoken.keys():
            spoken[name].append(entry)
    return {
        name: entries for name, entries in spoken.items() if any(entry.effect is not Decision.DENY for entry in entries)
    }


def _excess(spoken: Mapping[str, list[Permission]], scopes: Mapping[ScopeKind, Mapping[str, Scope]]) -> str:
    """Return why there is too much to compare, before it starts; empty if there is not."""
    occurring = {name: scopes[vocabulary()[name].scope_kind].values() for name in spoken}
    pairs = sum(map(len, occurring.values()))
    if pairs > PAIRS:
        return f"{pairs} capabilities on scopes are more than the {PAIRS} that are judged"
    if sum(cost(occurring[name], entries) for name, entries in spoken.items()) > COMPARISONS:
        return "the scopes of the manifest and of the skill are too many, or too intricate, to be compared"
    return ""


def _volume(universe: Universe) -> int:
    """Return about how many characters a checker writes to list what it expected."""
    return sum(
        sum(len(text) + 4 for text in held) * (len(list(universe.texts(name))) - len(held) + len(outsiders()))
        for name, held in universe.held.items()
    )
