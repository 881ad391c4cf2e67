"""Deliveries, for any number of workers, tries and crashes. The rules are in `_sending`.

One arbitrary piece. Every time that a worker's taking counted there is one attempt, which goes out, is found for certain not to have gone out, or dies with its worker; a worker says
that it failed only in the second case, once. Anybody may say at any time that a piece was sent, or is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import z3

from remit.gateway.inbound.delivery import life as code
from remit.gateway.inbound.delivery import store
from remit.gateway.inbound.stores.operations import Begin, Commit, Next
from remit.models.explore.patching import Patch
from remit.models.proofs.solving import choose
from remit.models.proofs.theories._sending import (
    GIVEN_UP,
    HAS_FAILED,
    IS_LOST,
    IS_SENT,
    PHASE,
    PHASES,
    SAID,
    SENT,
    TAKEN,
    UNKNOWN,
    WAITING,
    Operators,
    Piece,
    encoded,
    encoded_crash,
    every,
    run,
    run_crash,
    sample,
    taken,
    told,
)  # fmt: skip
from remit.models.proofs.theory import Claim, Mutant, Planted, State, Term, Theorem, Theory, Tie, Told, induction

_EVENT, _EVENTS = z3.EnumSort(
    "Happens", ["takes", "goes out", "fails", "tells the failure", "says sent", "says lost", "dies"]
)
_TAKES, _GOES_OUT, _FAILS, _TELLS, _SAYS_SENT, _SAYS_LOST, _DIES = _EVENTS
_MOST = z3.Int("most tries")


class World(NamedTuple):
    """A piece, its attempts under way, failures that are not told yet, whose the last attempt is, and how often it went out."""

    piece: Piece
    under_way: Term
    failed: Term
    whose: Term
    out: Term


_WHO, _NOW, _AGAIN = z3.Int("who"), z3.Int("now"), z3.Int("again")


def _any() -> World:
    piece = Piece(z3.Const("phase", PHASE), z3.Int("tries"), z3.Int("not before"), z3.Int("worker"))
    return World(piece, z3.Int("under way"), z3.Int("failed"), z3.Int("whose"), z3.Int("out"))


def _new() -> World:
    none = z3.IntVal(0)
    return World(Piece(WAITING, none, none, none), none, none, none, none)


def _happens(rules: Operators, world: World, event: Term) -> World:
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
    return World(
        after, going + z3.If(begins, 1, 0) - z3.If(ends, 1, 0),
        failing + z3.If(z3.And(event == _FAILS, ends), 1, 0) - z3.If(tells, 1, 0),
        z3.If(begins, _WHO, world.whose), world.out + z3.If(z3.And(event == _GOES_OUT, ends), 1, 0),
    )  # fmt: skip


def _holds(world: World) -> Term:
    """It went out, is about to, or failed untold: one of these, once; and then it waits for nobody, and is its worker's."""
    count, piece = world.out + world.under_way + world.failed, world.piece
    some = z3.And(piece.phase != WAITING, piece.phase != GIVEN_UP)
    mine = z3.Implies(z3.And(piece.phase == TAKEN, world.under_way + world.failed > 0), piece.worker == world.whose)
    return z3.And(
        world.out >= 0, world.under_way >= 0, world.failed >= 0, count <= 1, z3.Implies(count > 0, some), mine
    )


def _shown(name: str, world: World) -> Told:
    return (
        (f"the piece {name}", world.piece.phase), (f"attempts under way {name}", world.under_way), (f"went out {name}", world.out),
    )  # fmt: skip


def _at_most_once(rules: Operators) -> Iterator[Claim]:
    world, event = _any(), z3.Const("event", _EVENT)
    after, first = _happens(rules, world, event), _new()
    who = (("a worker", event), ("its name", _WHO), ("the worker that took it", world.piece.worker))
    yield from induction(
        State(_holds(first), _shown("at first", first)), State(_holds(world), (*_shown("before", world), *who)),
        State(_holds(after), _shown("after", after)), seen=z3.And(after.piece.phase != world.piece.phase, after.out == 1),
    )  # fmt: skip
    yield Claim("so", (_holds(world),), world.out > 0, world.out <= 1, _shown("", world))


def _over(rules: Operators) -> Iterator[Claim]:
    """Sent, given up or unknown: nobody takes it, and nothing that is said of it counts."""
    piece, said = _any().piece, z3.Const("said", SAID)
    over = z3.Or(*(piece.phase == PHASES[one] for one in code.OVER))
    got, took = taken(rules, piece, _WHO, _NOW)
    heard, counted = told(rules, piece, said, _WHO, _MOST, _AGAIN)
    shown = (("the piece", piece.phase), ("a worker says", said), ("it counts", counted), ("it is taken", took))
    yield Claim("one that is over", (), over, z3.And(z3.Not(took), z3.Not(counted), got.phase == heard.phase), shown)


def _bounded(rules: Operators) -> Iterator[Claim]:
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
    Theorem("at-most-once-by-any-workers", "an answer goes out at most once, for any number of workers, tries, deaths and late words", _at_most_once),
    Theorem("over-is-over-for-any-worker", "what was sent, given up or lost is never taken again, whoever says what", _over),
    Theorem("tries-are-bounded-for-any-number", "whatever number of tries is allowed, no more are made, and everything that counts brings the end nearer",
            _bounded),
)  # fmt: skip


def _again(real: Callable[..., Any]) -> Callable[..., Any]:
    """What is lost is sent again."""
    return lambda known, event, now: real(
        known, code.Failed(event.worker) if isinstance(event, code.Lost) else event, now
    )


def _anybody(real: Callable[..., Any]) -> Callable[..., Any]:
    return lambda known, event, now: real(
        known, event if isinstance(event, code.Take) else event._replace(worker=known.worker), now
    )


def _unwritten(_: Callable[..., Any]) -> Callable[..., Any]:
    """Sends before it is written that it was taken."""

    def take(worker: str, now: int) -> Any:
        yield Begin()
        found = yield Next(store.TABLE, now)
        yield Commit()
        return found and (found[0], code.step(found[1], code.Take(worker), now)[0])

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
        Planted("sends again what is lost", Patch(code, "step", _again)),
        Planted("listens to every worker", Patch(code, "step", _anybody)),
        Planted("allows one try more", Patch(code, "step", lambda real: lambda known, event, now: real(known._replace(tries=0), event, now))),
    )  # fmt: skip
    crash = Planted("sends before it writes", Patch(store, "take", _unwritten))
    return Theory(
        "sending", "what is to be sent goes out at most once, for any number of workers and tries", Operators(), _THEOREMS, mutants,
        (
            Tie("the life of a piece", encoded, run, sample, planted, every, samples=60),
            Tie("what a crash leaves", encoded_crash, run_crash, lambda random: random.random() < 0.5, (crash,), lambda: (False, True), samples=0),
        ),
    )  # fmt: skip
