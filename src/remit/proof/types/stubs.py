"""What mypy remembers of its own stubs between runs: a second instead of none is spent on reading them.

A run works on a copy, and nothing that it learns about a skill's module is kept: mypy takes a file for unchanged if its size and the
second of its last change are the same, so a module that it remembers could stand in for another. Whoever can write to the folder
can change mypy itself as well, so what lies there is not signed; a copy that is damaged only costs time.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sysconfig
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from remit.core.digest import digest

if TYPE_CHECKING:
    from remit.proof.installed import Identity

FOLDER = "stubs"  # in the folder of a run
_MEMORY = "checkers"  # in the folder of the cache


def place_of(cache_dir: Path, identity: Identity, options: Sequence[str]) -> Path:
    """Where the memory of this checker with these options lies. mypy notes where it is installed, so that counts too."""
    key = digest([list(identity), list(options), sysconfig.get_path("platlib")]).removeprefix("sha256:")
    return cache_dir / _MEMORY / f"{identity.name}-{key[:32]}"


def remembered(cache_dir: Path) -> int:
    """How many bytes are remembered, of all checkers."""
    sizes = (os.path.join(folder, name) for folder, _, names in os.walk(cache_dir / _MEMORY) for name in names)  # noqa: PTH118
    return sum(os.lstat(path).st_size for path in sizes if os.path.lexists(path))


def forget(cache_dir: Path) -> int:
    """Remove all that is remembered, and say how many bytes that was."""
    size = remembered(cache_dir)
    shutil.rmtree(cache_dir / _MEMORY, ignore_errors=True)
    return size


def borrow(place: Path, folder: Path) -> bool:
    """Copy what is remembered into the folder of a run; whether there was something."""
    try:
        shutil.copytree(place, folder / FOLDER)
    except OSError:
        shutil.rmtree(folder / FOLDER, ignore_errors=True)
        return False
    return True


def keep(place: Path, folder: Path, modules: Sequence[str]) -> None:
    """Keep what a run has learned, but for these modules. It appears whole or not at all; without room it does not."""

    def ours(_: str, names: list[str]) -> list[str]:
        return [name for name in names if name.partition(".")[0] in modules]

    with contextlib.suppress(OSError):
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=place.parent, prefix="new-") as draft:
            shutil.copytree(folder / FOLDER, Path(draft) / FOLDER, ignore=ours)
            shutil.rmtree(place, ignore_errors=True)
            os.replace(Path(draft) / FOLDER, place)  # noqa: PTH105
