"""What waits at the gateway for an approver, as lines. Nothing in it can steer a terminal, or looks like a line of ours."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from remit.report.approval_view import changed, field
from remit.report.screen import visible

if TYPE_CHECKING:
    from remit.gateway.transactions.store import Waiting
    from remit.report.screen import Screen

SHORT = 8  # characters of a name that are shown


def waiting_head(one: Waiting) -> str:
    """What is asked, in one line."""
    told = one.transaction
    return f"{told.intent} · {told.caller} · " + " ".join(f"{name}={value}" for name, value in one.inputs.items())


def waiting_body(one: Waiting, screen: Screen, now: int) -> list[str]:
    """Everything about it: who asks for what, with which inputs it would happen, and what the policy changed in them."""
    told = one.transaction
    out = field("asks", f"{told.intent}   (gateway, session {told.session})", screen, "bold")
    out += field("for", told.caller, screen)
    out += field("because", "the policy wants an approver's signature for it", screen)
    out += field("until", f"{max(told.until - now, 0)} s from now; then the agent must ask again", screen)
    for number, words in enumerate(one.changes()):
        out += field("changed" if number == 0 else "", f"{', '.join(one.before)}: {words}", screen, "yellow")
    for name, value in one.inputs.items():
        out += field(name, str(value), screen, "cyan")
    if one.shows:
        out += field("shows", f"the agent would see: {one.shows}", screen, "bold")
    for name in one.before:
        out += _difference(name, str(one.before[name]), str(one.inputs[name]), screen)
    return out


def _difference(name: str, before: str, after: str, screen: Screen) -> list[str]:
    lines = list(difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=1))[2:]
    head = f"  {visible(name)}, as it was asked for and as it would happen (keys and cards are never shown):"
    return ["", screen.style(head, "dim"), *(changed(line, screen) for line in lines)] if lines else []
