"""A container gets the whole machine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.location import Location
from remit.core.patterns import lazy_pattern
from remit.findings.evidence import by_command, by_text
from remit.findings.model import Basis, Finding, Rule, Severity
from remit.findings.trust import standing

if TYPE_CHECKING:
    from remit.findings.subject import Subject

_ROOT = lazy_pattern(r"(?:^|=)/:/")
_WHOLE = lazy_pattern(r"(?:^|=)/:/|docker\.sock|^--privileged$|^--pid=host$|(?:^|,)(?:source|src)=/,")


def find(subject: Subject) -> Iterator[Finding]:
    """Containers that are started with the machine inside, by commands and by files."""
    yield from _in_files(subject)
    for command in subject.commands:
        if command.program in ("docker", "podman", "nerdctl") and any(map(_WHOLE.search, command.words)):
            whole = any(map(_ROOT.search, command.words)) and command.basis in (Basis.SCRIPT, Basis.HOOK)
            severity = Severity.HIGH if whole else Severity.MEDIUM
            yield by_command(RULE, command, severity, "gives a container the whole machine")


def _in_files(subject: Subject) -> Iterator[Finding]:
    """Manifests and compose files that give a container the root of the machine."""
    for file in subject.skill.files:
        if not file.path.endswith((".yml", ".yaml")) or file.path in subject.documents:
            continue
        lines = subject.lines(file.path)
        at = next((number for number, line in enumerate(lines, 1) if _MOUNTED.search(line)), 0)
        if not at:
            continue
        images = (found[1].lower() for line in lines if (found := _IMAGE.search(line)))
        unknown = any(standing(subject, host).hidden for host in images)
        by_itself = unknown and any(_PRIVILEGED.search(line) for line in lines)
        where, severity = Location(file.path, at), Severity.HIGH if by_itself else Severity.MEDIUM
        finding = by_text(RULE, subject, where, lines[at - 1].strip(), severity, "gives a container the whole machine")
        yield finding._replace(basis=subject.basis(where))


_MOUNTED = lazy_pattern(
    r"hostPath:\s*\{?\s*path:\s*[\"']?/[\"']?\s*(?:\}|,|$)|^\s*-\s*[\"']?/:/|^\s*path:\s*[\"']?/[\"']?\s*$"
)
_PRIVILEGED = lazy_pattern(r"privileged:\s*true|hostPID:\s*true|pid:\s*[\"']?host")
_IMAGE = lazy_pattern(r"\bimage:\s*[\"']?([\w-]+(?:\.[\w-]+)+)(?::\d+)?/")


RULE = Rule(
    "host-exposed",
    "weakening",
    "a container gets access to the whole machine",
    Severity.HIGH,
    "A container with the machine's root folder, its Docker socket or all privileges is no boundary: what runs in it is root on the machine.",
    "Nothing. The finding is medium, except for a script that mounts the machine's root, or an unknown privileged image.",
    "Mount only the folder that is needed.",
    find,
)
