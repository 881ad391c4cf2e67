"""A copy of a skill to be run: what its digest covers, without `.git` and evidence. The original is never given to a program."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from remit.capsule.supervise import NOBODY
from remit.core.errors import CapsuleError
from remit.skill.walk import is_repository


@contextmanager
def staging() -> Iterator[Path]:
    """A folder for the copy and for what a run needs, which is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="remit-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        if os.getuid() == 0:
            os.chown(folder, NOBODY, NOBODY)
        yield folder


def copy_skill(skill: Path, to: Path) -> None:
    """Copy a skill as it stands; links stay links. Whoever is nobody can read the copy."""

    def left_out(folder: str, names: list[str]) -> set[str]:
        evidence = {"evidence"} & set(names) if Path(folder) == skill else set()
        return evidence | set(filter(is_repository, names))

    try:
        shutil.copytree(skill, to, symlinks=True, ignore=left_out)
        for folder, _, files in os.walk(to):
            Path(folder).chmod(0o755)
            for path in (Path(folder, name) for name in files):
                if not path.is_symlink():
                    path.chmod(0o755 if path.stat().st_mode & 0o111 else 0o644)
    except (OSError, shutil.Error) as error:
        raise CapsuleError(f"`{skill}` cannot be copied: {error}", "make the skill readable") from None
