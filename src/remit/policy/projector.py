"""The projector: from an untrusted envelope to a permit or a refusal. Nothing after it checks again.

Whatever a language model sends, the outcome is one of the |D| entries that grant, or nothing: log2(|D|+1) bits an envelope.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from remit.policy.judge import Ask, Deny, judge
from remit.policy.limits import UNKNOWN
from remit.policy.permit import Grant, claim_issuing
from remit.policy.refusal import Question, Refusal
from remit.policy.request import read

if TYPE_CHECKING:
    from collections.abc import Callable

    from remit.policy.limits import Situation
    from remit.policy.permit import Permit
    from remit.policy.request import Envelope
    from remit.policy.skillpolicy import SkillPolicy


class Approval(NamedTuple):
    """A person's word. `subject` is the digest of the request, or the key of its kind, that the person was asked about.

    Whoever keeps approvals spends each one once, and keeps those of a kind no longer than the session.
    """

    subject: str


def _maker(
    issue: Callable[[Grant], Permit],
) -> Callable[[SkillPolicy, Envelope, Situation, Approval | None], Permit | Refusal]:
    """The one function that can issue permits: the right to do so has no name anywhere else."""

    def project(
        policy: SkillPolicy, envelope: Envelope, situation: Situation, answer: Approval | None
    ) -> Permit | Refusal:
        request = read(envelope, situation.bound)
        if isinstance(request, Refusal):
            return request
        judgement = judge(policy, request, situation)
        if isinstance(judgement, Deny):
            return Refusal(judgement.code, judgement.reason)
        subject = request.digest(policy.skill)
        if isinstance(judgement, Ask) and (refusal := _unanswered(judgement, subject, answer)):
            return refusal
        return issue(Grant(policy.skill, judgement.member, request, subject, judgement.uses, judgement.redact))

    return project


def _unanswered(ask: Ask, subject: str, answer: Approval | None) -> Refusal | None:
    """The refusal if a person did not agree to this; None if one did."""
    question = Question(subject, ask.key, ask.reason)
    if answer is None:
        return Refusal("must-ask", ask.reason, question)
    if type(answer) is Approval and (answer.subject == subject or (ask.once and answer.subject == ask.key)):
        return None
    return Refusal("other-answer", ask.reason, question)


_project = _maker(claim_issuing())


class Projector(NamedTuple):
    """The projector of one skill in one session."""

    policy: SkillPolicy

    def project(
        self, envelope: Envelope, situation: Situation = UNKNOWN, answer: Approval | None = None
    ) -> Permit | Refusal:
        """The permit for what an envelope asks for, if the skill may do it now and a person who must agree has agreed."""
        return _project(self.policy, envelope, situation, answer)

    @property
    def members(self) -> int:
        """|D|: how many entries grant something."""
        return self.policy.members

    @property
    def bits(self) -> float:
        """How much an envelope can say: the logarithm of the number of outcomes."""
        return math.log2(self.members + 1)
