"""Refusals of the gateway. The meanings of their codes are data (`data/codes.table`)."""

from __future__ import annotations

from typing import NamedTuple

from remit.authority.codes import codes


class ActRefusal(NamedTuple):
    """The reason for a refusal."""

    code: str
    detail: str = ""

    def told(self) -> str:
        """Return the refusal as text; codes of the executor are explained by their detail."""
        known = codes("gateway").get(self.code)
        return self.detail or (known.meaning if known else self.code)


class RefusedError(Exception):
    """Ends a procedure at the first step that fails."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code)
        self.refused = ActRefusal(code, detail)
