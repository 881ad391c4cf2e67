"""Folders that nobody else can enter."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def make_private(folder: Path) -> None:
    """Make a folder with those above it. `mkdir(parents=True)` would leave these open: the guard keeps its state in one of them, and refuses it then."""
    if not folder.is_dir():
        make_private(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)
