"""The contract of a command in a capsule: everything that is bound, hidden, passed on and allowed. It can reach nothing
else.

Paths are those of the machine, and the command sees the same ones.
"""

from __future__ import annotations

from enum import Flag, StrEnum, auto
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.shape import Flag as TrueOrFalse
from remit.core.shape import Items, Nothing, OneOf, Record, Text, Whole, Word

if TYPE_CHECKING:
    from remit.capsule.confinement import Limits

VERSION = 1
NAMESPACES = ("user", "mount", "pid", "net", "ipc", "uts", "cgroup")


class Access(Flag):
    """What may be done in a place."""

    READ = auto()
    WRITE = auto()
    DELETE = auto()

    @property
    def words(self) -> list[str]:
        """Return the published form."""
        return [str(one.name).lower() for one in Access if one in self]

    @property
    def changes(self) -> bool:
        """Return whether this access can change anything."""
        return bool(self & (Access.WRITE | Access.DELETE))


class Hiding(StrEnum):
    """How a place inside a granted one is hidden."""

    HIDDEN = "hidden"
    READ_ONLY = "read-only"


class BoundPath(NamedTuple):
    """A file or folder that is bound. A `missing` one is created when the command starts."""

    path: str
    access: Access
    folder: bool
    why: str
    missing: bool = False


class Mask(NamedTuple):
    """A path inside a bound place that is not granted."""

    path: str
    how: Hiding
    folder: bool
    what: str


class Program(NamedTuple):
    """A program that may be started; `links` are the names that lead to it, each with what it holds."""

    path: str
    why: str
    links: tuple[tuple[str, str], ...] = ()


class EgressRule(NamedTuple):
    """A host that may be reached: `*.domain`, `*`, a name or an address; any port if there is none."""

    host: str
    port: int | None
    access: str  # fetch: GET and HEAD, where this can be seen; all: anything
    denied: bool = False


class Narrowed(NamedTuple):
    """An entry that the capsule grants only in part, and why."""

    entry: str
    why: str


class Contract(NamedTuple):
    """The whole contract."""

    skill: str
    manifest: str  # its digest
    command: tuple[str, ...]
    workspace: str
    home: str  # of the capsule's own, empty but for `links`; so is `temp`
    temp: str
    links: tuple[tuple[str, str], ...]  # in `home`: names that lead to what is granted of the caller's
    user: int  # who the command belongs to outside
    places: tuple[BoundPath, ...]
    system: tuple[str, ...]
    masked: tuple[Mask, ...]
    programs: tuple[Program, ...] | None  # None: every program of the system
    environment: tuple[tuple[str, str], ...]
    egress: tuple[EgressRule, ...]
    listens: bool
    sockets: tuple[tuple[str, str], ...]
    limits: Limits
    landlock: int
    narrowed: tuple[Narrowed, ...] = ()


_PATH = Text(4096)
_WHY = Text(1000, empty=True)
_MANY = 20_000
SHAPE = Record(
    {
        "version": Whole(VERSION, VERSION),
        "skill": Text(200, empty=True),
        "manifest": Text(100),
        "command": Items(Text(131_072, empty=True), 10_000),
        "workspace": _PATH,
        "home": _PATH,
        "temp": _PATH,
        "links": Items(Record({"path": _PATH, "target": _PATH}), _MANY),
        "user": Whole(0, 1 << 32),
        "namespaces": Items(Word(NAMESPACES), len(NAMESPACES)),
        "landlock": Record({"abi": Whole(1, 1_000)}),
        "refused_calls": Items(Text(100), 1_000),
        "places": Items(
            Record(
                {
                    "path": _PATH,
                    "access": Items(Word(("read", "write", "delete")), 3),
                    "folder": TrueOrFalse(),
                    "missing": TrueOrFalse(),
                    "why": _WHY,
                }
            ),
            _MANY,
        ),
        "system": Items(_PATH, 1_000),
        "masked": Items(
            Record({"path": _PATH, "how": Word(tuple(map(str, Hiding))), "folder": TrueOrFalse(), "what": _WHY}), _MANY
        ),
        "programs": OneOf((Nothing(), Items(Record({"path": _PATH, "why": _WHY}), _MANY))),
        "environment": Items(Text(1000), 10_000),
        "egress": Items(
            Record(
                {
                    "host": Text(300),
                    "port": OneOf((Nothing(), Whole(0, 65_535))),
                    "access": Word(("fetch", "all")),
                    "denied": TrueOrFalse(),
                }
            ),
            _MANY,
        ),
        "listens": TrueOrFalse(),
        "sockets": Items(Record({"name": Text(100), "path": _PATH}), 100),
        "limits": Record({name: Whole(0, 1 << 50) for name in ("seconds", "memory", "disk", "processes", "files")}),
        "narrowed": Items(Record({"entry": _WHY, "why": _WHY}), _MANY),
    }
)


def contract_value(contract: Contract, refused_calls: tuple[str, ...]) -> dict[str, Any]:
    """Return the contract as it is published; only the names of environment variables, because values may be secrets."""
    limits = contract.limits
    return {
        "version": VERSION,
        "skill": contract.skill,
        "manifest": contract.manifest,
        "command": list(contract.command),
        "workspace": contract.workspace,
        "home": contract.home,
        "temp": contract.temp,
        "links": [{"path": path, "target": target} for path, target in contract.links],
        "user": contract.user,
        "namespaces": list(NAMESPACES),
        "landlock": {"abi": contract.landlock},
        "refused_calls": list(refused_calls),
        "places": [place._asdict() | {"access": place.access.words} for place in contract.places],
        "system": list(contract.system),
        "masked": [mask._asdict() | {"how": str(mask.how)} for mask in contract.masked],
        "programs": None
        if contract.programs is None
        else [{"path": program.path, "why": program.why} for program in contract.programs],
        "environment": [name for name, _ in contract.environment],
        "egress": [rule._asdict() for rule in contract.egress],
        "listens": contract.listens,
        "sockets": [{"name": name, "path": path} for name, path in contract.sockets],
        "limits": {name: getattr(limits, name) for name in ("seconds", "memory", "disk", "processes", "files")},
        "narrowed": [item._asdict() for item in contract.narrowed],
    }
