"""Theory of deliveries, for any number of workers, attempts and crashes. The rules are in `_sending`.

One arbitrary piece. Every time that a worker's taking counted there is one attempt, which goes out, is found for certain not to have gone out, or dies with its worker; a worker says
that it failed only in the second case, once. Anybody may say at any time that a piece was sent, or is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import z3

from remit.gateway.inbound import delivery
from remit.gateway.inbound.stores.operations import Begin, Commit, Next, Write
from remit.models.explore.model import Patch
from remit.models.proofs.solver import choose, value
from remit.models.proofs.theory import Claim, Mutant, Planted, State, Term, Theorem, Theory, Tie, Told, induction

if TYPE_CHECKING:
    from random import Random


PHASE, _PHASE_VALUES = z3.EnumSort("Phase", [str(one) for one in delivery.PiecePhase])
PHASES = dict(zip(delivery.PiecePhase, _PHASE_VALUES, strict=True))
WAITING, TAKEN, SENT, GIVEN_UP, UNKNOWN = (PHASES[one] for one in delivery.PiecePhase)
SAID, (IS_SENT, IS_LOST, HAS_FAILED) = z3.EnumSort("Said", ["sent", "lost", "failed"])


class Piece(NamedTuple):
    """The state of a piece."""

    phase: Term
    tries: Term
    after: Term
    worker: Term


def takes(piece: Piece, now: Term) -> Term:
    """Return whether a worker may take it."""
    return z3.And(piece.phase == WAITING, now >= piece.after)


def counts(piece: Piece, worker: Term) -> Term:
    """Return whether a worker's report counts."""
    return z3.And(piece.phase == TAKEN, piece.worker == worker)


def becomes(said: Term, tries: Term, most: Term) -> Term:
    """Return its state after a report that counts."""
    failed = z3.If(tries >= most, GIVEN_UP, WAITING)
    return z3.If(said == IS_SENT, SENT, z3.If(said == IS_LOST, UNKNOWN, failed))


def crashes(piece: Piece) -> Piece:
    """Return what is stored after its worker crashed; that it was taken is on disk."""
    return piece


class SendingRules(NamedTuple):
    """The rules."""

    takes: Callable[[Piece, Term], Term] = takes
    counts: Callable[[Piece, Term], Term] = counts
    becomes: Callable[[Term, Term, Term], Term] = becomes
    crashes: Callable[[Piece], Piece] = crashes


def taken(rules: SendingRules, piece: Piece, worker: Term, now: Term) -> tuple[Piece, Term]:
    """Return the piece after a worker tried to take it."""
    done = rules.takes(piece, now)
    return choose(done, Piece(TAKEN, piece.tries + 1, piece.after, worker), piece), done


def told(rules: SendingRules, piece: Piece, said: Term, worker: Term, most: Term, again: Term) -> tuple[Piece, Term]:
    """Return the piece after a worker's report. `again`: when it may be retried, if it may."""
    done, nobody = rules.counts(piece, worker), z3.IntVal(0)
    phase = rules.becomes(said, piece.tries, most)
    after = z3.If(phase == WAITING, again, piece.after)
    return choose(done, Piece(phase, piece.tries, after, nobody), piece), done


class SendingCase(NamedTuple):
    """A piece, an event and the time."""

    phase: delivery.PiecePhase
    tries: int
    after: int
    worker: str
    event: delivery.PieceEvent
    now: int


_NUMBERS = {"": 0, "a": 1, "b": 2}  # of workers


def sample(random: Random) -> SendingCase:
    """Any piece and any event."""
    name = random.choice
    event = name(
        (
            delivery.Take(name("ab")),
            delivery.SentConfirmed(name("ab")),
            delivery.NotSent(name("ab"), random.randint(0, 9)),
            delivery.MaybeSent(name("ab")),
        )
    )
    phase = name((delivery.PiecePhase.TAKEN, *delivery.PiecePhase))
    return SendingCase(
        phase, random.randint(1, delivery.MOST_TRIES), random.randint(0, 3), name("ab"), event, random.randint(0, 4)
    )


