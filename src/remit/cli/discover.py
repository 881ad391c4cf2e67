"""What a command line means on disk: skills, and the summary files of a project."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from remit.core.errors import InputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from remit.core.errors import RemitError

SUFFIXES = (".py.sum", ".js.sum", ".cmd")


def skills(paths: Sequence[str]) -> tuple[list[Path], list[RemitError]]:
    """The skills at or below the paths, each once, in the order of the paths; and what is wrong with a path."""
    from remit.skill.find import find_skills  # noqa: PLC0415  `--help` does not need it

    found: dict[str, Path] = {}
    wrong: list[RemitError] = []
    for path in paths:
        try:
            for folder in find_skills(path):
                found.setdefault(os.path.realpath(folder), folder)
        except InputError as error:
            wrong.append(error)
    return list(found.values()), wrong


def summary_files(given: Iterable[str], skill_folders: Iterable[Path]) -> tuple[Path, ...]:
    """The summary files that a user names: no folder counts by its name, because a third party may have written it.

    A skill must not describe the libraries by which it is judged: a file inside a checked skill is refused.
    """
    inside = [os.path.realpath(folder) for folder in skill_folders]
    out: list[Path] = []
    for name in given:
        path = Path(name)
        files = _listed(path)
        for file in files:
            if _within(file, inside):
                raise UsageError(
                    f"the summary file `{file}` lies inside a skill that is checked",
                    "a skill cannot vouch for itself; move the file out of it",
                )
        out += files
    return tuple(dict.fromkeys(file.resolve() for file in out))


def _listed(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted(inner for inner in path.iterdir() if inner.name.endswith(SUFFIXES) and inner.is_file())
    if not path.is_file():
        raise UsageError(f"`{path}` does not exist", "give a summary file, or a folder of them")
    if not path.name.endswith(SUFFIXES):
        raise UsageError(f"`{path}` is not named as a summary file", f"its name ends in {' or '.join(SUFFIXES)}")
    return [path]


def _within(path: Path, folders: list[str]) -> bool:
    real = os.path.realpath(path)
    return any(real == folder or real.startswith(folder + os.sep) for folder in folders)
