"""Hosts and programs that are the API of a hosted service: data/services.table, and names that show it themselves."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from remit.core.patterns import lazy_pattern
from remit.core.table import read_table

_SAYS_SO = lazy_pattern(r"(?:[\w-]+\.)*(?:api|graph|gateway|[\w-]*-api|api-[\w-]+|apis?\d?)\.[\w-]+\.")
_LOCAL = lazy_pattern(
    r"localhost|127\.|0\.0\.0\.0|\[?::1|host\.docker\.internal|[\w.-]*\.(?:local|test|example|invalid)\b|(?:[\w-]+\.)?example\.(?:com|org|net)"
)


@cache
def _rows(section: str) -> frozenset[str]:
    path = Path(__file__).with_name("data") / "services.table"
    return frozenset(row.cells[0] for row in read_table(path, 1) if row.section == section)


def is_service_program(name: str) -> bool:
    """Whether a program is the command line of a hosted service."""
    return name in _rows("programs")


def is_local(host: str) -> bool:
    """Whether a host is this machine or a placeholder name."""
    return bool(_LOCAL.match(host))


def is_service(host: str) -> bool:
    """Whether a host, with or without a port, is the API of a hosted service."""
    name = host.partition(":")[0].lower()
    return not is_local(name) and (bool(_SAYS_SO.match(name)) or is_listed_service(name))


def is_listed_service(host: str) -> bool:
    """Whether the table lists the service: the name of a host alone does not count."""
    labels = host.lower().split(".")
    return any(".".join(labels[at:]) in _rows("domains") for at in range(len(labels) - 1))


_ADDRESS = lazy_pattern(r"(?:\w+://)?(?:[^/@\s]*@)?([^/?#\s:]+)(?::\d+)?([^?#\s]*)")
_PATH = lazy_pattern(r"/(?:.*/)?(?:api|rest|graphql|v\d+)(?:/|\Z)")
_PAGE = lazy_pattern(r"/.*\.(?:html?|md|pdf)\Z|/(?:.*/)?(?:docs?|help|reference|guides?|stable|latest)(?:/|\Z)")
_FOR_PEOPLE = lazy_pattern(r"(?:docs?|developers?|dev|help|support|learn|www|wiki|platform|github)\.")


def is_api_address(url: str) -> bool:
    """Whether programs call an address: that of a service, or one whose path shows it. Pages about an API do not count."""
    found = _ADDRESS.match(url)
    if not found or is_local(found[1]) or _FOR_PEOPLE.match(found[1]) or _PAGE.match(found[2]):
        return False
    return is_service(found[1]) or bool(_PATH.match(found[2]))
