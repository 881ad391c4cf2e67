"""Web effects: fetching and posting. Names are resolved once, and only public addresses are connected to.

A redirect is not followed but reported: the agent must make a new request, so that the policy decides about the new address too.
"""

from __future__ import annotations

import http.client
import re
import socket
import ssl
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from remit.capsule.egress.addresses import RefusedHost, checked_addresses
from remit.core.digest import canonical
from remit.executor.effects.adapter import EffectDone, NotDoneError

if TYPE_CHECKING:
    from remit.executor.accepted_request import Accepted

_SECONDS = 20
_MOST = 4 * 1024 * 1024  # bytes of an answer that are kept
_REDIRECTS = range(300, 400)
_PORTS = {"https": 443, "http": 80}
_TOKEN = re.compile(rb"[\x21-\x7e]{1,8192}")
_REMEDY = "see `web` in effects.json"


class Fetch(NamedTuple):
    """Fetch a URL."""

    web: Web

    def happen(self, accepted: Accepted) -> EffectDone:
        """Send the request."""
        return self.web.exchange(accepted, "GET", b"", {})


class Post(NamedTuple):
    """Post a text, or a payment as JSON; with a handle, its value is sent as a bearer token."""

    web: Web

    def happen(self, accepted: Accepted) -> EffectDone:
        """Send the request."""
        inputs = accepted.inputs
        if "amount" in inputs:  # sends exactly what was decided
            body, kind = canonical({"amount": inputs["amount"], "to": inputs["to"]}), "application/json"
        else:
            body, kind = inputs.get("text", "").encode(), "text/plain; charset=utf-8"
        headers = {"Content-Type": kind, "Idempotency-Key": accepted.action_id}
        if "handle" in accepted.inputs:
            value = accepted.secrets[accepted.inputs["handle"]]
            if not _TOKEN.fullmatch(value):
                raise NotDoneError("the value of the handle is no token", "keep it without blanks and line ends")
            headers["Authorization"] = f"Bearer {value.decode('ascii')}"
        return self.web.exchange(accepted, "POST", body, headers)


class Web(NamedTuple):
    """The exceptions of the operator: `host:port` of the local network, and hosts that may be used without TLS."""

    near: frozenset[str] = frozenset()
    plain: frozenset[str] = frozenset()

    def exchange(self, accepted: Accepted, method: str, body: bytes, headers: dict[str, str]) -> EffectDone:
        """Send a request, and return the response."""
        url = accepted.inputs["url"]
        parts = urlsplit(url)
        port = parts.port or _PORTS[parts.scheme]
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        link = self._connected(accepted, parts.scheme, parts.hostname or "", port)
        try:
            # a request that the server received may have taken effect, whatever becomes of its response
            link.request(method, target or "/", body, headers | {"User-Agent": "remit"})
            answer = link.getresponse()
            data = answer.read(_MOST + 1)
        finally:
            link.close()
        told = {"status": answer.status, "type": answer.getheader("Content-Type", ""), "cut": len(data) > _MOST}
        if answer.status in _REDIRECTS:
            return EffectDone(
                "it was answered with another address", told | {"location": answer.getheader("Location", "")}
            )
        return EffectDone(
            f"it was answered with {answer.status}", told | {"text": data[:_MOST].decode("utf-8", "replace")}
        )

    def _connected(self, accepted: Accepted, scheme: str, host: str, port: int) -> http.client.HTTPConnection:  # noqa: ARG002
        """Return a connection to a checked address; NotDoneError if there is none. Nothing has been sent then."""
        if scheme == "http" and f"{host}:{port}" not in self.plain:
            raise NotDoneError(f"`{host}` would be spoken with in plain text", "use https, or " + _REMEDY)
        found = checked_addresses(host, port, _resolved, lambda address, at: f"{address}:{at}" in self.near)
        if isinstance(found, RefusedHost):
            raise NotDoneError(f"{found.code}: {found.reason}", _REMEDY)
        for address in found.addresses:
            try:
                sock = socket.create_connection((address, port), timeout=_SECONDS)
            except OSError:
                continue
            try:
                if scheme == "https":
                    sock = ssl.create_default_context().wrap_socket(sock, server_hostname=host)
            except OSError as error:
                sock.close()
                raise NotDoneError(f"`{host}` has no certificate that holds: {error}", "see the certificate") from None
            link = http.client.HTTPConnection(host, port, timeout=_SECONDS)
            link.sock = sock
            return link
        raise NotDoneError(f"`{host}` does not answer", "try again later")


def _resolved(name: str) -> Iterable[str]:
    return {str(found[4][0]) for found in socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)}
