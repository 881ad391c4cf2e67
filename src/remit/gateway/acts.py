"""Requests of an agent, `{intent_id, inputs, constraints}`, and the answers to it.

Identity and approvals come from elsewhere: a request that contains such fields is refused. Nothing but an answer leaves
the gateway towards an agent. The meanings of reason codes are data (`data/codes.table`).
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from functools import reduce
from typing import Any, NamedTuple

from remit.authority.codes import codes
from remit.authority.intents import TYPES, intents
from remit.authority.values.request import MOST_BYTES
from remit.core.digest import canonical
from remit.core.errors import InputError
from remit.core.shape import Items, OneOf, Open, Record, Text, Word
from remit.core.strictjson import strict_json
from remit.core.text_views import cleaned, holds

_CONSTRAINTS = Record(
    {"tx_id": Text(32, r"[0-9a-f]{32}", words="the name that a preview gave: 32 hexadecimal digits")},
    frozenset({"tx_id"}),
)
ACT = OneOf(  # the published form: `remit schema act`
    tuple(
        Record(
            {"intent_id": Word((name,)), "inputs": one.form, "constraints": _CONSTRAINTS}, frozenset({"constraints"})
        )
        for name, one in intents().items()
    )
)
_FIELDS, _OPTIONAL = {"intent_id", "inputs"}, {"constraints"}


class Act(NamedTuple):
    """One parsed request; its inputs have the intent's form. With a `tx_id` it commits that transaction."""

    intent: str
    inputs: dict[str, Any]
    tx_id: str = ""


def parse_act(data: bytes) -> Any:
    """Parse JSON bytes; duplicate keys, floats and overlong numbers are refused."""
    if len(data) > MOST_BYTES:
        raise RefusedError("TOO_LARGE")
    try:
        return strict_json(data)
    except ValueError:
        raise RefusedError(
            "BAD_FORM", "not JSON, or with keys that occur twice or numbers that are not whole"
        ) from None


def read_act(value: Any) -> Act:
    """Return the act in a JSON value, or raise RefusedError."""
    if not isinstance(value, dict) or not all(isinstance(name, str) for name in value):
        raise RefusedError("BAD_FORM")
    if not _FIELDS <= set(value) <= _FIELDS | _OPTIONAL:
        unknown = sorted(set(value) - _FIELDS - _OPTIONAL)
        raise RefusedError("BAD_FORM", f"`{unknown[0][:80]}` is not a field" if unknown else "")
    if fault := _CONSTRAINTS.fault(value.get("constraints", {}), "constraints"):
        raise RefusedError("BAD_FORM", fault)
    try:
        if len(canonical(value)) > MOST_BYTES:
            raise RefusedError("TOO_LARGE")
    except InputError as error:
        raise RefusedError("BAD_FORM", error.message) from None
    name, inputs = value["intent_id"], value["inputs"]
    known = intents().get(name) if isinstance(name, str) else None
    if known is None:
        raise RefusedError("INTENT_UNKNOWN")
    if fault := known.fault(inputs):
        raise RefusedError("INPUTS_FORM", fault)
    return Act(name, inputs, value.get("constraints", {}).get("tx_id", ""))


class Status(StrEnum):
    """The status of an answer."""

    OK = "OK"
    DENY = "DENY"
    PREVIEW = "PREVIEW"  # what would happen; the agent has to commit it
    CONFIRM = "CONFIRM"  # waits for an approver; the agent commits it afterwards


_MOST_SUMMARY = 8_192
_HANDLE = "‹handle›"  # noqa: RUF001  marks that no value holds
ANSWER = Record(  # the published form: `remit schema act-answer`
    {
        "status": Word(tuple(map(str, Status))),
        "summary": Text(_MOST_SUMMARY, empty=True),
        "data": Open(),
        "artifacts": Items(TYPES["handle"], 64),
        "reason_code": Word(("", *dict.fromkeys((*codes("gateway"), *codes("executor"))))),
        "tx_id": Text(32, r"[0-9a-f]{32}"),
    },
    frozenset({"tx_id"}),
)


class ActAnswer(NamedTuple):
    """One answer to an agent."""

    status: Status
    summary: str = ""
    data: dict[str, Any] = {}  # noqa: RUF012  never changed
    artifacts: tuple[str, ...] = ()  # handles
    reason_code: str = ""
    tx_id: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the answer as JSON; `tx_id` is present only if there is a transaction."""
        cut = self.summary[:_MOST_SUMMARY]
        told = {**self._asdict(), "status": str(self.status), "summary": cut, "artifacts": list(self.artifacts)}
        if not self.tx_id:
            del told["tx_id"]
        return told


def denied(refused: ActRefusal) -> ActAnswer:
    """Return the answer for a refusal, with its text and code."""
    return ActAnswer(Status.DENY, refused.told(), reason_code=refused.code)


def holds_any(answer: ActAnswer, hidden: Iterable[str]) -> bool:
    """Return whether an answer contains one of the hidden texts, in any encoding that is searched.

    An answer that cannot be serialized or searched counts as containing one.
    """
    try:
        text = canonical(answer.to_json()).decode()
    except InputError:
        return True
    parts = [part for part in hidden if part]
    return holds(text, lambda view: any(part in view for part in parts))


def texts_of(value: Any) -> list[str]:
    """Return the long texts of a proof: signatures, digests, shares of the tag. None of them is of use to an agent."""
    if isinstance(value, str):
        return [value] if len(value) >= 32 else []
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [text for item in inner for text in texts_of(item)]


def without(answer: ActAnswer, values: Iterable[str]) -> ActAnswer:
    """Return the answer without some values, wherever and however encoded they appear.

    A server may echo what it received.
    """
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


class ActRefusal(NamedTuple):
    """The reason for a refusal."""

    code: str
    detail: str = ""

    def told(self) -> str:
        """Return the refusal as text; codes of the executor are explained by their detail."""
        known = codes("gateway").get(self.code)
        return self.detail or (known.meaning if known else self.code)


class RefusedError(Exception):
    """Ends a procedure at the first step that fails."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code)
        self.refused = ActRefusal(code, detail)
