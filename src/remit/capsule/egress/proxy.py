"""The egress proxy: a small process outside of the capsule, which knows only the rules.

(1) The rules come through its standard input, which closes when the capsule ends. (2) The socket on which it listens is made
inside of the capsule and passed out. (3) Each request is parsed strictly (anything that two parsers could read differently is
refused) and judged. (4) Its host is resolved here, and each address judged. (5) The start is recorded, then the connection is
made to the address that was judged. (6) Bytes are counted both ways; past a limit the connection ends. (7) The end is recorded.
"""

from __future__ import annotations

import json
import os
import re
import select
import socket
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from http import HTTPStatus
from ipaddress import IPv4Address
from typing import NamedTuple

from remit.capsule.egress.addresses import RefusedHost, checked_addresses, forbidden
from remit.capsule.egress.record import Connection, end_line, line_of
from remit.core.scope.hosts import normal_host

MOST = 65_536  # bytes of a head
_LINE = re.compile(rb"([A-Z]{1,20}) ([\x21-\x7e]{1,8000}) HTTP/1\.[01]")
_FIELD = re.compile(rb"([A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}):[ \t]*([\x20-\x7e\x80-\xff\t]*?)[ \t]*")
_AUTHORITY = re.compile(r"(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::([0-9]{1,5}))?", re.ASCII)
_HOP = frozenset(
    b"connection keep-alive proxy-connection proxy-authenticate proxy-authorization te trailer upgrade host".split()
)
_HTTP_PORT = 80


class Malformed(Exception):  # noqa: N818  (an outcome of reading, not a failure of ours)
    """A refused head, with the HTTP status."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


class Head(NamedTuple):
    """A request: method, target, and the head that is forwarded; a tunnel has none."""

    method: str
    host: str
    port: int
    onward: bytes = b""
    body: int = 0


def read_head(data: bytes) -> Head:
    """Parse a head, without the empty line that ends it."""
    line, *fields = data.split(b"\r\n")
    if b"\n" in data.replace(b"\r\n", b"") or b"\0" in data:
        raise Malformed(400, "a line of the head ends oddly")
    found = _LINE.fullmatch(line)
    if found is None:
        raise Malformed(400, "the first line is not that of a request to a proxy")
    method, target = found[1].decode(), found[2].decode()
    known = [_field(field) for field in fields]
    if method == "CONNECT":
        host, port = _authority(target, None)
        return Head(method, host, port)
    if not target.startswith("http://"):
        raise Malformed(400, "a request to a proxy names the whole address, or CONNECT")
    place, slash, path = target.removeprefix("http://").partition("/")
    if "?" in place or "#" in target or "@" in place:
        raise Malformed(400, "the address is odd")
    host, port = _authority(place, _HTTP_PORT)
    body = _body(known)
    shown = f"[{host}]" if ":" in host else host
    asked = [f"{method} /{path if slash else ''} HTTP/1.1".encode(), f"Host: {shown}:{port}".encode()]
    if port == _HTTP_PORT:
        asked[1] = f"Host: {shown}".encode()
    kept = [name + b": " + value for name, value in known if name.lower() not in _HOP]
    return Head(method, host, port, b"\r\n".join([*asked, *kept, b"Connection: close", b"", b""]), body)


def _field(line: bytes) -> tuple[bytes, bytes]:
    found = _FIELD.fullmatch(line)
    if found is None:
        raise Malformed(400, "a field of the head is odd")
    return found[1], found[2]


def _body(fields: list[tuple[bytes, bytes]]) -> int:
    lengths = {value for name, value in fields if name.lower() == b"content-length"}
    if any(name.lower() == b"transfer-encoding" for name, _ in fields):
        raise Malformed(411, "the length of the body must be said")
    if not lengths:
        return 0
    value = lengths.pop()
    if lengths or not value.isdigit() or len(value) > 15:
        raise Malformed(400, "the length of the body is odd")
    return int(value)


def _authority(text: str, usual: int | None) -> tuple[str, int]:
    found = _AUTHORITY.fullmatch(text)
    host = normal_host(found[1]) if found else None
    port = int(found[2]) if found and found[2] else usual
    if host is None or port is None or not 0 < port < 65_536:
        raise Malformed(400, "the host or port is odd")
    return host, port


_FETCHES = frozenset({"GET", "HEAD"})
ALL, FETCH = "all", "fetch"


class Rule(NamedTuple):
    """A host or pattern, a port (none for any), the allowed requests, and whether it denies."""

    host: str
    port: int | None
    access: str
    denied: bool


class Rules(NamedTuple):
    """All rules. A denial wins."""

    rules: tuple[Rule, ...]

    def judge(self, host: str, port: int, method: str, *, body: bool = False) -> RefusedHost | None:
        """Return why a request is refused, or None. `CONNECT` is a tunnel whose content cannot be inspected."""
        meeting = [rule for rule in self.rules if matches(rule, host, port)]
        if any(rule.denied for rule in meeting):
            return RefusedHost(host, port, "DENIED", f"the manifest denies `{host}:{port}`")
        if not meeting:
            return RefusedHost(host, port, "NOT_GRANTED", f"the manifest does not grant `{host}:{port}`")
        if method == "CONNECT" or any(rule.access == ALL for rule in meeting):
            return None
        if method in _FETCHES and not body:
            return None
        return RefusedHost(host, port, "METHOD", f"the manifest lets `{host}:{port}` be fetched from, not sent to")

    def names(self, address: str, port: int) -> bool:
        """Return whether a rule names exactly this address, or `localhost`."""
        return any(
            not rule.denied and rule.host == address and rule.port in (None, port) and "*" not in rule.host
            for rule in self.rules
        )


def matches(rule: Rule, host: str, port: int) -> bool:
    """Return whether a rule covers a host and port."""
    if rule.port not in (None, port):
        return False
    if rule.host.startswith("*."):
        return host.endswith(rule.host[1:])
    return rule.host in ("*", host)


def as_rules(rows: Sequence[Sequence[object]]) -> Rules:
    """Return the rules sent by the parent process; an unknown one is an error, never a grant."""
    found: list[Rule] = []
    for host, port, access, denied in rows:
        if not isinstance(host, str) or not (port is None or isinstance(port, int)) or access not in (ALL, FETCH):
            raise ValueError("a rule is not understood")
        found.append(Rule(host, port, str(access), denied is not False))
    return Rules(tuple(found))


_AT_ONCE = 64
_HEAD_SECONDS = 15.0
_CONNECT_SECONDS = 20.0
_IDLE_SECONDS = 120.0
_SECONDS = 3600.0  # of one connection
_BYTES = 4 << 30  # each way, of one connection
_PIECE = 1 << 16
_CONNECTIONS = 100_000  # of one capsule
_GRACE = 2.0
_NOBODY = 65534


def system_addresses(name: str) -> list[str]:
    """Return the addresses that the system's resolver has for a name."""
    found = socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)
    return [str(item[4][0]) for item in found]


