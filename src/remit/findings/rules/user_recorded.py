"""The user is recorded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.location import Location
from remit.core.patterns import lazy_pattern
from remit.core.scope import HostScope, Scope
from remit.core.via import Cause
from remit.findings.evidence import by_effect, by_text
from remit.findings.model import Finding, Rule, Severity
from remit.findings.purpose import is_about
from remit.findings.trust import standing

if TYPE_CHECKING:
    from remit.findings.subject import Subject

_WORDS = {
    "input.access": "what you type",
    "camera.capture": "pictures of your camera",
    "microphone.record": "sound from your microphone",
    "screen.capture": "your screen",
    "clipboard.read": "your clipboard",
}
_WALLET = lazy_pattern(
    r"[\"'](?:bc1[a-z0-9]{25,60}|[13][a-km-zA-HJ-NP-Z1-9]{25,34}|0x[0-9a-fA-F]{40}|4[0-9AB][1-9A-HJ-NP-Za-km-z]{93}|T[A-Za-z1-9]{33})[\"']"
)
_LISTENS = lazy_pattern(r"listen|on_press|hook|keylog", re.IGNORECASE)
# Tools that could record among many other things.
_GENERAL = frozenset(
    "convert magick ffmpeg ffplay import montage composite mogrify identify gst-launch-1.0 sox vlc".split()
)


def find(subject: Subject) -> Iterator[Finding]:
    """Recordings that nothing announces, and a clipboard in which an address is exchanged."""
    for effect in subject.with_capability("clipboard.write"):
        if _WALLET.search("\n".join(subject.lines(effect.where.file))) and not effect.via.possible:
            message = "puts the author's wallet into your clipboard"
            yield by_effect(RULE, subject, effect, Severity.HIGH, message)
    yield from _asked_for_password(subject)
    if is_about(subject, "observe"):
        return
    for effect in subject.with_capability(*_WORDS):
        if effect.via.possible or effect.via.cause is Cause.SENTENCE or effect.via.name.partition(" ")[0] in _GENERAL:
            continue
        keys = effect.capability == "input.access" and _LISTENS.search(effect.via.name)
        if effect.capability == "input.access" and not keys:
            continue
        what = _WORDS[effect.capability]
        yield by_effect(
            RULE,
            subject,
            effect,
            Severity.HIGH if keys else Severity.MEDIUM,
            f"records {what}, which its description does not announce",
        )


_PROMPT = lazy_pattern(
    r"hidden answer|\[sudo\] password|(?:read\s+-\w*s\w*\b|getpass\(|askpass|--password\b[^\n]*(?:zenity|kdialog)|zenity[^\n]*--password)[^\n]*(?<![\w./])(?i:system|macos|sudo|login|administrator|keychain)\b(?!\.\w)"
)


# Input that is not shown while it is typed
_TYPED = lazy_pattern(
    r"\bgetpass\(|^\s*read\s+-\w*s\w*\b|\btype:\s*[\"']password[\"']|-AsSecureString\b|\baskpass\b|\bSTDIN\.noecho\b"
)
_SENDS = frozenset({"web.post", "net.connect"})


def _hidden_host(subject: Subject, scope: Scope) -> str:
    """A host that no text names; empty for others."""
    host = scope.host if isinstance(scope, HostScope) else ""
    return host if "." in host and not host.startswith(("<", "*")) and standing(subject, host).hidden else ""


def _asked_for_password(subject: Subject) -> Iterator[Finding]:
    """Scripts that ask for the password of the machine, as the system would, and reach a host; or for any, and send to a hidden one."""
    reaching: dict[str, str] = {}  # by file the host of which a reader does not know
    for effect in subject.sending():
        if not effect.via.possible and effect.where.file not in subject.documents:
            hidden = effect.capability in _SENDS and _hidden_host(subject, effect.scope)
            reaching[effect.where.file] = hidden or reaching.get(effect.where.file, "")
    for file, host in reaching.items():
        for number, line in enumerate(subject.lines(file), 1):
            if _PROMPT.search(line) or (host and _TYPED.search(line)):
                where = Location(file, number)
                whose = "the password of your machine" if _PROMPT.search(line) else "a password"
                message = f"asks for {whose}, in a script that reaches {host or 'a host'}"
                finding = by_text(RULE, subject, where, line.strip(), Severity.HIGH, message)
                yield finding._replace(basis=subject.basis(where))
                break


RULE = Rule(
    "user-recorded",
    "beyond description",
    "keyboard, screen, camera, microphone or clipboard are recorded",
    Severity.HIGH,
    "What people type, say and show includes passwords and private matters.",
    "Skills whose description mentions it.",
    "Say in the description what is recorded, and record only on request.",
    find,
)
