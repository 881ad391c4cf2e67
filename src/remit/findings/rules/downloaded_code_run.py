"""A script downloads a file and runs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.scope import DEEP, HOME, ROOT, TEMP, WORKSPACE, HostScope, PathScope, overlaps
from remit.findings.evidence import by_flow
from remit.findings.hosts import is_installer, kind_of
from remit.findings.model import Rule, Severity
from remit.findings.trust import is_anonymous, publisher_known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.core.scope import Scope
    from remit.findings.model import Finding
    from remit.findings.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    """Files that are written of what a host gives, and run."""
    run = [
        effect
        for effect in subject.with_capability("source.execute")
        if isinstance(effect.scope, PathScope) and effect.scope.anchor in _KEPT
    ]
    for flow in subject.flows if run else ():
        source, sink = flow.source.scope, flow.sink.scope
        if flow.sink.capability not in _WRITES or not isinstance(source, HostScope) or not isinstance(sink, PathScope):
            continue
        host = source.host.removeprefix("*.")
        if sink.anchor not in _KEPT or kind_of(host) == "local" or is_installer(host):
            continue
        if any(_is_same_file(effect.scope, sink) for effect in run):
            known = publisher_known(subject, host)
            severity = Severity.HIGH if is_anonymous(host) or not known else Severity.MEDIUM
            severity = Severity.LOW if known == "announced" else severity
            yield by_flow(RULE, subject, flow, severity, f"downloads code from {host} and runs it")


def _is_same_file(run: Scope, written: PathScope) -> bool:
    """Whether both are one file, not only folders that have something in common."""
    parts = (*written.parts, *run.parts) if isinstance(run, PathScope) else ()
    return DEEP not in parts and written.parts[-1:] not in ((), ("*",)) and overlaps(run, written)


_WRITES = frozenset({"file.write", "source.write"})
_KEPT = frozenset({TEMP, HOME, WORKSPACE, ROOT})  # places that the skill itself names

RULE = Rule(
    "downloaded-code-run",
    "remote code",
    "a file is downloaded and run, at any distance",
    Severity.HIGH,
    "The owner of the address decides what runs on the machine, at every run anew, and no version of it can be reviewed.",
    "Vendors' own installers of well-known tools, and hosts of this machine.",
    "Ship the code with the skill, or compare the digest of what was downloaded before it runs.",
    find,
)
