"""Requests at the gateway that wait for an approver, as lines. Nothing in them can steer a terminal, or imitates a line
of ours.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

from remit.gateway.deployment.waiting_requests import SHORT
from remit.report.approval_view import Part, ago, changed, part_lines, together
from remit.report.screen import Screen, visible

if TYPE_CHECKING:
    from remit.gateway.deployment.processes import PartyProcess
    from remit.gateway.transactions import Waiting


def waiting_head(one: Waiting) -> str:
    """Return the request in one line."""
    told = one.transaction
    return f"{told.intent} · {told.caller} · " + " ".join(f"{name}={value}" for name, value in one.inputs.items())


def waiting_parts(one: Waiting, now: int) -> list[Part]:
    """Return who asks for what, with which inputs it would happen, and what the policy changed in them."""
    told = one.transaction
    return [
        Part("asks", f"{told.intent}   (gateway, session {told.session})", "bold"),
        Part("for", told.caller),
        Part("because", "the policy requires an approver's signature"),
        Part("until", f"{ago(max(told.until - now, 0))} from now; then the agent must ask again"),
        *together("changed", (f"{', '.join(one.before)}: {words}" for words in one.changes()), "yellow"),
        *(Part(name, str(value), "cyan") for name, value in one.inputs.items()),
        *([Part("shows", f"the agent would see: {one.shows}", "bold")] if one.shows else ()),
    ]


def difference(one: Waiting, name: str) -> list[str]:
    """Return what the policy changed in an input, as lines of a diff."""
    before, after = str(one.before[name]).splitlines(), str(one.inputs[name]).splitlines()
    return list(difflib.unified_diff(before, after, lineterm="", n=1))[2:]


def changed_head(name: str) -> str:
    """Return the heading of such a diff."""
    return f"{visible(name)}, as it was asked for and as it would happen (keys and cards are never shown):"


def waiting_body(one: Waiting, screen: Screen, now: int) -> list[str]:
    """Return everything about it."""
    out = part_lines(waiting_parts(one, now), screen)
    for name in one.before:
        if lines := difference(one, name):
            out += ["", screen.style(f"  {changed_head(name)}", "dim"), *(changed(line, screen) for line in lines)]
    return out


def waiting_value(one: Waiting) -> dict[str, Any]:
    """Return it as JSON."""
    told = one.transaction
    shows = {"shows": one.shows} if one.shows else {}
    changed = {"before": one.before, "changes": list(one.changes())} if one.before else {}
    return {
        "id": one.id, "intent": told.intent, "caller": told.caller, "session": told.session, "inputs": one.inputs,
        "until": told.until, **changed, **shows,
    }  # fmt: skip


def waiting_lines(one: Waiting) -> list[str]:
    """Return it in short, as text; nothing in it steers the terminal, or imitates a line of ours."""
    told = one.transaction
    head = f"{one.id[:SHORT]}  {told.intent} for {told.caller} in session {told.session}"
    changed = [f"  changed by the policy: {', '.join(one.changes())}"] if one.changes() else []
    shows = [f"  the agent would see: {one.shows}"] if one.shows else []
    inputs = (f"  {name}: {value}" for name, value in one.inputs.items())
    return [visible(line) for line in (head, *inputs, *changed, *shows)]


def running_words(one: PartyProcess) -> str:
    """Whether a party runs."""
    return f"pid {one.pid}" if one.healthy else f"pid {one.pid}, does not answer" if one.pid else "does not run"
