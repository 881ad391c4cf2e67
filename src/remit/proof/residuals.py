"""Residuals: conditions that must hold at run time for a verdict to hold, each with the layer that enforces it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from remit.core.scope import PathScope, SymbolScope
from remit.core.sensitive import may_touch
from remit.manifest.model import Decision, Permission
from remit.policy.entry_matches import BOUND, decides, declares, is_bound, may_deny

if TYPE_CHECKING:
    from remit.core.assumption import Assumption
    from remit.core.effect import Effect
    from remit.core.location import Location

MASK = "capsule: masks"
ARGUMENTS = "guard: arguments are checked before the run"
ASKS = "guard: a person is asked"
CHECKS = "guard: checks each request"
DENIES = "guard: denies"
_AT_RUN_TIME = ("denied_command_patterns", "arguments", "time_window", "rate_limit", "redact")


class Residual(NamedTuple):
    """A run-time condition of a verdict, and the layer that enforces it."""

    kind: str  # `mask`, `binding`, `confirm`, `constraint`, `deny`, `assumption`
    subject: str  # a capability, a symbol, an entry or the id of an assumption
    meaning: str
    layer: str
    where: Location | None = None


def residuals(
    granted: Iterable[tuple[Effect, Sequence[Permission]]],
    entries: Sequence[Permission],
    denials: Sequence[Permission],
    assumed: Iterable[Assumption],
) -> tuple[Residual, ...]:
    """Return each condition of effects that are not wholly denied once, with the first place that needs it."""
    seen: dict[tuple[str, str], Residual] = {}
    for effect, fitting in granted:
        for found in (
            *_masks(effect, entries, denials),
            *_bindings(effect),
            *_questions(effect, fitting),
            *_constraints(effect, fitting),
            *(refusal(entry, effect) for entry in denials if may_deny(entry, effect)),
        ):
            seen.setdefault((found.kind, found.subject), found)
    for item in assumed:
        seen[("assumption", item.ident)] = Residual("assumption", item.ident, item.meaning, item.layer)
    return tuple(seen[key] for key in sorted(seen))


def refusal(entry: Permission, effect: Effect) -> Residual:
    """Return what a denial refuses at run time."""
    subject = _named(entry)
    return Residual("deny", subject, f"every {subject} is refused, as {_line(entry)} denies it", DENIES, effect.where)


def _masks(effect: Effect, entries: Sequence[Permission], denials: Sequence[Permission]) -> Iterator[Residual]:
    """Yield sensitive places inside a broad scope, which are hidden unless granted by their own name."""
    for name in may_touch(effect.capability, effect.scope):
        meant = effect._replace(capability=name)
        granted = any(declares(entry, meant) for entry in entries)
        if not granted or any(may_deny(entry, meant) for entry in denials):
            meaning = f"{effect.capability} {effect.scope.render()} may meet places of {name}: they are masked"
            yield Residual("mask", name, meaning, MASK, effect.where)


def _bindings(effect: Effect) -> Iterator[Residual]:
    """Yield the values that are only known at run time, and compared with the manifest then."""
    scope = effect.scope
    symbol = scope.symbol if isinstance(scope, SymbolScope) else scope.symbol if isinstance(scope, PathScope) else ""
    if symbol:
        rule = "is in the workspace or was named by the user" if symbol == BOUND else "is one that the manifest names"
        yield Residual("binding", symbol, f"what {symbol} stands for {rule}", ARGUMENTS, effect.where)


def _questions(effect: Effect, fitting: Sequence[Permission]) -> Iterator[Residual]:
    """Yield questions: of the granting entries, those of the highest priority decide whether to ask; a tie asks."""
    first = max((entry.priority for entry in fitting), default=0)
    if any(entry.priority == first and decides(entry, effect) is Decision.CONFIRM for entry in fitting):
        yield Residual("confirm", effect.capability, f"a person confirms each {effect.capability}", ASKS, effect.where)


def _constraints(effect: Effect, fitting: Sequence[Permission]) -> Iterator[Residual]:
    """Yield constraints that cannot be judged before a run. One unconditional entry suffices, but patterns always deny."""
    conditions = {entry: _conditions(entry, effect) for entry in fitting}
    free = not all(conditions.values())
    for entry, names in conditions.items():
        kept = [name for name in names if not free or name == "denied_command_patterns"]
        if kept:
            subject = _named(entry)
            meaning = f"{subject} keeps to {' and '.join(kept)} of {_line(entry)}"
            yield Residual("constraint", subject, meaning, CHECKS, effect.where)


def _conditions(entry: Permission, effect: Effect) -> list[str]:
    limits = entry.constraints
    found = [name for name in _AT_RUN_TIME if getattr(limits, name)]
    return ["workspace_only", *found] if limits.workspace_only and is_bound(effect.scope) else found


def _named(entry: Permission) -> str:
    return f"{entry.capability} {entry.place}"


def _line(entry: Permission) -> str:
    return f"line {entry.line} of the manifest" if entry.line else "the manifest"
