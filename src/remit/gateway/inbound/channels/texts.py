"""How long a text may be: one that comes in is cut, one that goes out is split."""

from __future__ import annotations

import re
from collections.abc import Mapping

from remit.gateway.inbound.settings.values import Platform

MOST = 16_000  # characters of what a stranger says that an agent hears
CUT = " [cut here]"
LONGEST: Mapping[Platform, int] = {
    Platform.WEB: 100_000,
    Platform.CLI: 100_000,
    Platform.WEBHOOK: 100_000,
    Platform.SLACK: 4_000,
    Platform.DISCORD: 2_000,
    Platform.TELEGRAM: 4_096,
    Platform.MAIL: 100_000,
}  # of one message, in units of UTF-16, which is how the strictest of them count

EDITED = frozenset(
    {Platform.SLACK, Platform.DISCORD, Platform.TELEGRAM}
)  # where a message of ours can be put in another's place


def cut(text: str) -> str:
    """A text of a bounded length; one that was longer says so."""
    return text if len(text) <= MOST else text[: MOST - len(CUT)] + CUT


_LINK = re.compile(r"\[([^\]\n]{0,500})\]\(<?([a-z][a-z0-9+.-]*:[^\s)>]{1,2000})>?[^)\n]{0,200}\)", re.IGNORECASE)


def plain_links(text: str) -> str:
    """A text whose links say where they lead: `[the bank](https://elsewhere)` becomes `the bank (https://elsewhere)`."""
    return _LINK.sub(r"\1 (\2)", text)


_MARKS = re.compile(r"[\\`*_~|<>#:@\[\]()-]")


def literal(platform: Platform, text: str) -> str:
    """A text that the platform shows character by character. Of all of them only Discord reads marks in what we send."""
    return _MARKS.sub(r"\\\g<0>", text) if platform is Platform.DISCORD else text


def units(text: str) -> int:
    """The length of a text in units of UTF-16."""
    return len(text) + sum(one > "\uffff" for one in text)


def shortened(text: str, longest: int) -> str:
    """The beginning of a text."""
    return text if units(text) <= longest else text[: _prefix(text, longest)]


def split(platform: Platform, text: str) -> tuple[str, ...]:
    """A text as messages that the platform takes: at the end of a line or at a blank, where there is one in the second half."""
    longest, out = LONGEST[platform], []
    while units(text) > longest:
        end = _prefix(text, longest)
        at = max(text.rfind(mark, end // 2, end) for mark in ("\n", " "))
        end = at + 1 if at >= 0 else end
        end -= (end - len(text[:end].rstrip("\\"))) % 2  # a sign and the backslash before it stay together
        out.append(text[:end])
        text = text[end:]
    return (*out, text) if text else tuple(out)


def _prefix(text: str, longest: int) -> int:
    """How many characters of a text are at most so long."""
    end = longest
    while units(text[:end]) > longest:
        end -= (units(text[:end]) - longest + 1) // 2
    return end
