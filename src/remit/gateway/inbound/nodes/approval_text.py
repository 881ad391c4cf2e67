"""The text for a person who is to approve a command on a device: everything that runs, where, and who asked.

The arguments are written as one JSON string, so that no part of them looks like a line of the text and no character is
invisible. Long arguments are cut with a visible mark and the digest of the whole.
"""

from __future__ import annotations

import json
import unicodedata
from typing import TYPE_CHECKING

from remit.core.digest import bytes_digest

if TYPE_CHECKING:
    from remit.gateway.inbound.agent.turn import About
    from remit.gateway.inbound.nodes.command_requests import Wanted
    from remit.gateway.inbound.nodes.runs import Ask

_UNSEEN = frozenset(
    ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
)  # Unicode categories of characters that are invisible or change how others look
MOST = 6_000  # characters of arguments
_TEXT = """A device is to run a command. It runs only if you approve it.
id:        {name}
device:    {device}
command:   {command}
arguments: {arguments}
asked by:  {by} (agent {agent}, session {session})
Approve with: /approve {name}   or deny with: /deny {name}"""


def approval_text(name: str, wanted: Wanted, ask: Ask, about: About) -> str:
    """Return the text for a request."""
    return _TEXT.format(
        name=name, device=_visible(wanted.device), command=_visible(wanted.command), arguments=shown(wanted.arguments), by=_visible(ask.by),
        agent=about.agent, session=_visible(about.session),
    )  # fmt: skip


def shown(arguments: str) -> str:
    """Return the quoted arguments, with a mark if they are cut."""
    if len(arguments) <= MOST:
        return _quoted(arguments)
    ends = [_quoted(one) for one in (arguments[: MOST // 2], arguments[-MOST // 2 :])]
    digest = bytes_digest(arguments.encode("utf-8", "surrogatepass"))
    left = len(arguments) - MOST
    return f"{ends[0]} [CUT: {left} of {len(arguments)} characters are not shown here; {digest} of all of it] {ends[1]}"


def _quoted(text: str) -> str:
    return _visible(json.dumps(text, ensure_ascii=False))


def _visible(text: str) -> str:
    """Return a text in which invisible characters are escaped as in JSON."""
    return "".join(json.dumps(char)[1:-1] if unicodedata.category(char) in _UNSEEN else char for char in text)
