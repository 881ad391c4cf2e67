"""The description rules out what the skill does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.patterns import lazy_pattern
from remit.core.scope import HostScope
from remit.core.via import Cause
from remit.findings.evidence import by_effect
from remit.findings.hosts import kind_of
from remit.findings.model import Basis, Finding, Rule, Severity
from remit.findings.trust import standing

if TYPE_CHECKING:
    from remit.core.effect import Effect
    from remit.findings.subject import Subject

_LOCAL = lazy_pattern(
    r"\b(?:offline|no network|without (?:any )?(?:network|internet)|(?:fully|100%|completely|purely|entirely) local(?:ly)?|local[- ]only|(?:never|nothing|not) leaves? (?:your|the) (?:machine|computer|device)"
    r"|no data (?:is )?(?:sent|leaves|uploaded)|nothing is (?:sent|uploaded)|no (?:api|cloud) calls?|air-?gapped)",
    re.IGNORECASE,
)
_READ_ONLY = lazy_pattern(
    r"\bread[- ]only\b(?! (?:by default|access|memory|mode))|\b(?:never|does not|without) (?:modif|chang|writ|delet)\w+ (?:any )?(?:files?|anything|data)",
    re.IGNORECASE,
)
_SENDS = ("web.post", "net.connect")
_CHANGES = ("file.delete", "commit.push", "db.write", "web.post")


def find(subject: Subject) -> Iterator[Finding]:
    """Effects that the description rules out."""
    said = _LOCAL.search(subject.description)
    if said:
        for effect in subject.sending():
            if _is_sent(subject, effect):
                message = f"talks to {effect.scope.render()} although its description says {said[0]!r}"
                host = effect.scope.host if isinstance(effect.scope, HostScope) else ""
                hidden = subject.basis_of(effect) in (Basis.SCRIPT, Basis.HOOK) and standing(subject, host).hidden
                severity = Severity.HIGH if hidden and effect.capability in _SENDS else Severity.MEDIUM
                yield by_effect(RULE, subject, effect, severity, message)
    said = _READ_ONLY.search(subject.description)
    if said:
        for effect in subject.with_capability(*_CHANGES):
            if effect.via.cause is not Cause.SENTENCE and subject.basis_of(effect) in (Basis.SCRIPT, Basis.HOOK):
                message = f"changes {effect.scope.render()} although its description says {said[0]!r}"
                yield by_effect(RULE, subject, effect, Severity.LOW, message)


def _is_sent(subject: Subject, effect: Effect) -> bool:
    if not isinstance(effect.scope, HostScope) or effect.scope.host.startswith("<") or effect.via.possible:
        return False
    if effect.via.cause is Cause.SENTENCE or subject.names_host(effect.scope):
        return False
    return kind_of(effect.scope.host) not in ("local", "code") and effect.capability != "web.fetch"


RULE = Rule(
    "contradicts-description",
    "beyond description",
    "the skill does what its description excludes",
    Severity.HIGH,
    "People install a skill by its description.",
    "Local hosts, package installations, samples.",
    "Change the description or the code.",
    find,
)
