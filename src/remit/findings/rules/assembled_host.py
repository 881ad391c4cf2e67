"""The name of a host is put together from pieces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.patterns import lazy_pattern
from remit.core.scope import HostScope
from remit.findings.evidence import by_effect
from remit.findings.model import Finding, Rule, Severity

if TYPE_CHECKING:
    from remit.findings.subject import Subject

_PIECE = r"[\"'`][\w.-]{1,20}[\"'`]"
_PIECES = lazy_pattern(
    rf"{_PIECE}\s*\+\s*{_PIECE}|[\"'][.-]?[\"']\.join\(\s*[\[(]\s*{_PIECE}\s*,|\[\s*{_PIECE}\s*,[^\]\n]*\]\.join\("
)
_NEAR = 12  # lines above the call


def find(subject: Subject) -> Iterator[Finding]:
    """Hosts that are reached and that no file names, where pieces of text are put together."""
    hosts = {
        effect.scope.host: effect
        for effect in subject.sending()
        if isinstance(effect.scope, HostScope)
        and "." in effect.scope.host
        and not effect.scope.host.startswith(("<", "*"))
    }
    for host, effect in hosts.items():
        if effect.where.file in subject.documents or _named(subject, host):
            continue
        at = effect.where.line
        if any(_PIECES.search(line) for line in subject.lines(effect.where.file)[max(0, at - 1 - _NEAR) : at]):
            yield by_effect(
                RULE,
                subject,
                effect,
                Severity.HIGH,
                f"hides the name of the host {host} by putting it together from pieces",
            )


def _named(subject: Subject, host: str) -> bool:
    whole = host.encode()
    return any(whole in data.lower() for data in subject.skill.contents.values())


RULE = Rule(
    "assembled-host",
    "hidden code",
    "a host name is assembled from pieces",
    Severity.HIGH,
    "A search does not find a host whose full name appears nowhere in the skill.",
    "Names that are built from a region, an account or a stage; hosts that the text names.",
    "Write the host name in one piece.",
    find,
)
