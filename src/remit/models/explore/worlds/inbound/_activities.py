"""What `pipeline` explores: the coroutines of the gateway (`_gateway.py`) among the people of `_scene.py`. An operation of the store is one
step, and a sending is out when it is waited for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from remit.gateway.inbound.delivery.store import TABLE as DELIVERY
from remit.gateway.inbound.ingress.gate import Heard
from remit.gateway.inbound.nodes.runs import Phase
from remit.gateway.inbound.nodes.store import TABLE as RUNS
from remit.gateway.inbound.pairing.life import Remove
from remit.gateway.inbound.turns.life import ORDERS, TURNS
from remit.gateway.inbound.turns.life import Phase as Turned
from remit.models.explore.coroutines import Play, Playing
from remit.models.explore.interleave import Kept, Memory, memory_of, put
from remit.models.explore.model import Action
from remit.models.explore.worlds.inbound import _scene as scene
from remit.models.explore.worlds.inbound._gateway import Keeps, Runs, Sends, makers
from remit.models.explore.worlds.inbound._scene import EVENTS

WORKERS = ("v", "w", "s", "o")  # two that think, one that sends, and one that does what operators command
_DOES = ("turn", "turn", "send", "order")
_LOOKS_AT = (TURNS, TURNS, DELIVERY, ORDERS)


class Run(NamedTuple):
    """What a device was asked, and what stood there then."""

    settings: int  # by which it was judged last, before the disk said that it runs
    approver: str
    right: bool  # what runs is what the store says that was asked and approved
    admitted: bool  # the log says that it was let through


class World(NamedTuple):
    """The store, the workers of the gateway, and what really went on."""

    comes: tuple[int, ...]  # the events of this story
    memory: Memory = scene.BEGUN
    doing: tuple[Play | None, ...] = (None, None, None, None)
    settings: int = scene.OPEN
    shut_out: bool = False  # ann
    crashed: bool = False
    mishaps: int = 1  # that may still happen
    again: int = 1  # how often a platform sends again what it sent before
    told: frozenset[int] = frozenset()  # events that the platform was told we have
    heard: frozenset[tuple[int, bool]] = frozenset()  # events that an agent hears, and whether their speaker was let in
    out: tuple[tuple[str, str, str], ...] = ()  # to whom what went out, with its trace
    ran: tuple[Run, ...] = ()


def _aged(kept: Memory) -> Memory:
    """A second later. That anything is forgotten some day is left out."""
    return memory_of(
        {key: Kept(one.value, None if one.due is None else max(one.due - 1, 0)) for key, one in kept.rows.items()}
    )


def _effect(world: World, play: Play) -> World:
    """What goes on in the world because the gateway waits for it now."""
    match play.asks:
        case Sends(piece):
            return world._replace(out=tuple(sorted((*world.out, (piece.route.to, piece.body, piece.trace)))))
        case Runs(name, command, arguments, admitted):
            kept = world.memory.get(RUNS, name)
            wanted = (command, arguments) == (scene.WANTED.command, scene.WANTED.arguments)
            right = wanted and kept is not None and kept.phase is Phase.RUNNING and kept.digest == scene.DIGEST
            run = Run(int(str(play.answers[-2].moment)), kept.approver if kept else "", right, admitted)
            return world._replace(ran=(*world.ran, run))
    return world


def _words(asked: Any) -> str:
    return asked.told() if isinstance(asked, Keeps) else type(asked).__name__.lower()


class _Gateway:
    """The coroutines of the gateway, for one exploration."""

    def __init__(self) -> None:
        self.playing = Playing(**makers(scene.SETTINGS, scene.DEVICE, EVENTS))
        self._steps: dict[tuple[Memory, Play, int], tuple[Memory, Play]] = {}

    def step(self, memory: Memory, play: Play, settings: int) -> tuple[Memory, Play]:
        """Answered once."""
        at = (memory, play, settings)
        found = self._steps.get(at)
        if found is None:
            left, value = memory, None
            if isinstance(play.asks, Keeps):
                left, value = self.playing.course(play, lambda asked: asked.operation).alone(memory)
            else:
                value = scene.answer_of(play.asks)
            found = self._steps[at] = left, self.playing.answered(play, settings, value)
        return found

    def whole(self, world: World, name: str, arg: Any) -> tuple[World, Any]:
        """From its beginning to its end with nobody in between."""
        play, memory = self.playing.start(world.settings, name, arg), world.memory
        while not play.over:
            memory, play = self.step(memory, play, world.settings)
        return world._replace(memory=memory), play.value

    def work(self, place: int) -> Callable[[World], Iterator[tuple[Any, World]]]:
        """A worker goes on by one answer, or takes what is due. What is sent is out when it is waited for."""
        worker, does, table = WORKERS[place], _DOES[place], _LOOKS_AT[place]

        def moves(world: World) -> Iterator[tuple[Any, World]]:
            play = world.doing[place]
            if play is None:
                if not world.memory.first(table, 0) or (place == 1 and world.doing[0] is None):
                    return  # of two that are idle, the first takes it
                play = self.playing.start(world.settings, does, worker)
            memory, then = self.step(world.memory, play, world.settings)
            after = _effect(world._replace(memory=memory), then)
            if isinstance(then.asks, Sends):
                memory, then = self.step(memory, then, world.settings)
            yield _words(play.asks), after._replace(doing=put(world.doing, place, None if then.over else then))

        return moves

    def come(self, world: World) -> Iterator[tuple[Any, World]]:
        """A platform sends an event, for the first time or again."""
        for number in world.comes:
            known = number in world.told
            if known and not world.again:
                continue
            after, fate = self.whole(world, "hear", number)
            peer = EVENTS[number].place.peer
            let_in = peer in ("olga", "bob") or (peer == "ann" and not world.shut_out)
            heard = {(number, let_in)} if fate.heard in (Heard.HEARD, Heard.COMMAND) else set()
            yield (
                (peer, number),
                after._replace(told=world.told | {number}, heard=world.heard | heard, again=world.again - known),
            )

    def shut_out(self, world: World) -> Iterator[tuple[Any, World]]:
        """The operator takes back that ann is let in."""
        if world.mishaps and not world.shut_out:
            after, _ = self.whole(world, "unpair", Remove("ann"))
            yield "ann", after._replace(shut_out=True, mishaps=world.mishaps - 1)


def _reload(world: World) -> Iterator[tuple[Any, World]]:
    if world.mishaps and world.settings == scene.OPEN:
        for number, what in ((1, "the tool is denied"), (2, "the command is denied")):
            yield what, world._replace(settings=number, mishaps=world.mishaps - 1)


def _crash(world: World) -> Iterator[tuple[Any, World]]:
    if world.mishaps and any(world.doing):
        yield (), world._replace(doing=(None, None, None, None), crashed=True, mishaps=world.mishaps - 1)


def _tick(world: World) -> Iterator[tuple[Any, World]]:
    waits = any(one.phase is Turned.SUSPENDED for one in world.memory.table(TURNS).values())
    if (world.crashed or waits) and not any(world.doing):
        yield (), world._replace(memory=_aged(world.memory))


def actions() -> tuple[Action, ...]:
    gateway = _Gateway()
    works = [Action(f"{name} works", gateway.work(place)) for place, name in enumerate(WORKERS)]
    return (
        Action("an event comes", gateway.come), *works, Action("change the settings", _reload), Action("shut out", gateway.shut_out),
        Action("crash", _crash), Action("a second passes", _tick),
    )  # fmt: skip