class Proxy:
    """The proxy of one capsule."""

    def __init__(
        self,
        rules: Rules,
        write: Callable[[bytes], None],
        resolve: Callable[[str], list[str]],
        tell: Callable[[RefusedHost], None] = lambda _: None,
    ) -> None:
        self._rules = rules
        self._write = write
        self._tell = tell
        self._resolve = resolve
        self._lock = threading.Lock()
        self._count = 0
        self._ended = False
        self._slots = threading.BoundedSemaphore(_AT_ONCE)

    def accept_from(self, server: socket.socket) -> None:
        """Accept connections until the socket closes or nothing more can be recorded."""
        while self._count < _CONNECTIONS:
            try:
                client, _ = server.accept()
            except OSError:
                return
            self._slots.acquire()
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def finish(self) -> None:
        """Let open connections end, and write the last line; nothing is recorded after it."""
        deadline = time.monotonic() + _GRACE
        for _ in range(_AT_ONCE):  # a connection without a slot has ended
            self._slots.acquire(timeout=max(0.0, deadline - time.monotonic()))
        with self._lock:
            self._ended = True
            self._write(end_line(self._count))

    def _serve(self, client: socket.socket) -> None:
        try:
            with client:
                client.settimeout(_HEAD_SECONDS)
                self._request(client)
        except OSError:
            pass  # the program inside went away; what was recorded stands
        finally:
            self._slots.release()

    def _record(self, connection: Connection, number: int | None = None) -> int:
        with self._lock:
            if self._ended:
                raise OSError("the record is closed, so nothing more is done")
            if number is None:
                number = self._count
                self._count += 1
            self._write(line_of(number, connection))
            return number

    def _request(self, client: socket.socket) -> None:
        try:  # (3)
            data, rest = _read_until_empty_line(client)
            head = read_head(data)
        except Malformed as error:
            self._record(Connection("", "", 0, "", 0, 0, "MALFORMED"))
            _answer(client, error.status, error.reason)
            return
        refused = self._rules.judge(head.host, head.port, head.method, body=head.body > 0)
        try:
            found = refused or checked_addresses(head.host, head.port, self._resolve, self._rules.names)  # (4)
        except Exception as error:  # noqa: BLE001  (whatever failed, nothing was judged to be reachable)
            found = RefusedHost(head.host, head.port, "FAILED", f"the proxy failed ({type(error).__name__})")
        if isinstance(found, RefusedHost):
            self._record(Connection(head.method, head.host, head.port, "", 0, 0, found.code))
            self._tell(found)
            _answer(client, 403, f"{found.code}: {found.reason}")
            return
        self._forward(client, head, rest, found.addresses)

    def _forward(self, client: socket.socket, head: Head, rest: bytes, addresses: Sequence[str]) -> None:
        for address in addresses:
            line = Connection(head.method, head.host, head.port, address, 0, 0, "open")
            number = self._record(line)  # (5)
            try:
                server = socket.create_connection((address, head.port), _CONNECT_SECONDS)
            except OSError:
                self._record(line._replace(outcome="UNREACHED"), number)
                continue
            count = _Count()
            try:
                with server:
                    _relay(client, server, head, rest, count)
            finally:  # however it ended
                self._record(line._replace(sent=count.sent, received=count.received, outcome="closed"), number)  # (7)
            return
        _answer(client, 502, "UNREACHED: the host does not answer")


