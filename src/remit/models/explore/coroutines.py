"""Coroutines of ours as values of a state: what runs as a task of the gateway, with others in between wherever it waits.

A coroutine is what it was asked to do and what it was answered up to now: played again, it says for what it waits next. With each answer
goes the moment at which it was given (the settings, say), since what is not waited for is looked at then.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator, Hashable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from remit.models.explore.interleave import Call, Course

if TYPE_CHECKING:
    from remit.gateway.inbound.stores.operations import Operation

Coming: TypeAlias = Coroutine[Any, Any, Any]


class Waits:
    """For what a coroutine waits. It is given the answer."""

    def __init__(self, asked: Any) -> None:
        self.asked = asked

    def __await__(self) -> Generator[Any, Any, Any]:
        return (yield self.asked)


class Answer(NamedTuple):
    """What was answered, and at which moment."""

    moment: Hashable
    value: Any


class Play:
    """How far a coroutine is. Two that were asked and answered the same are one object."""

    __slots__ = ("answers", "asks", "call", "course", "later", "over", "value")

    def __init__(self, call: Call, answers: tuple[Answer, ...]) -> None:
        self.call = call
        self.answers = answers
        self.asks: Any = None  # nothing when it is over
        self.over = False
        self.value: Any = None  # what it returned
        self.later: dict[Answer, Play] = {}
        self.course: Course | None = None  # of the operation for which it waits, once it was run

    def told(self) -> Any:
        """For a story."""
        return self.call._replace(args=("over", self.value)) if self.over else (self.call.name, "waits for", self.asks)


class Playing:
    """Coroutines by their names, for one exploration: what they say must not come from code that was spoiled.

    A maker is given how to set the moment: it is called before every answer, so that the coroutine looks at what is there then.
    """

    def __init__(self, **makers: Callable[..., tuple[Coming, Callable[[Any], None]]]) -> None:
        self._make = makers
        self._first: dict[Hashable, Play] = {}

    def start(self, moment: Hashable, name: str, *args: Any) -> Play:
        """A coroutine up to what it waits for first."""
        asked = (moment, name, args)
        play = self._first.get(asked)
        if play is None:
            play = self._first[asked] = Play(Call(name, args), (Answer(moment, None),))
            coming, at = self._make[name](*args)
            at(moment)
            _sent(play, coming, None)
            coming.close()
        return play

    def answered(self, play: Play, moment: Hashable, value: Any) -> Play:
        """The same coroutine, up to what it waits for next."""
        given = Answer(moment, value)
        then = play.later.get(given)
        if then is None:
            then = play.later[given] = Play(play.call, (*play.answers, given))
            _, coming, at = self._again(play)
            at(moment)
            _sent(then, coming, value)
            coming.close()
        return then

    def course(self, play: Play, operation: Callable[[Any], Operation[Any]]) -> Course:
        """What the operation does for which a coroutine waits. `operation` gives it, of what is waited for."""
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
