"""Traffic, packages or models of the user are sent through another host."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.patterns import lazy_pattern
from remit.core.scope import HostScope
from remit.core.via import Cause
from remit.findings.evidence import by_effect, by_flow, by_text
from remit.findings.hosts import kind_of, stands_for_other
from remit.findings.later import text_written
from remit.findings.model import Basis, Finding, Rule, Severity
from remit.findings.trust import HostStanding, is_vendor, publisher_known, standing
from remit.findings.wording import path_words

if TYPE_CHECKING:
    from remit.core.effect import Effect
    from remit.findings.subject import Subject

_HOST = r"(?:https?|socks5h?|git|ssh)://(?:[^/\s@\"']*@)?([\w-]+(?:\.[\w-]+)+)"
_LINE = r"(?:^|\\n|[\"'`])\s*"  # where a line begins, also in the text of a script
_WAYS = {
    "what you fetch and push with git": lazy_pattern(
        rf"\burl\.[\"'\\]*{_HOST}[^\n]{{0,60}}insteadof|\[url \\?\"{_HOST}", re.IGNORECASE
    ),
    "the packages that you install": lazy_pattern(
        rf"(?:\b(?:npm|pnpm|yarn)\b[^\n;|]{{0,30}}\bconfig[\"', ]+set[\"', ]+[^\n;|]{{0,40}}?registry[\"', =]+|{_LINE}registry\s*=\s*"
        rf"|\bpip3?\b[^\n;|]{{0,30}}\bconfig[\"', ]+set[\"', ]+[^\n;|]{{0,40}}?index-url[\"', =]+|{_LINE}(?:extra-)?index-url\s*=\s*|\bPIP_(?:EXTRA_)?INDEX_URL=[\"']?|\bUV_(?:DEFAULT_)?INDEX(?:_URL)?=[\"']?|\bGOPROXY=[\"']?){_HOST}",
        re.IGNORECASE | re.MULTILINE,
    ),
    "what your programs send": lazy_pattern(
        rf"\b(?:https?|all)_proxy[\"']?\]?\s*[=:,]\s*[\"']?{_HOST}|\bhttps?\.proxy[\"', =]+{_HOST}", re.IGNORECASE
    ),
    "your SSH connections": lazy_pattern(r"\bProxy(?:Command|Jump)\b[^\n]{0,60}?((?:[a-z0-9-]+\.)+[a-z]{2,})\b"),
    "what you ask your model": lazy_pattern(
        rf"\b(?:OPENAI|ANTHROPIC|CLAUDE|GEMINI|GOOGLE|AZURE)\w*_(?:BASE_URL|API_BASE|ENDPOINT|BASE)[\"']?\]?\s*[=:,]\s*[\"']?{_HOST}"
    ),
}
_WRITES = frozenset(
    {"file.write", "profile.write", "secret.write", "system.configure", "env.write", "policy.expand", "memory.write"}
)


def find(subject: Subject) -> Iterator[Finding]:
    """Settings that are written with a host of others in them."""
    yield from _names_and_keys(subject)
    seen: set[tuple[str, str]] = set()
    for effect in subject.effects:
        if effect.capability not in _WRITES or effect.via.possible or effect.via.cause is Cause.SENTENCE:
            continue
        text = _text(subject, effect)
        if "://" not in text and "Proxy" not in text:
            continue  # every way has one of them
        for what, pattern in _WAYS.items():
            for found in pattern.finditer(text):
                host = next(group for group in found.groups() if group).lower()
                severity = _severity(subject, effect, host)
                if severity is not None and (what, host) not in seen:
                    seen.add((what, host))
                    finding = by_text(RULE, subject, effect.where, found[0], severity, f"sends {what} through {host}")
                    yield finding._replace(basis=subject.basis_of(effect))


def _names_and_keys(subject: Subject) -> Iterator[Finding]:
    """Names of well-known hosts that get another address, and certificates of others that the machine shall trust."""
    for effect in subject.with_capability("file.write"):
        if effect.via.possible or path_words(effect.scope) != "etc/hosts":
            continue
        for found in _ADDRESS.finditer(text_written(subject, effect.where)):
            if is_vendor(found[1].lower()) or kind_of(found[1]) == "code":
                yield by_effect(RULE, subject, effect, Severity.HIGH, f"gives {found[1]} another address")
    for flow in subject.flows:
        source = flow.source.scope
        if flow.sink.capability != "file.write" or not isinstance(source, HostScope):
            continue
        if _TRUST.search(path_words(flow.sink.scope)) and standing(subject, source.host) not in _KNOWN:
            yield by_flow(RULE, subject, flow, Severity.HIGH, f"makes the machine trust certificates of {source.host}")


_KNOWN = (HostStanding.LOCAL, HostStanding.VENDOR, HostStanding.STATED)
_ADDRESS = lazy_pattern(r"\b(?!0\.0\.0\.0|127\.)(?:\d{1,3}\.){3}\d{1,3}\s+((?:[\w-]+\.)+[a-z]{2,})")
_TRUST = lazy_pattern(r"ca-certificates|ssl/certs|pki/.*anchors|Keychains")


def _text(subject: Subject, effect: Effect) -> str:
    """What a line sets; where a file is written, the lines that show what is written."""
    if effect.capability in ("system.configure", "env.write"):
        return subject.line(effect.where)
    return text_written(subject, effect.where)


def _severity(subject: Subject, effect: Effect, host: str) -> Severity | None:
    """None for hosts that are expected there."""
    if kind_of(host) in ("code", "mirror") or stands_for_other(host):
        return None
    basis = subject.basis_of(effect)
    who = standing(subject, host, instructed=basis is Basis.INSTRUCTED)
    if who in (HostStanding.LOCAL, HostStanding.VENDOR) or (
        publisher_known(subject, host) == "announced" and who is HostStanding.STATED
    ):
        return None
    return Severity.MEDIUM if who is HostStanding.STATED else Severity.HIGH


RULE = Rule(
    "traffic-redirected",
    "persistence",
    "the user's traffic, packages or model requests go through another host",
    Severity.HIGH,
    "The operator of the host can read and change what passes through it, such as commits, passwords, packages and model answers, in every later program.",
    "Local hosts, well-known mirrors, and services that the description names.",
    "Leave these settings to the user, or name the host and the reason in the description.",
    find,
)
