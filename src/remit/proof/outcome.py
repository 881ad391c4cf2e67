"""The result of a comparison of a skill with its manifest, and remedies."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from remit.core.scope import ANY_SCOPE, Scope
from remit.manifest.model import Permission
from remit.manifest.render import entry_value

if TYPE_CHECKING:
    from remit.core.effect import Effect
    from remit.proof.residuals import Residual


class Verdict(StrEnum):
    """How a skill compares with its manifest."""

    CONTAINED = "contained"
    ESCAPES = "escapes"  # an effect lies outside of the manifest
    OPAQUE = "opaque"  # no effect does, but a place is not understood
    UNDECLARED = "undeclared"  # there is no manifest


class Escape(NamedTuple):
    """An effect outside of the manifest, and why; `declared` if an entry names its capability for other scopes."""

    effect: Effect
    reason: str
    declared: bool

    @property
    def remedy(self) -> str:
        """What the user can do."""
        return remedy_for([self.effect], declared=self.declared)


class Denied(NamedTuple):
    """An effect that a denial covers wholly: it is attempted, and refused."""

    effect: Effect
    entry: Permission


class Containment(NamedTuple):
    """The verdict and its grounds."""

    verdict: Verdict
    escapes: tuple[Escape, ...] = ()
    unused: tuple[Permission, ...] = ()
    residuals: tuple[Residual, ...] = ()
    denied: tuple[Denied, ...] = ()


def remedy_for(effects: Sequence[Effect], *, declared: bool) -> str:
    """Return the remedy for effects of one capability that are all undeclared, or all declared for other scopes."""
    entry = entry_value(Permission(effects[0].capability, whole_scopes(effect.scope for effect in effects)))
    declare = f"add {json.dumps(entry, ensure_ascii=False)} to the manifest"
    return f"narrow it in the skill, or {declare}" if declared else f"{declare}, or remove it from the skill"


def whole_scopes(scopes: Iterable[Scope]) -> tuple[Scope, ...]:
    """Return the scopes of one entry for all of these: each once, or `any` if one of them is."""
    each = tuple(dict.fromkeys(scopes))
    return (ANY_SCOPE,) if ANY_SCOPE in each else each
