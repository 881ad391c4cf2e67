"""Decision to accept a login. It depends only on the settings, the origin of the request and the credentials."""

from __future__ import annotations

from collections.abc import Mapping
from hmac import compare_digest
from typing import NamedTuple

from remit.gateway.inbound.access.client_address import client_of, local, within
from remit.gateway.inbound.access.settings import Access, Auth, expected, exposed, fingerprint, resolved

USER = "tailscale-user-login"
_TAILNET_PROXY = ("x-forwarded-for", "x-forwarded-proto", "x-forwarded-host")


class Asking(NamedTuple):
    """A login request. Header names are lower case and unique: requests with repeated headers are refused earlier."""

    peer: str  # address of the other end of the connection
    headers: Mapping[str, str]
    shown: str = ""  # token or password
    vouched: str = ""  # the user to whom, according to the tailnet, the client's address belongs


class Login(NamedTuple):
    """The result: how the client was authenticated, or the reason code of the refusal."""

    by: str = ""  # `local`, `token`, `password` or `tailnet:USER`
    refused: str = ""


def log_in(access: Access, asking: Asking) -> Login:
    """Accept or refuse a login."""
    if user := _tailnet_user(access, asking):
        return Login(by=f"tailnet:{user}")
    mode = resolved(access)
    if mode is Auth.NONE:
        client = client_of(asking.peer, asking.headers, access.proxies)
        alone = not exposed(access.bind) and local(client.address) and not client.proxied
        return Login(by="local") if alone else Login(refused="AUTH_NEEDED")
    wanted = expected(access)
    right = compare_digest(fingerprint(asking.shown), wanted or fingerprint("") + b"no secret is set")
    return Login(by=str(mode)) if right else Login(refused="AUTH_WRONG" if asking.shown else "AUTH_NEEDED")


def _tailnet_user(access: Access, asking: Asking) -> str:
    """Return the user that the tailnet's proxy names, or an empty string.

    The proxy runs on this machine and sets all its headers. The user must be one that the operator accepts, and the
    tailnet must confirm that the address belongs to that user: headers alone could be written by any program on this
    machine.
    """
    named = asking.headers.get(USER, "")
    by_proxy = (
        local(asking.peer)
        and within(asking.peer, access.proxies)
        and all(name in asking.headers for name in _TAILNET_PROXY)
    )
    return named if by_proxy and named in access.tailnet_users and named == asking.vouched else ""
