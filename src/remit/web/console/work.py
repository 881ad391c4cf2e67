"""Work outside of the pages: pages neither start programs nor write files, so the process that starts the console
passes this in.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from pathlib import Path


class SkillRow(NamedTuple):
    """A skill's row in the list."""

    name: str
    answer: str  # whether to install it: one of `ANSWERS`
    words: str  # the same as text
    why: str = ""  # the reason, or its guarantees
    severity: str = ""  # of the decisive finding
    badness: tuple[int, ...] = ()  # sort key, the worst first
    capabilities: tuple[str, ...] = ()
    claimed: str = ""  # the level that its manifest claims, if any
    manifest: str = ""  # the manifest's file
    failure: tuple[str, str] | None = None  # message and remedy


class AnalysedSkill(NamedTuple):
    """An analysed skill. `effects`: compressed JSON of effects and findings, empty if the analysis failed."""

    folder: Path
    row: SkillRow
    effects: bytes = b""
    content: str = ""  # fingerprint of the analysed content
    noted: tuple[str, ...] = ()  # assumptions of this analysis


class Work(Protocol):
    """Work in other processes, and writes."""

    def look(self, folders: Sequence[Path]) -> AsyncIterator[AnalysedSkill]:
        """Yield the analysis of each folder as it completes."""
        ...

    def content(self, folder: Path) -> str:
        """Return the fingerprint of a folder's current content, comparable with `Looked.content`; empty if unreadable."""
        ...

    async def compare(self, old: Path, new: Path) -> dict[str, Any]:
        """Return an update's changes as `remit diff --format json`; RemitError if it fails."""
        ...

    async def verify(self, skill: Path, trust_root: Path) -> dict[str, Any]:
        """Return the evidence level as `remit verify --format json`; RemitError if it fails."""
        ...

    async def list_models(self) -> dict[str, Any]:
        """Return Remit's models as `remit models list --format json`."""
        ...

    async def check_models(self, names: Sequence[str]) -> dict[str, Any]:
        """Return check results of models (all if none is named) as `remit models check --format json`."""
        ...

    async def draw_model(self, name: str, mutant: str) -> bytes:
        """Return a drawing of a small model, or of a mutant's counterexample, as SVG."""
        ...

    def save(self, path: Path, text: str) -> None:
        """Write a file atomically; OSError if that fails."""
        ...
