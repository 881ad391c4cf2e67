"""Acts on sockets: connections, listening, and DNS queries.

Sent data are the program's own text, so an address is only parsed where a call has one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from remit.capsule.act import Act, Kind, Outcome, outcome_of
from remit.capsule.packets import asked_name
from remit.capsule.trace import Call, quoted, raw_bytes

if TYPE_CHECKING:
    Place: TypeAlias = Callable[[Call, str], str]

_ADDRESS = re.compile(r'inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)"')
_PORT = re.compile(r"sin6?_port=htons\((\d+)\)")
_SOCKET_FILE = re.compile(r'sun_path=(@?)("(?:[^"\\]|\\.)*")')
_INODE = re.compile(r"\d+<(\w+:\[\d+\])>")
NAME_SERVER = "127.0.0.1"  # of the sandbox; to any other a question is a connection like any other
_DNS = "53"
_PAYLOAD = re.compile(r'iov_base=("(?:[^"\\]|\\.)*"(?:\.\.\.)?)')


class Sockets:
    """The sockets of one run, by the kernel's numbers."""

    def __init__(self) -> None:
        self._peers: dict[str, str] = {}  # sockets that are connected to a name server
        self._bound: dict[str, str] = {}  # the addresses of sockets
        self._named: set[str] = set()  # those from which a name was read

    def rest(self) -> Iterator[Act]:
        """Yield acts that are only known at the end: queries to name servers that could not be parsed."""
        if set(self._peers) - self._named:
            yield Act(Kind.LOOKUP, "", Outcome.REFUSED)

    def of(self, call: Call, place: Place) -> Iterator[Act]:
        """Yield the acts of a call on a socket; `place` resolves the name of a socket that is a file."""
        found = _INODE.match(call.args[0]) if call.args else None
        inode = found[1] if found else ""
        if call.name.startswith("send"):
            yield from self._sent(call, inode)
            return
        words = "".join(call.args[1:2])
        host, port = next(_endpoints(words), ("", ""))
        if call.name == "connect":
            yield from self._connect(call, words, inode, (host, port), place)
        elif call.name == "bind" and (local := _SOCKET_FILE.search(words)):
            self._bound[inode] = "a name of this machine"
            if not local[1]:
                yield Act(Kind.WRITE, place(call, quoted(local[2]) or ""), outcome_of(call))
        elif call.name == "bind" and host:
            self._bound[inode] = f"{host}:{port}"
            if port != "0":
                yield Act(Kind.LISTEN, f"{host}:{port}", outcome_of(call))
        elif call.name == "listen" and self._bound.get(inode, ":0").endswith(":0"):
            yield Act(Kind.LISTEN, self._bound.get(inode, "0.0.0.0:0"), outcome_of(call))

    def _connect(self, call: Call, words: str, inode: str, to: tuple[str, str], place: Place) -> Iterator[Act]:
        host, port = to
        local = _SOCKET_FILE.search(words)
        if local and not local[1]:
            yield Act(Kind.WRITE, place(call, quoted(local[2]) or ""), outcome_of(call))
        elif local:
            yield Act(Kind.CONNECT, "localhost:0", outcome_of(call))  # an abstract name of this network namespace
        elif (host, port) == (NAME_SERVER, _DNS):
            self._peers[inode] = host
        elif host and port != "0":
            yield Act(Kind.CONNECT, f"{host}:{port}", Outcome.REFUSED if call.error else Outcome.DONE)

    def _sent(self, call: Call, inode: str) -> Iterator[Act]:
        words = "".join(call.args[1:2])
        if call.name == "sendto":
            payloads, to = [words], "".join(call.args[4:5])
        else:
            payloads, to = [found[1] for found in _PAYLOAD.finditer(words)], _PAYLOAD.sub("", words)
        targets = list(_endpoints(to))
        if (NAME_SERVER, _DNS) in targets or (inode in self._peers and not targets):
            self._named.add(inode)
            for data in payloads:  # a question that cannot be read is one for any host
                yield Act(Kind.LOOKUP, asked_name(raw_bytes(data)), Outcome.REFUSED)
        for host, port in targets:
            if (host, port) != (NAME_SERVER, _DNS):
                yield Act(Kind.CONNECT, f"{host}:{port}", Outcome.REFUSED if call.error else Outcome.DONE)


def _endpoints(words: str) -> Iterator[tuple[str, str]]:
    """Yield the hosts and ports among some words, in order."""
    for port, address in zip(_PORT.finditer(words), _ADDRESS.finditer(words), strict=False):
        host = address[1] or address[2]
        yield (host.removeprefix("::ffff:") if "." in host else host), port[1]
