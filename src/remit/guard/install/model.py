"""Types of the installers: changes of files, the status of hooks, and known bypasses."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, Protocol

from remit.core.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

HOST_SECONDS = 30  # after which a host gives up on a hook, and continues without it
CLIENT_SECONDS = 20  # after which our client denies: well before the host gives up


class Site(NamedTuple):
    """The locations of a host's settings on this machine."""

    home: Path  # of the user
    project: Path  # the folder in which the host would be started
    state: Path  # of the guard
    managed: Path | None = None  # the folder of managed settings, if it is not the host's default
    client: Path | None = None  # the compiled client, if there is a compiler
    authority: tuple[str, ...] = ()  # the command of our gateway's MCP server, if every effect must go through it


class Change(NamedTuple):
    """One file before and after. None: the file does not exist."""

    path: Path
    before: bytes | None
    after: bytes | None
    mode: int = 0o600  # of a new file
    forget: bool = False  # also remove the backup of the file from before the guard was installed
    copy: bool = True  # it contains nothing of ours yet: back it up as the file from before the guard was installed


class HookStatus(NamedTuple):
    """Whether the guard is installed in one settings file."""

    place: str  # `user`, `managed` ...
    path: Path
    events: tuple[str, ...]  # at which our client is called
    missing: tuple[str, ...]  # at which it should be called
    problem: str = ""  # why the file is invalid


class Lock(StrEnum):
    """The state of a bypass."""

    CLOSED = "closed"
    OPEN = "open"
    OUTSIDE = "outside"  # no setting closes it: the user is told what to avoid


class Trap(NamedTuple):
    """One known way around a hook, and its state on this machine."""

    id: str
    what: str
    lock: Lock
    detail: str
    fix: str


class Installer(Protocol):
    """The installer of one host."""

    @property
    def name(self) -> str:
        """The name that users write: `claude-code`."""
        ...

    def install(self, site: Site, *, managed: bool) -> tuple[Change, ...]:
        """Return the changes that install the guard; none if it is installed."""
        ...

    def uninstall(self, site: Site, *, managed: bool) -> tuple[Change, ...]:
        """Return the changes that remove the guard and restore everything else."""
        ...

    def status(self, site: Site) -> tuple[HookStatus, ...]:
        """Return where the guard is installed."""
        ...

    def doctor(self, site: Site) -> tuple[Trap, ...]:
        """Check every known bypass of the host, with a live probe of the command in the settings."""
        ...


def no_managed(host: str, *, managed: bool) -> None:
    """Refuse to install for all users of the machine."""
    if managed:
        raise UsageError(f"the guard cannot be installed in `{host}` for all users", "leave --managed out")
