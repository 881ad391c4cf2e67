"""What the projector that runs does with an envelope, found by asking it: at each level, with each answer of a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.scope import DEEP, ROOT, WORKSPACE, AnyScope, PathScope
from remit.manifest.model import Verification
from remit.policy.gate import Gate, Standing, gate_table
from remit.policy.judge import Ask, Deny
from remit.policy.limits import Moment, Situation
from remit.policy.permit import Permit
from remit.policy.projector import Approval, Projector
from remit.policy.request import Envelope, Request, read
from remit.policy.skillpolicy import SkillPolicy
from remit.proof.sessions.meaning import PLACED

if TYPE_CHECKING:
    from remit.core.scope import Scope
    from remit.manifest.model import Manifest

_NOW = Situation(Moment(0), {}, redacts=True)
_WORKSPACE = PathScope(WORKSPACE, (DEEP,))
_PLACES = {name: PathScope(ROOT, parts) for name, parts in PLACED.items() if name != ROOT}
_SKILL = "skill"
_NOBODY = Approval("an answer to another question")
_STRICTNESS = {gate: number for number, gate in enumerate(Gate)}


class Deciding:
    """The projectors of one manifest, one for each level."""

    def __init__(self, manifest: Manifest) -> None:
        self._projectors = {
            level: Projector(SkillPolicy(_SKILL, manifest, level, snapshotted=(_WORKSPACE,), places=_PLACES))
            for level in Verification
        }

    def standing(self, capability: str, thing: Scope) -> Standing | None:
        """How the projector treats this, as a line of the gate table; None if no envelope can ask for it.

        Where it issues permits more freely than the line that it names, it counts as one that asks nobody.
        """
        target = {} if isinstance(thing, AnyScope) else {"target": thing.render()}
        envelope = Envelope(capability, target)
        request = read(envelope, _NOW.bound)
        if not isinstance(request, Request):
            return None
        line = Standing.OUTSIDE
        freer = False
        for level, projector in self._projectors.items():
            judgement, permit = projector.consider(request, _NOW)
            line = _line(judgement.code) if isinstance(judgement, Deny) else judgement.standing
            gate = Gate.ALLOW if permit is not None else _gate(projector, envelope, request, judgement)
            freer = freer or _STRICTNESS[gate] < _STRICTNESS[gate_table()[line, level]]
        return Standing.UNCHANGED if freer else line


def _line(code: str) -> Standing:
    return Standing.DENIED if code in ("denied", "command-denied", "command-missing") else Standing.OUTSIDE


def _gate(projector: Projector, envelope: Envelope, request: Request, judgement: object) -> Gate:
    """The freest answer with which a permit is issued."""
    if any(_permits(projector, envelope, answer) for answer in (None, _NOBODY)):
        return Gate.ALLOW
    if isinstance(judgement, Ask) and judgement.key and _permits(projector, envelope, Approval(judgement.key)):
        return Gate.ONCE
    return Gate.CONFIRM if _permits(projector, envelope, Approval(request.digest(_SKILL))) else Gate.DENY


def _permits(projector: Projector, envelope: Envelope, answer: Approval | None) -> bool:
    return type(projector.project(envelope, _NOW, answer)) is Permit
