"""The user's data is sent to an unknown host."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.findings.evidence import by_order
from remit.findings.hosts import URL, kind_of
from remit.findings.model import Rule, Severity
from remit.findings.orders import ordered
from remit.findings.trust import is_anonymous, publisher_known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.findings.model import Finding
    from remit.findings.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    """Orders to send files, reports or summaries to a host."""
    for order in ordered(subject, "data-out"):
        for found in URL.finditer(order.passage):
            host = found[1].lower()
            if kind_of(host) in ("local", "code") or publisher_known(subject, host, found[2] or "") == "announced":
                continue
            unknown = is_anonymous(host) or not publisher_known(subject, host, found[2] or "")
            severity = Severity.HIGH if unknown else Severity.LOW
            yield by_order(RULE, subject, order, severity, f"tells the agent to send your data to {host}")
            break
    for order in ordered(subject, "tenant-out"):
        yield by_order(RULE, subject, order, Severity.HIGH, "copies your data to the workspace of another customer")


RULE = Rule(
    "data-to-unknown-host",
    "orders",
    "the agent is told to send the user's data to a host that nothing else speaks of",
    Severity.HIGH,
    "Data that goes to a host of which neither the description nor the rest of the text speaks does not serve"
    " the task.",
    "Hosts of the service that the skill is about, of this machine, and those that the user names.",
    "Name the service in the description, and ask before data is sent.",
    find,
)
