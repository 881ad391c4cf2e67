"""The agent hosts that skills are installed for: detection on this machine, and their skill folders."""

from __future__ import annotations

import os
import shutil
from functools import cache
from pathlib import Path
from typing import NamedTuple

from remit.core.errors import UsageError
from remit.core.table import read_table

_TABLE = Path(__file__).with_name("data") / "hosts.table"
USER, PROJECT = "user", "project"


class Host(NamedTuple):
    """A host. Its folders begin with `~/` (the home folder) or `./` (the project)."""

    name: str
    user: str
    project: str
    marker: str
    program: str

    def folder(self, scope: str, home: Path, project: Path) -> Path:
        """Return the folder that holds the skills of a user, or of a project."""
        return home / self.user[2:] if scope == USER else project / self.project[2:]


@cache
def hosts() -> tuple[Host, ...]:
    """Return every host that skills can be installed for."""
    return tuple(Host(*row.cells) for row in read_table(_TABLE, len(Host._fields)))


def choose_host(name: str, home: Path) -> Host:
    """Return the host of a name; without one the only host of this machine. UsageError if it is ambiguous."""
    known = ", ".join(host.name for host in hosts())
    if name:
        for host in hosts():
            if host.name == name:
                return host
        raise UsageError(f"`{name}` is not a host that skills can be installed for", f"it can be: {known}")
    found = detect_hosts(home)
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(host.name for host in found)
        raise UsageError(f"there are several agent hosts here: {names}", "choose one with --host")
    raise UsageError("no agent host was found here", f"name one with --host: {known}")


def detect_hosts(home: Path) -> tuple[Host, ...]:
    """Return the hosts that have a folder in the home folder, or an executable program."""
    return tuple(host for host in hosts() if os.path.isdir(home / host.marker[2:]) or shutil.which(host.program))  # noqa: PTH112
