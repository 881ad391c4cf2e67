"""Creation of folders that only their owner can enter."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def make_private(folder: Path) -> None:
    """Create a folder and its missing parents with mode 0700.

    `mkdir(parents=True)` would create the parents with default modes; the guard keeps its state in one of them and
    would then refuse it.
    """
    if not folder.is_dir():
        make_private(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)
