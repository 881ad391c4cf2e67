"""The policy decision: gate, projector and transaction buffer. Pure: no clock, no disk, no network."""

from remit.policy.gate import Gate, Standing, gate_table, standing
from remit.policy.judge import Allow, Ask, Deny, Judgement, judge
from remit.policy.limits import Moment, Situation
from remit.policy.permit import Permit
from remit.policy.projector import Approval, Projector
from remit.policy.refusal import ApprovalQuestion, Refusal
from remit.policy.request import Envelope, Request, read
from remit.policy.skill_policy import SkillPolicy

__all__ = [
    "Allow",
    "Approval",
    "ApprovalQuestion",
    "Ask",
    "Deny",
    "Envelope",
    "Gate",
    "Judgement",
    "Moment",
    "Permit",
    "Projector",
    "Refusal",
    "Request",
    "Situation",
    "SkillPolicy",
    "Standing",
    "gate_table",
    "judge",
    "read",
    "standing",
]
