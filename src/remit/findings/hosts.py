"""What the name of a host says about it: a paste site, a tunnel, an address without a name, a vendor's installer."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from remit.core.patterns import lazy_pattern
from remit.core.table import read_table
from remit.skill.prose.services import is_local

_FILE = Path(__file__).with_name("data") / "hosts.table"
_ADDRESS = lazy_pattern(r"\d{1,3}(?:\.\d{1,3}){3}\Z")
_PRIVATE = lazy_pattern(
    r"(?:0|10|127|22[4-9]|23\d|255|192\.168|172\.(?:1[6-9]|2\d|3[01])|169\.254|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\."
)
_RESERVED = (".example", ".test", ".invalid", ".localhost")
# Names for examples: those of the standard, and the tenants in the documents of Microsoft.
_EXAMPLE = lazy_pattern(
    r"(?:^|\.)example\.(?:com|net|org)$|^(?:contoso|fabrikam|tenant)(?:-my)?\.(?:onmicrosoft|sharepoint|crm\d*\.dynamics)\.com$"
)
_OWN = lazy_pattern(r"(?:^|\.)your-?(?:store|shop|company|domain|server|site|host|app|name|org)\.\w+$")
URL = lazy_pattern(
    r"\b(?:https?|ftp)://(?:[^/\s@\"'<>]*@)?([\w.-]+|\[[0-9a-fA-F:]+\])(?::\d+)?(/[^\s\"'<>)\]`]*)?", re.IGNORECASE
)

# Kinds of which the name does not say who runs the host or wrote its content.
ANONYMOUS = frozenset({"paste", "collector", "tunnel", "dynamic", "shortener", "filehost", "address", "punycode"})
WORDS = {
    "paste": "a paste site",
    "collector": "a service that records requests",
    "tunnel": "a tunnel to an unknown machine",
    "dynamic": "a dynamic address",
    "shortener": "a short link",
    "filehost": "an anonymous file host",
    "address": "an address without a name",
    "punycode": "a name in disguised letters",
    "hosting": "free hosting",
}


@cache
def _domains() -> dict[str, str]:
    return {row.cells[0].lower(): row.section for row in read_table(_FILE, 1)}


@cache
def kind_of(host: str) -> str:
    """The kind of a host: a section of the table, `address`, `punycode`, `local`, or empty if the name says nothing."""
    host = host.lower().removeprefix("*.").rstrip(".")
    if _ADDRESS.match(host) or ":" in host:
        return "local" if _PRIVATE.match(host) or host in ("::1", "0.0.0.0") else "address"  # noqa: S104
    known = _domains()
    labels = host.split(".")
    for at in range(len(labels) - 1):
        below = labels[at + 2 :]
        kind = known.get(".".join(labels[at:])) or (below and known.get(".".join([labels[at], "*", *below])))
        if kind:
            return kind
    if is_local(host) and not is_reserved(host) and not is_users_own(host):
        return "local"
    return "punycode" if any(label.startswith("xn--") for label in labels) else ""


def stands_for_other(host: str) -> bool:
    """Whether a host has a reserved name by which a text speaks of some host of others."""
    return is_users_own(host) or is_reserved(host)


def is_reserved(host: str) -> bool:
    """Whether nobody can have the host: its name is reserved for examples."""
    return host.endswith(_RESERVED) or _EXAMPLE.search(host) is not None


def is_placeholder(host: str) -> bool:
    """Whether a host has a reserved name for which the reader puts in a name of their own."""
    return _EXAMPLE.search(host) is not None or is_users_own(host)


def is_users_own(host: str) -> bool:
    """Whether a host is called the reader's own: `api.yourstore.com`."""
    return _OWN.search(host) is not None


def is_installer(host: str, path: str = "") -> bool:
    """Whether an address is a vendor's own installer of a well-known tool."""
    owner = path.strip("/").partition("/")[0]
    known = _domains()
    labels = host.lower().split(".")
    suffixes = [".".join(labels[at:]) for at in range(len(labels) - 1)]
    return any(
        known.get(name) == "installer" or known.get(f"{name}/{owner}".lower()) == "installer" for name in suffixes
    )
