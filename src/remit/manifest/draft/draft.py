"""A draft: the least manifest that lets a skill do what it needs, with the reason for each entry.

Required is what the skill's text asks for, and what its hooks and presented scripts do. What is only shown (a sample, a
script that nothing names, a tool that is pre-approved but never used) and what findings object to is denied by name, so
that a person decides about it. So every effect of the analysis is either granted or denied: a draft contains its skill.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from remit.core.capability import vocabulary
from remit.core.scope import ANY_SCOPE, ScopeKind, covers, overlaps, parse_scope
from remit.manifest.draft.clues import Clue, required
from remit.manifest.draft.effect_clues import is_housekeeping, is_only_possible
from remit.manifest.draft.entries import grants, parts, refuse, refuse_shown
from remit.manifest.draft.locations import Locations
from remit.manifest.draft.scopes import SkillNames, scopes_for, writable
from remit.manifest.draft.text_clues import all_clues
from remit.manifest.draft.update import marks
from remit.manifest.model import Decision, Manifest, Metadata, Permission
from remit.manifest.version import FIRST, parse_version
from remit.manifest.words import HIDDEN

if TYPE_CHECKING:
    from remit.core.effect import Command, Effect
    from remit.core.location import Location
    from remit.skill.model import Skill


_EFFECT, _SAMPLE, _HOUSEKEEPING = "effect", "sample effect", "housekeeping"
_DONE = frozenset({_EFFECT, _HOUSEKEEPING})
_STARTS = frozenset({"shell.execute", "process.create"})
_SAMPLES = frozenset({"example", "sample", "people", "loose"})  # shown in a document, or in a script that nothing names


class Objection(NamedTuple):
    """Lines of a skill that a finding is about: nothing is granted for them."""

    file: str
    line: int
    last: int
    reason: str
    text: str


class Draft(NamedTuple):
    """A manifest, and the locations that a person must review."""

    manifest: Manifest
    objections: tuple[Objection, ...]


def draft(
    skill: Skill,
    effects: Sequence[Effect],
    commands: Sequence[Command] = (),
    uses: Sequence[tuple[Location, str]] = (),
    objections: Sequence[Objection] = (),
) -> Draft:
    """Draft the manifest of a skill from what the analysis found in it: effects, commands, and which files are used where."""
    locations = Locations(skill, uses)
    clues = [*all_clues(skill, effects, locations), *_as_they_are(effects, commands, locations)]
    honest = [clue for clue in clues if not _is_objected(clue, objections)]
    doubtful = [clue for clue in clues if _is_objected(clue, objections)]
    names = SkillNames(skill, effects)
    granted, shown = _weighed(honest, names)
    entries = [
        *(entry for name, clues_of in granted.items() for entry in grants(name, clues_of, names)),
        *(entry for name, clues_of in shown.items() for entry in refuse_shown(name, clues_of, names)),
    ]
    entries += [
        refuse(name, clues_of, "asked for where `remit check` reports a finding")
        for name, clues_of in _distinct(doubtful, entries)
    ]
    entries = [part for entry in entries for part in parts(entry)]
    ordered = tuple(sorted(entries, key=_order))
    return Draft(
        Manifest(
            "remit.json", ordered, Metadata(_plain(skill.name) or "skill", _version(skill)), drafted=marks(ordered)
        ),
        tuple(objections),
    )


def _order(entry: Permission) -> tuple[bool, str, bool, str]:
    """Sort grants first, by capability; questions after what is allowed."""
    return entry.effect is Decision.DENY, entry.capability, entry.effect is Decision.CONFIRM, entry.place


def _as_they_are(effects: Sequence[Effect], commands: Sequence[Command], locations: Locations) -> Iterable[Clue]:
    """Return effects and commands without points: a grant includes all of their scopes, without exception."""
    for effect in effects:
        place = locations.kind(effect)
        kind = _SAMPLE if place in _SAMPLES or is_only_possible(effect, locations) else _EFFECT
        if kind == _EFFECT and is_housekeeping(effect, place):
            kind = _HOUSEKEEPING
        yield Clue(effect.capability, 0, kind, locations.evidence(effect.where, effect.why), effect.scope)
    for command in commands:
        scope = parse_scope(ScopeKind.PROGRAM, command.program)
        evidence = locations.evidence(command.where, f"runs `{command.program}`")
        yield Clue("shell.execute", 0, "command", evidence, scope)


def _version(skill: Skill) -> str:
    """Return the version that the skill names, if a bundle can compare it; else the first version."""
    nested = skill.front_matter.values.get("metadata")
    inner = nested.get("version", "") if isinstance(nested, dict) else ""
    named = (skill.front_matter.text("version") or str(inner)).strip().removeprefix("v")
    return FIRST if parse_version(named) is None else named


def _plain(text: str) -> str:
    """Return a name without characters that hide or steer, which a manifest refuses."""
    return " ".join(HIDDEN.sub(" ", text).split())[:200]


def _is_objected(clue: Clue, objections: Sequence[Objection]) -> bool:
    at = clue.evidence
    return any(item.file == at.file and item.line <= at.line <= item.last for item in objections)


def _weighed(clues: Sequence[Clue], names: SkillNames) -> tuple[dict[str, list[Clue]], dict[str, list[Clue]]]:
    """Return the clues of what is required, and those of effects that are only shown, by capability."""
    needed = required(clues)
    granted = {
        name: [clue for clue in found if clue.kind not in _SAMPLES and clue.kind != _SAMPLE]
        for name, found in needed.items()
    }
    left: dict[str, list[Clue]] = {}
    for clue in clues:
        if clue.scope is None or clue.kind in _SAMPLES:  # of samples, their effect decides
            continue
        if clue.kind == _SAMPLE or (clue.kind in _DONE and clue.capability not in needed):
            left.setdefault(clue.capability, []).append(clue)
        elif clue.capability in needed:  # of one location only the strongest clue is weighed, but all scopes count
            granted[clue.capability].append(clue)
    for name, found in tuple(left.items()):
        source = "source." + name.removeprefix("file.")
        if name.startswith("file.") and source in needed and name not in needed:
            # The skill works on code, so its files there are code. A denial of `file.X` would deny the code as well.
            # An entry of `source.X` can cover only those with a scope.
            granted[source] += [clue for clue in found if clue.scope is not None and writable(clue.scope) != ANY_SCOPE]
            if other := [clue for clue in found if clue not in granted[source]]:
                granted[name] = other
            del left[name]
        elif name in needed:
            left[name] = _left_out(name, granted, found, names)
    if not _STARTS.isdisjoint(needed):
        for name, found in left.items():
            kept, rest = _housekeeping(found)
            if kept:
                granted[name], left[name] = granted.get(name, []) + kept, rest
    return granted, {name: found for name, found in left.items() if found}


def _housekeeping(found: Sequence[Clue]) -> tuple[list[Clue], list[Clue]]:
    """Split what nothing asks for into what the commands need for themselves, and the rest, whose denial must not meet
    it.
    """
    rest = [clue for clue in found if clue.kind != _HOUSEKEEPING]
    kept = [clue for clue in found if clue.kind == _HOUSEKEEPING]
    if any(overlaps(one.scope, other.scope) for one in kept for other in rest if one.scope and other.scope):
        return [], list(found)
    return kept, rest


def _left_out(name: str, granted: dict[str, list[Clue]], samples: list[Clue], names: SkillNames) -> list[Clue]:
    """Return what only samples need of a granted capability, if it can be denied without denying more. The rest is
    granted too.
    """
    twin = name.replace("file.", "source.") if name.startswith("file.") else name.replace("source.", "file.")
    held = list(scopes_for(name, granted[name], names))
    if twin in granted:
        held += [scope for scope in scopes_for(twin, granted[twin], names) if scope != ANY_SCOPE]
    beyond = [clue for clue in samples if clue.scope and not any(covers(scope, clue.scope) for scope in held)]
    if any(overlaps(scope, clue.scope) for clue in beyond if clue.scope for scope in held):
        granted[name] += samples  # all of them: with one more scope the usual one may be dropped
        return []
    return beyond


def _distinct(doubtful: Sequence[Clue], entries: Sequence[Permission]) -> Iterable[tuple[str, list[Clue]]]:
    """Return what is asked for where a finding objects, beyond what is granted for honest reasons; if that is nothing,
    the worst of it.
    """
    beyond: dict[str, list[Clue]] = {}
    for clue in doubtful:
        if not any(_holds(entry, clue) for entry in entries if entry.effect is not Decision.DENY):
            beyond.setdefault(clue.capability, []).append(clue)
    if doubtful and not beyond:
        worst = max(doubtful, key=lambda clue: _RANKS[vocabulary()[clue.capability].level])
        beyond[worst.capability] = [clue for clue in doubtful if clue.capability == worst.capability]
    return beyond.items()


_RANKS = {"normal": 0, "dangerous": 1, "redact": 2, "system": 3}


def _holds(entry: Permission, clue: Clue) -> bool:
    if entry.capability != clue.capability:
        return False
    return clue.scope is None or any(covers(scope, clue.scope) for scope in entry.scopes)
