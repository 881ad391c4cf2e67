"""Model of a handle (`gateway/handles.py`): other callers and sessions that learned its name, every sink, and its
end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from remit.authority.sinks import ANYWHERE, NOWHERE, RUNTIME
from remit.gateway import handles
from remit.gateway.handles import EndSession, Handle, Mint, Revoke, Sensitivity, Use
from remit.models.explore.model import Action, Invariant, Model, Mutant, Patch

UNTIL, LAST = 2, 3
CALLERS, SESSIONS = ("anna", "bert"), ("s", "t")
SINKS = (RUNTIME, "mail", "web", NOWHERE)
REACHES = tuple(frozenset(names) for names in ((), (RUNTIME,), ("mail",), (ANYWHERE,), (RUNTIME, ANYWHERE)))

MINTED = tuple(Handle("s", "anna", sensitivity, reach, UNTIL) for sensitivity in Sensitivity for reach in REACHES)


class Went(NamedTuple):
    """A value that was let go: who wanted it, where to, when, and whether the handle had been given back."""

    session: str
    caller: str
    sink: str
    now: int
    gone: bool


class HandleState(NamedTuple):
    """What the store has under one name, and what really went on."""

    kept: Handle | None = None
    now: int = 0
    first: Handle | None = None
    gone: bool = False  # its caller gave it back, or its session ended
    went: Went | None = None


def _actions() -> tuple[Action, ...]:  # noqa: C901  one branch for each action of the model
    def mint(world: HandleState) -> Iterator[tuple[Any, HandleState]]:
        for one in MINTED:
            kept, refusal = handles.step(world.kept, Mint(one), world.now)
            if not refusal:
                yield (str(one.sensitivity), one.sinks), world._replace(kept=kept, first=world.first or one)

    def use(world: HandleState) -> Iterator[tuple[Any, HandleState]]:
        for session in SESSIONS:
            for caller in CALLERS:
                for sink in SINKS:
                    kept, refusal = handles.step(world.kept, Use(session, caller, sink), world.now)
                    if not refusal:
                        went = Went(session, caller, sink, world.now, world.gone)
                        yield (session, caller, sink), world._replace(kept=kept, went=went)

    def revoke(world: HandleState) -> Iterator[tuple[Any, HandleState]]:
        for session in SESSIONS:
            for caller in CALLERS:
                kept, refusal = handles.step(world.kept, Revoke(session, caller), world.now)
                if not refusal:
                    mine = world.first is not None and (session, caller) == (world.first.session, world.first.caller)
                    yield (session, caller), world._replace(kept=kept, gone=world.gone or mine)

    def end(world: HandleState) -> Iterator[tuple[Any, HandleState]]:
        for session in SESSIONS:
            kept, refusal = handles.step(world.kept, EndSession(session), world.now)
            if not refusal:
                yield session, world._replace(kept=kept, gone=world.gone or session == "s")

    def tick(world: HandleState) -> Iterator[tuple[Any, HandleState]]:
        if world.now < LAST:
            yield (), world._replace(now=world.now + 1)

    return (
        Action("mint", mint), Action("use", use), Action("give back", revoke), Action("end the session", end),
        Action("a second passes", tick),
    )  # fmt: skip


def _went(world: HandleState) -> bool:
    return world.went is not None


def _shown(world: HandleState) -> bool:
    return world.went is not None and world.went.sink == RUNTIME


def _within_reach(world: HandleState) -> bool:
    sink, reach = world.went.sink, world.first.sinks  # type: ignore[union-attr]
    return sink in reach or (ANYWHERE in reach and sink not in (RUNTIME, NOWHERE))


_INVARIANTS = (
    Invariant("its-caller-alone", "a value goes only where its own caller sends it, in its own session", _went,
              lambda world: world.went[:2] == (world.first.session, world.first.caller)),
    Invariant("gone-is-gone", "a handle that was given back, or whose session ended, is never used again", _went,
              lambda world: not world.went.gone),
    Invariant("in-time", "a handle is never used after its time", _went, lambda world: world.went.now < UNTIL),
    Invariant("high-is-not-shown", "a value of high sensitivity is never shown to an agent", _shown,
              lambda world: world.first.sensitivity is Sensitivity.LOW),
    Invariant("within-its-sinks", "a value goes only to a sink that its handle allows; `*` covers no agent and no address without a host", _went,
              _within_reach),
    Invariant("only-its-caller-ends-it", "only the caller of a handle can give it back",
              lambda world: world.kept is not None and world.kept.revoked, lambda world: world.gone),
    Invariant("never-replaced", "a handle is never replaced by another one of the same name", lambda world: world.first is not None,
              lambda world: world.kept is not None and world.kept[:5] == world.first[:5]),
)  # fmt: skip


def _blind(*fields: str) -> Callable[..., Any]:
    """A step for which some fields of the event are taken as they should be."""

    def spoil(real: Callable[..., Any]) -> Callable[..., Any]:
        def step(known: Handle | None, event: Any, now: int) -> Any:
            if known is not None and isinstance(event, Use):
                event = event._replace(**{name: getattr(known, name) for name in fields})
            return real(known, event, now)

        return step

    return spoil


def _uses_what_is_gone(real: Callable[..., Any]) -> Callable[..., Any]:
    def step(known: Handle | None, event: Any, now: int) -> Any:
        found, code = real(known._replace(revoked=False) if known and isinstance(event, Use) else known, event, now)
        return (known if isinstance(event, Use) else found), code

    return step


def _anyone_ends_it(real: Callable[..., Any]) -> Callable[..., Any]:
    def step(known: Handle | None, event: Any, now: int) -> Any:
        if known is not None and isinstance(event, Revoke):
            return known._replace(revoked=True), ""
        return real(known, event, now)

    return step


def model() -> Model:
    """The model."""
    mutants = (
        Mutant("does not look at the session", "its-caller-alone", Patch(handles, "step", _blind("session"))),
        Mutant("does not look at the caller", "its-caller-alone", Patch(handles, "step", _blind("caller"))),
        Mutant("uses what was given back", "gone-is-gone", Patch(handles, "step", _uses_what_is_gone)),
        Mutant(
            "goes on after the session",
            "gone-is-gone",
            Patch(
                handles,
                "step",
                lambda real: (
                    lambda known, event, now: (known, "") if isinstance(event, EndSession) else real(known, event, now)
                ),
            ),
        ),
        Mutant(
            "does not look at the clock",
            "in-time",
            Patch(handles, "step", lambda real: lambda known, event, now: real(known, event, min(now, UNTIL - 1))),
        ),
        Mutant(
            "shows values of high sensitivity",
            "high-is-not-shown",
            Patch(
                handles,
                "_reach",
                lambda real: lambda known, sink: real(known._replace(sensitivity=Sensitivity.LOW), sink),
            ),
        ),
        Mutant(
            "counts the agent as anywhere",
            "within-its-sinks",
            Patch(
                handles, "_reach", lambda real: lambda known, sink: "" if ANYWHERE in known.sinks else real(known, sink)
            ),
        ),
        Mutant("lets anyone give it back", "only-its-caller-ends-it", Patch(handles, "step", _anyone_ends_it)),
        Mutant(
            "mints over what is there",
            "never-replaced",
            Patch(
                handles,
                "step",
                lambda real: lambda known, event, now: real(None if isinstance(event, Mint) else known, event, now),
            ),
        ),
    )
    return Model(
        "handles", "a value goes only to a sink that its handle allows, for the handle's own caller and session, until the handle ends; a value of high sensitivity never goes to an agent",
        (HandleState(),), _actions, _INVARIANTS, lambda world: world.now == LAST, mutants,
    )  # fmt: skip
