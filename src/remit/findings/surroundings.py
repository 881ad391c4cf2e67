"""What stands around an order: acts that it may be about, secrets, files from outside."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.core.patterns import lazy_pattern
from remit.core.via import Cause
from remit.findings.hosts import URL

if TYPE_CHECKING:
    from remit.core.effect import Effect
    from remit.findings.orders import Order
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
_SECRETS = lazy_pattern(
    r"\b(?:passwords?|credentials?|secrets?|api[ _-]?keys?|private keys?|tokens?)\b|\.env\b|\.ssh\b|\.aws\b",
    re.IGNORECASE,
)
_KEYS = lazy_pattern(
    r"\.ssh/|id_rsa|\.aws/|\.env\b|\.netrc|credentials|private key|seed phrase|password", re.IGNORECASE
)
_KEY_FILES = lazy_pattern(r"(?:^|[\s/`\"'])\.env\b|\.ssh/|\.aws/|id_rsa|\.netrc")
_ACT = lazy_pattern(r"\b(?:upload|send|forward|transmit|exfiltrat|bcc|post|sync|copy|collect)\w*\b", re.IGNORECASE)
_OUTSIDE = lazy_pattern(r"(?<![\w/.:~])/(?!tmp/|dev/|usr/|etc/|bin/|proc/|sys/)[\w.@-]+/[\w./@-]*[\w-]\.\w{2,5}\b")


def acts_near(subject: Subject, order: Order) -> bool:
    """Whether something is done near an order that it may be about: data is sent, secrets are read, memory is changed."""
    if _ACT.search(order.text) and (URL.search(order.passage) or _SECRETS.search(order.passage)):
        return True
    near = text_near(subject, order)
    if _ACT.search(near) and _KEYS.search(near) and URL.search(near):
        return True
    return any(_is_act(effect) and _is_near(effect, order) for effect in subject.effects)


def text_near(subject: Subject, order: Order) -> str:
    """The lines around an order."""
    return "\n".join(subject.lines(order.file)[max(0, order.line - 1 - _NEAR) : order.line + _NEAR])


def _is_act(effect: Effect) -> bool:
    return effect.capability in _ACTS and not effect.via.possible and effect.via.cause is not Cause.SENTENCE


def _is_near(effect: Effect, order: Order) -> bool:
    return effect.where.file == order.file and abs(effect.where.line - order.line) <= _NEAR


def reads_keys_near(subject: Subject, order: Order) -> bool:
    """Whether a file with credentials is named just before an order."""
    above = subject.lines(order.file)[max(0, order.line - 2 * _NEAR) : order.line]
    return any(_KEY_FILES.search(line) for line in above)


def speaks_of_secrets(text: str) -> bool:
    """Whether a text speaks of credentials."""
    return _SECRETS.search(text) is not None


def outside_file(text: str) -> str:
    """The file that a text names by a fixed path that is neither the skill's nor the system's; empty if there is none."""
    found = _OUTSIDE.search(text) if "/" in text else None
    return found[0] if found else ""
