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

_PIXEL = lazy_pattern(
    r"<img\b(?=[^>]*(?:width|height)\s*[=:]\s*\\?[\"']?[01](?:px)?\b|[^>]*(?:display:\s*none|opacity:\s*0\b|visibility:\s*hidden))|!\[\s*\]\((?:https?:|\$\{|\{)",
    re.IGNORECASE,
)
_UNSEEN = lazy_pattern(
    r"(?:left|top|right|text-indent)\s*:\s*-\d{3,}(?:px|em)|font-size\s*:\s*0(?:px)?\b|visibility\s*:\s*hidden|display\s*:\s*none",
    re.IGNORECASE,
)
_LINK = lazy_pattern(r"<a\b|href\s*[=:]|new_tag\(\s*[\"']a[\"']|createElement\(\s*[\"']a[\"']", re.IGNORECASE)
# A program of others in a page, whose address carries data of the page
_SCRIPT = lazy_pattern(
    r"<(?:script|iframe|link)\b[^>\n]*(?:src|href)\s*=\s*\\?[\"']?(?:https?:)?//[^\s\"'>]*[?/][^\"'>\n]*[{$]",
    re.IGNORECASE,
)
# A formula or a template of a document that reaches a host when it is opened
_REACHES = lazy_pattern(
    r"\b(?:WEBSERVICE|IMPORTDATA|IMPORTXML|IMPORTHTML|IMPORTFEED)\(\W{0,4}(?:https?:)?//|attachedTemplate\W[^\n]*https?://",
    re.IGNORECASE,
)
_NEAR = 6  # lines between a style and the link that it hides


def find(subject: Subject) -> Iterator[Finding]:
    """Markup that scripts write, which nobody sees and which names a host that no text names."""
    for file, code in scripts(subject):
        if not code.has(
            "<img",
            "![",
            "<script",
            "<iframe",
            "<link",
            "<a",
            "href",
            "webservice(",
            "import",
            "attachedtemplate",
            "new_tag(",
            "createelement(",
        ):
            continue
        lines = code.lines
        shown = next(
            (
                at
                for at, line in lines.items()
                if _PIXEL.search(line) or _SCRIPT.search(line) or _REACHES.search(line) or _hides_link(lines, at)
            ),
            None,
        )
        if shown is None:
            continue
        where, pixel = Location(file, shown), _PIXEL.search(lines[shown])
        script, reaches = _SCRIPT.search(lines[shown]), _REACHES.search(lines[shown])
        what = "links that no reader sees"
        if pixel or script or reaches:
            what = "a picture that reports its readers" if pixel else "a program that gets data of the page"
            what = "a part that is fetched when it is opened" if reaches else what
        if hosts := hidden_hosts(subject, file):
            message = f"puts {what} into pages, to {hosts[0]}"
        elif not (pixel or script or reaches) and _is_kept_from_all(lines, shown):
            message = f"puts {what} into pages"
        else:
            continue
        yield by_text(RULE, subject, where, lines[shown].strip(), Severity.HIGH, message)._replace(
            basis=subject.basis(where)
        )


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
