"""Data goes to an account that the code names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.core.location import Location
from remit.core.patterns import lazy_pattern
from remit.core.scope import HostScope
from remit.core.table import read_toml
from remit.findings.evidence import by_text
from remit.findings.model import Finding, Rule, Severity

if TYPE_CHECKING:
    from remit.findings.subject import Subject
    from remit.skill.model import SkillFile

_FILE = Path(__file__).parents[1] / "data/inboxes.toml"
_MADE_UP = lazy_pattern(
    r"your|xxx|example|placeholder|changeme|<|\{|\$|\.\.\.|0000|@(?:company|domain|email|acme|corp|mail|foo|x)\b"
    r"|(?:someone|user|you|name|recipient|noreply|no-reply)\w*@",
    re.IGNORECASE,
)
_COUNTED = lazy_pattern(r"abc|xyz|123", re.IGNORECASE)  # as texts write identifiers that stand for others
_VARIED = 4  # different characters: fewer are made up
_SENDS = frozenset({"web.post", "api.call", "net.connect", "web.fetch", "message.send"})
_TAKES = frozenset(
    {"file.read", "source.read", "secret.read", "env.read", "memory.read", "clipboard.read", "screen.capture"}
)


class _Account(NamedTuple):
    """How an account is written: a pattern, its section and the words for the service."""

    section: str
    name: str
    signs: tuple[str, ...]
    pattern: re.Pattern[str]

    def may_be_in(self, text: str) -> bool:
        """Whether a text may name such an account; a line does only if the whole file does."""
        for sign in self.signs:
            if sign in text:
                return True
        return not self.signs


@cache
def _accounts() -> tuple[_Account, ...]:
    data = read_toml(_FILE)
    signs = data.pop("signs")
    return tuple(
        _Account(section, name, tuple(signs.get(name, ())), lazy_pattern(pattern))
        for section, services in data.items()
        for name, patterns in services.items()
        for pattern in patterns
    )


def find(subject: Subject) -> Iterator[Finding]:
    """Identifiers of accounts in files that send."""
    sending = {
        effect.where.file for effect in subject.effects if effect.capability in _SENDS and not effect.via.possible
    }
    acting: dict[str, set[str]] = {file: {"sends"} for file in sending}
    for effect in subject.with_capability("commit.push", "pay"):
        acting.setdefault(effect.where.file, set()).add("remotes" if effect.capability == "commit.push" else "wallets")
    for file in subject.skill.files:
        if acts := acting.get(file.path):
            yield from _in_file(subject, file, acts)


def _in_file(subject: Subject, file: SkillFile, acts: set[str]) -> Iterator[Finding]:
    seen: set[str] = set()
    shown = file.path in subject.documents
    lines = subject.lines(file.path)
    text = "\n".join(lines)
    accounts = [one for one in _accounts() if one.may_be_in(text) and (one.signs or one.pattern.search(text))]
    for number, line in enumerate(lines if accounts else (), 1):
        if len(line) > _LONGEST or line.lstrip().startswith(("#", "//", "*")):
            continue
        for account in accounts:
            section, name = account.section, account.name
            found = account.pattern.search(line) if account.may_be_in(line) else None
            if not found or found[1] in seen or _is_made_up(found[1], shown=shown):
                continue
            if (section != "inboxes" and shown) or (section in ("remotes", "wallets") and section not in acts):
                continue
            seen.add(found[1])
            where = Location(file.path, number)
            if severity := _severity(subject, section, where, found[1]):
                message = f"sends data to a {name} that the author of the skill has fixed"
                yield by_text(RULE, subject, where, line.strip(), severity, message)._replace(
                    basis=subject.basis(where)
                )


def _severity(subject: Subject, section: str, where: Location, ident: str) -> Severity | None:
    """None where the account is one that the text names, or is only read."""
    if section == "inboxes":
        return Severity.HIGH
    if ident.lower() in subject.written:
        return None
    if section in ("stores", "accounts"):
        at_line = section == "stores"
        return Severity.HIGH if _is_filled(subject, where, at_line=at_line, web=True) else None
    return (
        Severity.HIGH
        if section in ("remotes", "wallets") or _is_filled(subject, where, at_line=False)
        else Severity.MEDIUM
    )


def _is_filled(subject: Subject, where: Location, *, at_line: bool, web: bool = False) -> bool:
    """Whether something of the user's goes out at a line, or anywhere in the file."""
    for flow in subject.flows:
        sink = flow.sink.where
        if flow.source.capability not in _TAKES or sink.file != where.file or (at_line and sink.line != where.line):
            continue
        if flow.sink.capability in _SENDS and (web or not _is_web(flow.sink.scope)):
            return True
    return False


def _is_web(scope: object) -> bool:
    return isinstance(scope, HostScope) and scope.port in (80, 443)


def _is_made_up(ident: str, *, shown: bool) -> bool:
    if len(set(ident)) < _VARIED or _MADE_UP.search(ident):
        return True
    return shown and _COUNTED.search(ident) is not None


_LONGEST = 4000

RULE = Rule(
    "author-inbox",
    "network",
    "data goes to an account that the author chose",
    Severity.HIGH,
    "A bot, webhook, form, mailbox, bucket or repository whose identifier is in the code belongs to the author. Data sent there reaches the author through a service that everyone trusts.",
    "Placeholders, identifiers that the user supplies, mailboxes and stores that the text names, and stores that are only read.",
    "Let the user supply the address, and say in the text what is sent.",
    find,
)
