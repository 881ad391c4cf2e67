"""Copilot CLI: hooks/*.json. The payload does not name its event; the command line of the hook does.

Output that is not JSON counts as no answer, and the tool runs; exit 2 blocks. Only events before a tool can be refused;
prompts and results cannot.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from remit.guard.event import Event, Kind, Outcome, Reply, Verdict
from remit.guard.hosts.payload import arguments, first, leaves, line, reason_of

BEFORE_TOOL: Final = "preToolUse"
KINDS: Final[Mapping[str, Kind]] = {
    BEFORE_TOOL: Kind.BEFORE,
    "postToolUse": Kind.AFTER,
    "sessionStart": Kind.SESSION,
    "userPromptSubmitted": Kind.PROMPT,
    "subagentStart": Kind.DELEGATE,
    "subagentStop": Kind.RETURN,
    "agentStop": Kind.STOP,
    "sessionEnd": Kind.END,
}


class Copilot:
    """The adapter."""

    name = "copilot"

    def read(self, name: str, payload: Mapping[str, Any]) -> Event:
        """Parse the hook's input. Calls have no names here."""
        kind = KINDS.get(name, Kind.BEFORE)
        result = arguments(payload.get("toolResult"))
        if kind is Kind.AFTER and first(result, "resultType") not in {"", "success"}:
            kind = Kind.FAILED
        return Event(
            self.name,
            kind,
            name,
            first(payload, "sessionId"),
            first(payload, "cwd"),
            tool=first(payload, "toolName"),
            args=arguments(payload.get("toolArgs", payload.get("toolInput"))),
            agent=first(payload, "agentId", "agentName"),
            text=first(payload, "prompt") or first(result, "textResultForLlm") or "\n".join(leaves(result)),
            asks=kind is Kind.BEFORE,  # where no person can be asked, the host itself refuses
        )

    def reply(self, event: Event, verdict: Verdict) -> Reply:
        """Return the hook's output."""
        if verdict.outcome is Outcome.PASS:
            changed = verdict.changed if event.name == BEFORE_TOOL else None
            return Reply(line({} if changed is None else {"modifiedArgs": dict(changed)}))
        reason = reason_of(verdict)
        if event.name == BEFORE_TOOL:
            decision = "ask" if verdict.outcome is Outcome.ASK else "deny"
            return Reply(line({"permissionDecision": decision, "permissionDecisionReason": reason}))
        if event.kind in {Kind.STOP, Kind.RETURN}:
            return Reply(line({"decision": "block", "reason": reason}))
        return Reply(stderr=reason, exit=2)
