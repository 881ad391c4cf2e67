"""The macOS sandbox profile (Seatbelt) of a contract, for sandbox-exec. Text only: it is generated and compared, not
applied here.

Paths replace the mounts of Linux: everything is denied, then bound paths are allowed, then masked paths are denied
again, because the last rule that matches holds.
"""

from __future__ import annotations

from collections.abc import Iterator

from remit.capsule.contract import Access, BoundPath, Contract, Hiding
from remit.capsule.landlock import PROXY_PORT

_HEAD = """\
(version 1)
(deny default)
(allow process-fork)
(allow signal (target same-sandbox))
(allow process-info* (target same-sandbox))
(allow sysctl-read)
(allow file-read-metadata)
(allow file-ioctl (literal "/dev/tty"))
"""
# Folders that every program of macOS needs to start; nothing of a person lies there.
_SYSTEM = ("/usr/lib", "/usr/share", "/System/Library", "/System/Volumes/Preboot/Cryptexes", "/private/var/db/dyld")
_DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/tty")
_PROGRAMS = ("/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin")


def seatbelt_profile(contract: Contract) -> str:
    """Return the profile."""
    return _HEAD + "".join(f"{line}\n" for line in _rules(contract))


def _rules(contract: Contract) -> Iterator[str]:
    yield ";; the system"
    for path in _SYSTEM:
        yield f"(allow file-read* (subpath {_quoted(path)}))"
    for path in _DEVICES:
        yield f"(allow file-read* file-write-data (literal {_quoted(path)}))"
    yield ";; programs"
    if contract.programs is None:
        for path in _PROGRAMS:
            yield f"(allow process-exec file-read* (subpath {_quoted(path)}))"
    else:
        for program in contract.programs:
            for path in dict.fromkeys((program.path, *(link for link, _ in program.links))):
                yield f"(allow process-exec file-read* (literal {_quoted(path)}))"
    yield ";; places"
    for place in contract.places:
        yield from _place(place)
    yield ";; what is kept back in them"
    for mask in contract.masked:
        what = "file-read* file-write*" if mask.how is Hiding.HIDDEN else "file-write*"
        yield f"(deny {what} ({'subpath' if mask.folder else 'literal'} {_quoted(mask.path)}))"
    yield ";; no program that runs as its owner"
    yield "(deny file-write-setugid)"
    yield ";; the network"
    if contract.egress:
        yield f'(allow network-outbound (remote ip "localhost:{PROXY_PORT}"))'
    if contract.listens:
        yield '(allow network-bind network-inbound (local ip "localhost:*"))'
    for _, path in contract.sockets:
        yield f"(allow network-outbound (remote unix-socket (path-literal {_quoted(path)})))"


def _place(place: BoundPath) -> Iterator[str]:
    which = f"({'subpath' if place.folder else 'literal'} {_quoted(place.path)})"
    if Access.READ in place.access:
        yield f"(allow file-read* {which})"
    if Access.WRITE in place.access:
        yield f"(allow file-write-create file-write-data file-write-mode file-write-times file-write-flags {which})"
    if Access.DELETE in place.access:
        yield f"(allow file-write-unlink {which})"


def _quoted(path: str) -> str:
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"') + '"'
