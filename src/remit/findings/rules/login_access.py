"""Access to the machine is given to another person."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.core.scope import PathScope
from remit.core.via import Cause
from remit.findings.evidence import by_effect
from remit.findings.later import text_written
from remit.findings.model import Rule, Severity
from remit.findings.purpose import is_about
from remit.findings.wording import path_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.findings.model import Finding
    from remit.findings.subject import Subject

_KEY = re.compile(r"\b(?:ssh-(?:rsa|ed25519|dss)|ecdsa-sha2-\w+|sk-ssh-\S+) AAAA\w|NOPASSWD:\s*ALL")
_ACCESS = re.compile(r"authorized_keys|sudoers")


def find(subject: Subject) -> Iterator[Finding]:
    """Keys and rights that are added."""
    for effect in subject.with_capability("secret.write", "file.write"):
        if not isinstance(effect.scope, PathScope) or effect.via.possible:
            continue
        if _ACCESS.search(path_words(effect.scope)):
            fixed = _KEY.search(text_written(subject, effect.where)) is not None
            severity = Severity.MEDIUM if is_about(subject, "login") and not fixed else Severity.HIGH
            severity = Severity.LOW if effect.via.cause is Cause.SENTENCE else severity
            yield by_effect(
                RULE, subject, effect, severity, f"gives another person access to this machine: {effect.scope.render()}"
            )


RULE = Rule(
    "login-access",
    "persistence",
    "another person gets access to the machine",
    Severity.HIGH,
    "A key in `authorized_keys` or a line in `sudoers` lets its owner in, or act as root, long after the skill"
    " was used.",
    "Skills whose description speaks of SSH, servers or provisioning are to be looked at, not refused.",
    "Leave access rights to the user.",
    find,
)
