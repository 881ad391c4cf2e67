"""A script in a language that the analysis does not read does harm by its words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.location import Location
from remit.core.patterns import lazy_pattern
from remit.findings.evidence import by_text
from remit.findings.hosts import URL, is_installer, kind_of
from remit.findings.model import Basis, Finding, Rule, Severity
from remit.findings.trust import HostStanding, standing

if TYPE_CHECKING:
    from remit.findings.subject import Subject

_SUFFIXES = (
    ".ps1",
    ".psm1",
    ".bat",
    ".cmd",
    ".vbs",
    ".zsh",
    ".fish",
    ".scpt",
    ".applescript",
    ".rb",
    ".pl",
    ".php",
    ".lua",
    ".awk",
    ".go",
    ".rs",
    ".java",
    ".kt",
    ".swift",
    ".cs",
    ".c",
    ".cpp",
)
_CALLS = lazy_pattern(
    r"\b(?:Invoke-WebRequest|Invoke-RestMethod|iwr|irm|curl|wget|WebClient|HttpClient|DownloadString|DownloadFile|UploadString|UploadFile|bitsadmin|certutil|Net::HTTP|URI\.open|LWP|HTTP::Tiny"
    r"|file_get_contents|curl_init|fsockopen|TCPSocket|TCPClient|XMLHTTP|do shell script|http\.(?:Post|Get|NewRequest)|reqwest|ureq|URLSession|HttpURLConnection|HttpRequest|curl_easy_\w+|OkHttp\w*)\b",
    re.IGNORECASE,
)
_RUNS = lazy_pattern(
    r"\b(?:IEX|Invoke-Expression|Start-Process|FromBase64String|EncodedCommand|eval|instance_eval|system|passthru|shell_exec|wscript|mshta|rundll32|regsvr32)\b|\|\s*(?:ba|z|da)?sh\b|-enc\b",
    re.IGNORECASE,
)
_TAKES = lazy_pattern(
    r"\$env:|\bENV\b|getenv|\.ssh\b|\.aws\b|Cookies|Login Data|Get-Clipboard|pbpaste|preexec|history|Get-Content|File\.read|hidden answer|os\.ReadFile|fs::read|readAllBytes|contentsOf|fopen|COMPUTERNAME|USERNAME|credential|password",
    re.IGNORECASE,
)
_DISARMS = lazy_pattern(
    r"Set-MpPreference\b[^\n]*(?:-Disable|\$true)|Add-MpPreference\b[^\n]*-Exclusion|netsh\s+advfirewall\b[^\n]*\boff\b|vssadmin\b[^\n]*delete|wevtutil\s+cl\b|bcdedit\b[^\n]*recoveryenabled\s+no",
    re.IGNORECASE,
)


def find(subject: Subject) -> Iterator[Finding]:
    """Lines of such scripts that fetch code, send data or switch protections off."""
    for file in subject.skill.files:
        if not file.path.endswith(_SUFFIXES) or subject.basis(Location(file.path, 1)) is Basis.SAMPLE:
            continue
        lines = subject.lines(file.path)
        takes = any(map(_TAKES.search, lines))
        for number, line in enumerate(lines, 1):
            found = (
                None
                if line.lstrip().startswith(("#", "//", "*", "REM ", "::", "'"))
                else _harm(subject, line, takes=takes)
            )
            if found is not None:
                where = Location(file.path, number)
                finding = by_text(RULE, subject, where, line.strip(), *found)
                yield finding._replace(basis=subject.basis(where))


def _harm(subject: Subject, line: str, *, takes: bool) -> tuple[Severity, str] | None:
    """How bad a line is, and what it does in words; None if its words say nothing."""
    if _DISARMS.search(line):
        return Severity.HIGH, "switches off a protection of the machine"
    for found in URL.finditer(line) if _CALLS.search(line) else ():
        host = found[1].lower()
        who = standing(subject, host)
        if (
            kind_of(host) == "code"
            or is_installer(host, found[2] or "")
            or not (who.hidden or who is HostStanding.ECHOED)
        ):
            continue
        if _RUNS.search(line):
            return Severity.HIGH, f"runs code from {host} that is not part of the skill"
        if who.hidden:
            return (Severity.HIGH if takes else Severity.MEDIUM), f"talks to {host}, which no text of the skill names"
    return None


RULE = Rule(
    "unread-script",
    "hidden code",
    "a script in an unsupported language fetches code, sends data or disables protections",
    Severity.HIGH,
    "Remit does not analyse PowerShell, Ruby, Perl, PHP, Go and other languages. Some lines are suspicious enough on their own.",
    "Hosts that the text names, vendors' installers, and code hosts.",
    "Use a language that Remit analyses, or name the hosts in the text.",
    find,
)
