"""Invisible pictures or links are put into pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.location import Location
from remit.core.patterns import lazy_pattern
from remit.findings.evidence import by_text
from remit.findings.later import hidden_hosts
from remit.findings.model import Finding, Rule, Severity
from remit.findings.pieces import scripts

if TYPE_CHECKING:
    from remit.findings.subject import Subject

_LINKS = "links that no reader sees"
# What reaches a host when a page or a document is opened
_PARTS = {
    "a picture that reports its readers": lazy_pattern(
        r"<img\b(?=[^>]*(?:width|height)\s*[=:]\s*\\?[\"']?[01](?:px)?\b|[^>]*(?:display:\s*none|opacity:\s*0\b|visibility:\s*hidden))|!\[\s*\]\((?:https?:|\$\{|\{)",
        re.IGNORECASE,
    ),
    "a program that gets data of the page": lazy_pattern(
        r"<(?:script|iframe|link)\b[^>\n]*(?:src|href)\s*=\s*\\?[\"']?(?:https?:)?//[^\s\"'>]*[?/][^\"'>\n]*[{$]",
        re.IGNORECASE,
    ),
    "a part that is fetched when it is opened": lazy_pattern(
        r"\b(?:WEBSERVICE|IMPORTDATA|IMPORTXML|IMPORTHTML|IMPORTFEED)\(\W{0,4}(?:https?:)?//|attachedTemplate\W[^\n]*https?://",
        re.IGNORECASE,
    ),
}
# In lower case: without one of these a file has none of them
_SIGNS = tuple(
    "<img ![ <script <iframe <link <a href new_tag( createelement( webservice( importdata( importxml( importhtml( importfeed( attachedtemplate".split()
)
_UNSEEN = lazy_pattern(
    r"(?:left|top|right|text-indent)\s*:\s*-\d{3,}(?:px|em)|font-size\s*:\s*0(?:px)?\b|visibility\s*:\s*hidden|display\s*:\s*none",
    re.IGNORECASE,
)
_LINK = lazy_pattern(r"<a\b|href\s*[=:]|new_tag\(\s*[\"']a[\"']|createElement\(\s*[\"']a[\"']", re.IGNORECASE)
_NEAR = 6  # lines between a style and the link that it hides


def find(subject: Subject) -> Iterator[Finding]:
    """Markup that scripts write, which nobody sees and which names a host that no text names."""
    for file, code in scripts(subject):
        if not code.has(*_SIGNS):
            continue
        lines = code.lines
        at, what = next(((at, what) for at in lines if (what := _unseen_at(lines, at))), (0, ""))
        if not what:
            continue
        if hosts := hidden_hosts(subject, file):
            message = f"puts {what} into pages, to {hosts[0]}"
        elif what == _LINKS and _is_kept_from_all(lines, at):
            message = f"puts {what} into pages"
        else:
            continue
        where = Location(file, at)
        yield by_text(RULE, subject, where, lines[at].strip(), Severity.HIGH, message)._replace(
            basis=subject.basis(where)
        )


def _unseen_at(lines: dict[int, str], at: int) -> str:
    """What a line puts into a page that nobody sees; empty for others."""
    shown = next((what for what, pattern in _PARTS.items() if pattern.search(lines[at])), "")
    return shown or (_LINKS if _hides_link(lines, at) else "")


def _hides_link(lines: dict[int, str], at: int) -> bool:
    if not _UNSEEN.search(lines[at]):
        return False
    return any(_LINK.search(lines.get(number, "")) for number in range(at - 1, at + _NEAR))


def _is_kept_from_all(lines: dict[int, str], at: int) -> bool:
    """Whether a link to another page is kept from screen readers as well: no page needs such a link for its own sake."""
    markup = "\n".join(lines.get(number, "") for number in range(at - 1, at + _NEAR))
    return _NOT_READ.search(markup) is not None and _LEAVES.search(markup) is not None


_NOT_READ = lazy_pattern(
    r"aria-hidden[\"']?\s*[=:,]\s*\\?[\"']?true|tabindex[\"']?\s*[=:,]\s*\\?[\"']?-1", re.IGNORECASE
)
_LEAVES = lazy_pattern(r"href[\"']?\s*[=:,]\s*\\?[\"'`]?(?![\s\"'`\\#])", re.IGNORECASE)


RULE = Rule(
    "hidden-markup",
    "hidden text",
    "the skill puts invisible pictures or links into pages",
    Severity.HIGH,
    "An invisible picture tells its host who reads the page, and can carry data in its address. Invisible links use the user's page for"
    " others.",
    "Hosts that the text of the skill names, well-known services, and pages that the skill only ships.",
    "Remove the element, or say in the description what it is for.",
    find,
)
