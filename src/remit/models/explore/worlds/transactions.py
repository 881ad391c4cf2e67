"""Model of a gateway transaction (`gateway/transactions.py`): callers who name each other's, approvers, and
releases after a failure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from remit.gateway import transactions
from remit.gateway.transactions import Begin, Commit, Confirm, Finish, Phase, Refuse, Release, Transaction
from remit.models.explore.model import Action, Invariant, Model, Mutant, Patch

UNTIL, LAST = 2, 3
CALLERS, SESSIONS, REQUESTS = ("anna", "bert"), ("s", "t"), ("right", "other")
PREVIEWS = ("shown", "not shown")


class CommitMade(NamedTuple):
    """A commit that went through: who, what, when, whether an approver had signed what was shown, and whether a person refused the request."""

    caller: str
    session: str
    commitment: str
    now: int
    confirmed: bool
    refused: bool


class TransactionState(NamedTuple):
    """What the store has under one name, and what really went on."""

    kept: Transaction | None = None
    now: int = 0
    first: Transaction | None = None  # what was begun under this name
    confirmed: bool = False  # an approver signed what was shown
    refused: bool = False  # a person refused the request
    taken: CommitMade | None = None
    handed: int = 0  # how often it went to the executor


def _made(caller: str, commitment: str, *, confirm: bool) -> Transaction:
    return Transaction(
        caller, "s", "SendMessage", "action", "nonce", commitment, UNTIL, "80", confirm, "shown"
    )  # fmt: skip


BEGUN = tuple(
    _made(caller, "right", confirm=confirm) for caller in CALLERS for confirm in (False, True)
)  # fmt: skip
WORDS: Any = "signed"  # an approver's word, of which the step looks at nothing


def _actions() -> tuple[Action, ...]:  # noqa: C901  one branch for each action of the model
    def stepped(world: TransactionState, event: Any) -> TransactionState | None:
        kept, refusal = transactions.step(world.kept, event, world.now)
        return None if refusal else world._replace(kept=kept)

    def begin(world: TransactionState) -> Iterator[tuple[Any, TransactionState]]:
        for one in BEGUN:
            if after := stepped(world, Begin(one)):
                yield (one.caller, "to confirm" if one.confirm else "free"), after._replace(first=world.first or one)

    def confirm(world: TransactionState) -> Iterator[tuple[Any, TransactionState]]:
        for preview in PREVIEWS:
            for commitment in REQUESTS:
                if after := stepped(world, Confirm("action", commitment, preview, WORDS)):
                    right = (commitment, preview) == ("right", "shown")
                    yield (commitment, preview), after._replace(confirmed=world.confirmed or right)

    def commit(world: TransactionState) -> Iterator[tuple[Any, TransactionState]]:
        for caller in CALLERS:
            for session in SESSIONS:
                for request in REQUESTS:
                    if after := stepped(world, Commit(caller, session, request)):
                        taken = CommitMade(caller, session, request, world.now, world.confirmed, world.refused)
                        yield taken[:3], after._replace(taken=taken)

    def refuse(world: TransactionState) -> Iterator[tuple[Any, TransactionState]]:
        if after := stepped(world, Refuse()):
            yield (), after._replace(refused=True)

    def release(world: TransactionState) -> Iterator[tuple[Any, TransactionState]]:
        if after := stepped(world, Release()):
            yield (), after

    def finish(world: TransactionState) -> Iterator[tuple[Any, TransactionState]]:
        if after := stepped(world, Finish()):
            yield (), after._replace(handed=min(world.handed + 1, 2))

    def tick(world: TransactionState) -> Iterator[tuple[Any, TransactionState]]:
        if world.now < LAST:
            yield (), world._replace(now=world.now + 1)

    return (
        Action("begin", begin), Action("confirm", confirm), Action("refuse", refuse), Action("commit", commit), Action("release", release),
        Action("hand over", finish), Action("a second passes", tick),
    )  # fmt: skip


def _is_taken(world: TransactionState) -> bool:
    return world.taken is not None


_INVARIANTS = (
    Invariant("handed-once", "a transaction goes to the executor at most once", lambda world: world.handed > 0,
              lambda world: world.handed < 2),
    Invariant("by-its-caller", "only the caller who began a transaction commits it", _is_taken,
              lambda world: world.taken.caller == world.first.caller),
    Invariant("in-its-session", "a transaction is committed only in the session in which it began", _is_taken,
              lambda world: world.taken.session == world.first.session),
    Invariant("what-was-shown", "only the request that was previewed is committed", _is_taken,
              lambda world: world.taken.commitment == world.first.commitment),
    Invariant("in-time", "no transaction is committed after its time", _is_taken, lambda world: world.taken.now < UNTIL),
    Invariant("confirmed", "a transaction that needs confirmation is committed only after an approver signed what was shown",
              lambda world: world.taken is not None and world.first.confirm, lambda world: world.taken.confirmed),
    Invariant("a-no-is-final", "a transaction that a person refused is not committed", lambda world: world.refused,
              lambda world: world.taken is None or not world.taken.refused),
    Invariant("never-replaced", "a transaction is never replaced by another one of the same name", lambda world: world.first is not None,
              lambda world: world.kept is not None and world.kept[:10] == world.first[:10]),
)  # fmt: skip


def _blind_commit(*fields: str) -> Callable[..., Any]:
    """A commit for which some fields are taken as they should be."""

    def spoil(real: Callable[..., Any]) -> Callable[..., Any]:
        def committed(known: Transaction, event: Commit, now: int) -> Any:
            return real(known, event._replace(**{name: getattr(known, name) for name in fields}), now)

        return committed

    return spoil


def _commits_at_any_phase(real: Callable[..., Any]) -> Callable[..., Any]:
    return lambda known, event, now: real(known._replace(phase=Phase.OPEN), event, now)


def _confirms_anything(real: Callable[..., Any]) -> Callable[..., Any]:
    def confirmed(known: Transaction, event: Confirm, now: int) -> Any:
        return real(known, event._replace(commitment=known.commitment, preview=known.preview), now)

    return confirmed


def _releases_what_is_done(real: Callable[..., Any]) -> Callable[..., Any]:
    def step(known: Transaction | None, event: Any, now: int) -> Any:
        if known is not None and isinstance(event, Release):
            return known._replace(phase=Phase.OPEN), ""
        return real(known, event, now)

    return step


def model() -> Model:
    """The model."""
    mutants = (
        Mutant("commits whatever the phase", "handed-once", Patch(transactions, "_committed", _commits_at_any_phase)),
        Mutant("releases what was handed over", "handed-once", Patch(transactions, "step", _releases_what_is_done)),
        Mutant(
            "does not look at the caller", "by-its-caller", Patch(transactions, "_committed", _blind_commit("caller"))
        ),
        Mutant(
            "does not look at the session",
            "in-its-session",
            Patch(transactions, "_committed", _blind_commit("session")),
        ),
        Mutant(
            "does not look at the request",
            "what-was-shown",
            Patch(transactions, "_committed", _blind_commit("commitment")),
        ),
        Mutant(
            "does not look at the clock",
            "in-time",
            Patch(
                transactions,
                "_committed",
                lambda real: lambda known, event, now: real(known, event, min(now, known.until - 1)),
            ),
        ),
        Mutant(
            "waits for no approver",
            "confirmed",
            Patch(
                transactions,
                "_committed",
                lambda real: (
                    lambda known, event, now: real(known._replace(confirmation=known.confirmation or WORDS), event, now)
                ),
            ),
        ),
        Mutant(
            "takes an approver's word for anything", "confirmed", Patch(transactions, "_confirmed", _confirms_anything)
        ),
        Mutant("commits what was refused", "a-no-is-final", Patch(transactions, "_committed", _commits_at_any_phase)),
        Mutant(
            "begins over what is there",
            "never-replaced",
            Patch(
                transactions,
                "step",
                lambda real: lambda known, event, now: real(None if isinstance(event, Begin) else known, event, now),
            ),
        ),
    )
    return Model(
        "transactions", "a preview is committed at most once: by its caller, in its session, unchanged, in time, and confirmed where that is required",
        (TransactionState(),), _actions, _INVARIANTS, lambda world: world.now == LAST, mutants,
    )  # fmt: skip
