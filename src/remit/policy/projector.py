"""The projector: from an untrusted envelope to a permit or a refusal. Nothing after it checks again.

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
from remit.policy.refusal import Question, Refusal
from remit.policy.request import Envelope, Request, read

if TYPE_CHECKING:
    from remit.policy.skill_policy import SkillPolicy


@final
class Approval(NamedTuple):
    """A person's word. `subject` is the digest of the request, or the key of its kind, that the person was asked about.

    Whoever keeps approvals spends each one once, and keeps those of a kind no longer than the session.
    """

    subject: str


@final
class Considered(NamedTuple):
    """What was judged of a request, and the permit if nothing speaks against it and nobody need be asked."""

    judgement: Judgement
    permit: Permit | None


def _maker(
    issue: Callable[[Grant], Permit],
) -> Callable[[SkillPolicy, Request, Situation, Approval | None], Considered]:
    """The one function that can issue permits: the right to do so has no name anywhere else."""

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
    """Whether the answer is to another question."""
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
        """The permit for what an envelope asks for, if the skill may do it now and a person who must agree has agreed."""
        request = read(envelope, situation.bound)
        if isinstance(request, Refusal):
            return request
        judgement, permit = _project(self.policy, request, situation, answer)
        if permit is not None:
            return permit
        if isinstance(judgement, Ask):
            question = Question(request.digest(self.policy.skill), judgement.key, judgement.reason)
            return Refusal("must-ask" if answer is None else "other-answer", judgement.reason, question)
        assert isinstance(judgement, Deny)
        return Refusal(judgement.code, judgement.reason)

    def consider(self, request: Request, situation: Situation = UNKNOWN) -> Considered:
        """The same for a request that the host's own tools make, which was read elsewhere, without a person's word."""
        return _project(self.policy, request, situation, None)

    @property
    def members(self) -> int:
        """|D|: how many entries grant something."""
        return self.policy.members

    @property
    def bits(self) -> float:
        """How much an envelope can say: the logarithm of the number of outcomes."""
        return math.log2(self.members + 1)
