"""What a confined program can reach, as a value: system places, limits, and the environment. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import cache
from os.path import exists, realpath
from pathlib import Path
from typing import NamedTuple

from remit.core.errors import DataError
from remit.core.scope import DEEP, ROOT, AnyScope, NameScope
from remit.core.scope.component import literal, match
from remit.core.sensitive import places
from remit.core.table import read_table

DATA = Path(__file__).with_name("data")

# Where things lie for the program, whoever runs it and wherever the skill lies: nothing of the machine enters a record.
SKILL, HOME, TEMP = "/skill", "/home/skill", "/tmp"  # noqa: S108  (a file system of its own, not the machine's)
SEARCHED = ("/usr/local/bin", "/usr/bin", "/bin")
STAND_INS = "/run/remit/programs"  # in a case: programs that do nothing, for those that are not on this machine

_COMMON = {
    "PATH": ":".join(SEARCHED),
    "USER": "skill",
    "LOGNAME": "skill",
    "LANG": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
    "UV_USE_IO_URING": "0",  # what goes through io_uring cannot be seen, and a capsule refuses it
}
_USUAL = {
    **_COMMON,
    "HOME": HOME,
    "TMPDIR": TEMP,
    "SKILL": SKILL,
    "TZ": "UTC",
    "TERM": "dumb",
    "PYTHONHASHSEED": "0",
    "NODE_DISABLE_COMPILE_CACHE": "1",
}


class Limits(NamedTuple):
    """Resource limits of a run. Beyond one of them it is killed, and the outcome says which."""

    seconds: int = 60
    memory: int = 2 << 30  # bytes of data of one process
    disk: int = 256 << 20  # bytes of each scratch file system
    output: int = 1 << 20  # bytes
    processes: int = 128
    files: int = 1024  # open at a time, of one process
    log: int = 256 << 20  # bytes of what is observed


class Confinement(NamedTuple):
    """What is readable, writable and masked; the environment; names that resolve; and the limits.

    `skill` is a folder whose content the program gets as a scratch copy. The network is one of its own that holds only
    loopback: nothing leaves it. `names` are hosts that resolve to an address there without a server, so that it
    can be seen to which host and port a program wants to connect.
    """

    skill: Path
    readable: tuple[str, ...]
    writable: tuple[str, ...] = (SKILL, HOME, TEMP)  # scratch: each a fresh file system that ends with the run
    masked: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = tuple(_USUAL.items())
    names: tuple[str, ...] = ()
    limits: Limits = Limits()
    stand_ins: tuple[str, ...] = ()  # names of programs


def confined(skill: Path, names: tuple[str, ...] = (), limits: Limits = Limits()) -> Confinement:  # noqa: B008
    """Return the narrowest confinement in which tests of a skill run."""
    readable = system_places()
    return Confinement(skill, readable, masked=sensitive_in(readable), names=names, limits=limits)


def address_of(number: int) -> str:
    """Return the loopback address of a host name, by its index in a confinement."""
    return f"127.77.{number // 250}.{number % 250 + 1}"


@cache
def system_places() -> tuple[str, ...]:
    """Return the system folders and files that programs need; the table has the reasons."""
    return _system(masked=False)


@cache
def kernel_places() -> tuple[str, ...]:
    """Return the kernel paths that a capsule hides."""
    return _system(masked=True)


def _system(*, masked: bool) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for row in read_table(DATA / "system.table", 2):
        if (row.section == "masked") is not masked:
            continue
        path, why = row.cells
        if not path.startswith("/") or not why or path in found:
            raise DataError(f"{row.where}: `{path}` is no path of its own with a reason", "correct the line")
        found[path] = None
    return tuple(found)


def sensitive_in(readable: tuple[str, ...]) -> tuple[str, ...]:
    """Return the existing sensitive system paths inside readable folders."""
    found: dict[str, None] = {}
    for name in _sensitive_names():
        if not exists(name):  # most are not there, and one look says so
            continue
        path = realpath(name)
        if any(path == root or path.startswith(f"{root}/") for root in readable):
            found[path] = None
    return tuple(found)


@cache
def _sensitive_names() -> tuple[str, ...]:
    """Return the sensitive system places that are one path each."""
    found: list[str] = []
    for place in places().rows:
        if place.anchor != ROOT or DEEP in place.parts[:-1]:
            continue
        words = [literal(part) for part in place.parts if part != DEEP]
        if None not in words:
            found.append("/" + "/".join(word for word in words if word))
    return tuple(found)


_KEPT = ("TERM", "COLUMNS", "LINES", "TZ", "NO_COLOR")  # how output is shown


def environment(
    caller: Mapping[str, str], granted: tuple[NameScope | AnyScope, ...], own: Mapping[str, str], proxy: str = ""
) -> tuple[tuple[str, str], ...]:
    """Return names and values, sorted; `own` are the capsule's, `proxy` is the address of the egress proxy, if any."""
    found = {name: caller[name] for name in _KEPT if name in caller}
    if granted:
        found |= {name: value for name, value in caller.items() if _handed_on(name, granted)}
    found |= {**_COMMON, **own}
    if proxy:
        names = ("http_proxy", "https_proxy", "all_proxy")
        found |= {spelt: proxy for name in names for spelt in (name, name.upper())}
        found |= {"NODE_USE_ENV_PROXY": "1", "no_proxy": "", "NO_PROXY": ""}
    return tuple(sorted(found.items()))


def _handed_on(name: str, granted: tuple[NameScope | AnyScope, ...]) -> bool:
    if not name or "=" in name or any(fnmatchcase(name, pattern) for pattern in _table("steering")):
        return False
    exact = any(isinstance(scope, NameScope) and literal(scope.pattern) == name for scope in granted)
    if any(fnmatchcase(name.upper(), pattern) for pattern in _table("credentials")):
        return exact
    return exact or any(isinstance(scope, AnyScope) or match(scope.pattern, name) for scope in granted)


def credential_patterns() -> tuple[str, ...]:
    """Return patterns of variables that hold credentials, in upper case."""
    return _table("credentials")


def steering_patterns() -> tuple[str, ...]:
    """Patterns of variables that change which code programs load or whom they talk to."""
    return _table("steering")


@cache
def _table(section: str) -> tuple[str, ...]:
    found: list[str] = []
    for row in read_table(DATA / "environment.table", 2):
        pattern, why = row.cells
        if row.section not in ("steering", "credentials") or not pattern or not why or pattern == "*":
            raise DataError(f"{row.where}: a line has a section, a name and a reason", "correct the line")
        if row.section == section:
            found.append(pattern)
    return tuple(found)
