"""A private copy of a skill's folder: verification reads the copy, so that later changes of the source do not matter."""

from __future__ import annotations

import hashlib
import os
import stat
from typing import TYPE_CHECKING

from remit.bundle.snapshot import snapshot
from remit.core.errors import BundleError
from remit.skill.model import Limits
from remit.skill.open_files import open_plain
from remit.skill.walk import RawFile, Walker

if TYPE_CHECKING:
    from pathlib import Path


_PIECE = 1 << 20
LIMITS = Limits()


def content_of(folder: Path) -> str:
    """Return the digest of everything that a bundle binds in a folder: files, modes and links, without evidence/."""
    return snapshot(Walker(folder, LIMITS, shipped=True).run()).content


def copy_skill(source: Path, place: Path) -> None:
    """Copy a folder; a file that changes meanwhile, or a link, is refused."""
    tree = Walker(source, LIMITS, shipped=True).run()
    links = [raw.path for raw in tree.files if raw.link] + list(tree.links)
    if links:
        raise BundleError(f"`{links[0]}` is a link", "an installed skill must contain only regular files")
    place.mkdir(mode=0o700, parents=True)
    for raw in tree.files:
        _copy(source, place, raw)


def _copy(source: Path, place: Path, raw: RawFile) -> None:
    target = place / raw.path
    target.parent.mkdir(parents=True, exist_ok=True)
    found = hashlib.sha256()
    try:
        handle = open_plain(source / raw.path)
        with os.fdopen(handle, "rb") as file, target.open("xb") as out:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise BundleError(f"`{raw.path}` is no longer a plain file", "try again")
            while piece := file.read(_PIECE):
                found.update(piece)
                out.write(piece)
            out.flush()
            os.fsync(out.fileno())
    except OSError as error:
        raise BundleError(f"`{raw.path}` cannot be copied: {error.strerror}", "look at the folder") from None
    if found.hexdigest() != raw.digest:
        raise BundleError(f"`{raw.path}` was changed while it was copied", "try again")
    target.chmod(0o755 if raw.executable else 0o644)
