"""Model of one connection (`gateway/inbound/access.py`): commands, guesses and logins in every order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from remit.gateway.inbound import access
from remit.gateway.inbound.access import (
    MOST_GUESSES,
    Connection,
    ConnectionEnd,
    ConnectionPhase,
    LoggedIn,
    Login,
    MessageArrived,
)
from remit.models.explore.model import Action, Invariant, Model, Mutant, Patch

LOGINS = (
    Login(by="token"),
    Login(by="tailnet:ann"),
    Login(refused="AUTH_WRONG"),
    Login(by="token", refused="AUTH_WRONG"),
    Login(),
)


class ConnectionState(NamedTuple):
    """The connection, and what really went on."""

    known: Connection = Connection()
    let_in: str = ""  # by what it was let in first
    guesses: int = 0
    ended: bool = False  # it was cut off, or went away
    heard: str = ""  # for whom a command was heard just now; `nobody` if it was heard for nobody
    early: bool = False  # a command was sent before the login


def _actions() -> tuple[Action, ...]:
    def after(world: ConnectionState, event: Any, **changed: Any) -> ConnectionState:
        known, answer = access.step(world.known, event)
        heard = (known.by or "nobody") if answer == "hear" else ""
        ended = world.ended or answer == "close"
        return world._replace(known=known, heard=heard, ended=ended, **changed)

    def log_in(world: ConnectionState) -> Iterator[tuple[Any, ConnectionState]]:
        for login in LOGINS:
            right = login.by and not login.refused
            guesses = world.guesses if right else min(world.guesses + 1, MOST_GUESSES + 1)
            let_in = world.let_in or (login.by if right and not world.ended else "")
            yield login, after(world, LoggedIn(login), guesses=guesses, let_in=let_in)

    def send(world: ConnectionState) -> Iterator[tuple[Any, ConnectionState]]:
        yield (), after(world, MessageArrived(), early=world.early or not world.let_in)

    def end(world: ConnectionState) -> Iterator[tuple[Any, ConnectionState]]:
        yield (), after(world, ConnectionEnd())._replace(ended=True)

    return Action("log in", log_in), Action("send", send), Action("end", end)


_INVARIANTS = (
    Invariant("nothing-before-the-login", "no command is accepted from a client that has not logged in", lambda world: bool(world.heard),
              lambda world: world.heard == world.let_in),
    Invariant("early-is-cut-off", "a client that sends a command before the login is disconnected", lambda world: world.early,
              lambda world: world.known.phase is ConnectionPhase.CLOSED),
    Invariant("few-guesses", "a client that guesses the secret is disconnected", lambda world: world.guesses >= MOST_GUESSES,
              lambda world: world.known.phase is ConnectionPhase.CLOSED or bool(world.let_in)),
    Invariant("over-is-over", "after its end a connection accepts no command and no login", lambda world: world.ended,
              lambda world: world.known.phase is ConnectionPhase.CLOSED and not world.heard),
    Invariant("one-login", "a client keeps the identity with which it logged in", lambda world: world.known.phase is ConnectionPhase.IN,
              lambda world: world.known.by == world.let_in),
)  # fmt: skip


def _spoiled(kind: type, phase: ConnectionPhase, then: Callable[[Connection, Any], Any]) -> Callable[..., Any]:
    def spoil(real: Callable[..., Any]) -> Callable[..., Any]:
        def step(known: Connection, event: Any) -> Any:
            return then(known, event) if isinstance(event, kind) and known.phase is phase else real(known, event)

        return step

    return spoil


def model() -> Model:
    """The model."""
    mutants = (
        Mutant("hears before the login", "nothing-before-the-login", Patch(access, "step", _spoiled(MessageArrived, ConnectionPhase.NEW, lambda known, _: (known, "hear")))),
        Mutant("lets go on who sends too early", "early-is-cut-off", Patch(access, "step", _spoiled(MessageArrived, ConnectionPhase.NEW, lambda known, _: (known, "refuse")))),
        Mutant("counts no guesses", "few-guesses", Patch(access, "MOST_GUESSES", lambda most: most + 9)),
        Mutant("opens again what was closed", "over-is-over",
            Patch(access, "step", _spoiled(LoggedIn, ConnectionPhase.CLOSED, lambda _, event: (Connection(ConnectionPhase.IN, event.login.by), "")))),
        Mutant("goes on after the end", "over-is-over", Patch(access, "step", _spoiled(ConnectionEnd, ConnectionPhase.IN, lambda known, _: (known, "")))),
        Mutant("lets who is in become another", "one-login",
            Patch(access, "step", _spoiled(LoggedIn, ConnectionPhase.IN, lambda _, event: (Connection(ConnectionPhase.IN, event.login.by), "")))),
    )  # fmt: skip
    return Model(
        "connection", "the gateway accepts no command before the login, and closes connections that guess or send too early",
        (ConnectionState(),), _actions, _INVARIANTS, lambda world: world.ended, mutants,
    )  # fmt: skip
