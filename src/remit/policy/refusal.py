"""Why something is not done: stable codes, each with its meaning and what to do. The codes are data (`data/refusals.table`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from remit.core.errors import DataError
from remit.core.table import read_table

_FILE = Path(__file__).with_name("data") / "refusals.table"


class Ground(NamedTuple):
    """One code: which step of the decision gives it, what it means, and what to do."""

    code: str
    step: str
    meaning: str
    remedy: str


class Question(NamedTuple):
    """What a person must agree to: this request, by its digest; or, if `key` is not empty, its kind for this session."""

    digest: str
    key: str
    reason: str


class Refusal(NamedTuple):
    """Nothing is done. `reason` speaks of the request at hand; `question` is what a person could be asked, if that would help."""

    code: str
    reason: str
    question: Question | None = None

    @property
    def remedy(self) -> str:
        """What to do."""
        return grounds()[self.code].remedy


@cache
def grounds() -> Mapping[str, Ground]:
    """All codes of this version."""
    return read_grounds(_FILE)


def read_grounds(path: Path) -> Mapping[str, Ground]:
    """Read a table of codes; each stands once and has a meaning and a remedy."""
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
