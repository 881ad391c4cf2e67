"""What one skill may do in one session."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from remit.core.capability import vocabulary
from remit.core.errors import ManifestError
from remit.core.scope import PLACES, ROOT, PathScope
from remit.core.scope.component import literal
from remit.manifest.model import Verification
from remit.policy.request import NOTHING_BOUND
from remit.policy.rules import Sources, granting, has_symbols, make_rules, resolve

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from remit.core.scope import Scope
    from remit.manifest.model import Manifest, Permission
    from remit.policy.request import Bindings
    from remit.policy.rules import Layer, Rules

LEVELS = tuple(Verification)
_REMEMBERED = 16  # sets of bindings; a session has few


@dataclass(frozen=True)
class SkillPolicy:
    """What is so for one skill as long as a session lasts. `level` is what admission found, not what the manifest claims."""

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
    _bound: dict[frozenset[tuple[str, tuple[Scope, ...]]], Mapping[str, Rules]] | None = field(
        init=False, repr=False, compare=False
    )  # what was made ready for bindings, if any entry has a symbol

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
        # frozen for everybody else
        object.__setattr__(self, "places", MappingProxyType(dict(self.places)))
        object.__setattr__(self, "granting", entries)
        object.__setattr__(self, "rated", MappingProxyType(_rated(entries)))
        object.__setattr__(self, "rules", MappingProxyType(self._made(NOTHING_BOUND)))
        object.__setattr__(self, "_bound", {} if symbolic else None)

    def resolve(self, scope: Scope) -> Scope:
        """A scope with its place replaced by where that lies."""
        return resolve(scope, self.places)

    def under(self, bound: Bindings) -> Mapping[str, Rules]:
        """The rules with symbols replaced by what the caller binds them to."""
        if self._bound is None or not bound:
            return self.rules
        key = frozenset(bound.items())
        if key not in self._bound:
            if len(self._bound) >= _REMEMBERED:
                self._bound.clear()
            self._bound[key] = self._made(bound)
        return self._bound[key]

    @property
    def members(self) -> int:
        """|D|: how many entries grant something."""
        return len(self.granting)

    @property
    def _sources(self) -> Sources:
        return Sources(self.manifest.permissions, self.denials, self.layers)

    def _made(self, bound: Bindings) -> Mapping[str, Rules]:
        return make_rules(self._sources, self.places, bound)


def _rated(entries: Sequence[tuple[Permission, Layer]]) -> dict[int, str]:
    """Names under which the uses of entries are kept. They stay when other entries come and go, unlike ordinals."""
    return {
        member: f"{layer.source or 'manifest'} {entry.capability} {entry.place}"
        for member, (entry, layer) in enumerate(entries)
        if entry.constraints.rate_limit is not None
    }
