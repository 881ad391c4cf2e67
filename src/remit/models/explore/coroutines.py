"""Coroutines of the gateway as values of a state, so that the explorer can interleave them wherever they wait.

A coroutine is its arguments and the answers so far: when replayed, it shows what it waits for next. With each answer
goes its context (the settings, for example), which the code reads without waiting.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator, Hashable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from remit.models.explore.interleave import Course, OperationCall

if TYPE_CHECKING:
    from remit.gateway.inbound.stores.operations import Operation

Coming: TypeAlias = Coroutine[Any, Any, Any]


class CoroutineWait:
    """What a coroutine waits for, and how to answer it."""

    def __init__(self, asked: Any) -> None:
        self.asked = asked

    def __await__(self) -> Generator[Any, Any, Any]:
        return (yield self.asked)


class CoroutineResult(NamedTuple):
    """An answer, with its context."""

    moment: Hashable
    value: Any


class Play:
    """The progress of a coroutine. Two with the same arguments and answers are one object."""

    __slots__ = ("answers", "asks", "call", "course", "later", "over", "value")

    def __init__(self, call: OperationCall, answers: tuple[CoroutineResult, ...]) -> None:
        self.call = call
        self.answers = answers
        self.asks: Any = None  # nothing when it is over
        self.over = False
        self.value: Any = None  # what it returned
        self.later: dict[CoroutineResult, Play] = {}
        self.course: Course | None = None  # of the operation for which it waits, once it was run

    def told(self) -> Any:
        """Return the form in a story."""
        return self.call._replace(args=("over", self.value)) if self.over else (self.call.name, "waits for", self.asks)


class Playing:
    """Coroutines by name, for one exploration only, because cached results must not come from a mutant.

    A maker gets a function that sets the context before every answer, so that the coroutine reads the current one.
    """

    def __init__(self, **makers: Callable[..., tuple[Coming, Callable[[Any], None]]]) -> None:
        self._make = makers
        self._first: dict[Hashable, Play] = {}

    def start(self, moment: Hashable, name: str, *args: Any) -> Play:
        """Start a coroutine, and run it to its first wait."""
        asked = (moment, name, args)
        play = self._first.get(asked)
        if play is None:
            play = self._first[asked] = Play(OperationCall(name, args), (CoroutineResult(moment, None),))
            coming, at = self._make[name](*args)
            at(moment)
            _sent(play, coming, None)
            coming.close()
        return play

    def answered(self, play: Play, moment: Hashable, value: Any) -> Play:
        """Answer a coroutine, and run it to its next wait."""
        given = CoroutineResult(moment, value)
        then = play.later.get(given)
        if then is None:
            then = play.later[given] = Play(play.call, (*play.answers, given))
            _, coming, at = self._again(play)
            at(moment)
            _sent(then, coming, value)
            coming.close()
        return then

    def course(self, play: Play, operation: Callable[[Any], Operation[Any]]) -> Course:
        """Return the operation that a coroutine waits for. `operation` makes it from what is waited for."""
        if play.course is None:
            play.course = Course(lambda: operation(self._again(play)[0]))
        return play.course

    def _again(self, play: Play) -> tuple[Any, Coming, Callable[[Any], None]]:
        coming, at = self._make[play.call.name](*play.call.args)
        asks = None
        for moment, value in play.answers:
            at(moment)
            asks = coming.send(value)
        return asks, coming, at


def _sent(play: Play, coming: Coming, value: Any) -> None:
    try:
        play.asks = coming.send(value)
    except StopIteration as end:
        play.over, play.value = True, end.value
