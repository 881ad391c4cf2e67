"""Does everything that the skill can do lie inside what it may do? Pure: values in, a verdict out.

An effect is inside if one entry that allows (or asks) stands for its capability and covers its whole scope, and no
entry that denies can meet it. Two entries that cover a scope only together do not cover it: one rule must permit the
whole request at run time too. What is opaque is never contained.
"""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from remit.core.capability import matches
from remit.core.scope import PLACES, AnyScope, PathScope, SymbolScope, covers, overlaps
from remit.core.sensitive import fold, may_touch
from remit.manifest.model import Decision

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from remit.core.assumption import Assumption
    from remit.core.effect import Effect, Opaque
    from remit.core.location import Location
    from remit.core.scope import Scope
    from remit.manifest.model import Manifest, Permission


MASK = "capsule: masks"
ARGUMENTS = "guard: arguments are checked before the run"
ASKS = "guard: a person is asked"


class Verdict(StrEnum):
    """How a skill stands to its manifest."""

    CONTAINED = "contained"
    ESCAPES = "escapes"  # an effect lies outside of the manifest
    OPAQUE = "opaque"  # no effect does, but a place is not understood
    UNDECLARED = "undeclared"  # there is no manifest


class Escape(NamedTuple):
    """An effect outside of the manifest, the entry that comes nearest (or denies it), and what to do."""

    effect: Effect
    reason: str
    remedy: str


class Residual(NamedTuple):
    """Something that must hold at run time for the verdict to hold, and the layer that sees to it."""

    kind: str  # `mask`, `binding`, `confirm`, `assumption`
    subject: str  # a capability, a symbol or the id of an assumption
    meaning: str
    layer: str
    where: Location | None = None


class Containment(NamedTuple):
    """The verdict and its grounds."""

    verdict: Verdict
    escapes: tuple[Escape, ...] = ()
    unused: tuple[Permission, ...] = ()
    residuals: tuple[Residual, ...] = ()


def contain(
    effects: Sequence[Effect], opaque: Sequence[Opaque], assumed: Iterable[Assumption], manifest: Manifest | None
) -> Containment:
    """Compare what a skill can do with what it may do."""
    if manifest is None:
        return Containment(Verdict.UNDECLARED)
    grants = [entry for entry in manifest.permissions if entry.effect is not Decision.DENY]
    denials = [entry for entry in manifest.permissions if entry.effect is Decision.DENY]
    escapes = tuple(found for effect in effects if (found := _escape(effect, grants, denials)))
    verdict = Verdict.ESCAPES if escapes else Verdict.OPAQUE if opaque else Verdict.CONTAINED
    unused = tuple(entry for entry in grants if not any(_used(entry, effect) for effect in effects))
    return Containment(verdict, escapes, unused, tuple(_residuals(effects, grants, assumed)))


def _escape(effect: Effect, grants: Sequence[Permission], denials: Sequence[Permission]) -> Escape | None:
    for entry in denials:
        if _denies(entry, effect):
            remedy = f"change the code so that it stays out of {entry.place}, or change the denial"
            return Escape(effect, f"denied by `{entry.capability} {entry.place}` in line {entry.line}", remedy)
    named = [entry for entry in grants if matches(entry.capability, effect.capability)]
    if any(_covers(entry, effect) for entry in named):
        return None
    declare = f"add {_suggested(effect)} to the manifest"
    if not named:
        return Escape(effect, "not declared", f"{declare}, or remove it from the skill")
    scopes = ", ".join(sorted({scope.render() for entry in named for scope in entry.scopes}))
    return Escape(effect, f"declared for {scopes} only", f"narrow it in the skill, or {declare}")


def _covers(entry: Permission, effect: Effect) -> bool:
    """Whether one scope of an entry holds the whole effect."""
    return any(covers(scope, effect.scope) for scope in entry.scopes)


def _suggested(effect: Effect) -> str:
    """The entry that would cover an effect, as it is written."""
    entry = {"capability": effect.capability}
    if not isinstance(effect.scope, AnyScope):
        entry["scope"] = effect.scope.render()
    return json.dumps(entry, ensure_ascii=False)


def _denies(entry: Permission, effect: Effect) -> bool:
    """Whether a denial can meet an effect.

    A denial of `source.X` meets `file.X` too, because a file may be source code. Names are compared as the most
    forgiving file system compares them, because a denial that a spelling escapes is none.
    """
    capability = effect.capability
    named = matches(entry.capability, capability)
    if not named and capability.startswith("file."):
        named = matches(entry.capability, "source." + capability[5:])
    return named and any(overlaps(_folded(scope), _folded(effect.scope)) for scope in entry.scopes)


def _folded(scope: Scope) -> Scope:
    return scope._replace(parts=tuple(map(fold, scope.parts))) if isinstance(scope, PathScope) else scope


def _used(entry: Permission, effect: Effect) -> bool:
    touched = (effect.capability, *may_touch(effect.capability, effect.scope))
    return any(matches(entry.capability, name) for name in touched) and any(
        _serves(scope, effect.scope) for scope in entry.scopes
    )


def _serves(grant: Scope, scope: Scope) -> bool:
    """Whether a grant is for something in the scope. That a home may hold the workspace is no reason to grant it."""
    if isinstance(grant, PathScope) and isinstance(scope, PathScope) and grant.anchor != scope.anchor:
        return covers(grant, scope) or covers(scope, grant)
    return overlaps(grant, scope)


def _residuals(
    effects: Sequence[Effect], grants: Sequence[Permission], assumed: Iterable[Assumption]
) -> Iterable[Residual]:
    """Each once, with the first place that needs it."""
    seen: dict[tuple[str, str], Residual] = {}
    for effect in effects:
        for found in (*_masks(effect, grants), *_bindings(effect), *_questions(effect, grants)):
            seen.setdefault((found.kind, found.subject), found)
    for item in assumed:
        seen[("assumption", item.ident)] = Residual("assumption", item.ident, item.meaning, item.layer)
    return [seen[key] for key in sorted(seen)]


def _masks(effect: Effect, grants: Sequence[Permission]) -> Iterable[Residual]:
    """Sensitive places that a broad scope may hold are kept out of reach, unless granted by their own name."""
    for name in may_touch(effect.capability, effect.scope):
        if not any(matches(entry.capability, name) and _covers(entry, effect) for entry in grants):
            meaning = f"{effect.capability} {effect.scope.render()} may meet places of {name}: they are masked"
            yield Residual("mask", name, meaning, MASK, effect.where)


def _bindings(effect: Effect) -> Iterable[Residual]:
    """What is fixed only when the skill runs is compared with the manifest then."""
    scope = effect.scope
    symbol = scope.symbol if isinstance(scope, SymbolScope) else scope.anchor if isinstance(scope, PathScope) else "/"
    if symbol not in PLACES:
        rule = (
            "lies in the workspace or was named by the user" if symbol == "<arg>" else "is one that the manifest names"
        )
        yield Residual("binding", symbol, f"what {symbol} stands for {rule}", ARGUMENTS, effect.where)


def _questions(effect: Effect, grants: Sequence[Permission]) -> Iterable[Residual]:
    """An effect that only entries with `confirm` cover waits for a person."""
    fitting = [entry for entry in grants if matches(entry.capability, effect.capability) and _covers(entry, effect)]
    if fitting and all(entry.decision(effect.capability) is Decision.CONFIRM for entry in fitting):
        yield Residual("confirm", effect.capability, f"a person confirms each {effect.capability}", ASKS, effect.where)
