"""Access to the machine is given to another person."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.location import Location
from remit.core.patterns import lazy_pattern
from remit.core.scope import PathScope
from remit.core.via import Cause
from remit.findings.evidence import by_command, by_effect, by_text
from remit.findings.later import text_written
from remit.findings.model import Basis, Finding, Rule, Severity
from remit.findings.pieces import scripts
from remit.findings.purpose import is_about

if TYPE_CHECKING:
    from remit.findings.subject import Subject

_KEY = lazy_pattern(
    r"\b(?:ssh-(?:rsa|ed25519|dss)|ecdsa-sha2-\w+|sk-ssh-\S+) AAAA\w|\bAAAA(?:B3NzaC1yc2E|C3NzaC1lZDI1NTE5|E2VjZHNh)|NOPASSWD:\s*ALL"
)
_ACCESS = lazy_pattern(r"(?:^|/)(?:authorized_keys2?|sudoers)$|(?:^|/)sudoers\.d/")


def find(subject: Subject) -> Iterator[Finding]:
    """Keys and rights that are added."""
    yield from _granted(subject)
    yield from _sent_key(subject)
    told = set[Location]()
    for effect in subject.with_capability("secret.write", "file.write"):
        if not isinstance(effect.scope, PathScope) or effect.via.possible or effect.where in told:
            continue
        if _ACCESS.search(effect.scope.render()):
            told.add(effect.where)
            fixed = _KEY.search(text_written(subject, effect.where)) is not None
            severity = Severity.MEDIUM if is_about(subject, "login") and not fixed else Severity.HIGH
            severity = Severity.LOW if effect.via.cause is Cause.SENTENCE else severity
            yield by_effect(
                RULE, subject, effect, severity, f"gives another person access to this machine: {effect.scope.render()}"
            )


_GRANTS = lazy_pattern(
    r"\bgh\s+api\b[^|;\n]*/(?:collaborators|keys|invitations|hooks)\b[^|;\n]*(?:\s-[fF]\b|--(?:raw-)?field)|\bgh\s+api\b[^|;\n]*(?:-X|--method)[\s=](?:PUT|POST)[^|;\n]*/(?:collaborators|keys|invitations|hooks)\b"
    r"|\bgh\s+repo\s+edit\b[^|;\n]*--visibility[\s=]public|\bgh\s+repo\s+deploy-key\s+add\b|\bgh\s+ssh-key\s+add\b|\baws\s+iam\s+(?:create-user|create-access-key|attach-user-policy|create-login-profile)\b"
    r"|\bnet\s+user\s+\S+\s+\S+\s+/add\b|\b(?:useradd|adduser)\b[^|;\n]*(?:-G|--groups)\s*(?:sudo|wheel)\b|\bgcloud\s+projects\s+add-iam-policy-binding\b"
)
# The same acts by the libraries of these services
_CALLS = lazy_pattern(
    r"\b(?:create_access_key|createAccessKey|create_login_profile|createLoginProfile|attach_user_policy|attachUserPolicy|put_user_policy|add_to_collaborators|addCollaborator)\s*\("
    r"|\b(?:CreateAccessKey|CreateLoginProfile|AttachUserPolicy|PutUserPolicy)Command\s*\("
)


def _sent_key(subject: Subject) -> Iterator[Finding]:
    """Lines that add a fixed key wherever they run: of scripts, and of files by which tools set machines up."""
    for file in subject.skill.files:
        data = subject.skill.contents.get(file.path)
        held = file.languages or file.path.endswith(_PLANS)
        if data is None or not held or file.path in subject.documents or b"AAAA" not in data:
            continue
        lines = subject.lines(file.path)
        for number, line in enumerate(lines, 1):
            if not (key := _KEY.search(line)) or key[0].startswith("NOPASSWD"):
                continue
            near = "\n".join(lines[max(0, number - 1 - _ABOVE) : number])
            adds = "authorized_keys" in line and ">>" in line
            if adds or (file.path.endswith(_PLANS) and _AUTHORIZES.search(near)):
                where, message = Location(file.path, number), "gives the owner of a fixed key access to machines"
                finding = by_text(RULE, subject, where, line.strip(), Severity.HIGH, message)
                yield finding._replace(basis=subject.basis(where))


_PLANS = (".yml", ".yaml", ".tf", ".hcl", ".json", ".toml", ".cfg", ".j2", ".ks", ".nix")
_AUTHORIZES = lazy_pattern(
    r"authorized[_-]?keys?\b|authorizedKeys|ssh[_-]keys?\b|public_key\b|aws_key_pair", re.IGNORECASE
)
_ABOVE = 5  # lines from the setting to the key


def _granted(subject: Subject) -> Iterator[Finding]:
    """Commands of scripts that let other people into accounts and repositories."""
    if is_about(subject, "login"):
        return
    for command in subject.commands:
        if command.basis in (Basis.SCRIPT, Basis.HOOK) and _GRANTS.search(command.text):
            yield by_command(RULE, command, Severity.HIGH, _GIVES)
    for file, code in scripts(subject):
        at = next((number for number, line in code.lines.items() if _CALLS.search(line)), None)
        if at is not None:
            where = Location(file, at)
            finding = by_text(RULE, subject, where, code.lines[at].strip(), Severity.HIGH, _GIVES)
            yield finding._replace(basis=subject.basis(where))


_GIVES = "gives other people access to what is yours"


RULE = Rule(
    "login-access",
    "persistence",
    "another person gets access to the machine",
    Severity.HIGH,
    "A key in `authorized_keys` or a line in `sudoers` lets its owner log in, or act as root, long after the skill was used.",
    "Commands of skills about SSH, servers or provisioning. Access files that such a skill writes are medium, unless the key is fixed in the skill.",
    "Leave access rights to the user.",
    find,
)
