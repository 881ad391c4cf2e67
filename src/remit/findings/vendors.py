"""Well-known vendors: whose credential it is, which hosts are theirs, and which only carry their name."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from remit.core.patterns import lazy_pattern
from remit.core.table import read_table

_FILE = Path(__file__).with_name("data") / "vendors.table"
_WORD = lazy_pattern(r"[a-z0-9]+")
_LONG = 6  # letters of a name that stands in other names only on purpose


@cache
def _vendors() -> dict[str, tuple[str, ...]]:
    """The domains of a vendor by each of its names."""
    rows = [row.cells for row in read_table(_FILE, 2)]
    return {name: tuple(domains.split()) for names, domains in rows for name in names.split()}


def is_under(host: str, domains: tuple[str, ...]) -> bool:
    """Whether a host is one of these domains, or below one."""
    return any(host == domain or host.endswith(f".{domain}") for domain in domains)


def domains_for(words: frozenset[str]) -> tuple[str, ...]:
    """The domains of the vendors among some words; empty if none of them is a vendor."""
    return tuple(domain for word in sorted(words) for domain in _vendors().get(word, ()))


@cache
def imitated_vendor(host: str) -> str:
    """The vendor whose name stands in a host that is not the vendor's: `api-openai.cloud`; empty if there is none."""
    labels = host.lower().split(".")[:-1]
    if any(is_under(host.lower(), domains) for domains in _vendors().values()):
        return ""
    for label in labels:
        parts = _WORD.findall(label)
        for name in _vendors():
            if len(name) >= _LONG and (name in parts or (name in label and label != name)):
                return name
    return ""
