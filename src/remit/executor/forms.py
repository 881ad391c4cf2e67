"""Requests to the executor, and its answers, as JSON. Both are published (`remit schema executor-request`,
`executor-answer`).
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from remit.authority.codes import codes
from remit.authority.intents import TYPES
from remit.authority.values.action import FORM as ACTION
from remit.authority.values.confirmation import FORM as CONFIRMATION
from remit.authority.values.proof import SERVERS, SIGNED
from remit.core.errors import AuthorityError
from remit.core.shape import HEX, Items, Named, Open, Record, Text, Word
from remit.core.strictjson import strict_json
from remit.executor.accept import Presented
from remit.executor.credentials.tokens import FORM as CREDENTIAL

MOST_BYTES = 32 * 1024 * 1024  # mostly answers for long texts
_BASE64 = r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"
_HANDLE = TYPES["handle"]
assert isinstance(_HANDLE, Text)
_SECRETS = Named(_HANDLE, Text(MOST_BYTES, _BASE64, empty=True), 64)
PRESENTED = Record(
    {
        "request": Text(MOST_BYTES, _BASE64),  # the canonical spelling of the request
        "nonce": HEX,
        "action_id": ACTION,
        "salt": HEX,  # of the look-up
        "proofs": Items(SIGNED, len(SERVERS), len(SERVERS)),  # of server 0, then of server 1
        "answers": Items(Text(MOST_BYTES, _BASE64, empty=True), len(SERVERS), len(SERVERS)),
        "credential": CREDENTIAL,
        "confirmation": CONFIRMATION,
        "secrets": _SECRETS,  # values of handles among the inputs
    },
    frozenset({"confirmation", "secrets"}),
)
_NEEDED = set(PRESENTED.fields) - {"confirmation", "secrets"}
STATES = ("done", "refused", "failed", "unknown")
REFUSED = {"STORE_FAILED": 503}  # the status of HTTP for refusals that are not the asker's fault; the others have 403
SPOKEN = frozenset({200, 403, 503})  # with which an answer of the form comes
_MOST_SUMMARY = 4_096
ANSWER = Record(
    {
        "status": Word(STATES),
        "code": Word(("", *codes("executor"))),
        "summary": Text(_MOST_SUMMARY, empty=True),
        "data": Open(),
        "action_id": Text(ACTION.limit, f"(?:{ACTION.pattern})?", empty=True),
        "tag": Text(32, r"(?:[0-9a-f]{32})?", empty=True),
    }
)


class Result(NamedTuple):
    """The result that the gateway gets."""

    status: str  # of `STATES`
    code: str = ""
    summary: str = ""
    data: Mapping[str, Any] = MappingProxyType({})
    action_id: str = ""
    tag: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the published form."""
        return {**self._asdict(), "summary": self.summary[:_MOST_SUMMARY], "data": dict(self.data)}


def read_presented(data: bytes) -> tuple[Presented, dict[str, bytes]] | None:
    """Read a presented request and the sealed values of its handles, neither yet verified; None if they are malformed.

    The predicate checks the form of proofs and confirmation, so that the log has the reason.
    """
    try:
        told: Any = strict_json(data)
        if not isinstance(told, dict) or not _NEEDED <= set(told) <= set(PRESENTED.fields):
            return None
        secrets = told.get("secrets", {})
        if _SECRETS.fault(secrets, "secrets") or ("confirmation" in told and told["confirmation"] is None):
            return None
        request, nonce, salt = _decoded(told["request"]), bytes.fromhex(told["nonce"]), bytes.fromhex(told["salt"])
        answers = tuple(_decoded(one) for one in told["answers"])
        values = {name: _decoded(value) for name, value in secrets.items()}
    except (ValueError, TypeError):
        return None
    if (nonce.hex(), salt.hex()) != (told["nonce"], told["salt"]) or not isinstance(told["proofs"], list):
        return None
    rest = told["action_id"], salt, tuple(told["proofs"]), answers, told["credential"], told.get("confirmation")
    return Presented(request, nonce, *rest), values


def _decoded(text: str) -> bytes:
    """Decode base64; ValueError if it is not the canonical encoding."""
    found = base64.b64decode(text, validate=True)
    if base64.b64encode(found).decode() != text:
        raise ValueError("another spelling")
    return found


def write_presented(presented: Presented, secrets: Mapping[str, bytes]) -> bytes:
    """Serialize a presented request."""
    told = {
        "request": base64.b64encode(presented.request).decode(), "nonce": presented.nonce.hex(), "salt": presented.salt.hex(),
        "action_id": presented.action_id, "answers": [base64.b64encode(one).decode() for one in presented.answers],
        "credential": presented.credential,
    }  # fmt: skip
    rest = {"confirmation": presented.confirmation} if presented.confirmation is not None else {}
    values = {name: base64.b64encode(value).decode() for name, value in secrets.items()}
    return json.dumps({**told, "proofs": list(presented.proofs), "secrets": values, **rest}).encode()


def read_result(data: bytes) -> Result:
    """Read the answer of the executor; AuthorityError if it is malformed, in which case the outcome is unknown."""
    try:
        told = json.loads(data)
    except (ValueError, RecursionError):
        told = None
    if fault := ANSWER.fault(told, "answer"):
        message = f"the executor answered in another form: {fault}"
        raise AuthorityError(message, "run the same version of Remit on all parties")
    return Result(**told)
