"""A shell of the machine is opened to the network."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.location import Location
from remit.core.patterns import lazy_pattern
from remit.findings.evidence import by_effect, by_text
from remit.findings.model import Basis, Finding, Rule, Severity
from remit.findings.purpose import is_about

if TYPE_CHECKING:
    from remit.findings.subject import Subject

_SHELL = lazy_pattern(
    r"\b(?:ba|z|da|k)?sh\s+-i\b|\b0[<>]&|>&\s?/dev/tcp/|<&\s?\d|exec\s+\d+<>|\|\s*(?:/\S*/)?(?:ba|z|da|k)?sh\b|\s-e\s*(?:/\S*/)?(?:ba|z|da|k)?sh\b|\s-c\s+(?:/\S*/)?(?:ba|z)?sh\b"
    r"|exec:[\"']?(?:/\S*/)?(?:ba|z)?sh|pty\.spawn|mkfifo|cmd\.exe|powershell",
    re.IGNORECASE,
)
_DUPLICATES = lazy_pattern(
    r"\bdup2\(|pty\.spawn\(|spawn\([\"'](?:/bin/)?(?:ba)?sh|\.pipe\(\w+\.stdin\)|/bin/(?:ba)?sh[\"'],?\s*[\"']-i"
)
_NEAR = 8  # lines in which a socket and a shell belong together
_CARRIERS = frozenset({"nc", "ncat", "netcat", "socat", "bash", "sh", "zsh", "telnet", ""})


def find(subject: Subject) -> Iterator[Finding]:
    """Connections whose ends are the input and output of a shell."""
    about = is_about(subject, "attacks")
    if not about:
        yield from _written(subject)
    for effect in subject.with_capability("net.connect", "net.listen"):
        if effect.via.possible:
            continue
        line = subject.line(effect.where)
        at = effect.where.line
        joined = effect.via.name in _CARRIERS and _SHELL.search(line)
        if joined or any(
            _DUPLICATES.search(text) for text in subject.lines(effect.where.file)[max(0, at - _NEAR) : at + _NEAR]
        ):
            taught = about or subject.basis_of(effect) is Basis.SAMPLE
            severity = Severity.HIGH if taught else Severity.CRITICAL
            where = "any host that connects" if effect.capability == "net.listen" else effect.scope.render()
            yield by_effect(RULE, subject, effect, severity, f"gives a shell of this machine to {where}")


# Lines that nobody writes for another purpose, wherever they are run.
_UNMISTAKABLE = lazy_pattern(
    r"n(?<!\wn)(?:c|cat|etcat)\s+(?:-\w+\s+)*-\w*[ec]\s*(?:/\S*/)?(?:ba|z)?sh\b|b(?<!\wb)ash\s+-i\s*>&\s*/dev/tcp/|:\(\)\s*\{\s*:\s*\|\s*:\s*&\s*\}\s*;\s*:"
)


def _written(subject: Subject) -> Iterator[Finding]:
    """Such lines in scripts, also inside of text that a script sends or keeps."""
    for file in subject.skill.files:
        if not file.languages or file.path in subject.documents:
            continue
        lines = subject.lines(file.path)
        for number, line in enumerate(lines if _UNMISTAKABLE.search("\n".join(lines)) else (), 1):
            if _UNMISTAKABLE.search(line) and not line.lstrip().startswith(("#", "//")):
                where = Location(file.path, number)
                message = "opens a shell to the network, or lets processes multiply until the machine stops"
                finding = by_text(RULE, subject, where, line.strip(), Severity.HIGH, message)
                yield finding._replace(basis=subject.basis(where))


RULE = Rule(
    "reverse-shell",
    "hidden code",
    "a shell of the machine is opened to the network",
    Severity.CRITICAL,
    "The other end of the connection can do everything that the user can do.",
    "Checks whether a port is open, and connections without a shell.",
    "Remove it; let people log in by SSH.",
    find,
)
