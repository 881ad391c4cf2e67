"""Settings in a workspace by which hooks of the guard are switched off, or by which git finds programs: a command inside of walls can
not change them, and it cannot make those of agents.

A folder that is not there cannot be covered by a mount. So it is made, empty, before a command runs inside, and removed with the last
room of the workspace. A file beside the rooms notes each folder that was made, so that the next guard removes what a killed one left.
"""

from __future__ import annotations

import os
from collections.abc import Container
from contextlib import suppress
from glob import escape, glob
from typing import TYPE_CHECKING

from remit.core.digest import digest
from remit.guard.protected_files import HOST_SETTINGS

if TYPE_CHECKING:
    from pathlib import Path

_OF_GIT = (".git/commondir", ".git/config.worktree")
FOLDERS = tuple(dict.fromkeys(os.path.dirname(name) for name in HOST_SETTINGS))


def make_folders(notes: Path, workspace: str) -> None:
    """Make the folders of settings that are missing in a workspace. Those that a person made are not noted."""
    notes.mkdir(mode=0o700, exist_ok=True)
    for name in FOLDERS:
        path = f"{workspace}/{name}"
        if os.path.lexists(path):
            continue
        note = notes / digest(path).removeprefix("sha256:")
        note.write_text(
            path, "utf-8", "surrogateescape"
        )  # before the folder: a guard that is killed now leaves a note too many
        try:
            os.mkdir(path)
        except OSError:  # it came into being meanwhile, or nothing can be made there
            note.unlink()


def remove_folders(notes: Path, used: Container[str]) -> None:
    """Remove the folders that were made, but for those of workspaces in use. One with something in it stays."""
    for note in notes.glob("*"):
        with suppress(FileNotFoundError):  # somebody else removes it at the same time
            path = note.read_text("utf-8", "surrogateescape")
            if os.path.dirname(path) not in used:
                with suppress(OSError):
                    os.rmdir(path)
                note.unlink()


def settings_in(workspace: str) -> frozenset[str]:
    """The settings of agents and of git that are there."""
    trees = (f"{folder}/config.worktree" for folder in glob(f"{escape(workspace)}/.git/worktrees/*"))
    paths = (*(f"{workspace}/{name}" for name in (*HOST_SETTINGS, *_OF_GIT)), *trees)
    return frozenset(path for path in paths if os.path.lexists(path))
