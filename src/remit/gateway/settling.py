"""What the gateway does when the executor has accepted an action and recorded it: for intents whose effect lies here, that is the effect.

A crash after the executor's record and before this leaves an action that is recorded and has no effect. It is not tried again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from remit.authority.intents import intents
from remit.authority.sinks import RUNTIME
from remit.gateway.answers import Answer, Status
from remit.gateway.codes import RefusedError
from remit.gateway.handles.life import Handle, Sensitivity
from remit.gateway.handles.store import LIFETIME
from remit.gateway.local.notes import Message
from remit.policy.dlp.classes import classes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from remit.executor.forms import Result
    from remit.gateway.credentials.verifying import Caller
    from remit.gateway.local.serving import Local

CONTENT = "content"  # what an executor found that must not be seen: it gets a handle


class Settled(NamedTuple):
    """An action that the executor carried out or accepted."""

    caller: Caller
    intent: str
    inputs: Mapping[str, Any]  # those with which it happens
    shown: str  # what a declassification shows
    now: int


def settle(local: Local, settled: Settled, result: Result) -> Answer:
    """The rest, and the answer."""
    own = _OWN.get(settled.intent)
    if own is not None:
        return own(local, settled)
    if intents()[settled.intent].effect == "reveal":
        return _sealed(local, settled, result)
    return Answer(Status.OK, result.summary, dict(result.data))


def _sealed(local: Local, settled: Settled, result: Result) -> Answer:
    """A file's content stays here. One that shows keys or cards is never shown to the agent."""
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
