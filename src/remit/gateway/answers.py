"""What an agent is told. Nothing else leaves the gateway towards it."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from functools import reduce
from typing import Any, NamedTuple

from remit.authority.intents import TYPES
from remit.core.digest import canonical
from remit.core.errors import InputError
from remit.core.shape import Items, Open, Record, Text, Word
from remit.core.text_views import cleaned, holds
from remit.executor.codes import codes as executor_codes
from remit.gateway.codes import Refused, codes


class Status(StrEnum):
    """How it stands."""

    OK = "OK"
    DENY = "DENY"
    PREVIEW = "PREVIEW"  # it would happen like this: commit it
    CONFIRM = "CONFIRM"  # it waits for an approver; commit it then


_MOST_SUMMARY = 8_192
_HANDLE = "‹handle›"  # noqa: RUF001  marks that no value holds
ANSWER = Record(  # the published form: `remit schema act-answer`
    {
        "status": Word(tuple(map(str, Status))),
        "summary": Text(_MOST_SUMMARY, empty=True),
        "data": Open(),
        "artifacts": Items(TYPES["handle"], 64),
        "reason_code": Word(("", *dict.fromkeys((*codes(), *executor_codes())))),
        "tx_id": Text(32, r"[0-9a-f]{32}"),
    },
    frozenset({"tx_id"}),
)


class Answer(NamedTuple):
    """One answer."""

    status: Status
    summary: str = ""
    data: dict[str, Any] = {}  # noqa: RUF012  never changed
    artifacts: tuple[str, ...] = ()  # handles
    reason_code: str = ""
    tx_id: str = ""

    def to_json(self) -> dict[str, Any]:
        """As JSON; a transaction is there only if there is one."""
        cut = self.summary[:_MOST_SUMMARY]
        told = {**self._asdict(), "status": str(self.status), "summary": cut, "artifacts": list(self.artifacts)}
        if not self.tx_id:
            del told["tx_id"]
        return told


def denied(refused: Refused) -> Answer:
    """A refusal, in words and with its code."""
    return Answer(Status.DENY, refused.told(), reason_code=refused.code)


def holds_any(answer: Answer, hidden: Iterable[str]) -> bool:
    """Whether an answer holds one of some texts, in any of its views. One that cannot be written down or searched counts as one that does."""
    try:
        text = canonical(answer.to_json()).decode()
    except InputError:
        return True
    parts = [part for part in hidden if part]
    return holds(text, lambda view: any(part in view for part in parts))


def texts_of(value: Any) -> list[str]:
    """The long texts in a proof: signatures, digests, shares of the tag. None of them means anything to an agent."""
    if isinstance(value, str):
        return [value] if len(value) >= 32 else []
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [text for item in inner for text in texts_of(item)]


def without(answer: Answer, values: Iterable[str]) -> Answer:
    """The answer without some values, wherever they stand and however they are encoded: a server may send back what it was given."""
    wanted = [value for value in values if value]
    return (
        answer._replace(summary=_blank(answer.summary, wanted), data=_blank(answer.data, wanted)) if wanted else answer
    )


def _blank(value: Any, wanted: list[str]) -> Any:
    if isinstance(value, str):
        return cleaned(value, lambda view: reduce(lambda text, one: text.replace(one, _HANDLE), wanted, view), _HANDLE)
    if isinstance(value, dict):
        return {_blank(name, wanted): _blank(item, wanted) for name, item in value.items()}
    return [_blank(item, wanted) for item in value] if isinstance(value, list | tuple) else value
