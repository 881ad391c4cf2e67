"""Lookup of a skill's folder where the host looks for skills. The locations are data (`skill_roots.table`)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from remit.core.errors import DataError
from remit.core.table import read_table
from remit.guard.paths import read_start

_ROOTS = Path(__file__).parent.with_name("data") / "skill_roots.table"


@cache
def _roots() -> tuple[tuple[str, str], ...]:
    found = []
    for row in read_table(_ROOTS, 3):
        host, place, meaning = row.cells
        if not (host and meaning and place.startswith(("./", "~/"))):
            raise DataError(
                f"{row.where}: a place begins with `./` or `~/`, and has a host and a meaning", "correct it"
            )
        found.append((host, place))
    return tuple(found)


def folder_of(name: str, host: str, workspace: Path, home: Path) -> Path | None:
    """Return the folder of a skill, by its name or by the path of its SKILL.md."""
    if name.startswith("/"):
        return Path(name).parent if Path(name).name.casefold() == "skill.md" else None
    plain = name.rpartition(":")[2]  # `plugin:skill`
    if not plain or plain in (".", "..") or "/" in plain or "\0" in plain:
        return None
    for root in _folders(host, workspace, home):
        if (root / plain).is_dir():
            return (root / plain).resolve()
    for root in _folders(host, workspace, home):  # by the name in its front matter
        for folder in sorted(root.iterdir()):
            if folder.is_dir() and _own_name(folder) == plain:
                return folder.resolve()
    return None


def installed(host: str, workspace: Path, home: Path) -> Iterator[tuple[str, Path]]:
    """Return every skill that a host would find."""
    for root in _folders(host, workspace, home):
        for folder in sorted(root.iterdir()):
            if (folder / "SKILL.md").is_file():
                yield folder.name, folder.resolve()


def _folders(host: str, workspace: Path, home: Path) -> Iterator[Path]:
    for whose, place in _roots():
        if whose in (host, "*"):
            base = workspace if place.startswith("./") else home
            yield from (found for found in sorted(base.glob(place[2:])) if found.is_dir())


def _own_name(folder: Path) -> str:
    head = (read_start(folder / "SKILL.md", 4000) or b"").decode("utf-8", "replace")
    line = next((line for line in head.splitlines()[1:40] if line.startswith("name:")), "")
    return line[5:].strip().strip("\"'")
