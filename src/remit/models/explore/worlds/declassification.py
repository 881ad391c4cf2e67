"""Model of declassification (`gateway/effects.py` with the steps of transactions, handles and budgets): the only way in
which an agent is shown a value.

Preview and commit are those of the gateway that runs. Its stores are a few values here; policy servers and executor say what the world
lets them say: nobody need be asked, a server is down, the executor does not answer (`_parties`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any, NamedTuple

from remit.authority.sinks import RUNTIME
from remit.authority.values.outputs import Outputs
from remit.executor.credentials.verifier import Caller
from remit.gateway import effects, handles, transactions
from remit.gateway.acts import Act, RefusedError
from remit.gateway.effects import AuthenticatedAct, Rules
from remit.gateway.handles import EndSession, Handle, Limits, Revoke, Sensitivity, Spent
from remit.gateway.transactions import Confirm, Phase, Refuse, Transaction
from remit.models.explore.model import Action, Invariant, Model, Mutant, Patch
from remit.models.explore.worlds._parties import ACTION, DOWN, FINE, HANDLE, SILENT, TX, VALUE, Desk, ran

UNTIL, LAST = 2, 3  # of the handle, and of the clock
ITEMS = 2  # that may be shown
LONG = 9
WORD: Any = "signed"


def _caller(name: str, session: str) -> Caller:
    scope: Any = None  # what it may ask for is looked at before
    return Caller(name, session, scope, session, ("", ""), LONG)


CALLERS = tuple(_caller(name, session) for name in ("anna", "bert") for session in ("s", "t"))


class ShownValue(NamedTuple):
    """A value that an agent saw, and how things stood."""

    caller: str
    session: str
    now: int
    confirmed: bool
    gone: bool


class DeclassificationState(NamedTuple):
    """What the stores have, what the policy says, and what really went on."""

    handle: Handle
    asks: bool  # whether the policy wants an approver asked
    kept: Transaction | None = None
    spent: Spent = Spent()
    now: int = 0
    confirmed: bool = False  # an approver signed what is previewed, and nobody said no
    gone: bool = False  # the handle was given back, or its session is over
    shown: ShownValue | None = None
    often: int = 0  # it was shown
    by_this: int = 0  # and by the transaction that is there


def _way_out(desk: Any) -> effects.Effects:
    rules = Rules({}, {}, lambda text: text, Limits(ITEMS), LONG, patience=LONG)
    private: Any = SimpleNamespace(handles=desk)
    return effects.Effects(rules, desk, desk, desk, private, lambda _: None)


def _actions() -> tuple[Action, ...]:  # noqa: C901  one branch for each action of the model
    desk = Desk()
    way_out = _way_out(desk)

    def asked(world: DeclassificationState, caller: Caller, tx: str = "", answers: str = FINE) -> Any:
        """Preview or commit; what is told, or None for a refusal. What it did stands in the desk."""
        desk.kept, desk.handle, desk.spent, desk.answers = world.kept, world.handle, world.spent, answers
        desk.decision = bytes(Outputs(allow=True, confirm=world.asks, redact=False, clamp=False, rewrite=False))
        one = AuthenticatedAct(caller, None, Act("Declassify", {"handle": HANDLE}, tx), "call", world.now)
        try:
            return ran(way_out.commit(one) if tx else way_out.preview(one))
        except RefusedError:
            return None

    def preview(world: DeclassificationState) -> Iterator[tuple[Any, DeclassificationState]]:
        if world.kept is None or world.kept.phase in (Phase.DONE, Phase.REFUSED):
            for caller in CALLERS:
                if asked(world, caller):
                    yield caller[:2], world._replace(kept=desk.kept, confirmed=False, by_this=0)

    def commit(world: DeclassificationState) -> Iterator[tuple[Any, DeclassificationState]]:
        if world.kept is None:
            return
        for caller in CALLERS:
            for answers in (FINE, DOWN, SILENT):
                told = asked(world, caller, TX, answers)
                after = world._replace(kept=desk.kept, spent=desk.spent)
                if told and told.data.get("text") == VALUE.decode():
                    shown = ShownValue(caller.name, caller.session, world.now, world.confirmed, world.gone)
                    after = after._replace(
                        shown=shown, often=min(world.often + 1, ITEMS + 1), by_this=min(world.by_this + 1, 2)
                    )
                yield (*caller[:2], answers), after

    def confirm(world: DeclassificationState) -> Iterator[tuple[Any, DeclassificationState]]:
        if world.kept:
            event = Confirm(ACTION, world.kept.commitment, world.kept.preview, WORD)
            kept, refusal = transactions.step(world.kept, event, world.now)
            if not refusal:
                yield (), world._replace(kept=kept, confirmed=True)

    def refuse(world: DeclassificationState) -> Iterator[tuple[Any, DeclassificationState]]:
        kept, refusal = transactions.step(world.kept, Refuse(), world.now)
        if not refusal:
            yield (), world._replace(kept=kept, confirmed=False)

    def end(world: DeclassificationState) -> Iterator[tuple[Any, DeclassificationState]]:
        for event in (Revoke("s", "anna"), EndSession("s")):
            kept, refusal = handles.step(world.handle, event, world.now)
            if kept and not refusal:
                yield type(event).__name__, world._replace(handle=kept, gone=True)

    def tick(world: DeclassificationState) -> Iterator[tuple[Any, DeclassificationState]]:
        if world.now < LAST:
            yield (), world._replace(now=world.now + 1)

    return (
        Action("preview", preview), Action("commit", commit), Action("confirm", confirm), Action("refuse", refuse),
        Action("end the handle", end), Action("a second passes", tick),
    )  # fmt: skip


def _seen(world: DeclassificationState) -> bool:
    return world.shown is not None


_INVARIANTS = (
    Invariant("shown-when-confirmed", "an agent sees a value only after an approver signed for it, for any policy", _seen,
              lambda world: world.shown.confirmed),
    Invariant("high-is-not-shown", "an agent never sees a value of high sensitivity", _seen,
              lambda world: world.handle.sensitivity is Sensitivity.LOW),
    Invariant("to-its-caller", "only the caller of the handle sees the value, in its session", _seen,
              lambda world: world.shown[:2] == ("anna", "s")),
    Invariant("while-it-lives", "no value is shown after the end of its handle", _seen,
              lambda world: world.shown.now < UNTIL and not world.shown.gone),
    Invariant("once-for-a-word", "one signature of an approver shows a value once", lambda world: world.by_this > 0,
              lambda world: world.by_this == 1),
    Invariant("within-the-budget", "no more is shown than the budget of the channel allows", lambda world: world.often >= ITEMS,
              lambda world: world.often <= ITEMS),
)  # fmt: skip


def _for_everyone(real: Callable[..., Any]) -> Callable[..., Any]:
    def step(known: Any, event: Any, now: int) -> Any:
        if isinstance(event, handles.Use):
            event = event._replace(session=known.session, caller=known.caller)
        return real(known, event, now)

    return step


def _opens_at_any_time(real: Callable[..., Any]) -> Callable[..., Any]:
    def step(known: Any, event: Any, now: int) -> Any:
        return real(
            known._replace(revoked=False, until=now + 1) if isinstance(event, handles.Use) else known, event, now
        )

    return step


def model() -> Model:
    """The model."""
    mutants = (
        Mutant("asks nobody where the policy does not", "shown-when-confirmed", Patch(effects, "_refuse_unseen", lambda _: lambda *_: None)),
        Mutant("waits for no approver", "shown-when-confirmed", Patch(transactions, "_committed",
            lambda real: lambda known, event, now: real(known._replace(confirmation=known.confirmation or WORD), event, now))),
        Mutant("shows values of high sensitivity", "high-is-not-shown", Patch(handles, "_reach", lambda _: lambda *_: "")),
        Mutant("opens what is over", "while-it-lives", Patch(handles, "step", _opens_at_any_time)),
        Mutant("opens for every caller", "to-its-caller", Patch(handles, "step", _for_everyone)),
        Mutant("commits whatever the phase", "once-for-a-word", Patch(transactions, "_committed",
            lambda real: lambda known, event, now: real(known._replace(phase=Phase.OPEN), event, now))),
        Mutant("does not count", "within-the-budget", Patch(handles, "spend", lambda _: lambda spent, *_: spent)),
    )  # fmt: skip
    low, high = (Handle("s", "anna", one, frozenset({RUNTIME}), UNTIL) for one in (Sensitivity.LOW, Sensitivity.HIGH))
    initial = tuple(DeclassificationState(handle, asks) for handle in (low, high) for asks in (False, True))
    return Model(
        "declassification", "an agent sees a value only through a preview that an approver signed, once, before the handle ends, and within the budget",
        initial, _actions, _INVARIANTS, lambda world: world.now == LAST, mutants,
    )  # fmt: skip
