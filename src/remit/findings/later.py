"""What a script writes into a file that runs later: the text that stands there, and what it would do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.core.patterns import lazy_pattern
from remit.findings.hosts import URL, is_installer, kind_of
from remit.findings.pieces import code_of
from remit.findings.trust import HostStanding, standing

if TYPE_CHECKING:
    from remit.core.location import Location
    from remit.findings.subject import Subject

_NEAR = 6  # lines above and below a write that show what is written
_LONGEST = 80  # lines of a here-document that are looked at
_HERE = lazy_pattern(r"<<-?\s*[\"']?(\w+)[\"']?")
_TAKES_OVER = lazy_pattern(
    r"/dev/tcp/|\bbase64\s+(?:-d|-D|--decode)|\bnc\s+(?:-\w+\s+)*-\w*e|\bbash\s+-i\b|b64decode|(?:^|[\s\"'/=])/tmp/\.|/dev/shm/"
    r"|\bexec\(\s*(?:\w+\.)*(?:urlopen|get)\(|\|\s*(?:ba|z|da)?sh\b|\.then\(eval\)"
)
_REPLACES = lazy_pattern(
    r"(?:^|[\s;\"'`])(?:alias\s+(?:sudo|su|ssh|scp|gpg|passwd|login)=|(?:function\s+)?(?:sudo|su|ssh|scp|git|gpg|passwd|npm|docker|kubectl|aws)\s*\(\)\s*\{)"
)


def text_written(subject: Subject, where: Location) -> str:
    """The here-document that begins on a line, or else the lines around it."""
    lines = subject.lines(where.file)
    line = lines[where.line - 1] if 0 < where.line <= len(lines) else ""
    if found := _HERE.search(line):
        body = lines[where.line : where.line + _LONGEST]
        end = next((at for at, text in enumerate(body) if text.strip() == found[1]), len(body))
        return "\n".join([line, *body[:end]])
    return "\n".join(lines[max(0, where.line - 1 - _NEAR) : where.line + _NEAR])


def harm_later(subject: Subject, where: Location, *, exact: bool = False) -> str:
    """What the text that is written would do to the user, in words; empty if nothing speaks for harm.

    `exact`: only a here-document or the line itself, not what stands around it.
    """
    exact = exact and not _HERE.search(subject.line(where))
    text = subject.line(where) if exact else text_written(subject, where)
    if _REPLACES.search(text):
        return "replaces a command that you trust with its own function"
    if _TAKES_OVER.search(text):
        return "runs hidden or downloaded code"
    hosts = _hosts(subject, text) if _CALLS.search(text) else []
    writes = any(effect.capability == "file.write" for effect in subject.by_line.get(where, ()))
    if not hosts and not exact and writes and where.file not in subject.documents:
        hosts = hidden_hosts(subject, where.file)  # what is written may be put together anywhere in the script
    return f"calls {hosts[0]}" if hosts else ""


def hidden_hosts(subject: Subject, file: str) -> list[str]:
    """The hosts in a script's texts that a reader of the skill does not know of."""
    lines = code_of(subject, file).lines.values()
    return _hosts(subject, "\n".join(line for line in lines if "://" in line and not _SCHEMA.search(line)))


def _hosts(subject: Subject, text: str) -> list[str]:
    found = []
    for url in URL.finditer(text):
        host = url[1].lower()
        if "." not in host or host in _NAMESPACES or kind_of(host) == "code" or is_installer(host, url[2] or ""):
            continue
        who = standing(subject, host)
        if who.hidden or who is HostStanding.ECHOED:
            found.append(host)
    return found


# Hosts in the names of XML elements: nothing is fetched from them
_NAMESPACES = frozenset(
    {"www.w3.org", "schemas.openxmlformats.org", "schemas.microsoft.com", "schemas.xmlsoap.org", "purl.org"}
)
_SCHEMA = lazy_pattern(r"\$schema|xmlns|DOCTYPE|SPDX|licen[cs]e", re.IGNORECASE)


_CALLS = lazy_pattern(r"\b(?:curl|wget|fetch|urlopen|requests|http\.client|nc|ssh|scp|rsync|Invoke-WebRequest|iwr)\b")