def every() -> Iterator[SendingCase]:
    """Every phase and every kind of event, by its worker and by another."""
    for phase, event in product(
        delivery.PiecePhase, (delivery.Take, delivery.SentConfirmed, delivery.NotSent, delivery.MaybeSent)
    ):
        for who in "ab":
            yield SendingCase(phase, 2, 1, "a", event(who), 1)
    for now in (2, 3):  # before it may be tried again, and then
        yield SendingCase(delivery.PiecePhase.WAITING, 2, 3, "", delivery.Take("a"), now)


def encoded(rules: SendingRules, case: SendingCase) -> Any:
    """What becomes of the piece, and whether it counted."""
    piece = Piece(PHASES[case.phase], *map(z3.IntVal, (case.tries, case.after, _NUMBERS[case.worker])))
    by, now = z3.IntVal(_NUMBERS[case.event.worker]), z3.IntVal(case.now)
    if isinstance(case.event, delivery.Take):
        after, done = taken(rules, piece, by, now)
    else:
        pause = (
            max(case.event.pause, delivery.pause_after(case.tries)) if isinstance(case.event, delivery.NotSent) else 0
        )
        said = {delivery.SentConfirmed: IS_SENT, delivery.MaybeSent: IS_LOST, delivery.NotSent: HAS_FAILED}[
            type(case.event)
        ]
        after, done = told(rules, piece, said, by, z3.IntVal(delivery.MOST_TRIES), now + pause)
    return (*map(value, after), value(done), True)


def run(case: SendingCase) -> Any:
    """And what is sent, where to and for whom stays."""
    route = delivery.Route("c", "a", "t")
    known = delivery.Piece("s", route, "body", "trace", case.phase, case.tries, case.after, case.worker)
    after, done = delivery.step(known, case.event, case.now)
    return str(after.phase), after.tries, after.after, _NUMBERS[after.worker], done, after[:4] == known[:4]


def encoded_crash(rules: SendingRules, due: bool) -> Any:  # noqa: FBT001  a case
    """What is there when a worker dies that was given a piece, if it was due."""
    piece, now = Piece(WAITING, z3.IntVal(0), z3.IntVal(5), z3.IntVal(0)), z3.IntVal(5 if due else 4)
    after, done = taken(rules, piece, z3.IntVal(1), now)
    return value(done), value(choose(done, rules.crashes(after), piece).phase)


def run_crash(due: bool) -> Any:  # noqa: FBT001
    """A worker that dies as soon as it has its answer: nothing that was not committed stays."""
    disk = {"k": delivery.Piece("s", delivery.Route("c", "a", "t"), "body", "trace", after=5)}
    written: dict[str, delivery.Piece] = {}
    operation, answer, now = delivery.take_many("a", 5 if due else 4, 1), None, 5 if due else 4
    found: Any = None
    try:
        while True:
            asked: Any = operation.send(answer)
            answer = ("k", disk["k"]) if isinstance(asked, Next) and disk["k"].after <= now else None
            written |= {asked.key: asked.value} if isinstance(asked, Write) else {}
            disk |= written if isinstance(asked, Commit) else {}
    except StopIteration as end:
        found = end.value
    return bool(found), str(disk["k"].phase)


_EVENT, _EVENTS = z3.EnumSort(
    "Happens", ["takes", "goes out", "fails", "tells the failure", "says sent", "says lost", "dies"]
)
_TAKES, _GOES_OUT, _FAILS, _TELLS, _SAYS_SENT, _SAYS_LOST, _DIES = _EVENTS
_MOST = z3.Int("most tries")


class SendingState(NamedTuple):
    """A piece, its attempts under way, failures that are not told yet, whose the last attempt is, and how often it went out."""

    piece: Piece
    under_way: Term
    failed: Term
    whose: Term
    out: Term


_WHO, _NOW, _AGAIN = z3.Int("who"), z3.Int("now"), z3.Int("again")


def _any() -> SendingState:
    piece = Piece(z3.Const("phase", PHASE), z3.Int("tries"), z3.Int("not before"), z3.Int("worker"))
    return SendingState(piece, z3.Int("under way"), z3.Int("failed"), z3.Int("whose"), z3.Int("out"))


