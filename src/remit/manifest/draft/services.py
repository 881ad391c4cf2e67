"""Hosts that are the API of a hosted service: data/services.table, and names that say so themselves."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from pathlib import Path

from remit.core._table import read_table

_SAYS_SO = re.compile(r"(?:[\w-]+\.)*(?:api|graph|gateway|[\w-]*-api|api-[\w-]+|apis?\d?)\.[\w-]+\.")
_LOCAL = re.compile(
    r"localhost|127\.|0\.0\.0\.0|\[?::1|host\.docker\.internal|[\w.-]*\.(?:local|test|example|invalid)\b|(?:[\w-]+\.)?example\.(?:com|org|net)"
)


@cache
def _domains() -> frozenset[str]:
    path = Path(str(files("remit.manifest.draft").joinpath("data/services.table")))
    return frozenset(row.cells[0] for row in read_table(path, 1))


def is_local(host: str) -> bool:
    """Whether a host is this machine or a name that stands for none."""
    return bool(_LOCAL.match(host))


def is_service(host: str) -> bool:
    """Whether a host, with or without a port, is the API of a hosted service."""
    name = host.partition(":")[0].lower()
    if is_local(name):
        return False
    labels = name.split(".")
    return bool(_SAYS_SO.match(name)) or any(".".join(labels[at:]) in _domains() for at in range(len(labels) - 1))
