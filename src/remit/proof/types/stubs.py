"""A cache of mypy's data about its own stubs, which saves a second in each run.

A run works on a copy, and nothing that it learns about a skill's module is kept: mypy takes a file for unchanged if its size and the
second of its last change are the same, so a cached module could stand in for another. An attacker who can write to the folder
can change mypy as well, so the cache is not signed; a damaged copy only costs time.
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
    """Return the cache folder for a checker with these options. mypy records its own path, which is part of the key."""
    key = digest([list(identity), list(options), sysconfig.get_path("platlib")]).removeprefix("sha256:")
    return cache_dir / _MEMORY / f"{identity.name}-{key[:32]}"


def remembered(cache_dir: Path) -> int:
    """Return the size of the cache in bytes, for all checkers."""
    sizes = (os.path.join(folder, name) for folder, _, names in os.walk(cache_dir / _MEMORY) for name in names)  # noqa: PTH118
    return sum(os.lstat(path).st_size for path in sizes if os.path.lexists(path))


def forget(cache_dir: Path) -> int:
    """Remove the cache, and return its size in bytes."""
    size = remembered(cache_dir)
    shutil.rmtree(cache_dir / _MEMORY, ignore_errors=True)
    return size


def borrow(place: Path, folder: Path) -> bool:
    """Copy the cache into the folder of a run; return whether there was one."""
    try:
        shutil.copytree(place, folder / FOLDER)
    except OSError:
        shutil.rmtree(folder / FOLDER, ignore_errors=True)
        return False
    return True


def keep(place: Path, folder: Path, modules: Sequence[str]) -> None:
    """Store what a run has learned, except these modules. It is stored whole or not at all, for instance without disk
    space.
    """

    def ours(_: str, names: list[str]) -> list[str]:
        return [name for name in names if name.partition(".")[0] in modules]

    with contextlib.suppress(OSError):
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=place.parent, prefix="new-") as draft:
            shutil.copytree(folder / FOLDER, Path(draft) / FOLDER, ignore=ours)
            shutil.rmtree(place, ignore_errors=True)
            os.replace(Path(draft) / FOLDER, place)  # noqa: PTH105
