"""Refusals: stable codes, each with its meaning and a remedy. The codes are data (`data/refusals.table`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from remit.core.errors import DataError
from remit.core.table import read_table

_FILE = Path(__file__).with_name("data") / "refusals.table"


class Ground(NamedTuple):
    """One code: the decision step that returns it, its meaning, and the remedy."""

    code: str
    step: str
    meaning: str
    remedy: str


class ApprovalQuestion(NamedTuple):
    """A question to a person: about this request, by its digest; or, if `key` is not empty, about its kind for this
    session.
    """

    digest: str
    key: str
    reason: str


class Refusal(NamedTuple):
    """A refused request. `reason` explains the case; `question` is what a person could be asked, if that would help."""

    code: str
    reason: str
    question: ApprovalQuestion | None = None

    @property
    def remedy(self) -> str:
        """What the user can do."""
        return grounds()[self.code].remedy


@cache
def grounds() -> Mapping[str, Ground]:
    """Return all codes of this version."""
    return read_grounds(_FILE)


def read_grounds(path: Path) -> Mapping[str, Ground]:
    """Read a table of codes; each must occur once and have a meaning and a remedy."""
    found: dict[str, Ground] = {}
    for row in read_table(path, 3):
        code, meaning, remedy = row.cells
        if code in found or not (code and meaning and remedy):
            problem = f"`{code}` occurs twice" if code in found else "a code has a name, a meaning and a remedy"
            raise DataError(
                f"{row.where}: {problem}", "correct the line; the head of the file says what its cells mean"
            )
        found[code] = Ground(code, row.section, meaning, remedy)
    return found
