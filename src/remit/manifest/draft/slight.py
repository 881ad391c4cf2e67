"""Effects that are true and say little about what a skill is for: data/slight.table."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from remit.core.capability import vocabulary
from remit.core.errors import DataError
from remit.core.via import Cause
from remit.skill.prose.lexicon import ENOUGH

if TYPE_CHECKING:
    from remit.core.effect import Effect
    from remit.manifest.draft.places import Places

_FILE = "slight.table"
_ASKED = frozenset({"shell.execute"})  # that a command is run stays true, whatever it is run for
_BY_COMMAND = frozenset({"command", "reference"})


class Row(NamedTuple):
    """What an effect is worth at most, by its cause and its line."""

    capability: str
    cause: re.Pattern[str]
    line: re.Pattern[str] | None
    unless: re.Pattern[str] | None
    points: int


@cache
def rows() -> tuple[Row, ...]:
    """The rows of this version."""
    return load(files("remit.manifest.draft").joinpath(f"data/{_FILE}").read_text("utf-8"))


def load(text: str) -> tuple[Row, ...]:
    """Read a table; a row that cannot be read is refused with its line."""
    out: list[Row] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line[0] in "#[":
            continue
        cells = [cell.strip() for cell in line.split(" | ")]
        if len(cells) != 5 or not cells[4].isdigit() or (cells[0] != "*" and cells[0] not in vocabulary()):
            raise DataError(
                f"{_FILE}:{number}: the row cannot be read", "write five cells; the head of the file says which"
            )
        try:
            cause, place, unless = (None if cell == "-" else re.compile(cell, re.IGNORECASE) for cell in cells[1:4])
        except re.error as error:
            raise DataError(f"{_FILE}:{number}: the pattern cannot be read: {error}", "correct it") from None
        out.append(Row(cells[0], cause or re.compile(""), place, unless, int(cells[4])))
    return tuple(out)


@cache
def _rows_of(capability: str) -> tuple[Row, ...]:
    return tuple(row for row in rows() if row.capability in {"*", capability})


def at_most(effect: Effect, kind: str, places: Places) -> int:
    """How many points an effect can bring."""
    most = ENOUGH
    line = ""
    name = effect.via.label if effect.via.cause in (Cause.COMMAND, Cause.FUNCTION) else ""
    for row in _rows_of(effect.capability):
        if row.capability == "*" and (kind not in _BY_COMMAND or effect.capability in _ASKED):
            continue
        if row.points >= most or not row.cause.search(name):
            continue
        line = line or places.command_at(effect.where).partition("\n")[0]
        if (row.line is None or row.line.search(line)) and not (row.unless and row.unless.search(line)):
            most = row.points
    return most
