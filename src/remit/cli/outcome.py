"""`remit outcome`: the outcome of a request, by the name of its transaction or action."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING

from remit.gateway.deployment.operator_actions import outcome_of
from remit.gateway.deployment.waiting_requests import gateway_folder
from remit.gateway.transactions import Phase, told
from remit.guard.state_folder import state_folder
from remit.report.screen import visible

if TYPE_CHECKING:
    import argparse


def outcome(args: argparse.Namespace) -> int:
    """Run the command."""
    found = outcome_of(Path(args.folder).absolute() if args.folder else gateway_folder(state_folder()), args.id)
    one, ended = found.transaction, found.ended
    words, remedy = told(one, ended, int(time.time()))
    if args.format == "json":
        value = {
            "tx_id": found.id, "action_id": one.action_id, "intent": one.intent, "caller": one.caller, "session": one.session,
            "phase": str(one.phase), "outcome": ended.what if one.phase is Phase.DONE else "", "code": ended.code, "said": ended.summary,
            "meaning": words, "remedy": "" if remedy == "-" else remedy,
        }  # fmt: skip
        print(json.dumps(value, indent=2))
        return 0
    lines = [f"{one.intent} for {one.caller} in session {one.session}", f"  {words}"]
    if one.phase is Phase.DONE and (ended.code or ended.summary):
        lines.append(f"  the agent was told: {' '.join(filter(None, (ended.code, ended.summary)))}")
    if remedy != "-":
        lines.append(f"  what to do: {remedy}")
    lines.append(f"  transaction {found.id}, action {one.action_id}")
    print("\n".join(visible(line) for line in lines))
    return 0
