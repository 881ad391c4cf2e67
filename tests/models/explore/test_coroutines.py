"""Coroutines as values: answered alike they are one, and what they do not wait for is looked at in the moment of the answer."""

import pytest

from remit.gateway.inbound.stores.operations import Begin, Commit, Read, Write
from remit.models.explore.coroutines import CoroutineWait, Playing
from remit.models.explore.interleave import Course, memory_of


class Clock:
    now = 0

    def at(self, moment):
        self.now = moment


async def twice(clock):
    first = await CoroutineWait("first"), clock.now
    second = await CoroutineWait("second"), clock.now
    return first, second


def make(arg=None):
    clock = Clock()
    return twice(clock), clock.at


def test_it_is_played_up_to_what_it_waits_for():
    playing = Playing(twice=make)
    play = playing.start(1, "twice")
    assert (play.asks, play.over) == ("first", False)
    later = playing.answered(play, 2, "a")
    assert later.asks == "second"
    end = playing.answered(later, 3, "b")
    assert (end.over, end.value) == (True, (("a", 2), ("b", 3)))


def test_answered_alike_it_is_one_value():
    playing = Playing(twice=make)
    play = playing.start(1, "twice")
    assert playing.start(1, "twice") is play
    assert playing.answered(play, 2, "a") is playing.answered(play, 2, "a")
    assert playing.answered(play, 2, "a") is not playing.answered(play, 3, "a")
    assert playing.answered(play, 2, "a") is not playing.answered(play, 2, "b")


def test_an_error_is_not_swallowed():
    async def fails():
        await CoroutineWait("first")
        raise ValueError("no")

    playing = Playing(fails=lambda: (fails(), lambda _: None))
    with pytest.raises(ValueError, match="no"):
        playing.answered(playing.start(0, "fails"), 0, None)


def test_an_operation_is_made_again_only_for_an_answer_that_is_new():
    made = []

    def add():
        made.append(1)
        yield Begin()
        known = yield Read("t", "n")
        yield Write("t", "n", (known or 0) + 1)
        assert (yield Read("t", "n")) == (known or 0) + 1  # it sees what it wrote itself
        yield Commit()
        return known

    course, kept = Course(add), memory_of()
    for known in (None, 1):
        kept, value = course.alone(kept)
        assert (value, kept.get("t", "n")) == (known, (known or 0) + 1)
    count = len(made)
    assert course.alone(memory_of())[1] is None
    assert len(made) == count
