"""Differences between two skills, or two states of one.

`compare(old, new).added` is what the new skill has and the old one does not, and `removed` is the same with the sides
swapped, so that the two can never disagree. A capability is new if nothing that the old skill could do covers it: a
wider scope is an addition, a narrower one is not. An opaque location could do anything, before and after; it counts as
new when its path or its code is.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from remit.core.capability import matches, vocabulary
from remit.core.effect import Origin
from remit.core.scope import HOME, ROOT, HostScope, NameScope, PathScope, Scope, ScopeKind, covers, parse_scope
from remit.manifest.drift.entries import new_entries
from remit.manifest.drift.model import Change, Drift, Summary, Trait, TraitKind
from remit.manifest.drift.ranks import rank_of
from remit.manifest.drift.requested_acts import limiting, places

_WORD = re.compile(r"\w+")
# What a scope that could be anything may come to name, and what it is called then.
_NAMED = {
    ScopeKind.HOST: "host",
    ScopeKind.PROGRAM: "program",
    ScopeKind.NAME: "name",
    ScopeKind.TOOL: "tool",
    ScopeKind.PATH: "place",
}


def compare(old: Summary, new: Summary) -> Drift:
    """Return what an update from `old` to `new` changes. The same bytes are the same skill, whenever and by whatever
    version analysed.
    """
    if old.content == new.content:
        return Drift(old, new)
    gone = tuple(
        change for change in _news(new, old) if change.trait.sort is not TraitKind.FREED
    )  # a new limit is one sentence more
    return Drift(old, new, _news(old, new), gone)


def _news(old: Summary, new: Summary) -> tuple[Change, ...]:
    """Return what `new` has and `old` does not, the worst first."""
    found = [change for sort, rule in _RULES.items() for change in rule(old, new, sort)]
    return tuple(sorted(found, key=lambda change: change.rank))


def _change(trait: Trait, before: tuple[str, ...] = (), note: str = "") -> Change:
    return Change(trait, rank_of(trait), before, note)


# ── capabilities ──


@lru_cache(4096)
def scope_of(capability: str, text: str) -> Scope:
    """Return the scope of a capability; texts were parsed once before, so this cannot fail."""
    return parse_scope(vocabulary()[capability].scope_kind, text)


def _capabilities(old: Summary, new: Summary, sort: TraitKind) -> Iterator[Change]:
    known = old.of(sort)
    exact = {(trait.subject, trait.scopes, trait.origin) for trait in known}
    renamed = _renamed(old, new)
    names = {(_kind(trait), trait.scopes) for trait in known}
    for trait in new.of(sort):
        if (trait.subject, trait.scopes, trait.origin) in exact:
            continue
        scope = scope_of(trait.subject, trait.scopes[0])
        fitting = [one for one in known if _same_power(one, trait)]
        covering = [one for one in fitting if covers(scope_of(one.subject, one.scopes[0]), scope)]
        if not covering and not any(_as_before(one, trait, renamed) for one in fitting):
            yield _change(trait, tuple(sorted({one.scopes[0] for one in fitting if _inside(one, trait, scope)})))
        elif covering and _only_any(covering) and _is_name(scope) and (_kind(trait), trait.scopes) not in names:
            # it could reach anything before, as far as known; that it names this one is new
            yield _change(trait, ("any",), f"it could be any {_NAMED[_kind(trait)]} before; this one is named now")


def _inside(one: Trait, trait: Trait, scope: Scope) -> bool:
    """Whether a trait of the other skill is a part of this one: then this one is wider."""
    return one.subject == trait.subject and covers(scope, scope_of(one.subject, one.scopes[0]))


def _kind(trait: Trait) -> ScopeKind:
    return vocabulary()[trait.subject].scope_kind


def _same_power(old: Trait, new: Trait) -> bool:
    """Whether a trait of the old skill has the same capability: one that is triggered automatically covers one on
    request.
    """
    return matches(old.subject, new.subject) and (old.origin == Origin.HOOK or new.origin != Origin.HOOK)


def _only_any(covering: list[Trait]) -> bool:
    return all(one.scopes == ("any",) for one in covering)


def _is_name(scope: Scope) -> bool:
    """Whether a host, program or name is named, or a path outside of the workspace; values from the caller are not."""
    if isinstance(scope, PathScope):
        return scope.anchor in (ROOT, HOME)
    return isinstance(scope, HostScope | NameScope)


def _renamed(old: Summary, new: Summary) -> Mapping[str, str]:
    """Return files of the new skill that are renamed files of the old one, byte for byte."""
    before, after = ({trait.subject: trait.mark for trait in side.of(TraitKind.FILE)} for side in (old, new))
    places = {mark: path for path, mark in before.items() if path not in after}
    return {path: places[mark] for path, mark in after.items() if path not in before and mark in places}


def _as_before(old: Trait, new: Trait, renamed: Mapping[str, str]) -> bool:
    """Whether a scope is the old one except for the new name of a file."""
    return any(
        old.scopes[0].endswith(f"/{was}") and new.scopes[0] == old.scopes[0].removesuffix(was) + path
        for path, was in renamed.items()
    )


# ── what is compared by what it says ──


def _opaque(old: Summary, new: Summary, sort: TraitKind) -> Iterator[Change]:
    """Return new opaque locations: more of this reason in the file than before, or in a file whose code is new."""
    known = Counter((trait.subject, trait.where.file) for trait in old.of(sort))
    marks = {(trait.where.file, trait.mark) for trait in old.of(sort)}
    same: dict[str, list[Trait]] = {}
    for trait in new.of(sort):
        place = trait.subject, trait.where.file
        if known[place]:
            known[place] -= 1
            same.setdefault(trait.where.file, []).append(trait)
        else:
            yield _change(trait)
    for file, traits in same.items():
        if not {(file, trait.mark) for trait in traits} <= marks:
            reasons = sorted({trait.subject for trait in traits})
            why = "; ".join(reasons[:3]) + (" …" if len(reasons) > 3 else "")
            yield _change(Trait(TraitKind.UNTOLD, file, min(trait.where for trait in traits), why=why))


def _said(old: Summary, new: Summary, sort: TraitKind) -> Iterator[Change]:
    known = {_key(trait) for trait in old.of(sort)}
    seen = set[tuple[str, ...]]()
    for trait in new.of(sort):
        if _key(trait) not in known and _key(trait) not in seen:
            seen.add(_key(trait))
            yield _change(trait)


def _key(trait: Trait) -> tuple[str, ...]:
    if trait.sort in (TraitKind.HIDDEN, TraitKind.INSTRUCTION):
        return (trait.mark,)  # a lock file has only the digest
    return (trait.subject, trait.why) if trait.sort is TraitKind.COMMAND else (trait.subject,)


def _sentences(old: Summary, new: Summary, sort: TraitKind) -> Iterator[Change]:
    """Return sentences that occur more often than before: a sentence that moved is the same sentence."""
    known = Counter(_digest(trait) for trait in old.of(sort))
    for trait in new.of(sort):
        if known[_digest(trait)]:
            known[_digest(trait)] -= 1
        else:
            yield _change(trait)


def _digest(trait: Trait) -> str:
    return trait.mark.partition(" ")[0]


def _requests(old: Summary, new: Summary, sort: TraitKind) -> Iterator[Change]:
    """Return sentences that are new and ask for something. A rewording of one that asked for as much does not count."""
    if not old.of(TraitKind.INSTRUCTION):
        return  # all of it is new
    replaced = [_asked(change.trait) for change in _sentences(new, old, TraitKind.INSTRUCTION)]
    for change in _sentences(old, new, TraitKind.INSTRUCTION):
        asked = _asked(change.trait)
        if asked and not any(asked <= before for before in replaced):
            yield _change(change.trait._replace(sort=sort, mark=""))


def _asked(trait: Trait) -> frozenset[str]:
    return frozenset(trait.mark.split(" ")[1:])


def _freed(old: Summary, new: Summary, sort: TraitKind) -> Iterator[Change]:
    """Return limits that are gone. One that is reworded still exists."""
    kept = {trait.subject for trait in new.of(TraitKind.LIMIT)}
    lost = [trait for trait in old.of(TraitKind.LIMIT) if trait.subject not in kept]
    if not lost or not new.of(TraitKind.INSTRUCTION):
        return  # all of it is gone
    others = [*kept, *(change.trait.subject for change in _sentences(old, new, TraitKind.INSTRUCTION))]
    for trait in lost:
        if not any(_says_as_much(trait.subject, other) for other in others):
            yield _change(trait._replace(sort=sort))


def _says_as_much(old: str, new: str) -> bool:
    """Whether a sentence has most words of another one, including every limiting word, and names no further place."""
    before, after = (Counter(_WORD.findall(text.lower())) for text in (old, new))
    common = (before & after).total()
    return (
        2 * common > max(before.total(), after.total())
        and limiting(old) <= limiting(new)
        and places(new) <= places(old)
    )


def _packages(old: Summary, new: Summary, sort: TraitKind) -> Iterator[Change]:
    known = defaultdict[str, set[str]](set)
    for trait in old.of(sort):
        known[trait.subject].add(trait.scope)
    for trait in new.of(sort):
        if trait.subject not in known:
            yield _change(trait)
        elif trait.scope not in known[trait.subject]:
            yield _change(trait._replace(sort=TraitKind.VERSION), tuple(sorted(known[trait.subject])))


def _files(old: Summary, new: Summary, sort: TraitKind) -> Iterator[Change]:
    known = {trait.subject: trait.mark for trait in old.of(sort)}
    for trait in new.of(sort):
        before = known.get(trait.subject)
        if before != trait.mark:
            yield _change(trait, () if before is None else (before,))


def _entries(old: Summary, new: Summary, sort: TraitKind) -> Iterator[Change]:
    for trait, note in new_entries(old.of(sort), new.of(sort)):
        yield _change(trait, note=note)


_RULES: Mapping[TraitKind, Callable[[Summary, Summary, TraitKind], Iterator[Change]]] = {
    TraitKind.CAPABILITY: _capabilities,
    TraitKind.COMMAND: _said,
    TraitKind.HIDDEN: _said,
    TraitKind.OPAQUE: _opaque,
    TraitKind.TOOL: _said,
    TraitKind.ENTRY: _entries,
    TraitKind.PACKAGE: _packages,
    TraitKind.REQUEST: _requests,
    TraitKind.FREED: _freed,
    TraitKind.ADDRESS: _said,
    TraitKind.INSTRUCTION: _sentences,
    TraitKind.FILE: _files,
}
