"""Refusal codes of the executor. Their meanings are data (`data/codes.table`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from remit.authority.codes import Code, load

_FILE = Path(__file__).with_name("data") / "codes.table"


@cache
def codes() -> Mapping[str, Code]:
    """Return all codes by name, in the order of the steps."""
    return load(_FILE)
