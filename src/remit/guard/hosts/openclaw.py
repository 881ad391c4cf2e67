"""OpenClaw: our plugin sends both arguments of its hooks; a refusal makes it block. It cannot ask, so a question is a
refusal.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from remit.guard.event import Event, Kind, Outcome, Reply, Verdict
from remit.guard.hosts.patch import with_files, without_files
from remit.guard.hosts.payload import arguments, below, first, leaves, line, reason_of

BEFORE_TOOL: Final = "before_tool_call"
KINDS: Final[Mapping[str, Kind]] = {
    BEFORE_TOOL: Kind.BEFORE,
    "after_tool_call": Kind.AFTER,
    "before_agent_run": Kind.PROMPT,
    "session_start": Kind.SESSION,
    "session_end": Kind.END,
    "subagent_spawned": Kind.DELEGATE,
    "subagent_ended": Kind.RETURN,
}


class Openclaw:
    """The adapter."""

    name = "openclaw"

    def read(self, name: str, payload: Mapping[str, Any]) -> Event:
        """Parse the plugin's report: event and context of a hook unchanged, and the agent's workspace."""
        told, context = arguments(payload.get("event")), arguments(payload.get("context"))
        args = arguments(told.get("params"))
        kind = KINDS.get(name, Kind.BEFORE)
        tool, cwd = first(told, "toolName"), first(payload, "workspace")
        return Event(
            self.name,
            Kind.FAILED if kind is Kind.AFTER and told.get("error") else kind,
            name,
            first(context, "sessionId", "sessionKey") or first(told, "sessionId", "sessionKey"),
            below(cwd, args.get("workdir")) if tool == "exec" else cwd,
            tool=tool,
            args=with_files(args, "input") if tool == "apply_patch" else args,
            call=first(told, "toolCallId"),
            agent=first(told, "childSessionKey"),
            mode=first(told, "toolKind"),
            text=first(told, "prompt", "content") or "\n".join(leaves(told.get("result"))),
            asks=kind is Kind.BEFORE,
        )

    def reply(self, event: Event, verdict: Verdict) -> Reply:
        """Return the answer to the plugin."""
        reason = reason_of(verdict)
        if verdict.outcome is Outcome.ASK and event.name == BEFORE_TOOL:
            return Reply(line({"ask": reason}))
        if verdict.outcome is not Outcome.PASS:
            return Reply(line({"deny": reason}))
        changed = verdict.changed if event.name == BEFORE_TOOL else None
        return Reply(line({} if changed is None else {"args": without_files(changed)}))
