"""Data goes to a host that hides who is behind it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.scope import HostScope
from remit.findings.evidence import by_effect
from remit.findings.hosts import WORDS, kind_of
from remit.findings.model import Finding, Rule, Severity
from remit.findings.trust import publisher_known

if TYPE_CHECKING:
    from remit.core.effect import Effect
    from remit.findings.subject import Subject

_SENDS = frozenset({"web.post", "api.call", "net.connect"})
_GRAVE = frozenset({"collector", "paste"})


def find(subject: Subject) -> Iterator[Finding]:
    """Effects that reach such a host."""
    for effect in subject.sending():
        scope = effect.scope
        if not isinstance(scope, HostScope) or effect.via.possible:
            continue
        kind = kind_of(scope.host)
        if kind in WORDS and kind != "hosting" and publisher_known(subject, scope.host) != "announced":
            verb = "sends data to" if effect.capability in _SENDS else "fetches from"
            yield by_effect(RULE, subject, effect, _severity(effect, kind), f"{verb} {scope.host}, {WORDS[kind]}")


def _severity(effect: Effect, kind: str) -> Severity:
    if effect.capability not in _SENDS:
        return Severity.MEDIUM if kind == "collector" else Severity.LOW
    return Severity.HIGH if kind in _GRAVE else Severity.MEDIUM


RULE = Rule(
    "suspicious-destination",
    "network",
    "data goes to a host that hides its owner",
    Severity.HIGH,
    "Request bins, paste sites, tunnels and bare IP addresses hide who receives the data.",
    "Local hosts and private networks; services that the description names.",
    "Send data to a named host that the description mentions.",
    find,
)
