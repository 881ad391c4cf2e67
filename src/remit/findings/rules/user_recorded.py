"""The user is recorded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.location import Location
from remit.core.patterns import lazy_pattern
from remit.core.via import Cause
from remit.findings.evidence import by_effect, by_text
from remit.findings.model import Finding, Rule, Severity
from remit.findings.purpose import is_about

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
    {
        "convert",
        "magick",
        "ffmpeg",
        "ffplay",
        "import",
        "montage",
        "composite",
        "mogrify",
        "identify",
        "gst-launch-1.0",
        "sox",
        "vlc",
    }
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


def _asked_for_password(subject: Subject) -> Iterator[Finding]:
    """Scripts that ask for the password of the machine, as the system would, and reach a host."""
    reaching = {effect.where.file for effect in subject.sending() if not effect.via.possible}
    for file in reaching - set(subject.documents):
        for number, line in enumerate(subject.lines(file), 1):
            if _PROMPT.search(line):
                where = Location(file, number)
                message = "asks for the password of your machine, in a script that reaches a host"
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
