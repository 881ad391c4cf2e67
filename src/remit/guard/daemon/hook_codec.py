"""Conversion of a hook's bytes to an event, and of a verdict to bytes. A failure in either direction is a denial."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NoReturn

from remit.core import telemetry
from remit.core.errors import GuardError, RemitError
from remit.guard.daemon.protocol import ANSWERED, DENIED, IN_CAPSULE, LARGEST, Answer, Question

if TYPE_CHECKING:
    from remit.guard.event import Event, Host, Verdict

Hosts = Callable[[str], "Host | None"]
_LONGEST_REASON = 2000
_PLAIN_START = re.compile(rb"\{[^\0]")  # UTF-8, as nearly all hosts send: neither a byte order mark nor zero bytes


def read_event(hosts: Hosts, question: Question, body: bytes, *, confined: bool = False) -> tuple[Host, Event]:
    """Parse a hook's input into an event, with the adapter that answers it. `confined`: the client is in namespaces of
    its own.
    """
    host = hosts(question.host)
    if host is None:
        raise GuardError(f"the host `{question.host}` is not known", "remit guard status lists the hosts")
    name = question.event.removesuffix(IN_CAPSULE)
    event = host.read(name, read_object(body))
    if confined or name != question.event:
        event = event._replace(confined=True)
    return host, event._replace(parent=question.parent) if question.parent and telemetry.heard() else event


def read_object(body: bytes) -> dict[str, Any]:
    """Parse a hook's input as a JSON object."""
    try:
        encoding = "utf-8" if _PLAIN_START.match(body) else json.detect_encoding(body)
        found = _READER.decode(body.decode(encoding, "surrogatepass"))
    except (ValueError, RecursionError) as error:
        raise GuardError(f"what the hook got is not JSON: {error}", "look at what the host sends") from None
    if not isinstance(found, dict):
        raise GuardError("what the hook got is not an object", "look at what the host sends")
    return found


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"`{text}` is no number")


_READER = json.JSONDecoder(parse_constant=_no_number)  # one shared decoder: `json.loads` would make one each time


def answer_event(host: Host, event: Event, verdict: Verdict) -> Answer:
    """Return what the hook prints."""
    reply = host.reply(event, verdict)
    answer = Answer(reply.exit, _text(reply.stdout), _text(reply.stderr))
    if answer.exit not in (ANSWERED, DENIED) or max(len(answer.stdout), len(answer.stderr)) > LARGEST:
        raise GuardError(f"the adapter of `{event.host}` gave an answer that hosts ignore", "report it")
    return answer


def answer_object(found: Mapping[str, Any]) -> Answer:
    """Return the answer to one of Remit's own programs."""
    return Answer(ANSWERED, json.dumps(found, separators=(",", ":"), allow_nan=False).encode("ascii"))


def denial(error: BaseException | str) -> Answer:
    """Return the answer for a failure: one line with the reason."""
    if isinstance(error, RemitError):
        text = f"{error.message} ({error.remedy})" if error.remedy else error.message
    elif isinstance(error, BaseException):
        text = f"{type(error).__name__}: {error}"
    else:
        text = error
    line = " ".join(text.split())[:_LONGEST_REASON]
    return Answer(DENIED, b"", _text(f"remit: denied: {line}\n"))


def _text(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")  # a lone surrogate from a host must not prevent the answer
