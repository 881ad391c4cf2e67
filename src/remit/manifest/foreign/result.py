"""Result types of reading and writing a foreign manifest: a value, and everything that was lost."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from remit.manifest.model import Manifest


class LossKind(StrEnum):
    """The effect of a loss on permissions, the worst first."""

    WIDENED = "widened"  # the result permits more
    NARROWED = "narrowed"  # the result permits less
    UNSURE = "unsure"  # the result says it, but others may read it differently
    LOST = "lost"  # the result does not say it, and permits the same


class Loss(NamedTuple):
    """One thing that the result does not say as the source did, with the capabilities that it concerns."""

    kind: LossKind
    message: str
    capabilities: tuple[str, ...] = ()


class Reading(NamedTuple):
    """A foreign document as a manifest. What is not understood is an error; `losses` are known differences."""

    manifest: Manifest
    losses: tuple[Loss, ...] = ()


class Writing(NamedTuple):
    """A manifest as a foreign document."""

    text: str
    losses: tuple[Loss, ...] = ()


def ordered(losses: list[Loss]) -> tuple[Loss, ...]:
    """Return each loss once, the worst first, otherwise in the order in which they were found."""
    ranks = list(LossKind)
    return tuple(sorted(dict.fromkeys(losses), key=lambda loss: ranks.index(loss.kind)))
