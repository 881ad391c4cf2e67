"""The bubblewrap command line of a confinement. Everything is denied unless an option here grants it."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from os.path import exists, islink, realpath
from pathlib import Path
from typing import TYPE_CHECKING

from remit.capsule.confinement import SKILL, STAND_INS, Confinement, Limits, address_of
from remit.capsule.sockets import NAME_SERVER

if TYPE_CHECKING:
    from remit.capsule.supervisor import Channels
    from remit.capsule.tools import Tools
    from remit.policy.permit import Permit

USER = 1000  # inside; outside it is whoever runs Remit, or nobody
ORIGIN = "/run/remit/skill"  # the staged copy, read-only, from which the scratch copy is made
ALONE = (
    "--unshare-all",
    "--unshare-user",
    "--disable-userns",
    "--die-with-parent",
    "--new-session",
    "--cap-drop",
    "ALL",
    "--clearenv",
    "--hostname",
    "capsule",
)
SHARED = "/dev/shm"  # noqa: S108  (memory that the program's own processes share)
_PASSWD = f"root:x:0:0::/nonexistent:/bin/false\nskill:x:{USER}:{USER}::{{home}}:/bin/sh\n"
_GROUP = f"root:x:0:\nskill:x:{USER}:\n"


def sandboxed(
    permit: Permit,  # noqa: ARG001  (whoever looks at the machine for a skill holds one)
    confinement: Confinement,
    command: Sequence[str],
    tools: Tools,
    etc: Path,
    channels: Channels,
) -> list[str]:
    """Return the command line that runs a command confined. `etc` holds its settings (`write_settings`)."""
    return [
        tools.bwrap.path,
        *ALONE,
        *("--uid", str(USER), "--gid", str(USER)),
        *("--json-status-fd", str(channels.status)),
        *("--seccomp", str(channels.filter)),
        *_environment(confinement),
        *_files(confinement, etc),
        *("--chdir", SKILL),
        *_launcher(command, confinement.limits, tools),
    ]


def _environment(confinement: Confinement) -> Iterator[str]:
    for name, value in confinement.environment:
        yield from ("--setenv", name, value)


def system_files(readable: Sequence[str]) -> Iterator[str]:
    """Yield the arguments that bind the system."""
    for place in readable:
        if islink(place) and place.count("/") == 1:  # /bin, which leads into /usr
            yield from ("--symlink", os.readlink(place), place)
        elif exists(place):
            yield from ("--ro-bind", realpath(place), place)


def _files(confinement: Confinement, etc: Path) -> Iterator[str]:
    yield from system_files(confinement.readable)
    for file in sorted(etc.iterdir()):
        yield from ("--ro-bind", str(file), f"/etc/{file.name}")
    yield from ("--proc", "/proc", "--dev", "/dev")
    for name in confinement.stand_ins:
        yield from ("--symlink", "/usr/bin/true", f"{STAND_INS}/{name}")
    yield from ("--ro-bind", str(confinement.skill), ORIGIN)
    for place in (*confinement.writable, SHARED):
        yield from ("--size", str(confinement.limits.disk), "--perms", "0755", "--tmpfs", place)
    for place in confinement.masked:  # last, so that nothing uncovers them
        if Path(place).is_dir():
            yield from ("--perms", "0000", "--tmpfs", place, "--remount-ro", place)
        else:
            yield from ("--ro-bind", os.devnull, place)
    yield from ("--remount-ro", "/dev", "--remount-ro", "/")  # bubblewrap's own file systems have no size


def _launcher(command: Sequence[str], limits: Limits, tools: Tools) -> list[str]:
    """Return the launcher: copy the skill, set the limits, become the command. What follows the start of `prlimit` is
    observed.
    """
    copy = f"cp -RP --preserve=mode,timestamps {ORIGIN}/. {SKILL}/"
    bounds = shlex.join(
        [
            tools.prlimit.path,
            "--core=0",
            f"--cpu={limits.seconds}",
            f"--data={limits.memory}",
            f"--fsize={limits.disk}",
            f"--nofile={limits.files}",
            f"--nproc={limits.processes}",
            "--",
        ]
    )
    return ["/bin/sh", "-c", f'{copy} && exec {bounds} "$@"', "sh", *command]


def settings(home: str, names: Sequence[str] = ()) -> dict[str, str]:
    """Return the few files of /etc that a program sees: one user, and host names on loopback."""
    hosts = [f"{address_of(number)} {name}" for number, name in enumerate(names)]
    return {
        "passwd": _PASSWD.format(home=home),
        "group": _GROUP,
        "hosts": "\n".join(["127.0.0.1 localhost", "::1 localhost", *hosts, ""]),
        "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
        "resolv.conf": f"nameserver {NAME_SERVER}\noptions attempts:1 timeout:1\n",
        "hostname": "capsule\n",
    }


def write_settings(permit: Permit, etc: Path, confinement: Confinement) -> None:  # noqa: ARG001  (as above)
    """Write these files for a run."""
    home = dict(confinement.environment).get("HOME", "/nonexistent")
    for name, text in settings(home, confinement.names).items():
        (etc / name).write_text(text, "ascii")
