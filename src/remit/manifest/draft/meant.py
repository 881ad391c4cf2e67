"""What reading or writing a file means besides, by its name: data/meant.table."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from remit.core.capability import vocabulary
from remit.core.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.core.effect import Effect

_FILE = "meant.table"
_COLUMN = {"file.read": 1, "file.write": 2}


@cache
def rows() -> tuple[tuple[re.Pattern[str], str, str], ...]:
    """The rows of this version."""
    return load(files("remit.manifest.draft").joinpath(f"data/{_FILE}").read_text("utf-8"))


def load(text: str) -> tuple[tuple[re.Pattern[str], str, str], ...]:
    """Read a table; a row that cannot be read is refused with its line."""
    out: list[tuple[re.Pattern[str], str, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line[0] in "#[":
            continue
        cells = [cell.strip() for cell in line.rsplit(" | ", 2)]
        if len(cells) != 3 or any(name != "-" and name not in vocabulary() for name in cells[1:]):
            raise DataError(
                f"{_FILE}:{number}: the row cannot be read", "write `pattern | capability or - | capability or -`"
            )
        try:
            pattern = re.compile(cells[0], re.IGNORECASE)
        except re.error as error:
            raise DataError(f"{_FILE}:{number}: the pattern cannot be read: {error}", "correct it") from None
        out.append((pattern, cells[1], cells[2]))
    return tuple(out)


def meant_by(effect: Effect) -> Iterator[str]:
    """The capabilities that an effect on a file speaks for besides its own."""
    column = _COLUMN.get(effect.capability)
    if column is None:
        return
    scope = effect.scope.render()
    for row in rows():
        if row[column] != "-" and row[0].search(scope):
            yield str(row[column])
