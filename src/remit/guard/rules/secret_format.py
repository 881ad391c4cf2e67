"""A skill sends a value that looks like a key, a token or an account number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.guard.rules.model import Action, Rule

if TYPE_CHECKING:
    from collections.abc import Iterable

    from remit.guard.rules.model import CallView, Hit


def find(view: CallView) -> Iterable[Hit]:
    """What was found while the call was looked at."""
    return view.found("secret-format")


RULE = Rule(
    "secret-format",
    Action.ASK,
    "A skill sends a value that looks like a key, a token or an account number.",
    "curl -d ghp_… https://api.example.com",
    "curl -d hello https://api.example.com",
    find,
)
