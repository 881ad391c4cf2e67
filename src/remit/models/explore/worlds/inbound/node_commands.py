"""Model of device commands (`gateway/inbound/nodes/commands.py`): all settings of two commands, and all declarations of
devices.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from remit.gateway.inbound.nodes import commands
from remit.gateway.inbound.nodes.commands import Commands, Device, ShippedCommands
from remit.models.explore.model import Case, Invariant, Model, Mutant, Patch, every, model_of, subsets, was_asked

_RUN, _SHOW = "system.run", "canvas.present"


class CommandSettings(NamedTuple):
    """What is shipped for the platform `desk`, and for which commands a person is asked; what is added and what is denied."""

    defaults: frozenset[str]
    asks: frozenset[str]
    extra: frozenset[str]
    deny: frozenset[str]


class DeviceCommand(NamedTuple):
    """A command, of a device of some platform that declared something."""

    platform: str
    declared: frozenset[str]
    command: str
    tainted: bool


class CommandAnswer(NamedTuple):
    """Why not, and whether a person must approve."""

    refusal: str
    approval: bool


_BOTH = subsets((_RUN, _SHOW))
_SETTINGS = every(CommandSettings, defaults=_BOTH, asks=_BOTH, extra=_BOTH, deny=_BOTH)
_ASKED = every(DeviceCommand, platform=("desk", "fridge"), declared=_BOTH, command=(_RUN, _SHOW), tainted=(False, True))


def _answers(settings: CommandSettings) -> Iterator[tuple[DeviceCommand, CommandAnswer]]:
    shipped, said = ShippedCommands({"desk": settings.defaults}, settings.asks), Commands(settings.extra, settings.deny)
    for asked in _ASKED:
        device = Device("d", asked.platform, asked.declared)
        yield asked, CommandAnswer(
            commands.refusal(shipped, said, device, asked.command), commands.wants_approval(shipped, asked.command, tainted=asked.tainted)
        )  # fmt: skip


def _runs(case: Case) -> bool:
    return was_asked(case) and not case.answer.refusal


def _listed(case: Case) -> bool:
    defaults = case.settings.defaults if case.asked.platform == "desk" else frozenset()
    return case.asked.command in (defaults | case.settings.extra) - case.settings.deny


_INVARIANTS = (
    Invariant("deny-wins", "a denied command is never sent to a device, even if it is also listed as extra", lambda case: was_asked(case) and case.asked.command in case.settings.deny,
              lambda case: bool(case.answer.refusal)),
    Invariant("allowlisted", "a device gets only commands that are default on its platform or that the operator added", _runs, _listed),
    Invariant("declared", "a device gets only commands that it declared", _runs, lambda case: case.asked.command in case.asked.declared),
    Invariant("exactly", "a command that is listed and declared may be sent", lambda case: was_asked(case) and _listed(case) and case.asked.command in case.asked.declared,
              lambda case: not case.answer.refusal),
    Invariant("unknown-platforms-have-nothing", "an unknown platform has no default commands",
              lambda case: was_asked(case) and case.asked.platform == "fridge" and case.asked.command not in case.settings.extra,
              lambda case: bool(case.answer.refusal)),
    Invariant("taint-wants-approval", "a command that untrusted words influenced needs approval",
              lambda case: was_asked(case) and case.asked.tainted, lambda case: case.answer.approval),
    Invariant("what-changes-something-wants-approval", "a command that changes something needs approval",
              lambda case: was_asked(case) and case.asked.command in case.settings.asks, lambda case: case.answer.approval),
)  # fmt: skip


def model() -> Model:
    """The model."""
    mutants = (
        Mutant("adds after denying", "deny-wins", Patch(commands, "allowlist",
            lambda _: lambda shipped, said, platform: (shipped.defaults.get(platform, frozenset()) - said.deny) | said.extra)),
        Mutant("lists a command everywhere", "allowlisted", Patch(commands, "allowlist",
            lambda real: lambda shipped, said, platform: real(shipped, said, platform) | ({_RUN} - said.deny))),
        Mutant("reads no declaration", "declared", Patch(commands, "refusal",
            lambda real: lambda shipped, said, device, command: real(shipped, said, device._replace(declared=frozenset({command})), command))),
        Mutant("forgets what was added", "exactly",
            Patch(commands, "allowlist", lambda real: lambda shipped, said, platform: real(shipped, said._replace(extra=frozenset()), platform))),
        Mutant("takes every platform for a desk", "unknown-platforms-have-nothing", Patch(commands, "allowlist",
            lambda real: lambda shipped, said, _: real(shipped, said, "desk"))),
        Mutant("drops the taint", "taint-wants-approval",
            Patch(commands, "wants_approval", lambda real: lambda shipped, command, **_: real(shipped, command, tainted=False))),
        Mutant("asks only about taint", "what-changes-something-wants-approval", Patch(commands, "wants_approval", lambda _: lambda _, __, tainted: tainted)),
    )  # fmt: skip
    return model_of(
        "node-commands", "a device is asked only for commands that it declared and that are default or extra and not denied; tainted requests need approval",
        _SETTINGS, ("ask", _answers), _INVARIANTS, mutants,
    )  # fmt: skip
