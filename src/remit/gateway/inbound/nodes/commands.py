"""Commands that a device may be asked to run: the platform's defaults and additions, without denied ones.

Of those only the commands that the device itself declared.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from remit.core.errors import DataError
from remit.core.table import read_table

FILE = Path(__file__).parents[1] / "data" / "nodes.table"


class ShippedCommands(NamedTuple):
    """The shipped table."""

    defaults: Mapping[str, frozenset[str]]  # by platform
    asks: frozenset[str]  # run only after approval


class Commands(NamedTuple):
    """The settings."""

    extra: frozenset[str] = frozenset()
    deny: frozenset[str] = frozenset()


class Device(NamedTuple):
    """A paired device. `declared`: the commands that it offers."""

    id: str
    platform: str
    declared: frozenset[str]


def read_known(path: Path = FILE) -> ShippedCommands:
    """Read a table."""
    defaults: dict[str, frozenset[str]] = {}
    asks: set[str] = set()
    for row in read_table(path, 2):
        name, second = row.cells
        if row.section == "defaults" and name not in defaults:
            defaults[name] = frozenset(second.split())
        elif row.section == "asks" and name not in asks:
            asks.add(name)
        else:
            raise DataError(f"{row.where}: not a line of [defaults] or [asks], or it occurs twice", "correct the line")
    return ShippedCommands(defaults, frozenset(asks))


@cache
def known() -> ShippedCommands:
    """Return the shipped table."""
    return read_known()


def allowlist(shipped: ShippedCommands, commands: Commands, platform: str) -> frozenset[str]:
    """Return the commands allowed on a platform. An unknown platform has no defaults."""
    return (shipped.defaults.get(platform, frozenset()) | commands.extra) - commands.deny


def refusal(shipped: ShippedCommands, commands: Commands, device: Device, command: str) -> str:
    """Return the reason code if a device may not be asked to run a command, else an empty string."""
    if command not in allowlist(shipped, commands, device.platform):
        return "COMMAND_DENIED"
    return "" if command in device.declared else "COMMAND_UNDECLARED"


def wants_approval(shipped: ShippedCommands, command: str, *, tainted: bool) -> bool:
    """Return whether a person must approve: for commands that change something, and for all tainted requests."""
    return tainted or command in shipped.asks
