"""A passage in another language than the rest speaks of secrets, accounts or strangers' hosts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.location import Location
from remit.core.patterns import lazy_pattern
from remit.findings.commandtable import rows
from remit.findings.evidence import by_text
from remit.findings.hosts import URL, is_placeholder, kind_of
from remit.findings.model import Finding, Rule, Severity
from remit.findings.trust import is_vendor, publisher_known
from remit.skill.prose.orders import is_foreign
from remit.skill.prose.sentences import is_secret

if TYPE_CHECKING:
    from remit.findings.orders import Passage
    from remit.findings.subject import Subject

_SENTENCE = 8  # words of which a passage has at least as many; signs of which every one is a word count as half
_NAME = lazy_pattern(r"[~./\w$-]*[\w*][\w./*-]*", re.ASCII)
_WORD = lazy_pattern(r"[^\W\d_]{2,}")
_SIGN = lazy_pattern("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_CODE = lazy_pattern(r"`[^`\n]*`|\w+://\S+", re.ASCII)
_MAIL = lazy_pattern(r"[\w.+-]+@((?:[\w-]+\.)+\w{2,})", re.ASCII)
# Words of computing that are the same in every language
_ACTS = lazy_pattern(
    r"`[\w.-]+ [^`\n]+`|(?<![a-zA-Z\u00c0-\u024f])(?:POST|PUT|upload|webhook|curl|wget|scp|rsync|sudo|chmod|chown|rm|dd|nc|ssh|useradd|usermod|crontab|systemctl|iptables|ufw|setenforce|eval|bash|sh)(?![a-zA-Z\u00c0-\u024f])"
)


def find(subject: Subject) -> Iterator[Finding]:
    """Passages that most readers of a skill cannot read, by what they name."""
    passages = [passage for passage in subject.reading.passages if not passage.block]
    spoken = [(passage, _CODE.sub(" ", passage.text)) for passage in passages if not passage.text.isascii()]
    other = [passage for passage, text in spoken if _is_sentence(text) and is_foreign(text)]
    # most of it: then it is written for those who speak the language
    expected = sum(len(one.text) for one in other) * 2 > sum(len(one.text) for one in passages)
    for passage in other:
        yield from _named(subject, passage, expected=expected)


def _is_sentence(text: str) -> bool:
    return len(_WORD.findall(text)) + len(_SIGN.findall(text)) // 2 >= _SENTENCE


def _named(subject: Subject, passage: Passage, *, expected: bool) -> Iterator[Finding]:
    text = passage.text
    hosts = [found[1].lower() for pattern in (URL, _MAIL) for found in pattern.finditer(text)]
    stranger = next((host for host in hosts if _is_stranger(subject, host)), "")
    secret = next((name for name in _NAME.findall(text) if is_secret(name)), "")
    acts = _ACTS.search(text) is not None
    if not (secret and stranger and acts if expected else secret or acts):
        return
    named = " and ".join(name for name in (secret, stranger) if name) or "commands"
    language = "a language that Remit does not read" if expected else "another language than the rest of the text"
    grave = stranger or _weakens(subject, passage)
    severity = Severity.HIGH if grave and not expected else Severity.MEDIUM
    where = Location(passage.file, passage.line)
    yield by_text(RULE, subject, where, " ".join(text.split()), severity, f"speaks of {named} in {language}")


def _weakens(subject: Subject, passage: Passage) -> bool:
    """Whether a command of the passage switches off a protection of the machine."""
    lines = range(passage.line, passage.line + passage.text.count("\n") + 1)
    here = (one for one in subject.commands if one.where.file == passage.file and one.where.line in lines)
    return any(row.matches(one.words) for one in here for row in rows("protections").get(one.program, ()))


def _is_stranger(subject: Subject, host: str) -> bool:
    known = publisher_known(subject, host) == "announced"  # what only the text speaks of may be this passage alone
    return not (kind_of(host) == "local" or is_vendor(host) or is_placeholder(host) or known)


RULE = Rule(
    "other-language",
    "hidden text",
    "a passage in another language names secrets, commands or third-party hosts",
    Severity.HIGH,
    "The agent understands every language; the person who reviews the text may not, and Remit does not read it either.",
    "Texts that are largely in that language, and passages that name nothing.",
    "Write the passage in the language of the rest.",
    find,
)
