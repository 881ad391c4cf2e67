"""What commands do around a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.via import Cause

if TYPE_CHECKING:
    from remit.findings.subject import Subject

_NEAR = 10  # lines to either side
_ACTS = frozenset(
    {
        "web.post",
        "api.call",
        "net.connect",
        "message.send",
        "commit.push",
        "secret.read",
        "memory.write",
        "policy.expand",
        "file.delete",
        "schedule.create",
    }
)


def acts_near(subject: Subject, file: str, line: int) -> bool:
    """Whether a command near a line sends data, reads secrets, deletes or changes what the agent is told."""
    return any(
        effect.where.file == file
        and abs(effect.where.line - line) <= _NEAR
        and effect.via.cause is not Cause.SENTENCE
        and effect.capability in _ACTS
        and not effect.via.possible
        for effect in subject.effects
    )
