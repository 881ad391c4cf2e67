"""The digest of everything that a skill's folder holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from remit.core.digest import tree_digest

if TYPE_CHECKING:
    from remit.skill.model import HashedFile


def file_marks(files: Iterable[HashedFile], links: Mapping[str, str]) -> dict[str, str]:
    """Return what is at each path: the digest of its content, whether it is executable, and where a link leads.

    A link and a copy of its target have the same bytes but are not the same: the link changes with its target.
    """
    out = {file.path: _mark(file) for file in files}
    return out | {path: f"folder link to {target or '.'}" for path, target in links.items()}


def _mark(file: HashedFile) -> str:
    mark = f"sha256:{file.digest}" if file.digest else "nothing"
    return mark + (" executable" if file.executable else "") + (f" link to {file.link}" if file.link else "")


def content_digest(files: Iterable[HashedFile], links: Mapping[str, str]) -> str:
    """Return one digest over all of them."""
    return tree_digest(file_marks(files, links))
