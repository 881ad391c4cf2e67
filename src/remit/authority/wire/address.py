"""The address where a party listens, and the peers that may connect.

unix:/run/remit/p0.sock        peers are identified by their user id, which the kernel reports
tls:p0.example.org:7443        peers are identified by the name in their certificate, signed by the installation's authority
"""

from __future__ import annotations

import os
import socket
import ssl
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from remit.core.errors import AuthorityError, UsageError

_CREDENTIALS = struct.Struct("3i")  # pid, uid, gid
_MOST_PATH = 107  # bytes of a path that the kernel takes for a socket


class Address(NamedTuple):
    """An address: a path, or a host and a port."""

    path: str = ""
    host: str = ""
    port: int = 0

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"unix:{self.path}" if self.path else f"tls:{host}:{self.port}"


class Certificates(NamedTuple):
    """The TLS files of one party: its certificate, its key, and the certificate of the common authority."""

    certificate: Path
    key: Path
    authority: Path


class Peers(NamedTuple):
    """The peers that may connect: user ids on a Unix socket, names of certificates over TLS."""

    users: frozenset[int] = frozenset()
    names: frozenset[str] = frozenset()


def read_address(text: str) -> Address:
    """Parse an address; UsageError if it is malformed."""
    kind, _, rest = text.partition(":")
    if kind == "unix" and rest.startswith("/") and len(os.fsencode(rest)) <= _MOST_PATH:
        return Address(path=rest)
    host, _, port = rest.rpartition(":")
    bare = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    if kind == "tls" and bare and (":" in bare) == (bare != host) and port.isdecimal() and 0 < int(port) < 65536:
        return Address(host=bare, port=int(port))
    raise UsageError(f"`{text}` is not an address", "write unix:/absolute/path, tls:host:port or tls:[::1]:port")


def peer_user(sock: socket.socket) -> int | None:
    """Return the user id of the process at the other end, or None if the kernel does not report it."""
    if sock.family != socket.AF_UNIX:
        return None
    told = sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    return int(_CREDENTIALS.unpack(told)[1])


def peer_fault(peers: Peers, sock: socket.socket, certificate: Mapping[str, object] | None) -> str:
    """Return why this peer is refused, or an empty string."""
    uid = peer_user(sock)
    if uid is not None:
        return "" if uid in peers.users else f"user {uid} may not connect"
    names = _names(certificate or {})
    return "" if names & peers.names else f"a certificate for {', '.join(sorted(names)) or 'nobody'} may not connect"


def _names(certificate: Mapping[str, object]) -> set[str]:
    told = certificate.get("subjectAltName", ())
    return {name for kind, name in told if kind == "DNS"} if isinstance(told, tuple) else set()


def serving_context(files: Certificates) -> ssl.SSLContext:
    """Return the TLS context of a server: TLS 1.3, and only peers with a certificate of our authority."""
    return _context(ssl.Purpose.CLIENT_AUTH, files)


def asking_context(files: Certificates) -> ssl.SSLContext:
    """Return the TLS context of a client: the server must have a certificate of our authority for its name."""
    return _context(ssl.Purpose.SERVER_AUTH, files)


def _context(purpose: ssl.Purpose, files: Certificates) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(purpose, cafile=str(files.authority))
        context.load_cert_chain(files.certificate, files.key)
    except (OSError, ssl.SSLError) as error:
        raise AuthorityError(f"the certificates cannot be used: {error}", "make them with `remit deploy`") from None
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.verify_mode = ssl.CERT_REQUIRED
    return context


def listening(address: Address) -> socket.socket:
    """Return a listening socket. A Unix socket is open to its owner alone; a stale one is replaced."""
    if not address.path:
        family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
        try:
            sock = socket.create_server((address.host, address.port), family=family, backlog=512)
        except OSError as error:
            message = f"`{address}` cannot be listened at: {(error.strerror or 'error').lower()}"
            raise AuthorityError(
                message, "make sure that no other program listens there, and that the address belongs to this machine"
            ) from None
        sock.setblocking(False)
        return sock
    path = Path(address.path)
    sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        path.unlink(missing_ok=True)
        before = os.umask(0o177)
        try:
            sock.bind(address.path)
        finally:
            os.umask(before)
        sock.listen(512)
    except OSError as error:
        sock.close()
        raise AuthorityError(
            f"`{address}` cannot be listened at: {error}", "see that its folder is there and yours"
        ) from None
    sock.setblocking(False)
    return sock
