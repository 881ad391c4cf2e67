"""The input of the helper: Landlock rules, limits, and the socket that it passes out. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from remit.capsule.contract import Access, Contract, Hiding, Place
from remit.capsule.landlock import DELETE, DEVICE, READ, RUN, SCRATCH, WRITE, Files, Ports, handled, on_file

PROXY_PORT = 3128  # on the loopback of the capsule, which no other process uses
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty")
_TERMINALS = "/dev/pts"
# numbers of limits: seconds of the processor, size of a file, data, dump, processes, open files
_CPU, _FSIZE, _DATA, _CORE, _NPROC, _NOFILE = 0, 1, 2, 4, 6, 7


def orders(contract: Contract, scratch: Collection[str], programs: Collection[str], channel: int | None) -> bytes:
    """Return the input for a contract. `programs`: what may be started; `scratch`: the capsule's own folders."""
    words: list[str] = []
    for order in (*_limits(contract), *_listening(channel), *_ruleset(contract, scratch, programs)):
        words += order
    return "".join(f"{word}\0" for word in words).encode("utf-8", "surrogateescape")


def rights_of(place: Place) -> Files:
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


def _listening(channel: int | None) -> Iterator[tuple[str, ...]]:
    if channel is not None:
        yield "listen", str(PROXY_PORT), str(channel)


def _ruleset(contract: Contract, scratch: Collection[str], programs: Collection[str]) -> Iterator[tuple[str, ...]]:
    can = handled(contract.landlock)
    ports = Ports(0) if contract.listens else can.ports
    yield "ruleset", f"{can.files:x}", f"{ports:x}", f"{can.scopes:x}"
    for path, rights in _files(contract, scratch, programs):
        if rights & can.files:
            yield "file", f"{rights & can.files:x}", path
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
