"""Model of device requests (`gateway/inbound/nodes`): two requests, two workers, a person, crashes, and revoked rights."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from remit.gateway.inbound import laws
from remit.gateway.inbound.nodes import runs
from remit.gateway.inbound.nodes.runs import TABLE, Approve, Ask, Deny, Request, RunDone, RunLost, RunPhase, RunSent
from remit.models.explore.interleave import (  # fmt: skip
    Interleaving,
    Memory,
    OperationCall,
    Point,
    StoredValue,
    going_on,
    memory_of,
    put,
    without_transaction,
    without_writing,
)
from remit.models.explore.model import Action, Invariant, Model, Mutant, Patch

NAMES, DIGESTS = ("r", "s"), ("right", "other")
UNTIL = 2  # seconds from asking to running
AGAIN = Ask("d", "run", "other", approval=False)  # for something else, under the same name
ANSWERS = (
    ("r", Approve("right", "olga")),
    ("r", Approve("other", "olga")),
    ("s", Approve("right", "olga")),
    ("r", Deny()),
)


_ASKED = Request("d", "run", "right", UNTIL)
_BEGUN = memory_of({(TABLE, one): StoredValue(_ASKED) for one in NAMES})


class NodeRunState(NamedTuple):
    """The store, who does something with it, and what really went on."""

    memory: Memory = _BEGUN
    doing: tuple[Point | None, ...] = (None, None)
    late: bool = False  # the time of everything that was asked is over
    allowed: bool = True  # the settings allow the command
    meant: frozenset[tuple[str, str]] = frozenset()  # what a person said yes to: request and content
    denied: frozenset[str] = frozenset()
    ran: tuple[str, ...] = ()  # each that ran, with its content, whether it was late, and whether it was allowed


def _started(running: Interleaving, world: NodeRunState, place: int, name: str, event: Any) -> NodeRunState:
    begun = running.start("apply", name, event, UNTIL if world.late else 0)
    return world._replace(doing=put(world.doing, place, begun))


def _ask(running: Interleaving, world: NodeRunState) -> Iterator[tuple[Any, NodeRunState]]:
    if world.doing[0] is None and not world.late and not world.meant:
        yield ("for something else, under the same name", _started(running, world, 0, "r", AGAIN))


def _answer(running: Interleaving, world: NodeRunState) -> Iterator[tuple[Any, NodeRunState]]:
    if world.doing[1] is None:
        for name, event in ANSWERS:
            said = {(name, event.digest)} if isinstance(event, Approve) else set()
            yield (name, event), _started(running, world, 1, name, event)._replace(meant=world.meant | said)


def _run(running: Interleaving, world: NodeRunState) -> Iterator[tuple[Any, NodeRunState]]:
    for place in range(2):
        if world.doing[place] is None:
            for digest in DIGESTS[: 2 - place]:
                yield (place, "r", digest), _started(running, world, place, "r", RunSent(digest, world.allowed))


def _done(world: NodeRunState, _: int, call: OperationCall, refused: str) -> NodeRunState:
    name, event, now = call.args
    if refused:
        return world
    if isinstance(event, Deny):
        return world._replace(denied=world.denied | {name})
    if isinstance(event, RunSent):
        ran = f"{event.digest} {'late' if now else 'in time'} {'allowed' if event.allowed else 'not allowed'}"
        return world._replace(ran=(*world.ran, ran)[:2])
    return world


def _end(running: Interleaving, world: NodeRunState) -> Iterator[tuple[Any, NodeRunState]]:
    kept: Request | None = world.memory.get(TABLE, "r")
    if kept and kept.phase is RunPhase.RUNNING and world.doing[0] is None:
        for event in (RunDone(), RunLost()):
            yield type(event).__name__, _started(running, world, 0, "r", event)


def _crash(world: NodeRunState) -> Iterator[tuple[Any, NodeRunState]]:
    if any(world.doing):
        yield (), world._replace(doing=(None, None))


def _change(world: NodeRunState) -> Iterator[tuple[Any, NodeRunState]]:
    if world.allowed and not any(world.doing):
        yield (), world._replace(allowed=False)


def _pass(world: NodeRunState) -> Iterator[tuple[Any, NodeRunState]]:
    if not world.late and not any(world.doing):
        yield (), world._replace(late=True)


def _actions() -> tuple[Action, ...]:
    running = Interleaving(apply=runs.apply)

    return (
        Action("ask again", partial(_ask, running)), Action("a person answers", partial(_answer, running)), Action("run", partial(_run, running)), Action("end", partial(_end, running)),
        Action("go on", going_on(running, _done, (0, 1))), Action("crash", _crash), Action("take the right back", _change), Action("the time is over", _pass),
    )  # fmt: skip


def _request(world: NodeRunState, name: str = "r") -> Request | None:
    found: Request | None = world.memory.get(TABLE, name)
    return found


def _ran(world: NodeRunState) -> bool:
    return bool(world.ran)


def _running(world: NodeRunState) -> bool:
    kept = _request(world)
    return kept is not None and kept.phase in (RunPhase.RUNNING, RunPhase.DONE, RunPhase.UNKNOWN)


_INVARIANTS = (
    Invariant("nothing-runs-while-it-waits", "a request that needs approval runs only after it was approved", _ran, lambda world: ("r", "right") in world.meant),
    Invariant("bound-to-its-content", "the command that runs is byte for byte the one that was requested and approved", _ran, lambda world: all(one.startswith("right") for one in world.ran)),
    Invariant("bound-to-its-request", "an approval of one request approves no other",
              lambda world: ("s", "right") in world.meant and not any(name == "r" for name, _ in world.meant), lambda world: not _running(world)),
    Invariant("never-twice", "a request runs at most once, with repeated tries and after any crash", _ran, lambda world: len(world.ran) == 1),
    Invariant("never-replaced", "a request is never replaced by another one of the same name", lambda world: world.doing[0] is None,
              lambda world: laws.same_request(_ASKED, world.memory.get(TABLE, "r"))),
    Invariant("in-time", "no request runs after its time", _ran, lambda world: "late" not in world.ran[-1].split()),
    Invariant("revoked-while-waiting", "a request that the settings no longer allow does not run, approved or not", _ran,
              lambda world: not world.ran[-1].endswith("not allowed")),
    Invariant("a-no-is-final", "a request that a person denied before it ran does not run", lambda world: "r" in world.denied, lambda world: not world.ran),
    Invariant("running-is-kept-first", "before a device is asked, the disk records that the request runs", _ran, lambda world: laws.run_kept_first(_request(world))),
)  # fmt: skip


def _step(kind: type, spoil: Callable[[Any, Any, int], tuple[Any, Any, int]]) -> Callable[..., Any]:
    """A step that sees another request, event or time for one kind of event."""

    def spoiled(real: Callable[..., Any]) -> Callable[..., Any]:
        return lambda known, event, now: (
            real(*spoil(known, event, now)) if isinstance(event, kind) and known else real(known, event, now)
        )

    return spoiled


def _any_request(real: Callable[..., Any]) -> Callable[..., Any]:
    def apply(name: str, event: Any, now: int) -> Any:
        return (yield from real("r" if isinstance(event, Approve) else name, event, now))

    return apply


def model() -> Model:
    """The model."""
    ready = _step(
        RunSent,
        lambda known, event, now: (
            known._replace(phase=RunPhase.READY if known.phase is RunPhase.WAITING else known.phase),
            event,
            now,
        ),
    )
    denied = _step(
        RunSent,
        lambda known, event, now: (
            known._replace(phase=RunPhase.READY if known.phase is RunPhase.DENIED else known.phase),
            event,
            now,
        ),
    )
    again = _step(
        RunSent,
        lambda known, event, now: (
            known._replace(phase=RunPhase.READY if known.phase is not RunPhase.WAITING else known.phase),
            event,
            now,
        ),
    )
    mutants = (
        Mutant("does not wait for a person", "nothing-runs-while-it-waits", Patch(runs, "step", ready)),
        Mutant("compares no content when it runs", "bound-to-its-content",
            Patch(runs, "step", _step(RunSent, lambda known, event, now: (known, event._replace(digest=known.digest), now)))),
        Mutant("takes an approval for any request", "bound-to-its-request", Patch(runs, "apply", _any_request)),
        Mutant("runs whatever the phase", "never-twice", Patch(runs, "step", again)),
        Mutant("runs without a transaction", "never-twice", Patch(runs, "apply", without_transaction)),
        Mutant("asks over what is there", "never-replaced",
            Patch(runs, "step", lambda real: lambda known, event, now: real(None if isinstance(event, Ask) else known, event, now))),
        Mutant("does not look at the clock", "in-time", Patch(runs, "_late", lambda _: lambda *_: "")),
        Mutant("does not ask the settings again", "revoked-while-waiting",
            Patch(runs, "step", _step(RunSent, lambda known, event, now: (known, event._replace(allowed=True), now)))),
        Mutant("runs what was denied", "a-no-is-final", Patch(runs, "step", denied)),
        Mutant("runs before it writes", "running-is-kept-first", Patch(runs, "apply",
            lambda real: lambda name, event, now: (without_writing(TABLE)(real) if isinstance(event, RunSent) else real)(name, event, now))),
    )  # fmt: skip
    constants = (Patch(runs, "LIFETIME", lambda _: UNTIL),)
    return Model(
        "node-runs", "a request runs at most once, in time, as a person approved it, and only while the settings allow it",
        (NodeRunState(),), _actions, _INVARIANTS, lambda world: world.late, mutants, constants=constants,
    )  # fmt: skip
