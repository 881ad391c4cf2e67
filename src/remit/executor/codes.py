"""The reasons for which the executor refuses, each with a stable code. What they mean is data (`data/codes.table`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from remit.authority.codes import Code, load

_FILE = Path(__file__).with_name("data") / "codes.table"


@cache
def codes() -> Mapping[str, Code]:
    """All codes, by name, in the order of the steps."""
    return load(_FILE)