def _read_until_empty_line(client: socket.socket) -> tuple[bytes, bytes]:
    data = b""
    deadline = time.monotonic() + _HEAD_SECONDS
    while b"\r\n\r\n" not in data:
        if len(data) > MOST or time.monotonic() > deadline:
            raise Malformed(431, "the head is too long, or takes too long")
        piece = client.recv(_PIECE)
        if not piece:
            raise Malformed(400, "the head ends early")
        data += piece
    head, _, rest = data.partition(b"\r\n\r\n")
    return head, rest


def _answer(client: socket.socket, status: int, reason: str) -> None:
    body = f"remit: {reason}\n".encode("utf-8", "replace")
    head = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\nContent-Type: text/plain; charset=utf-8\r\nX-Remit-Refused: 1\r\n"
    with suppress(OSError):
        client.sendall(f"{head}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body)


class _Count:
    """Byte counts of both directions. Bytes handed to the kernel count as sent."""

    sent = 0
    received = 0


def _relay(client: socket.socket, server: socket.socket, head: Head, rest: bytes, count: _Count) -> None:
    """Relay bytes both ways until both have ended. Of a plain request, only head and body are forwarded (6)."""
    tunnel = head.method == "CONNECT"
    first = rest if tunnel else rest[: head.body]
    left = (_BYTES if tunnel else head.body) - len(first)
    if tunnel:
        client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
    count.sent = len(head.onward) + len(first)
    server.sendall(head.onward + first)
    deadline = time.monotonic() + _SECONDS
    sources = [client, server] if left > 0 else [server]
    while sources and time.monotonic() < deadline and count.received <= _BYTES:
        ready, _, _ = select.select(sources, [], [], _IDLE_SECONDS)
        if not ready:
            return
        for source in ready:
            piece = source.recv(min(_PIECE, left) if source is client else _PIECE)
            if source is server:
                count.received += len(piece)
                client.sendall(piece)
            else:
                count.sent += len(piece)
                left -= len(piece)
                server.sendall(piece)
            if not piece and source is server and not tunnel:
                return
            if not piece:
                with suppress(OSError):
                    (server if source is client else client).shutdown(socket.SHUT_WR)
            if not piece or (source is client and left <= 0):
                sources.remove(source)


def main(argv: Sequence[str]) -> int:
    """Serve on a descriptor, with the rules in one line of standard input, and connections as lines on standard output.

    Two more arguments name a descriptor for refusals as sentences, and the skill that they are about.
    """
    source = os.fdopen(0, "rb", 0)
    rules = as_rules(json.loads(source.readline()))  # (1)
    server = socket.socket(fileno=int(argv[1]))  # (2)
    forbidden(IPv4Address(0))  # our own files may be out of reach for whom the process belongs to from here on
    "x".encode("idna")
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(_NOBODY)
        os.setuid(_NOBODY)
    proxy = Proxy(rules, lambda line: _write_all(1, line), system_addresses, _sentences(*argv[2:4]))
    threading.Thread(target=proxy.accept_from, args=(server,), daemon=True).start()
    while source.read(_PIECE):
        pass
    proxy.finish()
    os._exit(0)  # threads of connections that the capsule left open


def _sentences(descriptor: str = "", skill: str = "") -> Callable[[RefusedHost], None]:
    """Return a function that writes what is refused, and how to allow it, to a descriptor."""

    def tell(refused: RefusedHost) -> None:
        if not descriptor:
            return
        text = f"remit: {skill} may not reach {refused.host}:{refused.port} ({refused.reason})"
        if refused.code == "NOT_GRANTED":
            text += f"; to allow it, add `net.connect {refused.host}` to its remit.json and run `remit guard trust`"
        _write_all(int(descriptor), f"{text}\n".encode("utf-8", "replace"))

    return tell


def _write_all(target: int, data: bytes) -> None:
    while data:
        data = data[os.write(target, data) :]
