"""Settings that are code: files that a program finds by itself beside the files it works on, and runs or loads code from."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.core.errors import DataError
from remit.core.table import read_table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from remit.analysis.world import Site
    from remit.guard.understand.live import LiveSession

TABLE = Path(__file__).parents[1] / "data" / "configurations.table"


class Configuration(NamedTuple):
    """One line."""

    files: tuple[str, ...]
    setting: re.Pattern[str] | None
    meaning: str


@cache
def configurations() -> Mapping[str, tuple[Configuration, ...]]:
    """By program."""
    return load(TABLE)


def load(path: Path) -> dict[str, tuple[Configuration, ...]]:
    """Read the table; a setting that is no expression is refused with its line."""
    found: dict[str, tuple[Configuration, ...]] = {}
    # a cell cannot hold the sign that parts cells: between choices it is written as a word
    for row in read_table(path, 4):
        programs, files, setting, meaning = row.cells
        try:
            shape = re.compile(setting.replace(_OR, "|"), re.MULTILINE) if setting else None
        except re.error as error:
            raise DataError(f"{row.where}: `{setting}` is no expression: {error}", "correct it") from None
        one = Configuration(tuple(files.split()), shape, meaning)
        for program in programs.split():
            found[program] = (*found.get(program, ()), one)
    return found


_OR = " or "


def around_program(session: LiveSession, program: str, folder: str, site: Site) -> None:
    """Report files that make a program run code, in its folder and those above, as far as the workspace reaches."""
    lines = configurations().get(program)
    if not lines:
        return
    top = str(session.place.workspace)
    here = session.disk.real(folder)
    while True:
        names = session.disk.names(here) or ()
        for line in lines:
            for name in names:
                if any(fnmatch(name, pattern) for pattern in line.files) and _speaks(session, f"{here}/{name}", line):
                    session.opaque(f"`{here}/{name}` is loaded by `{program}`: {line.meaning}", site)
        if here in (top, "/", "") or not here.startswith(f"{top}/"):
            return
        here = here.rpartition("/")[0]


def _speaks(session: LiveSession, path: str, line: Configuration) -> bool:
    if line.setting is None:
        return True
    data = session.disk.read(path)
    return data is None or line.setting.search(data.decode("utf-8", "replace")) is not None
