"""How a transaction ended, in words: for an agent that commits again, and for an operator."""

from __future__ import annotations

import json
from typing import NamedTuple

from remit.core.digest import canonical
from remit.gateway.transactions.state_machine import Phase, Transaction

LONGEST = 3600 + 60  # seconds after which an executor no longer reports how an action ended
FLIGHT = 60  # seconds after which the executor accepts nothing of a commit any more: proofs are valid for half of that


class Outcome(NamedTuple):
    """How a transaction ended.

    `what`: done, failed, refused, unknown, never; `code`: of a refusal; `summary`: the agent's answer.
    """

    what: str
    code: str = ""
    summary: str = ""

    def text(self) -> str:
        """Return the outcome as stored text."""
        return canonical(self._asdict()).decode()


def read_outcome(text: str) -> Outcome:
    """Return the outcome in a stored text. An empty text (of older versions) is `unknown`."""
    return Outcome(**json.loads(text)) if text else Outcome("unknown")


_OPEN = "it was previewed and not committed: nothing happened", "commit it, or let it be over"
_WAITS = "it waits for an approver: nothing happened", "`remit approvals` answers it; then the agent commits it"
_OVER = "its time is over, and it was not committed: nothing happened", "preview again"
_NO = "a person said no: nothing happened", "-"
_BEGUN = (
    "it was handed to the executor, which has not said how it ended",
    "ask again; the gateway asks the executor too",
)
_WORDS = {
    "done": ("it was carried out, once", "-"),
    "failed": ("it was allowed, and did not happen", "see why, and preview again"),
    "refused": ("the executor refused it: nothing happened", "see why, and preview again"),
    "never": ("it was never started: nothing happened", "preview again"),
    "unknown": (
        "the executor stopped while it was carried out: it may have happened, and is not repeated",
        "look at its destination; preview again only if it is not there",
    ),
}


def told(one: Transaction, ended: Outcome, now: int) -> tuple[str, str]:
    """Return what happened, and what to do next."""
    match one.phase:
        case Phase.REFUSED:
            return _NO
        case Phase.TAKEN:
            return _BEGUN
        case Phase.OPEN:
            return _OVER if now >= one.until else _WAITS if one.confirm and one.confirmation is None else _OPEN
    return _WORDS[ended.what]


def settled(became: str, since: int, now: int) -> Outcome | None:
    """Return the outcome of a commit from what the executor remembers; None while it may still be under way."""
    if became == "started":
        return Outcome("unknown") if now >= since + LONGEST else None
    return None if became == "never" and now < since + FLIGHT else Outcome(became)
