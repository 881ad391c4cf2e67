"""Landlock rights of a contract, and the input of the helper: rules, limits, and the socket that it passes out. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from enum import IntFlag

from remit.capsule.contract import Access, BoundPath, Contract, Hiding


class Files(IntFlag):
    """Rights below a path, as the kernel numbers them."""

    EXECUTE = 1 << 0
    WRITE_FILE = 1 << 1
    READ_FILE = 1 << 2
    READ_DIR = 1 << 3
    REMOVE_DIR = 1 << 4
    REMOVE_FILE = 1 << 5
    MAKE_CHAR = 1 << 6
    MAKE_DIR = 1 << 7
    MAKE_REG = 1 << 8
    MAKE_SOCK = 1 << 9
    MAKE_FIFO = 1 << 10
    MAKE_BLOCK = 1 << 11
    MAKE_SYM = 1 << 12
    REFER = 1 << 13
    TRUNCATE = 1 << 14
    IOCTL_DEV = 1 << 15


class Ports(IntFlag):
    """Rights on TCP ports."""

    BIND = 1 << 0
    CONNECT = 1 << 1


class Scopes(IntFlag):
    """Restrictions of signals and abstract sockets to the programs of one capsule."""

    ABSTRACT_UNIX_SOCKET = 1 << 0
    SIGNAL = 1 << 1


_SINCE = ((1, (1 << 13) - 1), (2, Files.REFER), (3, Files.TRUNCATE), (5, Files.IOCTL_DEV))
_ON_FILES = Files.EXECUTE | Files.WRITE_FILE | Files.READ_FILE | Files.TRUNCATE | Files.IOCTL_DEV

READ = Files.READ_FILE | Files.READ_DIR
RUN = Files.READ_FILE | Files.EXECUTE
_MAKE = Files.MAKE_REG | Files.MAKE_DIR | Files.MAKE_SYM | Files.MAKE_SOCK | Files.MAKE_FIFO
WRITE = Files.WRITE_FILE | Files.TRUNCATE | _MAKE | Files.REFER
DELETE = Files.REMOVE_FILE | Files.REMOVE_DIR | Files.REFER
SCRATCH = READ | WRITE | DELETE
DEVICE = Files.READ_FILE | Files.WRITE_FILE | Files.TRUNCATE | Files.IOCTL_DEV


def handled(abi: int) -> tuple[Files, Ports, Scopes]:
    """Return what the kernel of a version handles: all of it is refused unless granted."""
    files = Files(sum(int(rights) for since, rights in _SINCE if since <= abi))
    ports = Ports.BIND | Ports.CONNECT if abi >= 4 else Ports(0)
    return files, ports, Scopes.ABSTRACT_UNIX_SOCKET | Scopes.SIGNAL if abi >= 6 else Scopes(0)


def on_file(rights: Files) -> Files:
    """Return the rights that apply to a file; the kernel refuses a rule with others."""
    return rights & _ON_FILES


PROXY_PORT = 3128  # on the loopback of the capsule, which no other process uses
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty")
_TERMINALS = "/dev/pts"
# numbers of limits: seconds of the processor, size of a file, data, dump, processes, open files
_CPU, _FSIZE, _DATA, _CORE, _NPROC, _NOFILE = 0, 1, 2, 4, 6, 7


def orders(contract: Contract, scratch: Collection[str], programs: Collection[str], channel: int | None) -> bytes:
    """Return the input for a contract. `programs`: what may be started; `scratch`: the capsule's own folders."""
    listening = [("listen", str(PROXY_PORT), str(channel))] if channel is not None else []
    words: list[str] = []
    for order in (*_limits(contract), *listening, *_ruleset(contract, scratch, programs)):
        words += order
    return "".join(f"{word}\0" for word in words).encode("utf-8", "surrogateescape")


def rights_of(place: BoundPath) -> Files:
    """Return the rights of a place."""
    found = Files(0)
    for access, rights in ((Access.READ, READ), (Access.WRITE, WRITE), (Access.DELETE, DELETE)):
        if access in place.access:
            found |= rights
    return found if place.folder else on_file(found)


def _limits(contract: Contract) -> Iterator[tuple[str, ...]]:
    limits = contract.limits
    amounts = {_CORE: 0, _FSIZE: limits.disk, _DATA: limits.memory, _NPROC: limits.processes, _NOFILE: limits.files}
    if limits.seconds:
        amounts[_CPU] = limits.seconds
    for resource, amount in amounts.items():
        yield "limit", str(resource), str(amount)


def _ruleset(contract: Contract, scratch: Collection[str], programs: Collection[str]) -> Iterator[tuple[str, ...]]:
    files, ports, scopes = handled(contract.landlock)
    ports = Ports(0) if contract.listens else ports
    yield "ruleset", f"{files:x}", f"{ports:x}", f"{scopes:x}"
    for path, rights in _files(contract, scratch, programs):
        if rights & files:
            yield "file", f"{rights & files:x}", path
    if ports and contract.egress:
        yield "port", f"{Ports.CONNECT:x}", str(PROXY_PORT)
    yield ("apply",)


def _files(contract: Contract, scratch: Collection[str], programs: Collection[str]) -> Iterator[tuple[str, Files]]:
    for path in (*contract.system, "/proc", "/etc", "/run/remit"):
        if not path.startswith("/etc/"):  # the capsule's own /etc holds nothing but what was put there
            yield path, READ
    for path in scratch:
        yield path, SCRATCH
    for path in _DEVICES:
        yield path, on_file(DEVICE)
    yield _TERMINALS, READ | DEVICE
    for place in contract.places:
        yield place.path, rights_of(place)
    hidden = {mask.path for mask in contract.masked if mask.how is Hiding.HIDDEN}
    for path in programs:
        if path not in hidden:
            yield path, RUN
