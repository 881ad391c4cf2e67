"""Atomic installation of evidence: it is written beside its location and moved there."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Mapping
from pathlib import Path

from remit.bundle.snapshot import NAMES
from remit.core.errors import BundleError


def install(files: Mapping[str, bytes], place: Path) -> None:
    """Put evidence into a folder, replacing existing evidence and nothing else."""
    place = Path(os.path.abspath(place))  # noqa: PTH100  links must stay in the name
    mark = secrets.token_hex(8)
    draft, old = (place.with_name(f".{place.name}.{mark}{end}") for end in ("", ".old"))
    try:
        _refuse_strangers(place)
        place.parent.mkdir(parents=True, exist_ok=True)
        draft.mkdir()
        try:
            for name, data in files.items():
                _write(draft / name, data)
            if place.exists():
                place.rename(old)
            try:
                draft.rename(place)
            except OSError:
                if old.exists():
                    old.rename(place)
                raise
        finally:
            for left in (draft, old):
                shutil.rmtree(left, ignore_errors=True)
    except OSError as error:
        reason = (error.strerror or "error").lower()
        raise BundleError(f"the evidence cannot be written to `{place}`: {reason}", "give a place with --out") from None


def _refuse_strangers(place: Path) -> None:
    if place.is_symlink() or (place.exists() and not place.is_dir()):
        raise BundleError(f"`{place}` is not a folder", "give a new folder, or one that holds evidence")
    strangers = sorted(set(os.listdir(place)) - NAMES) if place.exists() else []  # noqa: PTH208  only the names
    if strangers:
        raise BundleError(f"`{place / strangers[0]}` is no evidence", "give a new folder, or one that holds evidence")


def _write(path: Path, data: bytes) -> None:
    with open(path, "xb") as file:  # noqa: PTH123  created, never opened
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
