"""The webhook broker: one POST of JSON to a service, and one answer that must prove its origin.

(1) Our request is signed, so that the service knows who asks. The question has a nonce.
(2) The answer has status 200; a redirect is no answer. (3) It is signed with the same secret over different bytes than ours, so that
our own signature cannot be replayed to us; or it comes over https with the agreed token. (4) It names the question and
its nonce.
(5) Everything takes at most five seconds. Anything else counts as no answer.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from remit.core.errors import GuardError
from remit.guard.approvals.answers import Answer

if TYPE_CHECKING:
    from remit.guard.approvals.broker_config import Broker

SECONDS = 5.0
SIGNATURE, TOKEN = "X-Remit-Signature", "X-Remit-Token"
_LARGEST = 64 * 1024
_REMEDY = "look at the service, or answer with `remit approvals`"
_ANSWERS = {str(one): one for one in (Answer.ONCE, Answer.SESSION, Answer.DENY)}


class SentQuestion(NamedTuple):
    """A question that was sent."""

    id: str
    nonce: str
    body: bytes


class Came(NamedTuple):
    """A raw response."""

    status: int
    headers: Mapping[str, str]  # names in lower case
    body: bytes


class VerifiedAnswer(NamedTuple):
    """A verified answer."""

    answer: Answer
    who: str


def question(name: str, nonce: str, shown: Mapping[str, Any], expires: int) -> SentQuestion:
    """Return the body of the request."""
    value = {"schema": "remit.question.v1", "id": name, "nonce": nonce, "expires": expires, "question": shown}
    return SentQuestion(name, nonce, json.dumps(value, sort_keys=True).encode())


def signature(secret: str, part: str, body: bytes) -> str:
    """Return the signature of one part of the exchange, `question` or `answer`."""
    return "sha256=" + hmac.new(secret.encode(), f"{part}\n".encode() + body, hashlib.sha256).hexdigest()


def read_answer(broker: Broker, sent: SentQuestion, came: Came) -> VerifiedAnswer:
    """Verify a response and return its answer, or raise an error that denies. Pure."""
    if came.status != 200:  # (2)
        raise GuardError(f"the service answered with status {came.status}", _REMEDY)
    signed = came.headers.get(SIGNATURE.lower(), "")
    token = came.headers.get(TOKEN.lower(), "")
    proved = hmac.compare_digest(signed.encode(), signature(broker.secret, "answer", came.body).encode())
    if not proved and broker.token and broker.url.startswith("https://"):
        proved = hmac.compare_digest(token.encode(), broker.token.encode())
    if not proved:  # (3)
        raise GuardError("the answer of the service is not signed", _REMEDY)
    try:
        value = json.loads(came.body)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict) or value.get("answer") not in _ANSWERS:
        raise GuardError("the answer of the service says neither yes nor no", _REMEDY)
    if value.get("id") != sent.id or value.get("nonce") != sent.nonce:  # (4)
        raise GuardError("the answer of the service is to another question", _REMEDY)
    who = value.get("who", "")
    return VerifiedAnswer(_ANSWERS[value["answer"]], who[:200] if isinstance(who, str) else "")


def ask(
    broker: Broker,
    sent: SentQuestion,
    post: Callable[[Broker, SentQuestion, float], Came] | None = None,
    seconds: float = SECONDS,
) -> VerifiedAnswer:
    """Ask the service."""
    found: list[Came | BaseException] = []

    def work() -> None:
        try:
            found.append((post or _post)(broker, sent, seconds))
        except BaseException as error:  # noqa: BLE001  whatever it is, there is no answer
            found.append(error)

    # in a thread: resolving a name has no time-out, and a server may send one byte a second
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(seconds)
    if not found or isinstance(found[0], TimeoutError):
        raise GuardError("the service did not answer in time", _REMEDY)
    if isinstance(found[0], BaseException):
        raise GuardError(f"the service cannot be asked: {type(found[0]).__name__}", _REMEDY)
    return read_answer(broker, sent, found[0])


def _post(broker: Broker, sent: SentQuestion, seconds: float) -> Came:
    """Send one request to the configured address, without proxies from the environment and without redirects."""
    import http.client  # noqa: PLC0415  (few ask a service)

    parts = urlsplit(broker.url)
    host = parts.hostname or ""
    link: http.client.HTTPConnection
    if parts.scheme == "https":
        import ssl  # noqa: PLC0415

        link = http.client.HTTPSConnection(host, parts.port, timeout=seconds, context=ssl.create_default_context())
    else:
        link = http.client.HTTPConnection(host, parts.port, timeout=seconds)
    try:
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        headers = {"Content-Type": "application/json", SIGNATURE: signature(broker.secret, "question", sent.body)}
        link.request("POST", path, sent.body, headers)  # (1)
        with link.getresponse() as reply:
            body = reply.read(_LARGEST + 1)
        if len(body) > _LARGEST:
            raise GuardError("the answer of the service is too large", _REMEDY)
        return Came(reply.status, {name.lower(): value for name, value in reply.getheaders()}, body)
    finally:
        link.close()
