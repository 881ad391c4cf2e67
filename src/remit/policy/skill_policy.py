"""The policy of one skill in one session."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from remit.core.capability import vocabulary
from remit.core.errors import ManifestError
from remit.core.scope import PLACES, ROOT, PathScope, Scope, covers
from remit.core.scope.component import literal
from remit.manifest.model import Manifest, Permission, Verification
from remit.policy.request import NOTHING_BOUND, Bindings
from remit.policy.rules import Authority, Layer, Rules, Sources, granting, has_symbols, make_rules, resolve, spoken_of

if TYPE_CHECKING:
    from remit.policy.judge import Judgement

    _Bound = frozenset[tuple[str, tuple[Scope, ...]]]

LEVELS = tuple(Verification)
_REMEMBERED = 64  # sets of bindings; a session has few


class _Ready(NamedTuple):
    """Rules under one set of bindings, and the cached judgements."""

    rules: Mapping[str, Rules]
    judgements: dict[Hashable, Judgement]


@dataclass(frozen=True)
class SkillPolicy:
    """The rights of one skill in a session. `level` is what admission found, not what the manifest claims."""

    skill: str
    manifest: Manifest
    level: Verification = Verification.UNVERIFIED
    snapshotted: tuple[PathScope, ...] = ()  # folders whose old state the runtime can bring back
    minimum: tuple[tuple[str, Verification], ...] = ()  # capability or pattern, and the least level at which it runs
    places: Mapping[str, PathScope] = field(default_factory=dict)  # where workspace, home, skill and temp lie
    denials: tuple[
        Permission, ...
    ] = ()  # of other layers, such as a workspace's defaults; grants there are passed over
    layers: tuple[Layer, ...] = ()  # what the workspace and persons say beside the manifest
    granting: tuple[tuple[Permission, Layer], ...] = field(init=False, repr=False, compare=False)  # by their ordinals
    rated: Mapping[int, str] = field(init=False, repr=False, compare=False)  # the name of each entry with a rate
    rules: Mapping[str, Rules] = field(init=False, repr=False, compare=False)
    varying: frozenset[str] = field(init=False, repr=False, compare=False)  # of which entries speak that look at more
    until: int | None = field(init=False, repr=False, compare=False)  # when the first layer ends
    _bound: dict[_Bound, _Ready] | None = field(
        init=False, repr=False, compare=False
    )  # what was made ready for bindings, if any entry has a symbol
    _unbound: _Ready = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name, place in self.places.items():
            if name not in PLACES - {ROOT} or place.anchor != ROOT or None in map(literal, place.parts):
                message = f"`{place.render()}` is not where `{name}` lies"
                raise ManifestError(message, "give one absolute path for each place")
        for pattern, _ in self.minimum:
            if not vocabulary().expand(pattern):
                message = f"`{pattern}` has a minimum level and is not a capability"
                raise ManifestError(message, "`remit explain` lists all")
        entries = tuple(granting(self._sources))
        beside = (entry for layer in self.layers for entry in (*layer.grants, *layer.asks))
        every = (*self.manifest.permissions, *self.denials, *beside)
        symbolic = any(map(has_symbols, every))
        # frozen for all other code
        object.__setattr__(self, "places", MappingProxyType(dict(self.places)))
        object.__setattr__(self, "granting", entries)
        object.__setattr__(self, "rated", MappingProxyType(_rated(entries, self.places)))
        object.__setattr__(self, "rules", MappingProxyType(self._made(NOTHING_BOUND)))
        varying = (spoken_of(entry.capability) for entry in every if entry.constraints.varies)
        object.__setattr__(self, "varying", frozenset[str]().union(*varying))
        ends = (layer.expires for layer in self.layers if layer.expires is not None)
        object.__setattr__(self, "until", min(ends, default=None))
        object.__setattr__(self, "_bound", {} if symbolic else None)
        object.__setattr__(self, "_unbound", _Ready(self.rules, {}))

    def resolve(self, scope: Scope) -> Scope:
        """Return a scope with its place replaced by the real path."""
        return resolve(scope, self.places)

    def under(self, bound: Bindings) -> Mapping[str, Rules]:
        """Return the rules with symbols replaced by the caller's bindings."""
        return self._ready(bound).rules

    def judgements(self, bound: Bindings) -> dict[Hashable, Judgement]:
        """Return the cached judgements under bindings (`judgement_cache.py`)."""
        return self._ready(bound).judgements

    def _ready(self, bound: Bindings) -> _Ready:
        if self._bound is None or not bound:
            return self._unbound
        key = frozenset(bound.items())
        found = self._bound.get(key)
        if found is None:
            if len(self._bound) >= _REMEMBERED:
                self._bound.clear()
            found = self._bound[key] = _Ready(self._made(bound), {})
        return found

    @property
    def members(self) -> int:
        """The number of granting entries, |D|."""
        return len(self.granting)

    @property
    def _sources(self) -> Sources:
        return Sources(self.manifest.permissions, self.denials, self.layers)

    def _made(self, bound: Bindings) -> Mapping[str, Rules]:
        return make_rules(self._sources, self.places, bound)


def _rated(entries: Sequence[tuple[Permission, Layer]], places: Mapping[str, PathScope]) -> dict[int, str]:
    """Return names under which the uses of rate-limited entries are counted. Unlike ordinals, they stay when other
    entries come and go.

    A grant under the limits of an entry is counted with that entry, so that agreeing does not raise the limit.
    """
    rated = [(member, *found) for member, found in enumerate(entries) if found[0].constraints.rate_limit is not None]
    named: dict[int, str] = {}
    for member, entry, layer in rated:
        own = f"{layer.source or 'manifest'} {entry.capability} {entry.place}"
        above = (
            named[other] for other, one, _ in rated
            if layer.authority is Authority.PERSON and other < member and _is_given_under(entry, one, places)
        )  # fmt: skip
        named[member] = next(above, own)
    return named


def _is_given_under(given: Permission, entry: Permission, places: Mapping[str, PathScope]) -> bool:
    """Return whether a grant may be a copy of an entry. Symbols are not resolved here, so a match is assumed for them."""
    if given.constraints.rate_limit != entry.constraints.rate_limit:
        return False
    if not set(vocabulary().expand(given.capability)) <= set(vocabulary().expand(entry.capability)):
        return False
    holding = [resolve(scope, places) for scope in entry.scopes]
    return has_symbols(entry) or all(
        any(covers(one, resolve(scope, places)) for one in holding) for scope in given.scopes
    )
