"""Types of the installers: changes of files, the status of hooks, known bypasses; and the command of a hook."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from remit.core.errors import GuardError
from remit.guard.client.build import hook_command
from remit.guard.state_folder import COMPILED

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


def hook_status(place: str, path: Path, events: tuple[str, ...], find: Callable[[], Collection[str]]) -> HookStatus:
    """Return whether the guard is installed in a file; `find` reads the events at which our client is called."""
    try:
        asked = find()
    except GuardError as error:
        return HookStatus(place, path, (), events, error.message)
    called, missing = (tuple(event for event in events if (event in asked) is there) for there in (True, False))
    return HookStatus(place, path, called, missing)


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


HOME = "~"  # as the state folder: the one in the user's home folder, whatever the environment says
_TAIL = ("guard", "client", "client.py")


def client_words(host: str, event: str, site: Site, *, state: bool = True) -> list[str]:
    """Return the words of the command. They contain the state folder, because a project can set the variables that name
    it.

    For a hook that all users share, `state` is false: then it is in the home folder that the machine records for each
    user.
    """
    if not state:
        return list(hook_command(host, event, CLIENT_SECONDS, HOME))
    return list(hook_command(host, event, CLIENT_SECONDS, str(site.state), site.client))


def event_of(command: object, host: str) -> str | None:
    """Return the event for which a command calls our client, of this or another version; None if it is not ours."""
    if not isinstance(command, str):
        return None
    try:
        words = shlex.split(command)
    except ValueError:
        return None
    place = next((place for place, word in enumerate(words) if _is_client(Path(word))), len(words))
    return words[place + 2] if words[place + 1 : place + 2] == [host] and len(words) > place + 2 else None


def _is_client(path: Path) -> bool:
    return path.parts[-3:] == _TAIL or (path.is_absolute() and path.name == COMPILED)
