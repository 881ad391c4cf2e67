"""Completion of an action that the executor has accepted and recorded; local intents take effect here.

The end is recorded afterwards: a crash in between leaves a commit without an end, which is unknown at the next start
and is not retried. Content from outside (a fetched page, the output of a command) is returned without keys and card
numbers and marked untrusted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.authority.intents import intents
from remit.authority.sinks import RUNTIME
from remit.gateway.acts import Answer, Status
from remit.gateway.codes import RefusedError
from remit.gateway.handles import LIFETIME, Handle, Sensitivity
from remit.gateway.local.dispatch import UNTRUSTED, Local
from remit.gateway.local.notes import Message
from remit.policy.dlp.classes import classes, veiled

if TYPE_CHECKING:
    from remit.executor.credentials.verifier import Caller
    from remit.executor.forms import Result

_OUTSIDE = frozenset({"fetch", "webhook", "run"})
_SEARCHED = 1_000_000  # characters of a text that are searched for keys and cards in all encodings, and returned
CONTENT = "content"  # the field of an executor's result that must not be shown: it becomes a handle


class Settled(NamedTuple):
    """An action that the executor carried out or accepted."""

    caller: Caller
    intent: str
    inputs: Mapping[str, Any]  # after the policy's changes
    shown: str  # what a declassification shows
    now: int


def settle(local: Local, settled: Settled, result: Result) -> Answer:
    """Perform what is left to do and return the answer."""
    own = _OWN.get(settled.intent)
    if own is not None:
        return own(local, settled)
    effect = intents()[settled.intent].effect
    if effect == "reveal":
        return _sealed(local, settled, result)
    if effect in _OUTSIDE:
        return Answer(Status.OK, result.summary, {**_outside(result.data), **UNTRUSTED})
    return Answer(Status.OK, result.summary, dict(result.data))


def _outside(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return outside data without keys and card numbers, cut to the length that can be searched."""
    told = {name: veiled(value[:_SEARCHED]) if isinstance(value, str) else value for name, value in data.items()}
    if any(isinstance(value, str) and len(value) > _SEARCHED for value in data.values()):
        told["cut"] = True
    return told


def lies_here(intent: str) -> bool:
    """Return whether the gateway performs the intent itself.

    Then the executor records the acceptance, and the gateway the outcome.
    """
    return intent in _OWN


def _sealed(local: Local, settled: Settled, result: Result) -> Answer:
    """Keep a file's content as a handle. Content with keys or card numbers can never be shown to the agent."""
    caller, now = settled.caller, settled.now
    text = result.data.get(CONTENT)
    if not isinstance(text, str):
        raise RefusedError("NOT_TEXT")
    high = bool(classes(text) & {"key", "card"})
    sensitivity, sinks = (Sensitivity.HIGH, frozenset[str]()) if high else (Sensitivity.LOW, frozenset({RUNTIME}))
    until = min(now + LIFETIME, caller.until)
    name = local.handles.mint(text.encode(), Handle(caller.session, caller.name, sensitivity, sinks, until), now)
    data = {"handle": name, "sensitivity": str(sensitivity), "sinks": sorted(sinks), "characters": len(text)}
    return Answer(Status.OK, "a handle for the content", data, (name,))


def _shown(_: Local, settled: Settled) -> Answer:
    return Answer(Status.OK, "shown", {"text": settled.shown})


def _written(local: Local, settled: Settled) -> Answer:
    local.notes.write(settled.caller.name, settled.inputs["key"], settled.inputs["text"])
    return Answer(Status.OK, "remembered")


def _deleted(local: Local, settled: Settled) -> Answer:
    gone = local.notes.delete(settled.caller.name, settled.inputs["key"])
    return Answer(Status.OK, "forgotten" if gone else "there was nothing")


def _sent(local: Local, settled: Settled) -> Answer:
    inputs, caller = settled.inputs, settled.caller
    local.notes.send(caller.session, Message(caller.name, inputs["text"]), inputs["to"])
    return Answer(Status.OK, f"sent to `{inputs['to']}`")


_OWN: Mapping[str, Callable[[Local, Settled], Answer]] = {
    "Declassify": _shown,
    "MemoryWrite": _written,
    "MemoryDelete": _deleted,
    "SendInterAgentMessage": _sent,
}
