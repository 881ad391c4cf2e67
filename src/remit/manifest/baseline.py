"""The built-in defaults: a careful baseline for a workspace without its own."""

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
    """Return the defaults of this version, read once."""
    return parse_defaults(FILE.read_bytes(), FILE.name)
