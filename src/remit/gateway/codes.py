"""The reasons for which the gateway refuses, each with a stable code. What they mean is data (`data/codes.table`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from remit.authority.codes import Code, load

_FILE = Path(__file__).with_name("data") / "codes.table"


@cache
def codes() -> Mapping[str, Code]:
    """All codes of the gateway, by name, in the order of the steps."""
    return load(_FILE)


class Refused(NamedTuple):
    """Why something does not happen."""

    code: str
    detail: str = ""

    def told(self) -> str:
        """In words; a code of the executor's explains itself by what came with it."""
        known = codes().get(self.code)
        return self.detail or (known.meaning if known else self.code)


class RefusedError(Exception):
    """Leaves a way of several steps at the first one that does not hold."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code)
        self.refused = Refused(code, detail)
