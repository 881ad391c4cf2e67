"""Model of tool calls in one session (`explore/tool_call_states.py`): the policy changes at any time, and the
language model calls any tool.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from remit.gateway.inbound import laws
from remit.models.explore import tool_call_states
from remit.models.explore.model import Action, Invariant, Model, Mutant, Patch, remembering, subsets
from remit.models.explore.tool_call_states import CallStarts, ModelCall, Reload, Session, Show, WaitingCall

TOOLS, IDS = ("read", "exec"), ("1", "2")


class ToolCallState(NamedTuple):
    """The session, and what really went on."""

    session: Session
    policy: frozenset[str]  # what is allowed now
    ran: WaitingCall | None = None  # what ran just now
    runs: tuple[int, ...] = (0, 0)  # how often each call ran
    asked: tuple[WaitingCall | None, ...] = (None, None)  # what each name was called for last


def _actions() -> tuple[Action, ...]:
    step = remembering(tool_call_states.step)

    def reload(world: ToolCallState) -> Iterator[tuple[Any, ToolCallState]]:
        for allowed in subsets(TOOLS):
            session, _ = step(world.session, Reload(allowed))
            yield allowed, world._replace(session=session, policy=allowed, ran=None)

    def show(world: ToolCallState) -> Iterator[tuple[Any, ToolCallState]]:
        yield (), world._replace(session=step(world.session, Show())[0], ran=None)

    def ask(world: ToolCallState) -> Iterator[tuple[Any, ToolCallState]]:
        for place, name in enumerate(IDS):
            for tool in TOOLS:
                session, refused = step(world.session, ModelCall(WaitingCall(name, tool)))
                if not refused and world.runs[place] == 0:
                    asked = (*world.asked[:place], WaitingCall(name, tool), *world.asked[place + 1 :])
                    yield (name, tool), world._replace(session=session, asked=asked, ran=None)

    def run(world: ToolCallState) -> Iterator[tuple[Any, ToolCallState]]:
        for place, name in enumerate(IDS):
            waiting = next((one for one in world.session.waiting if one.id == name), world.asked[place])
            session, refused = step(world.session, CallStarts(name))
            ran = None if refused or waiting is None else waiting
            runs = (
                world.runs
                if ran is None
                else (*world.runs[:place], min(world.runs[place] + 1, 2), *world.runs[place + 1 :])
            )
            yield name, world._replace(session=session, ran=ran, runs=runs)

    return Action("change the policy", reload), Action("show", show), Action("call", ask), Action("run", run)


_INVARIANTS = (
    Invariant("by-the-policy-of-now", "no call runs that the policy denies when it runs, whatever the policy said before", lambda world: world.ran is not None,
              lambda world: laws.by_the_policy(world.ran.tool, world.policy)),
    Invariant("denied-is-not-shown", "a model is never shown a denied tool", lambda world: bool(world.session.shown),
              lambda world: laws.denied_is_not_shown(world.session.shown, world.policy)),
    Invariant("what-is-taken-back-is-gone", "after a change of the policy the session has exactly the tools that are allowed now", lambda _: True,
              lambda world: world.session.allowed == world.policy),
    Invariant("a-call-runs-once", "a call runs once", lambda world: any(world.runs), lambda world: max(world.runs) == 1),
    Invariant("a-call-stays-what-it-was", "the name of a waiting call is never used for another call", lambda world: bool(world.session.waiting),
              lambda world: len({one.id for one in world.session.waiting}) == len(world.session.waiting)),
    Invariant("only-what-was-called", "no tool runs that was not called", lambda world: world.ran is not None, lambda world: world.ran in world.asked),
)  # fmt: skip


def _for(kind: type, spoil: Callable[[Session, Any], Any]) -> Callable[..., Any]:
    """A step that does something else for one kind of event."""
    return lambda real: lambda known, event: spoil(known, event) if isinstance(event, kind) else real(known, event)


def _cached(real: Callable[..., Any]) -> Callable[..., Any]:
    def step(known: Session, event: Any) -> Any:
        trusted = known._replace(allowed=known.allowed | {one.tool for one in known.waiting})
        after, refused = real(trusted if isinstance(event, CallStarts) else known, event)
        return after._replace(allowed=known.allowed) if isinstance(event, CallStarts) else after, refused

    return step


def _runs_anything(real: Callable[..., Any]) -> Callable[..., Any]:
    def step(known: Session, event: Any) -> Any:
        if isinstance(event, ModelCall) and event.call.tool in known.allowed and len(known.waiting) < 2:
            return known._replace(
                waiting=(
                    *known.waiting,
                    event.call._replace(tool="read" if "read" in known.allowed else event.call.tool),
                )
            ), ""
        return real(known, event)

    return step


def model() -> Model:
    """The model."""
    everything = frozenset(TOOLS)
    twice = _for(
        ModelCall,
        lambda known, event: (
            (known._replace(waiting=(*known.waiting, event.call)), "") if len(known.waiting) < 2 else (known, "X")
        ),
    )
    mutants = (
        Mutant("decides when it is called", "by-the-policy-of-now", Patch(tool_call_states, "step", _cached)),
        Mutant("goes on showing", "denied-is-not-shown", Patch(tool_call_states, "step", _for(Reload, lambda known, event: (known._replace(allowed=event.allowed), "")))),
        Mutant("shows everything", "denied-is-not-shown", Patch(tool_call_states, "step", _for(Show, lambda known, _: (known._replace(shown=everything), "")))),
        Mutant("keeps what it had", "what-is-taken-back-is-gone",
            Patch(tool_call_states, "step", _for(Reload, lambda known, event: (known._replace(allowed=known.allowed | event.allowed, shown=known.shown & event.allowed), "")))),
        Mutant("runs a call again", "a-call-runs-once", Patch(tool_call_states, "step",
            lambda real: lambda known, event: (known, real(known, event)[1]) if isinstance(event, CallStarts) else real(known, event))),
        Mutant("takes a name twice", "a-call-stays-what-it-was", Patch(tool_call_states, "step", twice)),
        Mutant("runs another tool", "only-what-was-called", Patch(tool_call_states, "step", _runs_anything)),
    )  # fmt: skip
    return Model(
        "tool-calls", "a call runs only if it is allowed at that moment; a change of the policy takes effect at once",
        tuple(ToolCallState(Session(allowed), allowed) for allowed in subsets(TOOLS)), _actions, _INVARIANTS, lambda _: False, mutants,
    )  # fmt: skip
