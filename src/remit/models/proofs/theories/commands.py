"""Theory of device commands (`gateway/inbound/nodes/commands.py`), for any sets of defaults, extras, denials and
declarations, by one arbitrary command.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import z3

from remit.gateway.inbound.nodes import commands
from remit.models.explore.model import Patch
from remit.models.proofs.solver import value
from remit.models.proofs.theory import Claim, Mutant, Planted, Term, Theorem, Theory, Tie, Told

if TYPE_CHECKING:
    from random import Random


class Command(NamedTuple):
    """The sets that contain a command."""

    default: Term  # of the device's platform
    extra: Term
    denied: Term
    declared: Term
    asks: Term  # it changes something


def listed(command: Command) -> Term:
    """Return whether the platform may be asked for it."""
    return z3.And(z3.Or(command.default, command.extra), z3.Not(command.denied))


def runs(on_list: Term, command: Command) -> Term:
    """Return whether the device is asked for it."""
    return z3.And(on_list, command.declared)


def wants(command: Command, tainted: Term) -> Term:
    """Return whether a person must approve."""
    return z3.Or(tainted, command.asks)


class CommandRules(NamedTuple):
    """The rules."""

    listed: Callable[[Command], Term] = listed
    runs: Callable[[Term, Command], Term] = runs
    wants: Callable[[Command, Term], Term] = wants


def _any() -> Command:
    return Command(*(z3.Bool(field) for field in Command._fields))


def _told(command: Command, found: Term) -> Told:
    sets = tuple((f"in the set `{name}`", one) for name, one in zip(Command._fields, command, strict=True))
    return (*sets, ("so it says", found))


def _allowlist(rules: CommandRules) -> Iterator[Claim]:
    """The allowlist is exactly (defaults and extra) without denied, and declared."""
    one = _any()
    found = rules.runs(rules.listed(one), one)
    wanted = z3.And(z3.Or(one.default, one.extra), z3.Not(one.denied), one.declared)
    yield Claim("what may run", (), found, wanted, _told(one, found))
    yield Claim("what may not", (), z3.Not(found), z3.Not(wanted), _told(one, found))


def _deny_wins(rules: CommandRules) -> Iterator[Claim]:
    one = _any()
    found = rules.runs(rules.listed(one), one)
    told = _told(one, found)
    yield Claim("a denied command", (), z3.And(one.denied, one.extra, one.default, one.declared), z3.Not(found), told)
    yield Claim("an undeclared one", (), z3.And(z3.Not(one.declared), one.extra), z3.Not(found), told)


def _narrows(rules: CommandRules) -> Iterator[Claim]:
    """One more denial never lets anything else run, and removes only itself."""
    one, more = _any(), z3.Bool("denied now")
    found, then = (rules.runs(rules.listed(it), it) for it in (one, one._replace(denied=z3.Or(one.denied, more))))
    yield Claim("one more that is denied", (), then, found, _told(one, then))
    yield Claim("another command", (z3.Not(more),), found, then, _told(one, then))


def _taint(rules: CommandRules) -> Iterator[Claim]:
    one, tainted = _any(), z3.Bool("tainted")
    found = rules.wants(one, tainted)
    told = (("words of strangers", tainted), ("it changes something", one.asks), ("a person is asked", found))
    yield Claim("a call with words of strangers", (), tainted, found, told)
    yield Claim("a command that changes something", (), one.asks, found, told)


_THEOREMS = (
    Theorem("allowlist-for-any-sets", "for any sets, a device gets exactly the commands that are default or extra, not denied, and declared",
            _allowlist),
    Theorem("denied-or-undeclared-never-runs", "a denied or undeclared command never runs, whatever the other sets contain", _deny_wins),
    Theorem("denying-takes-exactly-that", "denying one more command removes that command and changes no other", _narrows),
    Theorem("taint-always-asks", "a command that untrusted words influenced, or that changes something, always needs approval", _taint),
)  # fmt: skip


class CommandCase(NamedTuple):
    """The sets of one command, and whether untrusted text had a part."""

    command: tuple[bool, ...]
    tainted: bool


def _sample(random: Random) -> CommandCase:
    return CommandCase(tuple(random.random() < 0.5 for _ in Command._fields), random.random() < 0.5)


def _every() -> Iterator[CommandCase]:
    for *command, tainted in product((False, True), repeat=len(Command._fields) + 1):
        yield CommandCase(tuple(command), tainted)


def _encoded(rules: CommandRules, case: CommandCase) -> Any:
    command = Command(*map(z3.BoolVal, case.command))
    on_list = rules.listed(command)
    return value(on_list), value(rules.runs(on_list, command)), value(rules.wants(command, z3.BoolVal(case.tainted)))


def _code(case: CommandCase) -> Any:
    """Ask the code, with other commands in other sets."""
    default, extra, denied, declared, asks = (
        frozenset({"it", f"other {number}"} if so else {f"other {number}"}) for number, so in enumerate(case.command)
    )
    shipped, settings = (
        commands.ShippedCommands({"linux": default, "ios": frozenset()}, asks),
        commands.Commands(extra, denied),
    )
    device = commands.Device("d", "linux", declared)
    return (
        "it" in commands.allowlist(shipped, settings, "linux"),
        commands.refusal(shipped, settings, device, "it") == "",
        commands.wants_approval(shipped, "it", tainted=case.tainted),
    )


def theory() -> Theory:
    """The theory."""
    mutants = (
        Mutant("lets extra outweigh denied", "denied-or-undeclared-never-runs", "listed",
            lambda it: z3.Or(z3.And(it.default, z3.Not(it.denied)), it.extra)),
        Mutant("has extra alone", "allowlist-for-any-sets", "listed", lambda it: z3.And(it.extra, z3.Not(it.denied))),
        Mutant("denies nothing that is a default", "denying-takes-exactly-that", "listed",
            lambda it: z3.Or(it.default, z3.Xor(it.extra, it.denied))),
        Mutant("asks for what was not declared", "denied-or-undeclared-never-runs", "runs", lambda on_list, _: on_list),
        Mutant("drops the taint", "taint-always-asks", "wants", lambda it, _: it.asks),
        Mutant("asks about taint alone", "taint-always-asks", "wants", lambda _, tainted: tainted),
    )  # fmt: skip
    planted = (
        Planted("denies nothing", Patch(commands, "allowlist", lambda real: lambda known, settings, platform: real(known, settings._replace(deny=frozenset()), platform))),
        Planted("looks at no declaration", Patch(commands, "refusal", lambda _: lambda known, settings, device, command: "" if command in commands.allowlist(known, settings, device.platform) else "X")),
        Planted("drops the taint", Patch(commands, "wants_approval", lambda real: lambda known, command, **_: real(known, command, tainted=False))),
    )  # fmt: skip
    return Theory(
        "commands", "commands of devices, for any sets of defaults, extras, denials and declarations", CommandRules(),
        _THEOREMS, mutants, (Tie("which commands, and who is asked", _encoded, _code, _sample, planted, _every, samples=0),),
    )  # fmt: skip
