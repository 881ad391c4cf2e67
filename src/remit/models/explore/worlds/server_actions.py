"""An action on a policy server (`authority/server/actions.py`): a gateway that asks what it likes, and computations that end late."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from remit.authority.server import actions
from remit.authority.server.actions import Begin, Begun, Commit, Decide, Decided, Entry, Fail, Sign
from remit.models.explore.model import Action, Invariant, Model, Red
from remit.models.explore.patching import Patch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LAST, UNTIL = 3, 2  # the clock, and the second from which the action is over
ASKED = tuple((commitment, question) for commitment in ("A", "B") for question in ("q", "r"))


class World(NamedTuple):
    """The entry of one action, and what really went on."""

    entry: Entry = None
    now: int = 0
    running: frozenset[tuple[str, str]] = frozenset()  # computations that may still tell their answer
    begun: tuple[str, str] | None = None  # what is being answered, and was not given up
    computed: bool = False  # and its answer was told
    replaced: bool = False  # something took its place before it was given up or over
    signed: tuple[Decided, int, tuple[str, str] | None, bool, str] | None = None  # what, when, of what, and for whom


def _answer(asked: tuple[str, str]) -> bytes:
    return "/".join(asked).encode()


def _actions() -> tuple[Action, ...]:
    def begin(world: World) -> Iterator[tuple[Any, World]]:
        for asked in ASKED:
            entry, refusal = actions.step(world.entry, Begin(*asked, UNTIL), world.now)
            if refusal is None:
                lives = world.begun is not None and world.now < UNTIL
                yield (
                    asked,
                    world._replace(
                        entry=entry, begun=asked, computed=False, running=world.running | {asked}, replaced=lives
                    ),
                )

    def decide(world: World) -> Iterator[tuple[Any, World]]:
        for asked in sorted(world.running):
            answer = _answer(asked)
            entry, refusal = actions.step(world.entry, Decide(*asked, answer, answer), world.now)
            mine = refusal is None and asked == world.begun
            yield asked, world._replace(
                entry=entry, running=world.running - {asked}, computed=world.computed or mine
            )  # fmt: skip

    def fail(world: World) -> Iterator[tuple[Any, World]]:
        for asked in ASKED:  # it is given up here, and may still tell its answer later
            entry, refusal = actions.step(world.entry, Fail(*asked), world.now)
            if refusal is None:
                yield asked, world._replace(entry=entry, begun=None, computed=False)

    def commit(world: World) -> Iterator[tuple[Any, World]]:
        for commitment in ("A", "B"):
            entry, effect = actions.step(world.entry, Commit(commitment), world.now)
            if isinstance(effect, Sign):
                signed = (effect.decided, world.now, world.begun, world.computed, commitment)
                yield commitment, world._replace(entry=entry, signed=signed)

    def tick(world: World) -> Iterator[tuple[Any, World]]:
        if world.now < LAST:
            yield (), world._replace(now=world.now + 1)

    return (
        Action("begin", begin), Action("decide", decide), Action("fail", fail), Action("commit", commit), Action("a second passes", tick),
    )  # fmt: skip


def _computed(world: World) -> bool:
    assert world.signed is not None
    decided, _, begun, computed, _ = world.signed
    return computed and begun == decided[:2] and decided.outputs == decided.tag == _answer(decided[:2])


_INVARIANTS = (
    Invariant("signed-what-was-computed", "what is signed is the answer to the question that was begun, for its commitment",
              lambda world: world.signed is not None, _computed),
    Invariant("signed-in-time", "nothing is signed when the action is over",
              lambda world: world.signed is not None, lambda world: world.signed[1] < UNTIL),
    Invariant("signed-for-its-commitment", "who commits names the commitment that was decided",
              lambda world: world.signed is not None, lambda world: world.signed[4] == world.signed[0].commitment),
    Invariant("what-is-begun-stays", "nothing takes the place of a question that lives",
              lambda world: world.begun is not None, lambda world: not world.replaced),
)  # fmt: skip


def _signs_undecided(real: Callable[..., Any]) -> Callable[..., Any]:
    def step(entry: Entry, event: Any, now: int) -> Any:
        if isinstance(entry, Begun) and isinstance(event, Commit) and now < entry.until:
            return entry, Sign(Decided(entry.commitment, entry.question, b"", b"", entry.until))
        return real(entry, event, now)

    return step


def _takes_any_answer(real: Callable[..., Any]) -> Callable[..., Any]:
    def step(entry: Entry, event: Any, now: int) -> Any:
        if isinstance(entry, Begun) and isinstance(event, Decide) and now < entry.until:
            return Decided(*entry[:2], *event[2:], entry.until), None
        return real(entry, event, now)

    return step


def _without_time(real: Callable[..., Any]) -> Callable[..., Any]:
    return lambda entry, event, now: real(entry, event, min(now, UNTIL - 1))


def _any_commitment(real: Callable[..., Any]) -> Callable[..., Any]:
    def step(entry: Entry, event: Any, now: int) -> Any:
        if isinstance(entry, Decided) and isinstance(event, Commit):
            event = Commit(entry.commitment)
        return real(entry, event, now)

    return step


def _begins_again(real: Callable[..., Any]) -> Callable[..., Any]:
    return lambda entry, event, now: real(None if isinstance(event, Begin) else entry, event, now)


def model() -> Model:
    """The model."""
    reds = (
        Red("signs what is not decided", "signed-what-was-computed", Patch(actions, "step", _signs_undecided)),
        Red(
            "takes the answer to another question",
            "signed-what-was-computed",
            Patch(actions, "step", _takes_any_answer),
        ),
        Red("does not look at the clock", "signed-in-time", Patch(actions, "step", _without_time)),
        Red("does not compare the commitment", "signed-for-its-commitment", Patch(actions, "step", _any_commitment)),
        Red("lets a new question replace the old", "what-is-begun-stays", Patch(actions, "step", _begins_again)),
    )
    return Model(
        "server-actions", "a policy server signs only what it computed, for the commitment it was asked about, in time",
        (World(),), _actions, _INVARIANTS, lambda world: world.now == LAST, reds,
    )  # fmt: skip
