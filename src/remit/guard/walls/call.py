"""One command that runs inside walls: the file that binds it to them, and the rewriting of a host's command. See
`wall.c`.
"""

from __future__ import annotations

import os
import re
import secrets
import shlex
from typing import TYPE_CHECKING, NamedTuple

from remit.capsule.confinement import credential_patterns, steering_patterns
from remit.capsule.contract_places import lies_in
from remit.capsule.landlock import PROXY_PORT
from remit.guard.undo import LINKS
from remit.guard.walls.contract import git_folders, kept_objects

if TYPE_CHECKING:
    from pathlib import Path

    from remit.guard.walls.contract import Site
    from remit.guard.walls.logins import Login
    from remit.guard.walls.sandbox import Sandbox

_ENTERING = re.compile(r"/([0-9a-f]{32})'? ('(?:[^']|'\\'')*'); \. ")
GLUES = ("&&", ";", "\n")  # between a command and a last one that runs apart
_PROXY = f"http://127.0.0.1:{PROXY_PORT}"
REFUSAL = "the walls cannot be entered"  # as wall.c says it
_BARRED = b"return 125 # not entered\n"  # as wall.c leaves it where walls cannot be entered
_HERE = "localhost,127.0.0.1,::1"


class Wrapped(NamedTuple):
    """A rewritten command, taken apart."""

    name: str
    command: str
    glue: str = ""  # to what follows, which runs with a login of the user
    last: str = ""
    last_name: str = ""

    @property
    def whole(self) -> str:
        """The command as the host asked for it."""
        return joined(self.command, self.glue, self.last)


def write_call(folder: Path, room: Sandbox, command: str, calls: Path) -> str:
    """Make the file that lets this one command enter a room, once. Its name is the name of the call."""
    name = secrets.token_hex(16)
    folder.mkdir(mode=0o700, exist_ok=True)
    _private(folder / f"{name}.back", _BARRED)
    workspace = room.wall.site.workspace
    links = _links_folder(kept_in(folder, name), workspace)
    shell = next((path for path in ("/bin/bash", "/usr/bin/bash") if os.access(path, os.X_OK)), "/bin/sh")
    words = [
        *("holder", str(room.holder.pid), room.holder.start),
        *("command", command),
        *("shell", shell),
        *("filter", str(calls)),
        *("refused", str(room.refusals)),
        *(word for pattern in credential_patterns() for word in ("drop", pattern)),
        *(word for kept in room.wall.variables for word in ("pass", kept)),
        *(_for_login(room.wall.login, room.wall.site) if room.wall.login else ()),
        *("keep", str(kept_in(folder, name)), "links", links, "observe", workspace),
        *(word for path in git_folders(workspace) for word in ("observe", path)),
        *(word for pair in _variables(room.wall.skill) for word in ("set", *pair)),
    ]
    _private(folder / name, os.fsencode("".join(f"{word}\0" for word in words)))
    return name


def was_barred(folder: Path, name: str) -> bool:
    """Whether a call that ended never came into its room."""
    try:
        return (folder / f"{name}.back").read_bytes() == _BARRED
    except OSError:
        return False


def kept_in(folder: Path, name: str) -> Path:
    """Where the old state of what a call changes is kept while it runs."""
    return folder / f"{name}.kept"


def _links_folder(kept: Path, workspace: str) -> str:
    """Make the folder in which objects of git get a second name: beside the rest, or in the repository if that is another mount."""
    kept.mkdir(mode=0o700)
    links = kept / LINKS
    folder = kept_objects(workspace, kept)
    if not folder:
        links.mkdir(mode=0o700)
        return str(links)
    elsewhere = f"{folder}/{kept.name}"
    os.mkdir(elsewhere, 0o700)
    links.symlink_to(elsewhere)
    return elsewhere


def _variables(skill: str) -> tuple[tuple[str, str], ...]:
    found = [
        (name, _PROXY) for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
    ]
    return (*found, ("no_proxy", _HERE), ("NO_PROXY", _HERE), ("NODE_USE_ENV_PROXY", "1"), ("REMIT_WALLS", skill))


def _for_login(login: Login, site: Site) -> tuple[str, ...]:
    """Return the environment of a program that uses a login of the user: nothing in it redirects the program."""
    writable = (site.workspace, *site.temps)
    path = ":".join(one for one in site.search if not any(lies_in(one, folder) for folder in writable))
    return (
        *(word for pattern in steering_patterns() for word in ("drop", pattern)),
        *(word for kept in ("HOME", "TMPDIR") for word in ("pass", kept)),
        *(word for pair in (("PATH", path), *login.variables) for word in ("set", *pair)),
    )


def _private(path: Path, data: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(data)


def joined(command: str, glue: str, last: str) -> str:
    """Two parts of a command as a person writes them."""
    blanks = {"&&": (" ", " "), ";": ("", " ")}.get(glue, ("", ""))
    return f"{command}{blanks[0]}{glue}{blanks[1]}{last}"


def rewritten(wall: Path, folder: Path, call: Wrapped) -> str:
    """The command that a host runs instead: it enters the walls, and takes over folder and status afterwards."""
    first = _entering(wall, folder, call.name, call.command)
    if not call.glue:
        return first
    return joined(first, call.glue, f"{{ {_entering(wall, folder, call.last_name, call.last)}; }}")


def _entering(wall: Path, folder: Path, name: str, command: str) -> str:
    at, back = (shlex.quote(str(folder / one)) for one in (name, f"{name}.back"))
    return f"{shlex.quote(str(wall))} {at} {_quoted(command)}; . {back}"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def unwrapped(wall: Path, folder: Path, command: str) -> Wrapped | None:
    """The original of a rewritten command; None for any other."""
    if not command.startswith(f"{shlex.quote(str(wall))} "):
        return None
    parts = [(found[1], _unquoted(found[2])) for found in _ENTERING.finditer(command)]
    if len(parts) == 1:
        calls = [Wrapped(*parts[0])]
    else:
        calls = [Wrapped(*parts[0], glue, parts[1][1], parts[1][0]) for glue in GLUES if len(parts) == 2]
    return next((one for one in calls if rewritten(wall, folder, one) == command), None)


def _unquoted(text: str) -> str:
    return text[1:-1].replace("'\\''", "'")
