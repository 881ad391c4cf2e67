"""What the analysis of a skill yields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from remit.core.effect import Effect, Opaque


@dataclass(frozen=True, slots=True)
class Effects:
    """Everything that a skill can do, what is not understood, and what the answer rests on."""

    skill: str
    path: str
    effects: tuple[Effect, ...]
    opaque: tuple[Opaque, ...]
    assumptions: tuple[str, ...]
    analysed: int
    inert: int
    opaque_files: int