def _new() -> SendingState:
    none = z3.IntVal(0)
    return SendingState(Piece(WAITING, none, none, none), none, none, none, none)


def _happens(rules: SendingRules, world: SendingState, event: Term) -> SendingState:
    """One thing more that happens to it."""
    piece, going, failing = world.piece, world.under_way, world.failed
    got, took = taken(rules, piece, _WHO, _NOW)
    says = z3.If(event == _SAYS_SENT, IS_SENT, z3.If(event == _SAYS_LOST, IS_LOST, HAS_FAILED))
    by = z3.If(event == _TELLS, world.whose, _WHO)
    heard, _ = told(rules, piece, says, by, _MOST, _AGAIN)
    tells = z3.And(event == _TELLS, failing > 0)
    ends = z3.And(z3.Or(event == _GOES_OUT, event == _FAILS, event == _DIES), going > 0)
    after = choose(event == _TAKES, got, piece)
    after = choose(z3.Or(event == _SAYS_SENT, event == _SAYS_LOST, tells), heard, after)
    after = choose(event == _DIES, rules.crashes(piece), after)
    begins = z3.And(event == _TAKES, took)
    return SendingState(
        after, going + z3.If(begins, 1, 0) - z3.If(ends, 1, 0),
        failing + z3.If(z3.And(event == _FAILS, ends), 1, 0) - z3.If(tells, 1, 0),
        z3.If(begins, _WHO, world.whose), world.out + z3.If(z3.And(event == _GOES_OUT, ends), 1, 0),
    )  # fmt: skip


def _holds(world: SendingState) -> Term:
    """It went out, is about to, or failed untold: one of these, once; and then it waits for nobody, and is its worker's."""
    count, piece = world.out + world.under_way + world.failed, world.piece
    some = z3.And(piece.phase != WAITING, piece.phase != GIVEN_UP)
    mine = z3.Implies(z3.And(piece.phase == TAKEN, world.under_way + world.failed > 0), piece.worker == world.whose)
    return z3.And(
        world.out >= 0, world.under_way >= 0, world.failed >= 0, count <= 1, z3.Implies(count > 0, some), mine
    )


def _shown(name: str, world: SendingState) -> Told:
    return (
        (f"the piece {name}", world.piece.phase), (f"attempts under way {name}", world.under_way), (f"went out {name}", world.out),
    )  # fmt: skip


def _at_most_once(rules: SendingRules) -> Iterator[Claim]:
    world, event = _any(), z3.Const("event", _EVENT)
    after, first = _happens(rules, world, event), _new()
    who = (("a worker", event), ("its name", _WHO), ("the worker that took it", world.piece.worker))
    yield from induction(
        State(_holds(first), _shown("at first", first)), State(_holds(world), (*_shown("before", world), *who)),
        State(_holds(after), _shown("after", after)), seen=z3.And(after.piece.phase != world.piece.phase, after.out == 1),
    )  # fmt: skip
    yield Claim("so", (_holds(world),), world.out > 0, world.out <= 1, _shown("", world))


def _over(rules: SendingRules) -> Iterator[Claim]:
    """Sent, given up or unknown: nobody takes it, and nothing that is said of it counts."""
    piece, said = _any().piece, z3.Const("said", SAID)
    over = z3.Or(*(piece.phase == PHASES[one] for one in delivery.OVER))
    got, took = taken(rules, piece, _WHO, _NOW)
    heard, counted = told(rules, piece, said, _WHO, _MOST, _AGAIN)
    shown = (("the piece", piece.phase), ("a worker says", said), ("it counts", counted), ("it is taken", took))
    yield Claim("one that is over", (), over, z3.And(z3.Not(took), z3.Not(counted), got.phase == heard.phase), shown)


