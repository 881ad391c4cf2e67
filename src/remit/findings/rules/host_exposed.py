"""A container gets the whole machine."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.findings.evidence import by_command
from remit.findings.model import Basis, Rule, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.findings.model import Finding
    from remit.findings.subject import Subject

_ROOT = re.compile(r"(?:^|=)/:/")
_WHOLE = re.compile(r"(?:^|=)/:/|docker\.sock|^--privileged$|^--pid=host$|(?:^|,)(?:source|src)=/,")


def find(subject: Subject) -> Iterator[Finding]:
    """Containers that are started with the machine inside."""
    for command in subject.commands:
        if command.program in ("docker", "podman", "nerdctl") and any(map(_WHOLE.search, command.words)):
            whole = any(map(_ROOT.search, command.words)) and command.basis in (Basis.SCRIPT, Basis.HOOK)
            severity = Severity.HIGH if whole else Severity.MEDIUM
            yield by_command(RULE, command, severity, "gives a container the whole machine")


RULE = Rule(
    "host-exposed",
    "weakening",
    "a container gets the whole machine",
    Severity.HIGH,
    "A container with the root of the machine, its Docker socket or all privileges is no boundary: what runs"
    " in it runs as root on the machine.",
    "Tools that are about containers are to be looked at as well.",
    "Mount the one folder that is needed.",
    find,
)
