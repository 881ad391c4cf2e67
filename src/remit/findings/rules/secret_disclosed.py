"""The agent is told to pass credentials on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.core.location import Location
from remit.findings.evidence import by_order, by_text
from remit.findings.hosts import URL, kind_of, stands_for_other
from remit.findings.model import Rule, Severity
from remit.findings.orders import ordered
from remit.findings.trust import publisher_known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.findings.model import Finding
    from remit.findings.subject import Subject

_IN_LINK = re.compile(r"[?&](?:pw|pass|passwd|password|secret|token|api_?key|key|cookie|env)=[<{$\[]", re.IGNORECASE)
_SHOWS = frozenset({"display", "show", "open", "render", "send", "include", "click", "visit"})
_FORMS = re.compile(
    r"\b(?:header|authorization|bearer|oauth|login|log in|sign in|authenticat\w*|basic auth|query param\w*|request body)\b",
    re.IGNORECASE,
)
_CARELESS = re.compile(
    r"\b(?:verbatim|contents?|all|each|every|values?|full|raw|html comment|whole|everything)\b", re.IGNORECASE
)


def find(subject: Subject) -> Iterator[Finding]:
    """Orders to pass credentials on, and links that carry one."""
    for order in ordered(subject, "secret-out"):
        hosts = [found[1].lower() for found in URL.finditer(order.passage)]
        if hosts and all(_expected(subject, host) for host in hosts):
            continue
        hard = any(not _expected(subject, host) for host in hosts) or _CARELESS.search(order.text)
        form = _FORMS.search(order.text) and not hosts
        severity = Severity.LOW if form else Severity.HIGH if hard else Severity.LOW
        yield by_order(RULE, subject, order, severity, "tells the agent to pass your credentials on")
    for passage in subject.passages:
        if "=" in passage.text and "://" in passage.text and _IN_LINK.search(passage.text):
            host = next(
                (
                    found[1].lower()
                    for found in URL.finditer(passage.text)
                    if _IN_LINK.search(passage.text[found.start() : found.end() + 1])
                ),
                "",
            )
            if host and not _expected(subject, host) and not _SHOWS.isdisjoint(passage.words):
                where = Location(passage.file, passage.line)
                yield by_text(
                    RULE, subject, where, passage.text, Severity.HIGH, f"puts a password into a link to {host}"
                )


def _expected(subject: Subject, host: str) -> bool:
    if stands_for_other(host):
        return False
    return kind_of(host) == "local" or publisher_known(subject, host) != ""


RULE = Rule(
    "secret-disclosed",
    "orders",
    "the agent is told to pass credentials on",
    Severity.HIGH,
    "A credential that the agent sends, publishes or writes into a result can be used by every reader of it.",
    "A credential that goes to its own service, words about how to keep credentials safe.",
    "Let a script use the credential where it is needed, and never put it into text.",
    find,
)
