"""Health check of a party on another machine, with the certificate of `monitor`."""

from __future__ import annotations

import http.client
import json
import socket
from typing import TYPE_CHECKING

from remit.authority.wire.address import Certificates, Peers, asking_context, peer_fault, read_address

if TYPE_CHECKING:
    from pathlib import Path

_SECONDS = 5
_UNAVAILABLE = 503


def works(tls: Path, role: str, place: str, epoch: int = 0) -> str:
    """Return what is wrong with a party; empty if it works.

    It must show a certificate of its name and have at least this epoch.
    """
    address = read_address(place)
    context = asking_context(Certificates(tls / "monitor.crt", tls / "monitor.key", tls / "authority.crt"))
    link = http.client.HTTPConnection(address.host, address.port)
    try:
        plain = socket.create_connection((address.host, address.port), timeout=_SECONDS)
        with context.wrap_socket(plain, server_hostname=address.host) as sock:
            if fault := peer_fault(Peers(names=frozenset({role})), sock, sock.getpeercert()):
                return fault
            link.sock = sock
            link.request("GET", "/health")
            answer = link.getresponse()
            status, has = answer.status, json.loads(answer.read()).get("epoch", 0)
    except (OSError, ValueError, AttributeError, http.client.HTTPException) as error:
        return f"does not answer ({str(error) or type(error).__name__})"
    finally:
        link.close()
    if status == _UNAVAILABLE:
        return "runs, but another party that it needs is away"
    if status != http.client.OK:
        return f"answers with HTTP {status}"
    return (
        "" if has >= epoch else f"has policy {has}, and the last one is {epoch}: copy its folder, and tell it (SIGHUP)"
    )
