"""The reasons for which the executor refuses, each with a stable code. What they mean is data (`data/codes.table`)."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from remit.authority.codes import load

if TYPE_CHECKING:
    from collections.abc import Mapping

    from remit.authority.codes import Code

_FILE = Path(__file__).with_name("data") / "codes.table"


@cache
def codes() -> Mapping[str, Code]:
    """All codes, by name, in the order of the steps."""
    return load(_FILE)
