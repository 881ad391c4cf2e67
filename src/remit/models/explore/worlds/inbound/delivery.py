"""Model of the delivery of two answers (`gateway/inbound/delivery.py`): two slow or crashing workers, and a platform that
fails. They go to two destinations, or to one: then the second is created while the first is on its way.

The store always says that it is now: when time passes, what it keeps comes nearer. So time goes on for ever in finitely many states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from remit.gateway.inbound import delivery, laws
from remit.gateway.inbound.delivery import OVER, TABLE, MaybeSent, NotSent, Piece, PiecePhase, Route, SentConfirmed
from remit.gateway.inbound.stores.operations import Begin, Commit, Operation
from remit.models.explore.interleave import (  # fmt: skip
    Interleaving,
    Memory,
    OperationCall,
    Point,
    StoredValue,
    at_once,
    going_on,
    memory_of,
    put,
    without_transaction,
    without_writing,
)
from remit.models.explore.model import Action, Eventually, Invariant, Model, Mutant, Patch, remembering
from remit.models.explore.worlds.inbound._lines import always_first, leaves_alone, take_piece

WORKERS = ("v", "w")
PIECES = {
    "a": Piece("session-a", Route("mail", "us", "ann"), "for ann", "trace-a"),
    "b": Piece("session-b", Route("chat", "us", "bob"), "for bob", "trace-b"),
}
_TRIES = 2
_LINE = "line"


class DeliveryState(NamedTuple):
    """The store, the workers, and what really went out."""

    memory: Memory
    # `bad`: anything may happen; `line`: the same, and both go to one place; `slow`: fails at first, never in the end, and nobody
    # crashes or is slow
    platform: str
    doing: tuple[Point | None, ...] = (None, None, None)  # two workers, and who makes the answers
    holds: tuple[tuple[str, Piece] | None, ...] = (None, None)  # what a worker is about to send
    out: tuple[int, ...] = (0, 0)  # how often each went out
    wrong: str = ""  # something went out with another content, or to elsewhere
    failed: frozenset[str] = frozenset()  # in this very second
    early: bool = False
    crashes: int = 1  # that may still happen: who crashes for ever sends nothing
    made: int = 0  # how many answers there are
    overtook: bool = False  # one was sent to a place while another that was made before it was not over


def _begun(platform: str) -> DeliveryState:
    running, memory = Interleaving(queue=queued), memory_of()
    for key, piece in PIECES.items():
        memory, _ = at_once(running, memory, "queue", key, piece)
    return DeliveryState(memory, platform, made=len(PIECES))


def _made(platform: str) -> dict[str, Piece]:
    if platform != _LINE:
        return PIECES
    return {key: piece._replace(route=PIECES["a"].route) for key, piece in PIECES.items()}


def queued(key: str, piece: Piece) -> Operation[None]:
    """As whoever makes an answer does it."""
    yield Begin()
    yield from delivery.queue(key, piece, 0)
    yield Commit()


def _aged(kept: Memory) -> Memory:
    """A second later."""
    return memory_of({
        (table, key): StoredValue(
            value._replace(after=max(value.after - 1, 0)), None if due is None else max(due - 1, 0), None if until is None else until - 1
        ) if table == TABLE else StoredValue(value)
        for (table, key), (value, due, until) in kept.swept(1).rows.items()
    })  # fmt: skip


def _done(world: DeliveryState, place: int, call: OperationCall, value: Any) -> DeliveryState:
    if call.name == "take" and value is not None and value[1].phase is PiecePhase.TAKEN:
        early = world.early or value[0] in world.failed
        return world._replace(holds=put(world.holds, place, value), early=early)
    return world._replace(made=world.made + 1) if call.name == "queue" else world


def _make(running: Interleaving, world: DeliveryState) -> Iterator[tuple[Any, DeliveryState]]:
    if world.doing[2] is None and world.made < len(PIECES):
        key, piece = list(_made(world.platform).items())[world.made]
        yield key, world._replace(doing=put(world.doing, 2, running.start("queue", key, piece)))


def _take(running: Interleaving, place: int) -> Callable[[DeliveryState], Iterator[tuple[Any, DeliveryState]]]:
    def moves(world: DeliveryState) -> Iterator[tuple[Any, DeliveryState]]:
        if world.doing[place] is None and world.holds[place] is None and world.memory.first(TABLE, 0):
            yield (), world._replace(doing=put(world.doing, place, running.start("take", WORKERS[place], 0)))

    return moves


def _send(running: Interleaving, place: int) -> Callable[[DeliveryState], Iterator[tuple[Any, DeliveryState]]]:
    worker = WORKERS[place]

    def moves(world: DeliveryState) -> Iterator[tuple[Any, DeliveryState]]:
        held = world.holds[place]
        if held is None or world.doing[place] is not None:
            return
        key, piece = held
        number = list(PIECES).index(key)
        out = put(world.out, number, min(world.out[number] + 1, 2))
        meant = _made(world.platform)[key]
        wrong = world.wrong if (piece.route, piece.body) == (meant.route, meant.body) else piece.body
        before = _kept(world).get("a") if world.platform == _LINE and key == "b" else None
        overtook = world.overtook or (before is not None and before.phase not in OVER)
        after = world._replace(holds=put(world.holds, place, None), overtook=overtook)

        def told(event: Any) -> tuple[Point | None, ...]:
            return put(world.doing, place, running.start("apply", key, event, 0))

        yield "it goes out", after._replace(out=out, wrong=wrong, doing=told(SentConfirmed(worker)))
        if world.platform != "slow" or piece.tries < _TRIES:
            yield "it fails", after._replace(doing=told(NotSent(worker)), failed=world.failed | {key})
        if world.platform != "slow":
            yield "it goes out and nobody answers", after._replace(out=out, wrong=wrong, doing=told(MaybeSent(worker)))

    return moves


def _crash(world: DeliveryState) -> Iterator[tuple[Any, DeliveryState]]:
    for place, worker in enumerate(WORKERS):
        if world.platform != "slow" and world.crashes and (world.doing[place] or world.holds[place]):
            free = world._replace(doing=put(world.doing, place, None), holds=put(world.holds, place, None))
            yield worker, free._replace(crashes=world.crashes - 1)


def _tick(aged: Callable[[Memory], Memory], world: DeliveryState) -> Iterator[tuple[Any, DeliveryState]]:
    lasts = world.platform == "slow" and any(world.holds)  # a lease is longer than a sending
    later = world._replace(memory=aged(world.memory), failed=frozenset())
    if not any(world.doing) and not lasts and later != world:
        yield (), later


def _actions() -> tuple[Action, ...]:
    running = Interleaving(take=take_piece, apply=delivery.apply, queue=queued)

    each = [
        Action(f"{name} {what}", moves)
        for place, name in enumerate(WORKERS)
        for what, moves in (("takes", _take(running, place)), ("goes on", going_on(running, _done, (place,))), ("sends", _send(running, place)))
    ]  # fmt: skip
    return (
        *each, Action("make an answer", partial(_make, running)), Action("whoever makes it goes on", going_on(running, _done, (2,))),
        Action("crash", _crash), Action("a second passes", partial(_tick, remembering(_aged))),
    )  # fmt: skip


_FAIR = (
    *(f"{name} {what}" for name in WORKERS for what in ("takes", "goes on", "sends")), "make an answer", "whoever makes it goes on",
    "a second passes",
)  # fmt: skip


def _kept(world: DeliveryState) -> dict[str, Piece]:
    return world.memory.table(TABLE)


def _open(world: DeliveryState) -> bool:
    return any(piece.phase not in OVER for piece in _kept(world).values())


_INVARIANTS = (
    Invariant("at-most-once", "no answer is sent twice, by any worker and after any crash", lambda world: any(world.out),
              lambda world: laws.at_most_once(world.out)),
    Invariant("taken-first", "before a piece is sent, the disk records that it was taken", lambda world: any(world.holds),
              lambda world: all(laws.taken_first(_kept(world).get(held[0])) for held in world.holds if held)),
    Invariant("one-worker", "no two workers are about to send the same piece", lambda world: all(world.holds),
              lambda world: laws.one_worker([held[0] for held in world.holds if held])),
    Invariant("stable-route", "destination, session and trace of an answer never change", lambda world: bool(_kept(world)),
              lambda world: all(laws.same_stream(_made(world.platform)[key], piece) for key, piece in _kept(world).items())),
    Invariant("no-cross-stream", "each piece that is sent was made for its destination", lambda world: any(world.out),
              lambda world: not world.wrong),
    Invariant("bounded-tries", "no piece is tried more often than the limit allows", lambda world: any(piece.tries for piece in _kept(world).values()),
              lambda world: all(map(laws.within_tries, _kept(world).values()))),
    Invariant("not-before-its-time", "after a failure a piece is not tried before the pause is over", lambda world: any(world.holds),
              lambda world: not world.early),
    Invariant("sent-is-kept", "a piece that is recorded as sent was sent", lambda world: any(piece.phase is PiecePhase.SENT for piece in _kept(world).values()),
              lambda world: all(world.out[list(PIECES).index(key)] == 1 for key, piece in _kept(world).items() if piece.phase is PiecePhase.SENT)),
    Invariant("in-order", "a piece is sent only after all earlier pieces to its destination are finished, even if an earlier one waits for another try",
              lambda world: world.platform == _LINE and world.out[1] > 0, lambda world: not world.overtook),
)  # fmt: skip
_EVENTUALLY = (
    Eventually("drains", "every answer is eventually sent, given up or reported as unknown, whatever fails", _open,
               lambda world: not _open(world), _FAIR),
    Eventually("sent-in-the-end", "if the platform eventually accepts and no worker crashes, every answer is sent",
               lambda world: world.platform == "slow", lambda world: world.out == (1, 1), _FAIR),
)  # fmt: skip


def _step(when: type, spoil: Callable[[Piece, Any], tuple[Piece, Any]]) -> Callable[..., Any]:
    """A step that sees another piece or event for some events."""

    def spoiled(real: Callable[..., Any]) -> Callable[..., Any]:
        return lambda known, event, now: (
            real(*spoil(known, event), now) if isinstance(event, when) else real(known, event, now)
        )

    return spoiled


def _gives(when: type, **changed: Any) -> Callable[..., Any]:
    """A step that makes something else of a piece for some events."""

    def spoiled(real: Callable[..., Any]) -> Callable[..., Any]:
        def step(known: Piece, event: Any, now: int) -> Any:
            piece, counted = real(known, event, now)
            return (piece._replace(**changed) if isinstance(event, when) and counted else piece), counted

        return step

    return spoiled


def _takes_another(real: Callable[..., Any]) -> Callable[..., Any]:
    def take(worker: str, now: int, most: int) -> Any:
        found = yield from real(worker, now, most)
        return [(key, piece._replace(route=PIECES["a"].route)) for key, piece in found]

    return take


def _counts_nothing(real: Callable[..., Any]) -> Callable[..., Any]:
    def step(known: Piece, event: Any, now: int) -> Any:
        piece, counted = real(known._replace(tries=1) if isinstance(event, NotSent) else known, event, now)
        return (piece._replace(tries=known.tries) if isinstance(event, NotSent) else piece), counted

    return step


def model() -> Model:
    """The model."""
    mutants = (
        Mutant("sends again what may have gone out", "at-most-once", Patch(delivery, "step", _gives(MaybeSent, phase=PiecePhase.WAITING))),
        Mutant("does not write that it was taken", "at-most-once", Patch(delivery, "take_many", without_writing(TABLE))),
        Mutant("takes without writing", "taken-first", Patch(delivery, "take_many", without_writing(TABLE))),
        Mutant("takes without a transaction", "one-worker", Patch(delivery, "take_many", without_transaction)),
        Mutant("changes the route with a try", "stable-route", Patch(delivery, "step", _gives(NotSent, route=PIECES["a"].route))),
        Mutant("sends to the last one it sent to", "no-cross-stream", Patch(delivery, "take_many", _takes_another)),
        Mutant("counts no tries", "bounded-tries", Patch(delivery, "step", _counts_nothing)),
        Mutant("does not wait", "not-before-its-time", Patch(delivery, "pause_after", lambda _: lambda _: 0)),
        Mutant("calls a failure sent", "sent-is-kept", Patch(delivery, "step", _step(NotSent, lambda known, event: (known, SentConfirmed(event.worker))))),
        Mutant("looks at nobody before it", "in-order", Patch(delivery, "join", always_first)),
        Mutant("lets nobody go when it is over", "drains", Patch(delivery, "leave", leaves_alone)),
        Mutant("looks for nobody who is lost", "drains", Patch(delivery, "kept",
            lambda real: lambda key, piece, now: real(key, piece, now)._replace(due=piece.after if piece.phase is PiecePhase.WAITING else None))),
        Mutant("gives up at the first failure", "sent-in-the-end", Patch(delivery, "step", _step(NotSent, lambda known, event: (known._replace(tries=9), event)))),
    )  # fmt: skip
    constants = (
        Patch(delivery, "MOST_TRIES", lambda _: _TRIES), Patch(delivery, "FIRST_PAUSE", lambda _: 1), Patch(delivery, "LONGEST_PAUSE", lambda _: 1),
        Patch(delivery, "LEASE", lambda _: 1), Patch(delivery, "KEPT", lambda _: 1), Patch(delivery, "MOST_NOTICES", lambda _: 0),
    )  # fmt: skip
    return Model(
        "delivery", "an answer is sent at most once, to its own destination; every answer is eventually sent, given up or reported as unknown",
        (_begun("bad"), _begun("slow"), DeliveryState(memory_of(), _LINE, crashes=0)), _actions, _INVARIANTS,
        lambda world: world.made == len(PIECES) and not _kept(world), mutants, _EVENTUALLY, constants=constants,
    )  # fmt: skip
