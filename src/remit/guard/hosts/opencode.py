"""opencode: our plugin sends both arguments of its hooks; a refusal makes it throw. It cannot ask."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from remit.guard.event import Event, Kind, Outcome, Reply, Verdict
from remit.guard.hosts.patch import with_files, without_files
from remit.guard.hosts.payload import arguments, below, first, leaves, line, reason_of

BEFORE_TOOL: Final = "tool.execute.before"
AFTER_TOOL: Final = "tool.execute.after"
KINDS: Final[Mapping[str, Kind]] = {
    BEFORE_TOOL: Kind.BEFORE,
    AFTER_TOOL: Kind.AFTER,
    "chat.message": Kind.PROMPT,
    "session.created": Kind.SESSION,
    "session.idle": Kind.STOP,
    "session.deleted": Kind.END,
}


class Opencode:
    """The adapter."""

    name = "opencode"

    def read(self, name: str, payload: Mapping[str, Any]) -> Event:
        """Parse the plugin's report: `input` and `output` of a hook unchanged, and the folder of the session."""
        told, given = arguments(payload.get("input")), arguments(payload.get("output"))
        args = arguments(given.get("args") if name == BEFORE_TOOL else told.get("args"))
        parent = first(arguments(given.get("info")), "parentID")  # a subagent is a session of its own
        kind = KINDS.get(name, Kind.BEFORE)
        tool, cwd = first(told, "tool"), first(payload, "directory")
        return Event(
            self.name,
            Kind.DELEGATE if kind is Kind.SESSION and parent else kind,
            name,
            parent or first(told, "sessionID"),
            below(cwd, args.get("workdir")) if tool == "bash" else cwd,
            tool=tool,
            args=with_files(args, "patchText") if tool == "apply_patch" else args,
            call=first(told, "callID"),
            agent=first(told, "sessionID") if parent else "",
            text=_words(given) if kind is Kind.PROMPT else "\n".join(leaves(given.get("output"))),
        )

    def reply(self, event: Event, verdict: Verdict) -> Reply:
        """Return the answer to the plugin."""
        if verdict.outcome is not Outcome.PASS:
            return Reply(line({"deny": reason_of(verdict)}))
        changed = verdict.changed if event.name == BEFORE_TOOL else None
        return Reply(line({} if changed is None else {"args": without_files(changed)}))


def _words(given: Mapping[str, Any]) -> str:
    parts = given.get("parts")
    said = [arguments(part) for part in parts] if isinstance(parts, list) else []
    # a part that opencode wrote itself (the text of a file, a reminder) is not the user's text
    return "\n".join(first(part, "text") for part in said if part.get("type") == "text" and not part.get("synthetic"))
