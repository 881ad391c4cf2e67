"""Length limits: incoming texts are cut, outgoing ones are split."""

from __future__ import annotations

import re
from collections.abc import Mapping

from remit.gateway.inbound.settings.values import Platform

MOST = 16_000  # characters of an incoming message that reach the agent
CUT = " [cut here]"
# of one message in UTF-16 units, which the strictest of them count
LONGEST: Mapping[Platform, int] = {
    Platform.WEB: 100_000,
    Platform.CLI: 100_000,
    Platform.WEBHOOK: 100_000,
    Platform.SLACK: 4_000,
    Platform.DISCORD: 2_000,
    Platform.TELEGRAM: 4_096,
    Platform.MAIL: 100_000,
}

# platforms on which our messages can be edited
EDITED = frozenset({Platform.SLACK, Platform.DISCORD, Platform.TELEGRAM})


def cut(text: str) -> str:
    """Cut a text to the limit, with a note."""
    return text if len(text) <= MOST else text[: MOST - len(CUT)] + CUT


_LINK = re.compile(r"\[([^\]\n]{0,500})\]\(<?([a-z][a-z0-9+.-]*:[^\s)>]{1,2000})>?[^)\n]{0,200}\)", re.IGNORECASE)


def plain_links(text: str) -> str:
    """Write out the targets of links: `[the bank](https://elsewhere)` becomes `the bank (https://elsewhere)`."""
    return _LINK.sub(r"\1 (\2)", text)


_MARKS = re.compile(r"[\\`*_~|<>#:@\[\]()-]")


def literal(platform: Platform, text: str) -> str:
    """Escape a text so that the platform shows it literally. Only Discord interprets markup in our messages."""
    return _MARKS.sub(r"\\\g<0>", text) if platform is Platform.DISCORD else text


def units(text: str) -> int:
    """Return the length of a text in UTF-16 units."""
    return len(text) + sum(one > "\uffff" for one in text)


def shortened(text: str, longest: int) -> str:
    """Return the longest prefix within a limit."""
    return text if units(text) <= longest else text[: _prefix(text, longest)]


def split(platform: Platform, text: str) -> tuple[str, ...]:
    """Split a text into messages that the platform accepts: at the last newline or space in the second half, if there
    is one.
    """
    longest, out = LONGEST[platform], []
    while units(text) > longest:
        end = _prefix(text, longest)
        at = max(text.rfind(mark, end // 2, end) for mark in ("\n", " "))
        end = at + 1 if at >= 0 else end
        end -= (end - len(text[:end].rstrip("\\"))) % 2  # keep a backslash with the character that it escapes
        out.append(text[:end])
        text = text[end:]
    return (*out, text) if text else tuple(out)


def _prefix(text: str, longest: int) -> int:
    """Return how many characters fit into a number of UTF-16 units."""
    end = longest
    while units(text[:end]) > longest:
        end -= (units(text[:end]) - longest + 1) // 2
    return end
