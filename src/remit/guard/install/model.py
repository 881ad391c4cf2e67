"""The one form for all hosts: what would be changed, what stands where, and which traps are open."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, Protocol

from remit.core.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

HOST_SECONDS = 30  # after which a host gives up on a hook, and goes on without it
CLIENT_SECONDS = 20  # after which our client denies: well before the host gives up


class Site(NamedTuple):
    """Where a host keeps its settings on this machine."""

    home: Path  # of the user
    project: Path  # the folder in which the host would be started
    state: Path  # of the guard
    managed: Path | None = None  # the folder of managed settings, if it is not the host's own
    client: Path | None = None  # the compiled client, where there is a compiler
    authority: tuple[str, ...] = ()  # the command of our gateway's MCP server, if every effect must go through it


class Change(NamedTuple):
    """One file before and after. None: there is no such file."""

    path: Path
    before: bytes | None
    after: bytes | None
    mode: int = 0o600  # of a new file
    forget: bool = False  # the copy of the file as it was before the guard came is removed, too
    copy: bool = True  # nothing in it is ours yet: it is kept as the file before the guard came


class HookStatus(NamedTuple):
    """Whether the guard stands in one file of settings."""

    place: str  # `user`, `managed` ...
    path: Path
    events: tuple[str, ...]  # at which our client is asked
    missing: tuple[str, ...]  # at which it should be
    problem: str = ""  # why the file cannot be understood


class Lock(StrEnum):
    """Whether a trap can still catch somebody."""

    CLOSED = "closed"
    OPEN = "open"
    OUTSIDE = "outside"  # no setting closes it: what to avoid is said


class Trap(NamedTuple):
    """One known way past a hook, and how it stands here."""

    id: str
    what: str
    lock: Lock
    detail: str
    fix: str


class Installer(Protocol):
    """The installer of one host."""

    @property
    def name(self) -> str:
        """As users write it: `claude-code`."""
        ...

    def install(self, site: Site, *, managed: bool) -> tuple[Change, ...]:
        """What must change so that the guard is asked; nothing if it is already."""
        ...

    def uninstall(self, site: Site, *, managed: bool) -> tuple[Change, ...]:
        """What must change so that it is asked no more, and everything is as it was."""
        ...

    def status(self, site: Site) -> tuple[HookStatus, ...]:
        """Where the guard stands."""
        ...

    def doctor(self, site: Site) -> tuple[Trap, ...]:
        """Every known trap of the host, with a live probe of the command that stands in the settings."""
        ...


def no_managed(host: str, *, managed: bool) -> None:
    """Refuse to install for all users of the machine."""
    if managed:
        raise UsageError(f"the guard cannot be installed in `{host}` for all users", "leave --managed out")
