"""What a skill can certainly not do. Where nothing that can be reached is opaque, absence is a theorem."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from remit.core.capability import vocabulary
from remit.core.scope import AnyScope, HostScope, PathScope, ScopeKind, SymbolScope

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from remit.analysis.result import Effects
    from remit.core.effect import Effect, Opaque


class Guarantee(NamedTuple):
    """One thing that a skill never does, or what stands in the way of saying so."""

    ident: str
    text: str
    holds: bool
    broken_by: tuple[Effect, ...] = ()  # effects that do it
    obstacles: tuple[Opaque, ...] = ()  # locations that could do it, for all that is known


_DELETES = frozenset({"file.delete", "source.delete", "secret.delete", "schedule.delete"})
_SECRETS = frozenset({"secret.read", "secret.write", "secret.delete"})
_AGENT = frozenset(
    {"memory.write", "policy.expand", "policy.restrict", "hook.install", "skill.install", "profile.write"}
)
_PROGRAMS = frozenset({"shell.execute", "process.create", "container.run", "repl.create"})
_FETCHES_CODE = frozenset({"package.install", "skill.install"})


def guarantees(found: Effects) -> tuple[Guarantee, ...]:
    """Every guarantee, in the order in which they matter to a person."""
    return (
        _network(found),
        *(_never(found, ident, text, test) for ident, text, test in _NEVER),
    )


def _is_network(effect: Effect) -> bool:
    kind = vocabulary()[effect.capability]
    return kind.scope_kind is ScopeKind.HOST or effect.capability in {"commit.push", "message.send", "publish", "pay"}


def _network(found: Effects) -> Guarantee:
    """Never uses the network, or only known hosts."""
    using = [effect for effect in found.effects if _is_network(effect)]
    never = "never uses the network"
    if not using:
        return Guarantee("no-network", never, not found.opaque, (), found.opaque)
    hosts = sorted({effect.scope.host for effect in using if isinstance(effect.scope, HostScope)})
    others = tuple(effect for effect in using if not isinstance(effect.scope, HostScope) or "*" in effect.scope.host)
    if hosts and not others:
        return Guarantee("only-hosts", f"talks only to {', '.join(hosts)}", not found.opaque, (), found.opaque)
    return Guarantee("no-network", never, False, tuple(using), found.opaque)


def _named_by_caller(effect: Effect) -> bool:
    """A file that the caller names, or one of the skill's own."""
    scope = effect.scope
    if isinstance(scope, SymbolScope):
        return True
    return isinstance(scope, PathScope) and (scope.anchor.startswith("<") or scope.anchor in ("skill", "temp"))


def _reads_elsewhere(effect: Effect) -> bool:
    return effect.capability in ("file.read", "source.read", "secret.read") and not _named_by_caller(effect)


def _deletes(effect: Effect) -> bool:
    own = isinstance(effect.scope, PathScope) and effect.scope.anchor == "temp"
    return effect.capability in _DELETES and not own


def _has_secret(effect: Effect) -> bool:
    return effect.capability in _SECRETS or (isinstance(effect.scope, AnyScope) and effect.capability == "env.read")


_NEVER: Sequence[tuple[str, str, Callable[[Effect], bool]]] = (
    ("no-secrets", "reads no secrets", _has_secret),
    ("reads-named-files", "reads only files you name and its own", _reads_elsewhere),
    ("deletes-nothing", "deletes nothing", _deletes),
    ("no-programs", "starts no other program", lambda effect: effect.capability in _PROGRAMS),
    ("no-agent-settings", "never touches your agent's settings", lambda effect: effect.capability in _AGENT),
    ("installs-nothing", "installs nothing", lambda effect: effect.capability in _FETCHES_CODE),
)


def _never(found: Effects, ident: str, text: str, test: Callable[[Effect], bool]) -> Guarantee:
    broken = tuple(effect for effect in found.effects if test(effect))
    return Guarantee(ident, text, not broken and not found.opaque, broken, found.opaque)
