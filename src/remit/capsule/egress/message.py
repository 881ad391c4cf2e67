"""A strict parser of request heads for the proxy: anything that two parsers could read differently is refused. Pure."""

from __future__ import annotations

import re
from typing import NamedTuple

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
