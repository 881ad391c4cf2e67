"""Codex CLI: events and answers similar to those of Claude Code, but parsed more strictly.

An answer that Codex considers invalid is a failed hook, and the tool runs: this includes `ask`, a refusal without a
reason, exit 2 with empty stderr, and an unknown field. So we answer with little, and never with `ask`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from remit.guard.event import Event, Kind, Outcome, Reply, Verdict
from remit.guard.hosts.patch import with_files, without_files
from remit.guard.hosts.payload import arguments, first, leaves, line, named, reason_of

BEFORE_TOOL: Final = "PreToolUse"
KINDS: Final[Mapping[str, Kind]] = {
    BEFORE_TOOL: Kind.BEFORE,
    "PostToolUse": Kind.AFTER,
    "SessionStart": Kind.SESSION,
    "UserPromptSubmit": Kind.PROMPT,
    "SubagentStart": Kind.DELEGATE,
    "SubagentStop": Kind.RETURN,
    "Stop": Kind.STOP,
    "SessionEnd": Kind.END,
}
_BLOCKS = frozenset({"PostToolUse", "UserPromptSubmit", "SubagentStop", "Stop"})  # {"decision": "block", "reason"}
_NOTES = frozenset({BEFORE_TOOL, "PostToolUse", "SessionStart", "UserPromptSubmit", "SubagentStart"})


class Codex:
    """The adapter."""

    name = "codex"

    def read(self, name: str, payload: Mapping[str, Any]) -> Event:
        """Parse the hook's input. A call with a folder of its own reports that folder as `cwd`."""
        tool = first(payload, "tool_name")
        args = arguments(payload.get("tool_input"))
        name = named(name, payload)
        return Event(
            self.name,
            KINDS.get(name, Kind.BEFORE),
            name,
            first(payload, "session_id"),
            first(payload, "cwd"),
            tool=tool,
            args=with_files(args, "command") if tool == "apply_patch" else args,
            call=first(payload, "tool_use_id"),
            agent=first(payload, "agent_id"),
            mode=first(payload, "permission_mode"),
            text=first(payload, "prompt", "last_assistant_message") or "\n".join(leaves(payload.get("tool_response"))),
        )

    def reply(self, event: Event, verdict: Verdict) -> Reply:
        """Return the hook's output."""
        if verdict.outcome is Outcome.PASS:
            return Reply(line(_passed(event, verdict)))
        reason = reason_of(verdict)
        if event.name == BEFORE_TOOL:
            return Reply(line(_specific(event, permissionDecision="deny", permissionDecisionReason=reason)))
        if event.name in _BLOCKS:
            return Reply(line({"decision": "block", "reason": reason}))
        if event.kind in {Kind.SESSION, Kind.DELEGATE}:
            return Reply(line({"continue": False, "stopReason": reason}))
        return Reply(stderr=reason, exit=2)


def _passed(event: Event, verdict: Verdict) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    if verdict.changed is not None and event.name == BEFORE_TOOL:
        # new arguments are accepted only with `allow`; the host's own rules still judge them afterwards
        fields |= {"permissionDecision": "allow", "updatedInput": without_files(verdict.changed)}
    if verdict.note and event.name in _NOTES:
        fields["additionalContext"] = verdict.note
    return _specific(event, **fields) if fields else {}


def _specific(event: Event, **fields: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": event.name, **fields}}
