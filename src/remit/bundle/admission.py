"""The result of admission: the level that holds, each step, and why it is not the claimed level."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from remit.manifest.model import Verification

if TYPE_CHECKING:
    from remit.bundle.codes import Reason
    from remit.bundle.verified import VerifiedBundle


class State(StrEnum):
    """How a step ended."""

    OK = "ok"
    FAILED = "failed"
    SKIPPED = "skipped"  # an earlier step decided
    UNCLAIMED = "unclaimed"  # the claimed level does not need it


class Step(NamedTuple):
    """One step of the protocol."""

    number: int
    name: str
    state: State
    detail: str = ""  # what was found, if it is ok


class Admission(NamedTuple):
    """The result."""

    level: Verification
    claimed: Verification
    refused: bool
    reasons: tuple[Reason, ...]
    steps: tuple[Step, ...]
    skill: str = ""
    version: str = ""
    time: str = ""
    signers: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    bundle: VerifiedBundle | None = None

    @property
    def holds(self) -> bool:
        """Whether the claimed level holds and nothing is wrong. The level `unverified` never holds."""
        return (
            not self.refused
            and not self.reasons
            and self.level is self.claimed
            and self.level is not Verification.UNVERIFIED
        )

    def without(self, reason: Reason) -> Admission:
        """Return a refusal instead: the admission could not be recorded, or another process was faster."""
        steps = tuple(
            step._replace(state=State.FAILED, detail="") if step.number == reason.code.step else step
            for step in self.steps
        )
        return self._replace(
            level=Verification.UNVERIFIED, refused=True, reasons=(*self.reasons, reason), steps=steps, bundle=None
        )
