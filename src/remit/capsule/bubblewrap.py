"""The bubblewrap command lines of a test's confinement and of a contract. Everything is denied unless an option here grants it."""

from __future__ import annotations

import os
import posixpath
import shlex
from collections.abc import Callable, Iterator, Sequence
from os.path import exists, isdir, islink, realpath
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.capsule.confinement import SKILL, STAND_INS, Confinement, Limits, address_of, kernel_places
from remit.capsule.contract import Contract, Hiding
from remit.capsule.contract_places import lies_in
from remit.capsule.programs import HIDDEN
from remit.capsule.trace import NAME_SERVER
from remit.core.errors import CapsuleError

if TYPE_CHECKING:
    from remit.capsule.kernel import Tools
    from remit.capsule.run import Channels
    from remit.policy.permit import Permit


USER = 1000  # inside; outside it is whoever runs Remit, or nobody
ORIGIN = "/run/remit/skill"  # the staged copy, read-only, from which the scratch copy is made
ALONE = (
    "--unshare-all --unshare-user --disable-userns --die-with-parent --new-session"
    " --cap-drop ALL --clearenv --hostname capsule"
).split()
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
    """Return the launcher: copy the skill, set limits, become the command, observed from the start of `prlimit` on."""
    copy = f"cp -RP --preserve=mode,timestamps {ORIGIN}/. {SKILL}/"
    most = {
        "core": 0, "cpu": limits.seconds, "data": limits.memory, "fsize": limits.disk, "nofile": limits.files,
        "nproc": limits.processes,
    }  # fmt: skip
    bounds = shlex.join([tools.prlimit.path, *(f"--{name}={amount}" for name, amount in most.items()), "--"])
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


OWN = "/run/remit"  # inside: the helper, and sockets that are handed in
HELPER = f"{OWN}/init"
SOCKETS = f"{OWN}/sockets"
_MASKS = 400  # files that are covered, each by a descriptor of its own


class Descriptors(NamedTuple):
    """Descriptors that bubblewrap reads and does not pass on; `content` returns one that holds some bytes."""

    status: int
    filter: int
    content: Callable[[bytes], int]


def mounted(contract: Contract, helper: bytes, using: Descriptors) -> list[str]:
    """Return the options; the command of the helper follows them."""
    return [
        *ALONE,
        *("--uid", str(USER), "--gid", str(USER)),
        *("--json-status-fd", str(using.status)),
        *("--seccomp", str(using.filter)),
        *(word for name, value in contract.environment for word in ("--setenv", name, value)),
        *system_files(contract.system),
        *_programs(contract),
        *_settings(contract, using),
        *("--proc", "/proc", "--dev", "/dev"),
        *_scratch(contract),
        *_places(contract),
        *_masks(contract, using),
        *(word for name, path in contract.sockets for word in ("--ro-bind", path, f"{SOCKETS}/{name}")),
        *("--perms", "0555", "--ro-bind-data", str(using.content(helper)), HELPER),
        *("--remount-ro", "/dev", "--remount-ro", "/"),  # bubblewrap's own file systems have no size
        *("--chdir", contract.workspace),
    ]


def scratch_places(contract: Contract) -> tuple[str, ...]:
    """Return the capsule's own temporary folders, with nothing of the machine: rights hold for all below a folder."""
    return (contract.temp, SHARED, contract.home)


def startable(contract: Contract) -> tuple[str, ...]:
    """Return files and folders whose programs may be started."""
    if contract.programs is None:
        return (*contract.system, *_command_elsewhere(contract))
    return tuple(dict.fromkeys(program.path for program in contract.programs))


def _command_elsewhere(contract: Contract) -> tuple[str, ...]:
    """Return the command if it lies outside of the system, where a grant of all system programs does not cover it."""
    if "/" not in contract.command[0]:
        return ()
    path = realpath(posixpath.join(contract.workspace, contract.command[0]))
    return () if any(lies_in(path, folder) for folder in contract.system) else (path,)


def _programs(contract: Contract) -> Iterator[str]:
    """Mount program folders that hold only the programs that may be started."""
    if contract.programs is None:
        return
    folders = [folder for folder in HIDDEN if isdir(folder) and not islink(folder)]
    for folder in folders:
        yield from ("--perms", "0755", "--tmpfs", folder)
    made: dict[str, tuple[str, ...]] = {}
    for program in contract.programs:
        for link, target in program.links:
            if posixpath.dirname(link) in folders:
                made[link] = ("--symlink", target, link)
        if any(lies_in(program.path, folder) for folder in folders):
            made[program.path] = ("--ro-bind", program.path, program.path)
    for words in made.values():
        yield from words
    for folder in folders:
        yield from ("--remount-ro", folder)


def _elsewhere(contract: Contract) -> Iterator[str]:
    """Mount programs, and links to them, that lie neither in the system nor in a place, such as in the workspace."""
    seen = (*contract.system, *(place.path for place in contract.places))
    made = (
        {path: ("--ro-bind", path, path) for path in _command_elsewhere(contract)} if contract.programs is None else {}
    )
    for program in contract.programs or ():
        made[program.path] = ("--ro-bind", program.path, program.path)
        made |= {link: ("--symlink", target, link) for link, target in program.links}
    for path, words in made.items():
        if not any(lies_in(path, folder) for folder in seen):
            yield from words


def _settings(contract: Contract, using: Descriptors) -> Iterator[str]:
    for name, text in settings(contract.home).items():
        yield from ("--perms", "0444", "--ro-bind-data", str(using.content(text.encode())), f"/etc/{name}")


def _scratch(contract: Contract) -> Iterator[str]:
    for place in scratch_places(contract):
        yield from ("--size", str(contract.limits.disk), "--perms", "0755", "--tmpfs", place)
    for path, target in contract.links:
        yield from ("--symlink", target, path)


def _places(contract: Contract) -> Iterator[str]:
    """Mount places, folders before their contents. A read-only place in a writable folder needs no mount of its own."""
    bound = any(lies_in(contract.workspace, place.path) for place in contract.places)
    if not bound:  # what no entry grants there is refused, and does not vanish with a scratch folder around it
        yield from ("--perms", "0755", "--tmpfs", contract.workspace)
    changeable: list[str] = []
    for place in contract.places:
        if place.access.changes:
            changeable.append(place.path)
            yield from ("--bind", place.path, place.path)
        elif not any(lies_in(place.path, path) for path in changeable):
            yield from ("--ro-bind", place.path, place.path)
    yield from _elsewhere(contract)
    if not bound:
        yield from ("--remount-ro", contract.workspace)


def _masks(contract: Contract, using: Descriptors) -> Iterator[str]:
    covered = 0
    for mask in contract.masked:
        if mask.how is Hiding.READ_ONLY:
            yield from ("--ro-bind", mask.path, mask.path)
        elif mask.folder:
            yield from _empty_folder(mask.path)
        else:
            covered += 1
            yield from ("--perms", "0000", "--ro-bind-data", str(using.content(b"")), mask.path)
    if covered > _MASKS:
        raise CapsuleError(f"{covered} files would have to be hidden one by one", "grant a narrower folder")
    for path in kernel_places():
        if isdir(path):
            yield from _empty_folder(path)
        elif exists(path):
            yield from ("--perms", "0000", "--ro-bind-data", str(using.content(b"")), path)


def _empty_folder(path: str) -> tuple[str, ...]:
    return ("--perms", "0000", "--tmpfs", path, "--remount-ro", path)
