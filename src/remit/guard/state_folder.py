"""The state folder: the persistent data of the guard and of Remit's other programs, outside of every workspace.

Write access to it is the power to grant, so the folder must be private: a real folder (0700) with real files (0600),
below folders in which no other user can replace it. Anything else is refused, never repaired: it may be an attack.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from remit.core.errors import GuardError

VARIABLE = "REMIT_STATE"
COMPILED = "remit-guard"  # the name of the compiled client
_OTHERS = 0o077
_WRITERS = 0o022
_LONGEST_SOCKET = 107  # bytes of a socket path that the kernel accepts


class StateFolder(NamedTuple):
    """The state folder, and the paths in it."""

    folder: Path

    @property
    def socket(self) -> Path:
        """The socket on which the daemon listens."""
        return self.folder / "guard.sock"

    @property
    def daemon_lock(self) -> Path:
        """The lock of the only daemon of this folder, held as long as it lives."""
        return self.folder / "guard.lock"

    @property
    def database(self) -> Path:
        """Sessions, approvals, grants, trusted files."""
        return self.folder / "guard.db"

    @property
    def snapshots(self) -> Path:
        """The snapshots for undo."""
        return self.folder / "snapshots"

    @property
    def keys(self) -> Path:
        """The keys that sign the log."""
        return self.folder / "keys"

    @property
    def client(self) -> Path:
        """The compiled client, if there is one."""
        return self.folder / COMPILED

    @property
    def errors(self) -> Path:
        """The daemon's standard error."""
        return self.folder / "guard.err"


def state_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Return `$REMIT_STATE`, else `$XDG_STATE_HOME/remit`, else `~/.local/state/remit`. It need not exist."""
    named = environ.get(VARIABLE, "")
    if named:
        if not Path(named).is_absolute():  # a relative path would follow the agent into the workspace
            raise GuardError(f"{VARIABLE} is `{named}`, which is not absolute", "name a folder from the root on")
        return Path(named)
    base = environ.get("XDG_STATE_HOME", "")
    if base and Path(base).is_absolute():
        return Path(base) / "remit"
    home = environ.get("HOME", "")
    if not Path(home).is_absolute():
        raise GuardError("there is no home folder for the guard's state", f"set HOME or {VARIABLE}")
    return Path(home) / ".local" / "state" / "remit"


def telling_folders(own: Path) -> tuple[Path, ...]:
    """Return where a process looks for its telemetry configuration: beside its settings, then in the state folder of
    its user.
    """
    try:
        return own, state_folder()
    except GuardError:  # a service may have no home folder
        return (own,)


def prepared(folder: Path) -> StateFolder:
    """Return the paths of a folder, created if it does not exist, and checked."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        message = f"the state folder `{folder}` cannot be made: {_reason(error)}"
        raise GuardError(message, f"make it yourself, or name another with {VARIABLE}") from None
    return checked(folder)


def checked(folder: Path) -> StateFolder:
    """Return the paths of an existing folder that no other user can write to, replace or read."""
    if not folder.is_absolute() or ".." in folder.parts:
        raise GuardError(f"the state folder `{folder}` is not absolute", "name it from the root on, without `..`")
    state = _look(folder)
    if not stat.S_ISDIR(state.st_mode):
        raise GuardError(f"the state folder `{folder}` is a link or a file", "name the folder itself")
    _refuse_others(folder, state, "chmod 700")
    _refuse_swapping(folder)
    places = StateFolder(folder)
    if len(os.fsencode(places.socket)) > _LONGEST_SOCKET:
        raise GuardError(f"the path of the state folder `{folder}` is too long", f"name a shorter one with {VARIABLE}")
    return places


def private_file(path: Path) -> None:
    """Refuse a file of the state folder that is a link, has a second name, or that others can open."""
    state = _look(path)
    if not stat.S_ISREG(state.st_mode) or state.st_nlink > 1:
        raise GuardError(f"`{path}` is not a plain file with one name", "look who put it there, then remove it")
    _refuse_others(path, state, "chmod 600")


def private_socket(path: Path) -> None:
    """Refuse anything but a socket of ours."""
    state = _look(path)
    if not stat.S_ISSOCK(state.st_mode):
        raise GuardError(f"`{path}` is not a socket", "look who put it there, then remove it")
    _refuse_others(path, state, "chmod 600")


def refuse_inside(folder: Path, workspace: Path) -> None:
    """Refuse a state folder that an agent can write to because it is in its workspace, possibly through links."""
    if lies_in(folder, workspace):
        message = f"the state folder `{folder}` is in the workspace `{workspace}`"
        raise GuardError(message, f"work in a folder beside it, or name another with {VARIABLE}")


def lies_in(folder: Path, workspace: Path) -> bool:
    """Whether a folder is the workspace or below it, as written or with links resolved."""
    plain = Path(os.path.abspath(folder)).is_relative_to(os.path.abspath(workspace))  # noqa: PTH100
    return plain or Path(os.path.realpath(folder)).is_relative_to(os.path.realpath(workspace))


def _refuse_others(path: Path, state: os.stat_result, remedy: str) -> None:
    if state.st_uid != os.geteuid():
        raise GuardError(f"`{path}` belongs to another user", f"name your own folder with {VARIABLE}")
    if state.st_mode & _OTHERS:
        message = f"`{path}` is open to others (mode {stat.S_IMODE(state.st_mode):04o})"
        raise GuardError(message, f"check whether something there was changed, then {remedy} {path}")


def _refuse_swapping(folder: Path) -> None:
    """Refuse folders above in which another user could put another folder in place of ours."""
    for above in Path(os.path.realpath(folder)).parents:
        state = _look(above)
        open_to_others = state.st_mode & _WRITERS and not state.st_mode & stat.S_ISVTX
        if state.st_uid not in (0, os.geteuid()) or open_to_others:
            message = f"the state folder `{folder}` is in `{above}`, in which others can replace it"
            raise GuardError(message, f"name another with {VARIABLE}")


def _look(path: Path) -> os.stat_result:
    try:
        return path.lstat()
    except OSError as error:
        raise GuardError(f"`{path}` cannot be looked at: {_reason(error)}", "look at the state folder") from None


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
