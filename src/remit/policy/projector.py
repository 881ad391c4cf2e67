"""The projector: it turns an untrusted envelope into a permit or a refusal. Nothing after it checks again.

Whatever a language model sends, the outcome is one of the |D| entries that grant, or nothing: log2(|D|+1) bits an envelope.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, final

from remit.policy.judge import Ask, Deny, Judgement
from remit.policy.judgement_cache import judged
from remit.policy.limits import UNKNOWN, Situation
from remit.policy.permit import Grant, Permit, claim_issuing
from remit.policy.refusal import ApprovalQuestion, Refusal
from remit.policy.request import Envelope, Request, read

if TYPE_CHECKING:
    from remit.policy.skill_policy import SkillPolicy


@final
class Approval(NamedTuple):
    """A person's answer. `subject` is the digest of the request, or the key of its kind, that the person was asked
    about.

    The caller must use each approval once, and keep those of a kind no longer than the session.
    """

    subject: str


@final
class Considered(NamedTuple):
    """A judgement of a request, and the permit if it is granted without a question."""

    judgement: Judgement
    permit: Permit | None


def _maker(
    issue: Callable[[Grant], Permit],
) -> Callable[[SkillPolicy, Request, Situation, Approval | None], Considered]:
    """Return the only function that can issue permits: no other name holds the right to do so."""

    def project(policy: SkillPolicy, request: Request, situation: Situation, answer: Approval | None) -> Considered:
        judgement = judged(policy, request, situation)
        if isinstance(judgement, Deny):
            return Considered(judgement, None)
        if isinstance(judgement, Ask) and (answer is None or _unanswered(policy, request, judgement, answer)):
            return Considered(judgement, None)
        grant = Grant(policy.skill, judgement.member, request, judgement.uses, judgement.redact)
        return Considered(judgement, issue(grant))

    return project


def _unanswered(policy: SkillPolicy, request: Request, ask: Ask, answer: Approval) -> bool:
    """Return whether the answer is to another question."""
    same = type(answer) is Approval and (
        answer.subject == request.digest(policy.skill) or (ask.once and answer.subject == ask.key)
    )
    return not same


_project = _maker(claim_issuing())


@final
class Projector(NamedTuple):
    """The projector of one skill in one session."""

    policy: SkillPolicy

    def project(
        self, envelope: Envelope, situation: Situation = UNKNOWN, answer: Approval | None = None
    ) -> Permit | Refusal:
        """Return the permit for an envelope, if the skill may do it now and a person agreed where one must."""
        request = read(envelope, situation.bound)
        if isinstance(request, Refusal):
            return request
        judgement, permit = _project(self.policy, request, situation, answer)
        if permit is not None:
            return permit
        if isinstance(judgement, Ask):
            question = ApprovalQuestion(request.digest(self.policy.skill), judgement.key, judgement.reason)
            return Refusal("must-ask" if answer is None else "other-answer", judgement.reason, question)
        assert isinstance(judgement, Deny)
        return Refusal(judgement.code, judgement.reason)

    def consider(self, request: Request, situation: Situation = UNKNOWN) -> Considered:
        """Judge a request of the host's own tools, which was already parsed, without an approval."""
        return _project(self.policy, request, situation, None)

    @property
    def members(self) -> int:
        """The number of granting entries, |D|."""
        return self.policy.members

    @property
    def bits(self) -> float:
        """The information that an envelope can convey: the logarithm of the number of outcomes."""
        return math.log2(self.members + 1)
