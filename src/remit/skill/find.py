"""Search for skill folders. Imports little, because every run of the command starts with it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from remit.core.errors import InputError, LimitError
from remit.skill.walk import shown

_MAX_FOLDERS = 200_000


def find_skills(path: Path | str, *, nested: bool = False) -> list[Path]:
    """Return the skill folders at or below a path, sorted.

    A folder with a SKILL.md is a skill, and everything below it belongs to it: a SKILL.md further down is one more
    document of the outer skill, which is how a host that copies the folder sees it. With `nested` the inner ones are
    returned as skills of their own as well. Links to folders are not followed, so that loops cannot occur.
    """
    root, name = Path(path), shown(str(path))
    remedy = "give the folder of a skill, or one that holds skills"
    if not root.exists():
        raise InputError(f"`{name}` does not exist", remedy)
    if not root.is_dir():
        if root.name.lower() == "skill.md":
            return [root.parent]
        raise InputError(f"`{name}` is not a folder", remedy)
    found: list[Path] = []
    stack = [str(root)]
    for count in range(_MAX_FOLDERS + 1):
        if not stack:
            break
        if count == _MAX_FOLDERS:
            raise LimitError(f"`{name}` holds more than {_MAX_FOLDERS} folders", "check a smaller folder")
        here = stack.pop()
        names, folders, listed = _list(here)
        if main_name(names) or not listed:
            found.append(Path(here))
            if not nested:
                continue
        stack += folders
    if not found:
        raise InputError(f"there is no SKILL.md in `{name}` or below", remedy)
    return sorted(found, key=lambda folder: folder.as_posix())


def _list(folder: str) -> tuple[list[str], list[str], bool]:
    """Return the names of a folder's texts, its folders, and whether it can be listed.

    A folder that cannot be listed counts as a skill, so that loading it reports the reason while the others go on.
    """
    names: list[str] = []
    folders: list[str] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name != ".git":
                        folders.append(entry.path)
                elif entry.name.lower() == "skill.md":
                    names.append(entry.name)
    except OSError:
        return [], [], False
    return names, folders, True


def link_boundary(skill: Path | str, sources: Iterable[Path] = ()) -> Path:
    """Return the limit for links of a skill: the repository that contains it, or a source that holds it; else the
    skill's own folder.

    Everything within that limit was written by the same author, or is what the user named.
    """
    folder = Path(os.path.realpath(skill))
    found = [one for one in (Path(os.path.realpath(source)) for source in sources) if folder.is_relative_to(one)]
    found += [above for above in (folder, *folder.parents) if os.path.lexists(above / ".git")][:1]
    return min([folder, *found], key=lambda one: len(one.parts))


def main_name(names: list[str]) -> str:
    """Return the name of the skill's main file for hosts: SKILL.md, or another capitalisation if that is missing."""
    fitting = sorted(name for name in names if name.lower() == "skill.md")
    return fitting[0] if fitting else ""  # capitals sort first
