"""What a skill can certainly not do. Where nothing that can be reached is opaque, absence is a theorem."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from remit.core.capability import vocabulary
from remit.core.counting import counted
from remit.core.scope import AnyScope, HostScope, PathScope, ScopeKind, SymbolScope

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from remit.analysis.result import Effects
    from remit.core.effect import Effect, Opaque


class Guarantee(NamedTuple):
    """One thing that a skill never does, or what stands in the way of saying so."""

    ident: str
    text: str
    holds: bool
    broken_by: tuple[Effect, ...] = ()  # effects that do it
    obstacles: tuple[Opaque, ...] = ()  # locations that could do it, for all that is known
    rests_on: tuple[str, ...] = ()  # what it does not count, in words


_DELETES = frozenset({"file.delete", "source.delete", "secret.delete", "schedule.delete"})
_SECRETS = frozenset({"secret.read", "secret.write", "secret.delete"})
_AGENT = frozenset(
    {"memory.write", "policy.expand", "policy.restrict", "hook.install", "skill.install", "profile.write"}
)
_PROGRAMS = frozenset({"shell.execute", "process.create", "container.run", "repl.create"})
_FETCHES_CODE = frozenset({"package.install", "skill.install"})
# What reaches other machines without naming a host: registries, remotes, services of models, tools of the agent.
_NETWORK = frozenset(
    "commit.push message.send publish pay package.install subagent.delegate tool.invoke container.run container.manage".split()
)


class Certain(NamedTuple):
    """What a skill does and what is not understood, without samples and without what needs a value that is an option."""

    effects: tuple[Effect, ...]
    opaque: tuple[Opaque, ...]
    samples: tuple[Effect, ...]  # effects that documents only show
    conditional: tuple[Effect, ...]  # effects of a value that turns out to be an option
    shown: tuple[Opaque, ...]  # opaque samples
    unread: int = 0  # sentences that ask for something that is not checked
    unknown_commands: bool = False  # the text tells the agent to run programs that are not known


def certain(found: Effects) -> Certain:
    """The effects and opaque locations of a skill, by what they rest on."""
    samples = frozenset(found.samples)
    real = [effect for effect in found.effects if effect.where not in samples]
    return Certain(
        tuple(effect for effect in real if not effect.via.possible),
        tuple(item for item in found.opaque if item.where not in samples),
        tuple(effect for effect in found.effects if effect.where in samples),
        tuple(effect for effect in real if effect.via.possible),
        tuple(item for item in found.opaque if item.where in samples),
        len(found.unread),
        "instructed-commands" in found.assumptions,
    )


def guarantees(found: Effects) -> tuple[Guarantee, ...]:
    """Every guarantee, in the order in which they matter to a person."""
    counting = certain(found)
    return (
        _network(counting),
        *(_never(counting, ident, text, test) for ident, text, test in _NEVER),
    )


def is_network(effect: Effect) -> bool:
    """Whether an effect reaches another machine."""
    return vocabulary()[effect.capability].scope_kind is ScopeKind.HOST or effect.capability in _NETWORK


def _network(found: Certain) -> Guarantee:
    """Never uses the network, or only known hosts."""
    using = [effect for effect in found.effects if is_network(effect)]
    never = "never uses the network"
    if not using:
        return _guarantee(found, "no-network", never, (), is_network)
    if all(effect.capability == "package.install" for effect in using):
        text = "uses the network only to install packages"
        return _guarantee(found, "only-installs", text, (), lambda effect: is_network(effect) and effect not in using)
    hosts = sorted({effect.scope.host for effect in using if isinstance(effect.scope, HostScope)})
    others = tuple(effect for effect in using if not isinstance(effect.scope, HostScope) or "*" in effect.scope.host)
    if hosts and not others:

        def outside(effect: Effect) -> bool:
            known = isinstance(effect.scope, HostScope) and effect.scope.host in hosts
            return is_network(effect) and not known

        return _guarantee(found, "only-hosts", f"talks only to {', '.join(hosts)}", (), outside)
    return _guarantee(found, "no-network", never, using, is_network)


def _named_by_caller(effect: Effect) -> bool:
    """A file that the caller names, or one of the skill's own."""
    scope = effect.scope
    if isinstance(scope, SymbolScope):
        return True
    return isinstance(scope, PathScope) and (scope.anchor.startswith("<") or scope.anchor in ("skill", "temp"))


def _reads_elsewhere(effect: Effect) -> bool:
    return effect.capability in ("file.read", "source.read", "secret.read") and not _named_by_caller(effect)


def deletes(effect: Effect) -> bool:
    """Whether an effect deletes something beyond temporary files."""
    own = isinstance(effect.scope, PathScope) and effect.scope.anchor == "temp"
    return effect.capability in _DELETES and not own


def has_secret(effect: Effect) -> bool:
    """Whether an effect touches a credential, or all variables of the environment."""
    return effect.capability in _SECRETS or (isinstance(effect.scope, AnyScope) and effect.capability == "env.read")


_NEVER: Sequence[tuple[str, str, Callable[[Effect], bool]]] = (
    ("no-secrets", "reads no secrets", has_secret),
    ("reads-named-files", "reads only files you name and its own", _reads_elsewhere),
    ("deletes-nothing", "deletes nothing", deletes),
    ("no-programs", "starts no other program", lambda effect: effect.capability in _PROGRAMS),
    ("no-agent-settings", "never touches your agent's settings", lambda effect: effect.capability in _AGENT),
    ("installs-nothing", "installs nothing", lambda effect: effect.capability in _FETCHES_CODE),
)


def _never(found: Certain, ident: str, text: str, test: Callable[[Effect], bool]) -> Guarantee:
    return _guarantee(found, ident, text, [effect for effect in found.effects if test(effect)], test)


def _guarantee(
    found: Certain, ident: str, text: str, broken: Iterable[Effect], test: Callable[[Effect], bool]
) -> Guarantee:
    broken = (*broken, *(effect for effect in found.samples if test(effect)))  # the agent may follow a sample
    rests_on = tuple(_rests_on(found, test))
    holds = not broken and not found.opaque and not rests_on
    return Guarantee(ident, text, holds, broken, found.opaque, rests_on)


def _rests_on(found: Certain, test: Callable[[Effect], bool]) -> Iterable[str]:
    """What is not known to hold: with any of it the guarantee is given only as far as the skill is understood."""
    if found.shown:
        yield f"samples that are not understood are not run ({counted(len({item.where for item in found.shown}), 'location')})"
    if options := len({effect.where for effect in found.conditional if test(effect)}):
        yield f"no value that you pass begins with a dash ({counted(options, 'location')})"
    if found.unread:
        yield f"the agent does nothing else because of {counted(found.unread, 'sentence')} that Remit cannot check"
    if found.unknown_commands:
        yield "programs that the text tells the agent to run, and that Remit does not know, do nothing else"
