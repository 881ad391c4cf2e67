"""Which commands a device may be asked for: (what its platform has by default, and what is added) without what is denied; and of that
only what the device itself said that it can do."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from remit.core.errors import DataError
from remit.core.table import read_table

FILE = Path(__file__).parents[1] / "data" / "nodes.table"


class Known(NamedTuple):
    """What is shipped."""

    defaults: Mapping[str, frozenset[str]]  # by platform
    asks: frozenset[str]  # run only with an approval


class Commands(NamedTuple):
    """The settings."""

    extra: frozenset[str] = frozenset()
    deny: frozenset[str] = frozenset()


class Device(NamedTuple):
    """A device, as it was paired. `declared`: what it said that it can do."""

    id: str
    platform: str
    declared: frozenset[str]


def read_known(path: Path = FILE) -> Known:
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
            raise DataError(f"{row.where}: not a line of [defaults] or [asks], or it stands twice", "correct the line")
    return Known(defaults, frozenset(asks))


@cache
def known() -> Known:
    """The table that is shipped."""
    return read_known()


def allowlist(shipped: Known, commands: Commands, platform: str) -> frozenset[str]:
    """What a platform may be asked for. One that is not known has nothing by default."""
    return (shipped.defaults.get(platform, frozenset()) | commands.extra) - commands.deny


def refusal(shipped: Known, commands: Commands, device: Device, command: str) -> str:
    """Why a device is not asked for a command; nothing if it may be."""
    if command not in allowlist(shipped, commands, device.platform):
        return "COMMAND_DENIED"
    return "" if command in device.declared else "COMMAND_UNDECLARED"


def wants_approval(shipped: Known, command: str, *, tainted: bool) -> bool:
    """Whether a person must approve: for what changes something, and for whatever words of strangers had a part in."""
    return tainted or command in shipped.asks
