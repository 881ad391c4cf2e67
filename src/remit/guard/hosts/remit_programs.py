"""Remit's own programs as hosts: the proxy of `remit guard mcp` and the inbound gateway.

The proxy reports calls to an MCP server and requests of a server, the inbound gateway what its agents are about to do.
Both ends are ours, so the payload has the fields of an event and the answer those of a verdict.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from remit.guard.event import Event, Kind, Reply, Verdict
from remit.guard.hosts.payload import arguments, first, line, reason_of

KINDS: Final[Mapping[str, Kind]] = {
    "session": Kind.SESSION,
    "prompt": Kind.PROMPT,
    "before": Kind.BEFORE,
    "after": Kind.AFTER,
    "failed": Kind.FAILED,
    "notice": Kind.NOTICE,
    "end": Kind.END,
}


class RemitProgram:
    """The adapter."""

    def __init__(self, name: str) -> None:
        self.name = name

    def read(self, name: str, payload: Mapping[str, Any]) -> Event:
        """Parse a report; `method` is the request of a protocol that it is about, if there is one."""
        return Event(
            self.name,
            KINDS.get(name, Kind.BEFORE),
            first(payload, "method") or name,
            first(payload, "session"),
            first(payload, "cwd"),
            tool=first(payload, "tool"),
            args=arguments(payload.get("args")),
            call=first(payload, "call"),
            text=first(payload, "text"),
            asks=payload.get("asks") is True,
        )

    def reply(self, _event: Event, verdict: Verdict) -> Reply:
        """Return the answer. A program that can ask a person does; another one gets a refusal with the name of the
        approval.
        """
        said: dict[str, Any] = {"outcome": verdict.outcome.value, "reason": reason_of(verdict)}
        if verdict.approval:
            said["approval"] = verdict.approval
        if verdict.note:
            said["note"] = verdict.note
        if verdict.changed is not None:
            said["changed"] = dict(verdict.changed)
        return Reply(line(said))
