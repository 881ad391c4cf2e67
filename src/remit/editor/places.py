"""Files, lines and columns in the units of an LSP client."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from lsprotocol import types
from pygls.uris import from_fs_path, to_fs_path

from remit.skill.find import main_name

_DEEP = 40  # parent folders of a file that are searched
_WIDTHS = {types.PositionEncodingKind.Utf8: "utf-8", types.PositionEncodingKind.Utf32: "utf-32-le"}


def path_of(uri: str) -> Path | None:
    """Return the path of a URI; None if it is not a file of this machine."""
    found = to_fs_path(uri) if uri.startswith("file:") else None
    return Path(os.path.normpath(found)) if found else None


def uri_of(path: Path) -> str:
    """Return the URI of a file."""
    return from_fs_path(str(path)) or path.as_uri()


def skill_of(path: Path, open_files: Iterable[Path]) -> Path | None:
    """Return the folder of the skill that contains a file: the nearest parent with a SKILL.md, saved or not."""
    unsaved = {file.parent for file in open_files if main_name([file.name])}
    for folder in [*path.parents][:_DEEP]:
        if folder in unsaved or _holds_skill(folder):
            return folder
    return None


def _holds_skill(folder: Path) -> bool:
    return any((folder / name).is_file() for name in ("SKILL.md", "skill.md", "Skill.md"))


class Text:
    """The lines of a file, and the client's unit of columns."""

    def __init__(self, text: str, encoding: types.PositionEncodingKind | str | None) -> None:
        self.text = text
        self.lines = text.split("\n")
        self._codec = _WIDTHS.get(types.PositionEncodingKind(encoding or "utf-16"), "utf-16-le")
        self._unit = {"utf-8": 1, "utf-16-le": 2, "utf-32-le": 4}[self._codec]

    def range(self, line: int, column: int = 0) -> types.Range:
        """Return the range of a line (from 1), without surrounding blanks, or from a column (from 1) on."""
        here = self.lines[line - 1].rstrip() if 0 < line <= len(self.lines) else ""
        first = column - 1 if column else len(here) - len(here.lstrip())
        last = max(len(here), first + 1) if column else len(here)
        number = min(line, max(len(self.lines), 1)) - 1
        return types.Range(
            types.Position(number, self._units(here[:first])), types.Position(number, self._units(here[:last]))
        )

    def at(self, offset: int) -> types.Position:
        """Return the position of an offset."""
        start = self.text.rfind("\n", 0, offset) + 1
        return types.Position(self.text.count("\n", 0, offset), self._units(self.text[start:offset]))

    def column(self, position: types.Position) -> int:
        """Return the column of a position, counted in characters from 0."""
        line = self.lines[position.line] if position.line < len(self.lines) else ""
        data = line.encode(self._codec, "surrogatepass")[: position.character * self._unit]
        return len(data.decode(self._codec, "ignore"))

    def _units(self, text: str) -> int:
        return len(text.encode(self._codec, "surrogatepass")) // self._unit
