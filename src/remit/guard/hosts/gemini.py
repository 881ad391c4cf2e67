"""Gemini CLI: hooks in settings.json. We never answer `ask`: without a person at the terminal the session hangs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from remit.guard.event import Event, Kind, Outcome, Reply, Verdict
from remit.guard.hosts.payload import arguments, below, first, leaves, line, named, reason_of

BEFORE_TOOL: Final = "BeforeTool"
KINDS: Final[Mapping[str, Kind]] = {
    BEFORE_TOOL: Kind.BEFORE,
    "AfterTool": Kind.AFTER,
    "SessionStart": Kind.SESSION,
    "BeforeAgent": Kind.PROMPT,
    "AfterAgent": Kind.STOP,
    "SessionEnd": Kind.END,
}
_NOTES = frozenset({"AfterTool", "SessionStart", "BeforeAgent"})


class Gemini:
    """The adapter."""

    name = "gemini"

    def read(self, name: str, payload: Mapping[str, Any]) -> Event:
        """Parse the hook's input. Calls have no names here."""
        args = arguments(payload.get("tool_input"))
        name = named(name, payload)
        kind = KINDS.get(name, Kind.BEFORE)
        said = "prompt_response" if kind is Kind.STOP else "prompt"  # the end of a turn repeats the prompt
        cwd = first(payload, "cwd")
        return Event(
            self.name,
            kind,
            name,
            first(payload, "session_id"),
            # the payload has the session's folder, even for a command with its own
            below(cwd, args.get("dir_path")) if first(payload, "tool_name") == "run_shell_command" else cwd,
            tool=first(payload, "tool_name"),
            args=args,
            text=first(payload, said) or "\n".join(leaves(payload.get("tool_response"))),
        )

    def reply(self, event: Event, verdict: Verdict) -> Reply:
        """Return the hook's output."""
        if verdict.outcome is Outcome.PASS:
            return Reply(line(_passed(event, verdict)))
        reason = reason_of(verdict)
        if event.name in KINDS:
            return Reply(line({"decision": "deny", "reason": reason}))
        return Reply(stderr=reason, exit=2)


def _passed(event: Event, verdict: Verdict) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    if verdict.changed is not None and event.name == BEFORE_TOOL:
        fields["tool_input"] = dict(verdict.changed)
    if verdict.note and event.name in _NOTES:
        fields["additionalContext"] = verdict.note
    return {"hookSpecificOutput": {"hookEventName": event.name, **fields}} if fields else {}
