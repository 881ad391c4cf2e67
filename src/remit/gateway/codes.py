"""Reason codes of the gateway's refusals; their meanings are data (`data/codes.table`)."""

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


class ActRefusal(NamedTuple):
    """The reason for a refusal."""

    code: str
    detail: str = ""

    def told(self) -> str:
        """Return the refusal as text; codes of the executor are explained by their detail."""
        known = codes().get(self.code)
        return self.detail or (known.meaning if known else self.code)


class RefusedError(Exception):
    """Ends a procedure at the first step that fails."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code)
        self.refused = ActRefusal(code, detail)
