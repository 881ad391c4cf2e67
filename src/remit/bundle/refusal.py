"""Refusals of trust: values with a stable code. Codes, meanings and remedies are `data/trust.table`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from remit.core.errors import DataError
from remit.core.table import read_table

_FILE = Path(__file__).with_name("data") / "trust.table"


class Code(NamedTuple):
    """A line of the table."""

    code: str
    meaning: str
    remedy: str


class Refusal(NamedTuple):
    """A refusal: its code, and the details."""

    code: str
    reason: str

    @property
    def remedy(self) -> str:
        """What the user can do."""
        return codes()[self.code].remedy


@cache
def codes() -> Mapping[str, Code]:
    """Return the codes of this version."""
    return read_codes(_FILE)


def read_codes(path: Path) -> Mapping[str, Code]:
    """Read a table of codes; each must occur once and have a meaning and a remedy."""
    found: dict[str, Code] = {}
    for row in read_table(path, 3):
        code = Code(*row.cells)
        if not all(code) or code.code in found:
            raise DataError(f"{row.where}: `{code.code}` occurs twice or is not explained", "keep one full line")
        found[code.code] = code
    return found


def refuse(code: str, reason: str) -> Refusal:
    """Return a refusal with a code of the table."""
    if code not in codes():
        raise DataError(f"`{code}` is not in {_FILE.name}", "add its line")
    return Refusal(code, reason)
