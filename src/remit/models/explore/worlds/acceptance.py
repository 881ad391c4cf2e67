"""Model of two executors with one replay store (`executor/accept.py`, `executor/replay/memory.py`), and a hostile
gateway.

The gateway has everything that honest servers and approvers signed up to now, mixes it as it likes, and signs with a key of its own where
it has none (`_signed`). Accepting, marking, acting and finishing are steps of their own: executors overtake one another, die in between,
and start again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from remit.authority.question import answers
from remit.authority.question.questions import ask
from remit.authority.question.slots import spoken
from remit.authority.values.action import LIFETIME
from remit.executor import accept
from remit.executor.accepted_request import Accepted
from remit.executor.replay import memory
from remit.executor.replay.memory import Finish, Forget, Mark, Marked, State
from remit.models.explore.model import Action, Invariant, Model, Mutant, Patch
from remit.models.explore.worlds import _signed as there
from remit.models.explore.worlds._signed import CLOCK, DEEDS, Presenting

EXECUTORS = ("e", "f")
_PLACE = {there.action_id(name): place for place, name in enumerate(DEEDS)}
_NONE = (None,) * len(DEEDS)


class Doing(NamedTuple):
    """How far an executor is: `accepted`, `marked`, `acted`, or `down`."""

    phase: str
    action: int = 0  # the place of its action
    presented: Presenting | None = None
    since: int = 0  # when it was accepted: a place in the clock
    expires: int = 0


class Effect(NamedTuple):
    """Something that happened, on what, and when that was accepted."""

    presented: Presenting
    since: int


class AcceptanceState(NamedTuple):
    """Executors, their common memory, and what happened."""

    now: int = 0  # a place in the clock
    doing: tuple[Doing | None, ...] = (None, None)
    marks: tuple[Marked | None, ...] = _NONE
    happened: tuple[int, ...] = (0,) * len(DEEDS)  # how often, by action
    last: Effect | None = None


def _put(values: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    return (*values[:place], value, *values[place + 1 :])


def _mark(world: AcceptanceState) -> Iterator[tuple[Any, AcceptanceState]]:
    for place, doing in enumerate(world.doing):
        if doing and doing.phase == "accepted":
            event = Mark(EXECUTORS[place], doing.expires)
            kept, done = memory.step(world.marks[doing.action], event, CLOCK[world.now])  # the time of the mark
            then = doing._replace(phase="marked") if done else None  # who comes second is refused
            marks = _put(world.marks, doing.action, kept)
            yield EXECUTORS[place], world._replace(doing=_put(world.doing, place, then), marks=marks)


def _act(world: AcceptanceState) -> Iterator[tuple[Any, AcceptanceState]]:
    for place, doing in enumerate(world.doing):
        if doing and doing.phase == "marked" and doing.presented:
            happened = _put(world.happened, doing.action, min(world.happened[doing.action] + 1, 2))
            last = Effect(doing.presented, doing.since)
            then = _put(world.doing, place, Doing("acted", doing.action))
            yield EXECUTORS[place], world._replace(doing=then, happened=happened, last=last)


def _ended(world: AcceptanceState, place: int, action: int, state: State) -> AcceptanceState:
    kept, _ = memory.step(world.marks[action], Finish(EXECUTORS[place], state), CLOCK[world.now])
    return world._replace(marks=_put(world.marks, action, kept))


def _finish(world: AcceptanceState) -> Iterator[tuple[Any, AcceptanceState]]:
    for place, doing in enumerate(world.doing):
        if doing and doing.phase == "acted":
            after = _ended(world, place, doing.action, State.DONE)
            yield EXECUTORS[place], after._replace(doing=_put(world.doing, place, None))


def _die(world: AcceptanceState) -> Iterator[tuple[Any, AcceptanceState]]:
    for place, doing in enumerate(world.doing):
        if doing and doing.phase != "down":
            yield EXECUTORS[place], world._replace(doing=_put(world.doing, place, Doing("down")))


def _start(world: AcceptanceState) -> Iterator[tuple[Any, AcceptanceState]]:
    for place, doing in enumerate(world.doing):
        if doing and doing.phase == "down":
            after = world._replace(doing=_put(world.doing, place, None))
            for action, kept in enumerate(world.marks):  # what it left is written down as unknown
                if kept and kept.owner == EXECUTORS[place] and kept.state is State.STARTED:
                    after = _ended(after, place, action, State.UNKNOWN)
            yield EXECUTORS[place], after


def _forget(world: AcceptanceState) -> Iterator[tuple[Any, AcceptanceState]]:
    if any(world.marks):
        now = CLOCK[world.now]
        yield (), world._replace(marks=tuple(kept and memory.step(kept, Forget(), now)[0] for kept in world.marks))


def _tick(world: AcceptanceState) -> Iterator[tuple[Any, AcceptanceState]]:
    if world.now < len(CLOCK) - 1:
        yield (), world._replace(now=world.now + 1)


def _actions() -> tuple[Action, ...]:
    accepted: dict[int, list[Doing]] = {}  # by the place in the clock

    def acceptable(now: int) -> list[Doing]:
        """Everything that the predicate accepts at that time, of all that can be presented."""
        if now not in accepted:
            found = []
            for chosen, presented in there.presentings().items():
                if there.moment_of(chosen) <= now:
                    said = accept.accept(there.known(), presented, CLOCK[now])
                    if isinstance(said, Accepted):
                        found.append(Doing("accepted", _PLACE[said.action_id], chosen, now, said.expires))
            accepted[now] = found
        return accepted[now]

    def present(world: AcceptanceState) -> Iterator[tuple[Any, AcceptanceState]]:
        for place, doing in enumerate(world.doing):
            if doing is None:
                for one in acceptable(world.now):
                    yield (EXECUTORS[place], one.presented), world._replace(doing=_put(world.doing, place, one))

    return (
        Action("present", present), Action("mark", _mark), Action("act", _act), Action("finish", _finish), Action("die", _die),
        Action("start", _start), Action("forget", _forget), Action("time passes", _tick),
    )  # fmt: skip


def _happened(world: AcceptanceState) -> bool:
    return world.last is not None


def _last(world: AcceptanceState) -> Effect:
    assert world.last is not None
    return world.last


def _both(world: AcceptanceState) -> bool:
    """Both servers signed one action, of the rules that count, for this request, and were asked about it."""
    request, first, second, _ = _last(world).presented
    if second is None or (first[0], second[0]) != (0, 1) or first[1] != second[1]:
        return False
    deed = DEEDS[first[1]]
    return deed.servers == (0, 1) and deed.opening == deed.asked == request and deed.epoch == there.known().layout.epoch


def _fresh(world: AcceptanceState) -> bool:
    effect = _last(world)
    now = CLOCK[effect.since]
    signed = [CLOCK[one[2]] for one in effect.presented[1:3] if isinstance(one, tuple)]
    return all(now - at <= there.LASTS for at in signed) and now - CLOCK[0] <= LIFETIME + there.LASTS + there.SKEW


def _decision(world: AcceptanceState) -> Any:
    return DEEDS[_last(world).presented.first[1]].decision


_INVARIANTS = (
    Invariant("both-for-this-request", "both servers signed every action that happens, for exactly the request about which both were asked",
              _happened, _both),
    Invariant("allowed", "every action that happens was allowed", _happened, lambda world: _decision(world).allow),
    Invariant("never-stale", "no action happens on proofs that are too old, or if the action itself is too old", _happened, _fresh),
    Invariant("confirmed", "an action that needs confirmation happens only with an approver's signature over this action and preview",
              lambda world: _happened(world) and _decision(world).confirm, lambda world: _last(world).presented.word == "for it"),
    Invariant("never-twice", "no action happens twice, with any number of executors and after any crash", lambda world: any(world.happened),
              lambda world: max(world.happened) == 1),
)  # fmt: skip


class _AnyTag:
    """A tag that differs in nothing from that of a row."""

    def __xor__(self, other: Any) -> Any:
        return other ^ other


def _any_preview(real: Callable[..., Any]) -> Callable[..., Any]:
    def confirmed(known: Any, told: Any, look_up: Any, inputs: Any) -> Any:
        right = told is not None and told.action_id == look_up.action_id and told.held_by(known.approvers[told.kid])
        return told.kid if told and right else real(known, told, look_up, inputs)

    return confirmed


def _unbound(_: Callable[..., Any]) -> Callable[..., Any]:
    def bound(known: Any, presented: Any, look_up: Any, *_: Any) -> Any:
        said = spoken(known.layout.program, look_up.opening.request, known.classes)
        asked = ask(known.layout, said, known.binding.question_seed(look_up))
        return accept.VerifiedLookUp(look_up, said, asked, presented.answers)

    return bound


def _nothing(_: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *_: None


def model() -> Model:
    """The model."""
    mutants = (
        Mutant("verifies no signature", "both-for-this-request", Patch(accept, "_verify", _nothing)),
        Mutant("does not compare what is bound", "both-for-this-request", Patch(accept, "_bound", _unbound)),
        Mutant("takes rows without their tags", "allowed", Patch(answers, "tags", lambda _: lambda *_: _AnyTag())),
        Mutant("takes every decision for a yes", "allowed", Patch(accept, "decision",
            lambda real: lambda *told: real(*told)._replace(allow=True))),
        Mutant("does not look at the clock", "never-stale", Patch(accept, "_fresh", _nothing)),
        Mutant("lets actions live for ever", "never-stale", Patch(accept, "LIFETIME", lambda _: 1_000_000)),
        Mutant("wants no approver", "confirmed", Patch(accept, "confirmed", lambda _: lambda *_: "person")),
        Mutant("takes a word for another preview", "confirmed", Patch(accept, "confirmed", _any_preview)),
        Mutant("marks twice", "never-twice", Patch(memory, "step",
            lambda real: lambda kept, event, now: real(None if isinstance(event, Mark) else kept, event, now))),
        Mutant("forgets too early", "never-twice", Patch(memory, "step",
            lambda real: lambda kept, event, now: (None, True) if kept and isinstance(event, Forget) else real(kept, event, now))),
    )  # fmt: skip
    return Model(
        "acceptance", "the executor acts only on fresh proofs of both servers for exactly this request, with confirmation where the policy requires it, and never twice",
        (AcceptanceState(),), _actions, _INVARIANTS, lambda world: world.now == len(CLOCK) - 1, mutants,
    )  # fmt: skip
