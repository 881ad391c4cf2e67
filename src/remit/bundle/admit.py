"""Admission: the level that holds for a folder under a trust root. No claim of the bundle is believed.

    (1) parse: the folder, evidence/, the manifest, the attestation
    (2) signatures hold, and enough of their signers may attest this level for this label
    (3) the reader's clearance dominates the label
    (4) every file, the manifest and the evidence are the attested ones, and there are no others
    (5) the name is not that of another signer, nor like one, and the version is not older than one that was admitted before
    (6) Method A is run again: the skill is contained, and the result equals static.json
    (7) Method B is checked again
    (8) Method C is discharged again
    (9) the level that all this supports

A step that fails costs what `codes.table` says; after one that costs the whole bundle the others are not begun. The cheap
steps come first, and before step 6 the work is linear in the size of the folder. What a bundle supplies is
compared, never run: module and instance are generated here. Every step is total: whatever evidence/ contains, the result is
an `Admission`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from remit.bundle import binding, recheck
from remit.bundle.admission import Admission, State, Step
from remit.bundle.admission_state import AdmissionState, FailedStep, Inputs
from remit.bundle.codes import Cost, Reason, reason
from remit.bundle.verified import BundleFields, claim_issuing
from remit.core.errors import RemitError
from remit.manifest.model import Verification

__all__ = ["FailedStep", "Inputs", "admit"]

_ENDS = frozenset({Cost.REFUSED, Cost.UNVERIFIED})
_PROOFS = (7, 8)  # the steps that only `formal` needs
_issue = claim_issuing()


def admit(given: Inputs) -> Admission:
    """Return the level at which a skill is admitted, and why it is not the claimed one."""
    case = AdmissionState(given)
    reasons: list[Reason] = []
    steps: list[Step] = []
    protocol: tuple[tuple[str, Callable[[AdmissionState], Iterable[Reason]]], ...] = (
        ("parse", binding.parse),  # (1)
        ("signature and signer", binding.signers),  # (2)
        ("clearance", binding.clearance),  # (3)
        ("digests", binding.digests),  # (4)
        ("name and version", binding.name_and_version),  # (5)
        ("method A", recheck.method_a),  # (6)
        ("method B", recheck.method_b),  # (7)
        ("method C", recheck.method_c),  # (8)
        ("level", lambda case: recheck.level(case, formal=not reasons)),  # (9)
    )
    for number, (name, step) in enumerate(protocol, 1):
        if _ended(reasons):
            steps.append(Step(number, name, State.SKIPPED))
            continue
        case.detail = ""
        found = _attempt(partial(step, case))
        reasons += found
        unclaimed = number in _PROOFS and case.claimed is not Verification.FORMAL
        state = State.FAILED if found else State.UNCLAIMED if unclaimed else State.OK
        steps.append(Step(number, name, state, case.detail if state is State.OK else ""))
    return _admission(case, reasons, steps)


def _ended(reasons: Iterable[Reason]) -> bool:
    return any(found.code.costs in _ENDS for found in reasons)


def _attempt(step: Callable[[], Iterable[Reason]]) -> list[Reason]:
    """Return the reasons that a step finds. An unexpected failure refuses; it never admits."""
    try:
        return list(step())
    except RemitError as error:  # a package that is missing
        return [reason("admission-failed", f"{error.message}; {error.remedy}")]
    except Exception as error:
        if os.environ.get("REMIT_DEBUG"):
            raise
        return [reason("admission-failed", f"{type(error).__name__}: {error}"[:300])]


def _admission(case: AdmissionState, reasons: Sequence[Reason], steps: Sequence[Step]) -> Admission:
    level = Verification.UNVERIFIED if _ended(reasons) else case.level
    costs = {found.code.costs for found in reasons}
    refused = Cost.REFUSED in costs or (level is Verification.UNVERIFIED and case.given.root.require_bundle)
    said = case.statement
    bundle = None
    if said is not None and not refused and level is not Verification.UNVERIFIED:
        bundle = _issue(BundleFields(level, said, case.manifest, case.effects, case.signers))
    return Admission(
        level,
        case.claimed,
        refused,
        tuple(reasons),
        tuple(steps),
        *((said.skill, said.version, said.time) if said else ("", "", "")),
        case.signers,
        tuple(case.notes),
        bundle,
    )
