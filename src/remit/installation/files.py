"""Copying, placing, replacing and keeping folders of skills. A folder appears atomically, and nothing is ever deleted."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import shutil
import stat
import time
from typing import TYPE_CHECKING

from remit.core.errors import InputError, UsageError
from remit.skill.classify import is_outside
from remit.skill.model import Limits
from remit.skill.open_files import NEW, NO_FOLLOW, open_plain
from remit.skill.walk import RawFile, Walker, shown
from remit.sources.names import Names, check_part

if TYPE_CHECKING:
    from pathlib import Path


_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_PIECE = 1 << 20
_AGAIN = "try again when nothing writes to it"


def is_name(name: str) -> bool:
    """Whether a skill may be installed under a name."""
    try:
        check_part(name)
    except InputError:
        return False
    return _NAME.fullmatch(name) is not None


def copy_skill(skill: Path, within: Path, place: Path) -> dict[str, str]:
    """Copy a skill to a new folder: links become copies of their targets, and nothing of a repository (`.git`) is
    copied.

    Returns the files that came from outside of the skill's folder, by path, with their origins.
    """
    tree = Walker(skill, Limits(), within, shipped=True).run()
    names = Names()
    place.mkdir(parents=True)
    for raw in tree.files:
        names.add(raw.path.split("/"))
        if not raw.digest:
            message = f"`{shown(raw.path)}` is a symbolic link that leads to nothing"
            raise InputError(message, "replace the link by the file")
        _copy_file(skill, raw, place / raw.path)
    for link, target in tree.links.items():
        names.add(link.split("/"))
        if (place / (target or ".")).is_dir():
            (place / link).parent.mkdir(parents=True, exist_ok=True)
            (place / link).symlink_to(os.path.relpath(place / target, (place / link).parent), target_is_directory=True)
    return {raw.path: raw.link for raw in tree.files if is_outside(raw)}


def _copy_file(skill: Path, raw: RawFile, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    found = hashlib.sha256()
    source = os.path.realpath(skill / raw.path) if raw.link else skill / raw.path
    try:
        handle = open_plain(source)
        with os.fdopen(handle, "rb") as file, target.open("xb") as out:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise InputError(f"`{shown(raw.path)}` is no longer a plain file", _AGAIN)
            while piece := file.read(_PIECE):
                found.update(piece)
                out.write(piece)
    except OSError as error:
        reason = (error.strerror or "error").lower()
        raise InputError(f"`{shown(raw.path)}` cannot be copied: {reason}", "make it readable") from None
    if found.hexdigest() != raw.digest:
        raise InputError(f"`{shown(raw.path)}` changed while it was copied", _AGAIN)
    target.chmod(0o755 if raw.executable else 0o644)


def place_skill(staged: Path, target: Path) -> None:
    """Move a staged skill to a path where nothing is yet."""
    if os.path.lexists(target):
        raise UsageError(
            f"`{target}` exists already",
            "`remit update` replaces what `remit add` installed; --name takes another name",
        )
    draft = _draft(staged, target)
    try:
        draft.rename(target)
    except OSError:  # a folder that is not empty is never replaced
        raise UsageError(f"`{target}` has just been made by another program", "look at it") from None
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def replace_skill(staged: Path, target: Path, keep: Path) -> Path:
    """Replace an installed skill by a staged one; return the folder below `keep` that holds the old one now."""
    draft, old = _draft(staged, target), _beside(target)
    try:
        target.rename(old)
        try:
            draft.rename(target)
        except BaseException:
            old.rename(target)
            raise
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise
    return _kept(old, target.name, keep)


def remove_skill(target: Path, keep: Path) -> Path:
    """Remove a skill from its host; return the folder below `keep` that holds it now."""
    old = _beside(target)
    target.rename(old)
    return _kept(old, target.name, keep)


def save(path: Path, text: str, mode: int) -> None:
    """Write a file, or replace it, atomically."""
    draft = _beside(path)
    made = os.open(draft, NEW | NO_FOLLOW, mode)
    try:
        with os.fdopen(made, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def _draft(staged: Path, target: Path) -> Path:
    """Make a copy of a staged skill beside its destination, so that one rename moves it there."""
    draft = _beside(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(staged, draft, symlinks=True)
    except (OSError, shutil.Error) as error:
        shutil.rmtree(draft, ignore_errors=True)
        raise UsageError(f"`{target}` cannot be written: {_reason(error)}", "look at the folder of the host") from None
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise
    return draft


def _kept(old: Path, name: str, keep: Path) -> Path:
    moment = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    place = keep / f"{name}-{moment}-{secrets.token_hex(3)}"
    keep.mkdir(mode=0o700, parents=True, exist_ok=True)
    shutil.move(old, place)
    return place


def _beside(target: Path) -> Path:
    return target.with_name(f".{target.name}.remit-{secrets.token_hex(6)}")


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()