def _bounded(rules: SendingRules) -> Iterator[Claim]:
    """For any number of tries that are allowed; and what counts brings it nearer to its end, so that only so much can count."""
    piece, said = _any().piece, z3.Const("said", SAID)
    got, took = taken(rules, piece, _WHO, _NOW)
    heard, counted = told(rules, piece, said, _WHO, _MOST, _AGAIN)

    def within(one: Piece) -> Term:
        open_ = z3.Implies(one.phase == WAITING, one.tries < _MOST)
        return z3.And(one.tries >= 0, one.tries <= _MOST, open_)

    def far(one: Piece) -> Term:
        return z3.If(
            one.phase == WAITING, 2 * (_MOST - one.tries) + 1, z3.If(one.phase == TAKEN, 2 * (_MOST - one.tries) + 2, 0)
        )

    shown = (
        ("at most", _MOST),
        ("tries before", piece.tries),
        ("the piece", piece.phase),
        ("then", heard.phase),
        ("tries then", got.tries),
    )
    given = (_MOST >= 1, within(piece))
    yield Claim("a new one", (_MOST >= 1,), True, within(_new().piece), shown)
    yield Claim("it is taken", given, took, z3.And(within(got), far(got) < far(piece), far(got) >= 0), shown)
    yield Claim("it is told of", given, counted, z3.And(within(heard), far(heard) < far(piece), far(heard) >= 0), shown)


_THEOREMS = (
    Theorem("at-most-once-by-any-workers", "an answer is sent at most once, for any number of workers, tries, crashes and late reports", _at_most_once),
    Theorem("over-is-over-for-any-worker", "an answer that was sent, given up or lost is never taken again by any worker", _over),
    Theorem("tries-are-bounded-for-any-number", "for any limit, no more tries are made than it allows, and each counted step brings the end nearer",
            _bounded),
)  # fmt: skip


def _again(real: Callable[..., Any]) -> Callable[..., Any]:
    """What is lost is sent again."""
    return lambda known, event, now: real(
        known, delivery.NotSent(event.worker) if isinstance(event, delivery.MaybeSent) else event, now
    )


def _unwritten(_: Callable[..., Any]) -> Callable[..., Any]:
    """Sends before it is written that it was taken."""

    def take(worker: str, now: int, _: int) -> Any:
        yield Begin()
        found = yield Next(delivery.TABLE, now)
        yield Commit()
        return [(found[0], delivery.step(found[1], delivery.Take(worker), now)[0])] if found else []

    return take


def theory() -> Theory:
    """The theory."""
    mutants = (
        Mutant("takes what somebody has", "at-most-once-by-any-workers", "takes",
            lambda piece, now: z3.And(z3.Or(piece.phase == WAITING, piece.phase == TAKEN), now >= piece.after)),
        Mutant("takes what is over", "over-is-over-for-any-worker", "takes", lambda piece, now: z3.And(piece.phase != TAKEN, now >= piece.after)),
        Mutant("sends again what is lost", "at-most-once-by-any-workers", "becomes",
            lambda said, tries, most: z3.If(said == IS_SENT, SENT, z3.If(tries >= most, GIVEN_UP, WAITING))),
        Mutant("never gives up", "tries-are-bounded-for-any-number", "becomes",
            lambda said, _tries, _most: z3.If(said == IS_SENT, SENT, z3.If(said == IS_LOST, UNKNOWN, WAITING))),
        Mutant("listens when it is over", "over-is-over-for-any-worker", "counts", lambda piece, worker: piece.worker == worker),
        Mutant("brings back what a dead worker took", "at-most-once-by-any-workers", "crashes", lambda piece: piece._replace(phase=WAITING)),
    )  # fmt: skip
    planted = (
        Planted("sends again what is lost", Patch(delivery, "step", _again)),
        Planted("listens to every worker", Patch(delivery, "step",
            lambda real: lambda known, event, now: real(known, event if isinstance(event, delivery.Take) else event._replace(worker=known.worker), now))),
        Planted("allows one try more", Patch(delivery, "step", lambda real: lambda known, event, now: real(known._replace(tries=0), event, now))),
    )  # fmt: skip
    crash = Planted("sends before it writes", Patch(delivery, "take_many", _unwritten))
    return Theory(
        "sending", "what is to be sent goes out at most once, for any number of workers and tries", SendingRules(), _THEOREMS, mutants,
        (
            Tie("the life of a piece", encoded, run, sample, planted, every, samples=60),
            Tie("what a crash leaves", encoded_crash, run_crash, lambda random: random.random() < 0.5, (crash,), lambda: (False, True), samples=0),
        ),
    )  # fmt: skip
