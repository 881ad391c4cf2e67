"""A credential is part of the skill."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.location import Location
from remit.core.patterns import lazy_pattern
from remit.findings.evidence import by_text
from remit.findings.model import Finding, Rule, Severity

if TYPE_CHECKING:
    from remit.findings.subject import Subject

_MARKS = (
    *(
        b"sk-",
        b"ghp_",
        b"gho_",
        b"ghs_",
        b"github_pat_",
        b"glpat-",
        b"xoxb-",
        b"xoxp-",
        b"AKIA",
        b"AIza",
        b"Bearer ",
        b"npm_",
        b"hf_",
    ),
    *(b'_TOKEN"', b"_TOKEN'", b"_TOKEN=", b"_TOKEN =", b'_token"', b"_token ="),
)
_STEMS = (b"_TOKEN", b"_token", b"xox")  # each of several marks, so that most files are searched less often
_KEYS = lazy_pattern(
    r"\b(?:sk-(?:ant-|proj-)?[A-Za-z0-9_-]{32,}|gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{60,}|glpat-[\w-]{20}|xox[abp]-\d{8,}-[\w-]{20,}|AKIA[0-9A-Z]{16}|AIza[\w-]{35}|npm_[A-Za-z0-9]{36}|hf_[A-Za-z0-9]{34})\b"
    r"|Bearer\s+(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[A-Za-z0-9]{32,})\b"
    r"|(?:_TOKEN|_token|TOKEN)[\"']?\s*[:=]\s*[\"'][0-9a-f]{32}\.?[\w]{0,20}[\"']"
)
_MADE_UP = lazy_pattern(
    r"example|sample|fake|dummy|your|placeholder|redacted|test|x{4}|X{4}|0{6}|1234|abcd|\*{3}|\.\.\.|<|\{|deadbeef",
    re.IGNORECASE,
)


def find(subject: Subject) -> Iterator[Finding]:
    """Texts in the form of well-known credentials."""
    for file in subject.skill.files:
        data = subject.skill.contents.get(file.path)
        if data is None or len(data) > _LARGEST:
            continue
        for at in _marked(data):
            text = data[at : at + _LONGEST].decode("utf-8", "replace").partition("\n")[0]
            found = _KEYS.search(text)
            if found and not _MADE_UP.search(found[0]) and _is_random(found[0]):
                where = Location(file.path, data.count(b"\n", 0, at) + 1)
                message = f"holds a credential in {file.path}"
                yield by_text(RULE, subject, where, f"{found[0][:14]}\u2026", Severity.MEDIUM, message)
                break


def _marked(data: bytes) -> Iterator[int]:
    """Where a credential may begin."""
    absent = tuple(stem for stem in _STEMS if stem not in data)
    for mark in _MARKS:
        at = -1 if mark.startswith(absent) else data.find(mark)
        while at >= 0:
            if mark.startswith(b"_") or not data[at - 1 : at].isalnum():
                yield at
            at = data.find(mark, at + len(mark))


def _is_random(text: str) -> bool:
    return len(set(text)) > _VARIED and any(char.isdigit() for char in text)


_LONGEST = 300  # characters from a mark on
_LARGEST = 1_000_000
_VARIED = 12  # different characters: fewer are made up


RULE = Rule(
    "embedded-credential",
    "secrets",
    "a credential is part of the skill",
    Severity.MEDIUM,
    "With the author's key, all requests go through the author's account: the author sees them, and every user of the skill can use the key.",
    "Placeholders, format examples, keys that are public by design.",
    "Remove the credential, revoke it, and let the user supply one.",
    find,
)
