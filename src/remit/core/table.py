"""Data files with tables: sections in brackets, rows of cells between bars, `#` lines are comments.

    [section]
    cell | cell | cell

`-` is an empty cell. The parser is a few string operations because every run of the command reads a table.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from remit.core.errors import DataError
from remit.core.patterns import lazy_pattern
from remit.core.table_store import stored

DATA = Path(__file__).with_name("data")
_PACKAGE = str(Path(__file__).parents[1])
_COMMENT = lazy_pattern(r"(?:^\s*|\s\s)#.*$")


class TableRow(NamedTuple):
    """One row of a table, and its location."""

    section: str
    cells: tuple[str, ...]
    where: str


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file; the parse of one of ours comes from the store if it is there."""

    def parse() -> dict[str, Any]:
        import tomllib  # noqa: PLC0415  most runs find all in the store

        return tomllib.loads(path.read_text("utf-8"))

    name = str(path)
    return stored(name[len(_PACKAGE) :], parse, dict[str, Any]) if name.startswith(_PACKAGE) else parse()


def read_table(path: Path, width: int) -> Iterator[TableRow]:
    """Return the rows of a table whose rows all have `width` cells."""
    section = ""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        where = f"{path.name}:{number}"
        if stripped.startswith("[") and stripped.endswith("]"):
            section = stripped[1:-1]
            continue
        cells = tuple(cell.strip() for cell in stripped.split("|"))
        if len(cells) != width or "" in cells:
            message = f"{where}: a row has {width} cells between `|`, this one has {len(cells) - cells.count('')}"
            raise DataError(message, "write `-` for an empty cell")
        if not section:
            message = f"{where}: a row precedes the first section"
            raise DataError(message, "put a `[section]` line above it")
        yield TableRow(section, tuple("" if cell == "-" else cell for cell in cells), where)


class Line(NamedTuple):
    """A line of a summary file with those that continue it, and the number of the first."""

    number: int
    text: str


def logical_lines(body: str, first: int = 1) -> list[Line]:
    """Lines without comments (a `#` at the start, or after two blanks); one that begins with a blank continues the one before."""
    lines: list[Line] = []
    for number, raw in enumerate(body.split("\n"), first):
        text = (_COMMENT.sub("", raw) if "#" in raw else raw).rstrip()
        if text and text[0] in " \t" and lines:
            lines[-1] = Line(lines[-1].number, f"{lines[-1].text} {text.strip()}")
        elif text:
            lines.append(Line(number, text.strip()))
    return lines
