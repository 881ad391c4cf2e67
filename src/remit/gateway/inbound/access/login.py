"""Whether somebody is let in. It looks at the settings, at where the request comes from and at what was shown, and at nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from hmac import compare_digest
from typing import NamedTuple

from remit.gateway.inbound.access.client import client_of, local, within
from remit.gateway.inbound.access.settings import Access, Auth, expected, exposed, fingerprint, resolved

USER = "tailscale-user-login"
_TAILNET_PROXY = ("x-forwarded-for", "x-forwarded-proto", "x-forwarded-host")


class Asking(NamedTuple):
    """A request to be let in. Header names are in small letters, and each is there once: a repeated one was refused before."""

    peer: str  # the other end of the connection
    headers: Mapping[str, str]
    shown: str = ""  # token or password
    vouched: str = ""  # the user to whom the tailnet itself says that the client's address belongs


class Login(NamedTuple):
    """The answer: by what it was let in, or the code of the refusal."""

    by: str = ""  # `local`, `token`, `password` or `tailnet:USER`
    refused: str = ""


def log_in(access: Access, asking: Asking) -> Login:
    """Let it in, or not."""
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
    """Whom the tailnet's own proxy names.

    It runs on this machine and sets all its headers; the name must be one that the operator lets in, and the tailnet must say of
    the address that it is this user's: headers alone could be written by any program on this machine.
    """
    named = asking.headers.get(USER, "")
    by_proxy = (
        local(asking.peer)
        and within(asking.peer, access.proxies)
        and all(name in asking.headers for name in _TAILNET_PROXY)
    )
    return named if by_proxy and named in access.tailnet_users and named == asking.vouched else ""
