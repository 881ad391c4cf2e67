"""The run-time answers of the projector and of the decision on calls: at each level, for each approval, at each time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from remit.core.scope import DEEP, ROOT, SKILL, WORKSPACE, AnyScope, PathScope, Scope
from remit.manifest.model import Decision, Manifest, Permission, Verification
from remit.policy.decide import Call, Use, decide
from remit.policy.gate import Gate, Standing, gate_table
from remit.policy.judge import Allow, Ask, Deny
from remit.policy.limits import Moment, Situation
from remit.policy.permit import Permit
from remit.policy.principal import Loaded, SessionPolicy
from remit.policy.projector import Approval, Projector
from remit.policy.request import Envelope, Request, read
from remit.policy.skill_policy import SkillPolicy
from remit.proof.sessions.manifest_semantics import PLACED, Circumstances

_WORKSPACE = PathScope(WORKSPACE, (DEEP,))
_PLACES = {name: PathScope(ROOT, parts) for name, parts in PLACED.items() if name != ROOT}
_SKILL = "skill"
_SENDER = Loaded("sender", "", Manifest("", ()), Verification.FORMAL, _PLACES[SKILL])  # it may do nothing
_NOBODY = Approval("an answer to another question")
_OTHERS = ("clipboard.write", "pay")
_STRICTNESS = {gate: number for number, gate in enumerate(Gate)}


class RuntimeAnswer(NamedTuple):
    """The projector's treatment of a request as a row of the gate table, and whether a permit or a call is more
    permissive than that row.
    """

    line: Standing
    freer: bool


class _AtLevel(NamedTuple):
    """The projector and session of the skill at one level."""

    projector: Projector
    session: SessionPolicy


class RuntimeAnswers:
    """The projector of one manifest, and the decision on calls of its skill, at each level."""

    def __init__(self, manifest: Manifest) -> None:
        self._levels = {level: _at_level(manifest, level) for level in Verification}

    def standing(self, capability: str, thing: Scope, when: Circumstances, *, calls: bool) -> RuntimeAnswer | None:
        """Return the projector's treatment; None if no envelope can request it. `calls`: as a call, too."""
        args: dict[str, object] = {} if isinstance(thing, AnyScope) else {"target": thing.render()}
        if when.arguments:
            args["arguments"] = dict(when.arguments)
        envelope = Envelope(capability, args)
        request = read(envelope)
        if not isinstance(request, Request):
            return None
        line = Standing.OUTSIDE
        freer = False
        for level, (projector, session) in self._levels.items():
            rated = projector.policy.rated
            history = dict.fromkeys(rated, when.used)
            now = Situation(Moment(when.seconds), history, redacts=when.redacts)
            judgement, permit = projector.consider(request, now)
            line = _line(judgement.code) if isinstance(judgement, Deny) else judgement.standing
            freer = freer or (permit is not None and not _is_for(permit, request, judgement))
            gate = Gate.ALLOW if permit is not None else _gate(projector, envelope, request, judgement, now)
            used = {Use(_SKILL, entry): when.used for entry in rated.values()}
            freer = (
                freer
                or _STRICTNESS[gate] < _STRICTNESS[gate_table()[line, level]]
                or (calls and _lets_through(projector, session, request, now, used))
            )
        return RuntimeAnswer(line, freer)


def _at_level(manifest: Manifest, level: Verification) -> _AtLevel:
    policy = SkillPolicy(_SKILL, manifest, level, snapshotted=(_WORKSPACE,), places=_PLACES)
    own = {name: place for name, place in _PLACES.items() if name != SKILL}
    loaded = Loaded(_SKILL, "", manifest, level, _PLACES[SKILL])
    session = SessionPolicy("proof", (), tuple(own.items()), skills=(loaded,), snapshotted=(_WORKSPACE,))
    return _AtLevel(Projector(policy), session)


def _line(code: str) -> Standing:
    return Standing.DENIED if code in ("denied", "command-denied", "command-missing") else Standing.OUTSIDE


def _gate(projector: Projector, envelope: Envelope, request: Request, judgement: object, now: Situation) -> Gate:
    """Return the most permissive answer with which a permit is issued."""
    if any(_permits(projector, envelope, answer, now) for answer in (None, _NOBODY)):
        return Gate.ALLOW
    if isinstance(judgement, Ask) and judgement.key and _permits(projector, envelope, Approval(judgement.key), now):
        return Gate.ONCE
    exact = Approval(request.digest(_SKILL))
    return Gate.CONFIRM if _permits(projector, envelope, exact, now) else Gate.DENY


def _permits(projector: Projector, envelope: Envelope, answer: Approval | None, now: Situation) -> bool:
    return type(projector.project(envelope, now, answer)) is Permit


def _lets_through(
    projector: Projector, session: SessionPolicy, request: Request, now: Situation, used: Mapping[Use, Sequence[float]]
) -> bool:
    """Return whether the decision on a call is more permissive than the projector: without its permit, despite a doubt,
    or beyond other principals' rights.
    """
    judgement, permit = projector.consider(request, now._replace(understood=True))
    call = Call((request,))
    decided = decide(session, call, now, used)
    if decided.gate is Gate.DENY:
        return False
    if isinstance(judgement, Deny):
        return True
    if decided.gate is Gate.ALLOW:
        held = [one.permit for one in decided.judged]
        if permit is None or [one is not None and _is_for(one, request, judgement) for one in held] != [True]:
            return True
    if decide(session, call._replace(doubts=("it is not understood",)), now, used).gate is Gate.ALLOW:
        return True
    if session.skills[-1].level is not Verification.FORMAL:
        return False
    after = replace(
        session, skills=(*session.skills, _SENDER)
    )  # the one that was loaded last may not do it: a person is asked
    if decide(after, call, now, used).gate is Gate.ALLOW:
        return True
    return any(decide(one, call, now, used).gate is not Gate.DENY for one in _narrower(session, request))


def _is_for(permit: Permit, request: Request, judgement: object) -> bool:
    """Return whether a permit is for this request of this skill, by the entry that allows it."""
    if type(permit) is not Permit or not isinstance(judgement, Allow):
        return False
    said = (_SKILL, request, judgement.member, judgement.uses, judgement.redact)
    return (permit.skill, permit.request, permit.member, permit.uses, permit.redact) == said


def _narrower(session: SessionPolicy, request: Request) -> Iterator[SessionPolicy]:
    """Yield the same session with this request excluded: another skill sent for this one, or the task is something else."""
    skill = session.skills[-1]
    yield replace(session, skills=(_SENDER, skill._replace(sent_by=(_SENDER.name,))))
    other = next(name for name in _OTHERS if name != request.capability)
    yield replace(session, task=(Permission(other, effect=Decision.ALLOW),))
