"""What the console has done for it elsewhere: whoever starts it gives this along, because pages neither start programs nor write files."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from pathlib import Path


class Row(NamedTuple):
    """What a list shows of a skill, and all that is known while nobody opens it."""

    name: str
    answer: str  # whether to install it: one of `ANSWERS`
    words: str  # the same in words
    why: str = ""  # what decides that, or what it never does
    severity: str = ""  # of the finding that decides
    badness: tuple[int, ...] = ()  # the least is the worst
    capabilities: tuple[str, ...] = ()
    claimed: str = ""  # the level that its manifest claims, if it claims one
    manifest: str = ""  # the file that says what it may do
    failure: tuple[str, str] | None = None  # message and remedy


class Looked(NamedTuple):
    """A skill that was analysed. `effects` is `Effects.encode` with the findings as packed JSON, empty where the analysis failed."""

    folder: Path
    row: Row
    effects: bytes = b""
    content: str = ""  # the fingerprint of what was analysed
    noted: tuple[str, ...] = ()  # assumptions of this run


class Work(Protocol):
    """What is done in processes of their own, and what is written."""

    def look(self, folders: Sequence[Path]) -> AsyncIterator[Looked]:
        """What each of the folders can do, as it becomes known."""
        ...

    def content(self, folder: Path) -> str:
        """The fingerprint of what lies in a folder now, to be compared with that of `Looked`; empty if it cannot be read."""
        ...

    async def compare(self, old: Path, new: Path) -> dict[str, Any]:
        """What an update changes, as `remit diff --format json` says it; RemitError if it cannot be told."""
        ...

    async def verify(self, skill: Path, trust_root: Path) -> dict[str, Any]:
        """The level that holds, as `remit verify --format json` says it; RemitError if it cannot be told."""
        ...

    async def list_models(self) -> dict[str, Any]:
        """Our own models, as `remit models list --format json` says it."""
        ...

    async def check_models(self, names: Sequence[str]) -> dict[str, Any]:
        """What the explorer finds of models, all without a name, as `remit models check --format json` says it."""
        ...

    async def draw_model(self, name: str, mutant: str) -> bytes:
        """A small model, or the story of a mutant, as SVG."""
        ...

    def save(self, path: Path, text: str) -> None:
        """Write a file, whole or not at all; OSError if that fails."""
        ...
