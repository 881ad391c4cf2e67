"""The defaults that are shipped: a careful baseline for a workspace that has none of its own."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from remit.manifest.read import parse_defaults

if TYPE_CHECKING:
    from remit.manifest.model import Defaults

FILE = Path(__file__).with_name("data") / "defaults.json"


@cache
def shipped_defaults() -> Defaults:
    """The defaults of this version, read once."""
    return parse_defaults(FILE.read_bytes(), FILE.name)
