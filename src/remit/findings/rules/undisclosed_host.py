"""A script sends data to a host that no text names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.scope import HostScope
from remit.findings.evidence import by_effect
from remit.findings.hosts import kind_of
from remit.findings.lookalikes import is_well_known
from remit.findings.model import Basis, Rule, Severity
from remit.findings.trust import is_anonymous, publisher_known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.findings.model import Finding
    from remit.findings.subject import Subject

_SENDS = ("web.post", "net.connect")


def find(subject: Subject) -> Iterator[Finding]:
    """Hosts that scripts send to and that no document names."""
    seen: dict[str, bool] = {}
    for effect in subject.with_capability(*_SENDS):
        if not isinstance(effect.scope, HostScope) or effect.via.possible:
            continue
        host = effect.scope.host
        if "." not in host or host.startswith(("<", "*")) or kind_of(host) in ("local", "code") or is_well_known(host):
            continue
        if subject.basis_of(effect) not in (Basis.SCRIPT, Basis.HOOK):
            continue
        if host not in seen:
            seen[host] = host in subject.written or publisher_known(subject, host) != ""
        if not seen[host]:
            grave = kind_of(host) == "hosting" or is_anonymous(host)
            severity = Severity.HIGH if grave else Severity.MEDIUM
            yield by_effect(RULE, subject, effect, severity, f"sends data to {host}, which no text of the skill names")


RULE = Rule(
    "undisclosed-host",
    "network",
    "a script sends data to a host that no text of the skill names",
    Severity.HIGH,
    "What a skill sends and where to belongs in its text. A host that stands only in the code is easily overlooked.",
    "Hosts whose operator the text names, this machine, and hosts that the user names.",
    "Name the service, and what is sent to it, in the description.",
    find,
)
