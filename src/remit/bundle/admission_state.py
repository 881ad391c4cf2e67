"""The state of one bundle during admission: the inputs, and what each step established for later ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from remit.manifest.model import Manifest, Verification

if TYPE_CHECKING:
    from datetime import datetime

    from remit.analysis.result import Effects
    from remit.bundle.dsse import Envelope
    from remit.bundle.proof_evidence import Proofs
    from remit.bundle.refusal import Refusal
    from remit.bundle.snapshot import Snapshot
    from remit.bundle.statement import Statement
    from remit.bundle.trust import TrustRoot
    from remit.bundle.versions import Publication
    from remit.findings.model import Finding


class FailedStep(NamedTuple):
    """A computation that failed, and why."""

    why: str


class Analysed(NamedTuple):
    """Method A on the files of a skill: its effects, and its findings."""

    effects: Effects
    findings: tuple[Finding, ...] = ()


class Inputs(NamedTuple):
    """What the caller read, and functions that it provides. Admission itself touches no disk, clock or network."""

    held: Snapshot | FailedStep
    root: TrustRoot
    now: datetime
    seen: Callable[[Publication], Refusal | None]  # why something may not follow what was admitted before
    analyse: Callable[[], Analysed | FailedStep]  # of the same bytes as `held`
    prove: Callable[[Manifest, Effects, int], Proofs]
    root_refused: Refusal | None = None  # why the trust root is not the one that was accepted before
    checkout: bool = (
        False  # whether the reader says that a repository lies in the folder, and asks about what is shipped
    )


@dataclass(slots=True)
class AdmissionState:
    """What is known so far. A step reads only what earlier steps have set."""

    given: Inputs
    claimed: Verification = Verification.UNVERIFIED
    level: Verification = Verification.UNVERIFIED
    held: Snapshot = field(init=False)
    manifest_file: str = field(init=False)
    manifest: Manifest = field(init=False)
    envelope: Envelope = field(init=False)
    statement: Statement | None = None
    signers: tuple[str, ...] = ()
    effects: Effects = field(init=False)
    proofs: Proofs | None = None
    notes: list[str] = field(default_factory=list)
    detail: str = ""  # of the step under way, if it ends well

    @property
    def said(self) -> Statement:
        """The statement, after the step that parses it."""
        assert self.statement is not None
        return self.statement
