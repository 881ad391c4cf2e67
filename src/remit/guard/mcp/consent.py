"""A person's acceptance of a server: a question stored beside those about calls, until `remit approvals` answers it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

from remit.guard.state_folder import checked
from remit.guard.store import ApprovalSubject, State, ask_approval, open_store, spend_approval, standing_approval

LASTS = 24 * 3600  # seconds that a question stays open
HOST = "mcp"


class Consent:
    """Questions and answers in the guard's store. All proxies of a server share one session: an answer may come later."""

    def __init__(self, state: Path, cwd: str) -> None:
        self._state = state
        self._cwd = cwd

    def seek(self, server: str, digest: str, arguments: Mapping[str, Any]) -> str:
        """Ask for exactly what was shown, by its digest. Return why it is not accepted; empty if a person accepted it."""
        asked = ApprovalSubject(HOST, f"pins-{server}", "", digest)
        now = int(time.time())
        store = open_store(checked(self._state).database)
        try:
            standing = standing_approval(store, asked, now=now)
            if standing is not None and standing.state is not State.SESSION:
                return "a person denied it"
            if standing is not None or spend_approval(store, asked, now=now) is not None:
                return ""
            put = ask_approval(store, asked, self._shown(server, arguments), now=now, expires=now + LASTS)
        finally:
            store.close()
        return f"`remit approvals` shows it as {put.id}"

    def _shown(self, server: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        message = f"the tools of the MCP server `{server}` would be taken on as it describes them now"
        scope = f"{server}@{arguments.get('digest', '')}"  # two questions about one server are not the same question
        asks = {"capability": "policy.expand", "scope": scope, "principal": "", "source": "pins", "reason": message}
        return {
            "host": HOST,
            "tool": "pins",
            "cwd": self._cwd,
            "skill": "",
            "arguments": dict(arguments),
            "message": message,
            "reasons": [message],
            "asks": [asks],
            "does": [["policy.expand", scope]],
            "commands": [],
        }


METHOD = "elicitation/create"
_LONGEST = 2000
_FIELD = "answer"


class Choice(StrEnum):
    """The possible answers of the user."""

    ONCE = "allow once"
    SESSION = "allow this very call for the session"
    DENY = "deny"


def can_ask(capabilities: Any) -> bool:
    """Whether a client can show forms to its user."""
    elicitation = capabilities.get("elicitation") if isinstance(capabilities, dict) else None
    return isinstance(elicitation, dict) and (not elicitation or "form" in elicitation)


def question(tool: str, reason: str, shown: str) -> dict[str, Any]:
    """Return the form."""
    message = f"Remit: {tool} wants to run.\n{reason[:_LONGEST]}\n{shown[:_LONGEST]}"
    field = {"type": "string", "title": "May it?", "enum": [choice.value for choice in Choice]}
    return {
        "message": message,
        "requestedSchema": {"type": "object", "properties": {_FIELD: field}, "required": [_FIELD]},
    }


def choice_of(result: Mapping[str, Any]) -> Choice:
    """Return the user's answer. Anything but a plain yes is a no."""
    content = result.get("content")
    said = content.get(_FIELD) if result.get("action") == "accept" and isinstance(content, dict) else None
    return Choice(said) if said in (Choice.ONCE.value, Choice.SESSION.value) else Choice.DENY
