"""How the user is asked through the client, and what counts as agreement: pure."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

METHOD = "elicitation/create"
_LONGEST = 2000
_FIELD = "answer"


class Choice(StrEnum):
    """What the user may answer."""

    ONCE = "allow once"
    SESSION = "allow this very call for the session"
    DENY = "deny"


def can_ask(capabilities: Any) -> bool:
    """Whether a client shows forms to its user."""
    elicitation = capabilities.get("elicitation") if isinstance(capabilities, dict) else None
    return isinstance(elicitation, dict) and (not elicitation or "form" in elicitation)


def question(tool: str, reason: str, shown: str) -> dict[str, Any]:
    """The form."""
    message = f"Remit: {tool} wants to run.\n{reason[:_LONGEST]}\n{shown[:_LONGEST]}"
    field = {"type": "string", "title": "May it?", "enum": [choice.value for choice in Choice]}
    return {
        "message": message,
        "requestedSchema": {"type": "object", "properties": {_FIELD: field}, "required": [_FIELD]},
    }


def choice_of(result: Mapping[str, Any]) -> Choice:
    """What the user said. Whatever is not a plain yes is a no."""
    content = result.get("content")
    said = content.get(_FIELD) if result.get("action") == "accept" and isinstance(content, dict) else None
    return Choice(said) if said in (Choice.ONCE.value, Choice.SESSION.value) else Choice.DENY
