"""Operations with others in between: what a transaction keeps from others, what it does not, and what a crash leaves."""

from functools import partial
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remit.core.errors import DataError
from remit.gateway.inbound.stores.operations import Begin, Commit, Next, Read, Write
from remit.gateway.inbound.stores.serialization import NUMBER
from remit.gateway.inbound.stores.sql import sqlite_link
from remit.gateway.inbound.stores.store import run_together
from remit.models.explore.interleave import (
    Course,
    Interleaving,
    StoredValue,
    going_on,
    memory_of,
    put,
    without_transaction,
    without_writing,
)
from remit.models.explore.model import Action, Invariant, Model
from remit.models.explore.search import explore


def add(much):
    """One more in a counter; what it was before."""
    yield Begin()
    known = (yield Read("t", "n")) or 0
    yield Write("t", "n", known + much)
    yield Commit()
    return known


class World(NamedTuple):
    memory: object = memory_of()
    doing: tuple = (None, None)
    left: int = 2
    done: int = 0


def counting(operation, *, crashes=False):
    def actions():
        running = Interleaving(add=operation)

        def start(world):
            for place, point in enumerate(world.doing):
                if point is None and world.left:
                    begun = running.start("add", 1)
                    yield place, world._replace(doing=put(world.doing, place, begun), left=world.left - 1)

        def crash(world):
            for place, point in enumerate(world.doing):
                if point is not None:
                    yield place, world._replace(doing=put(world.doing, place, None))

        done = lambda world, _, call, __: world._replace(done=world.done + call.args[0])  # noqa: E731
        found = (Action("start", start), Action("go on", going_on(running, done, (0, 1))))
        return (*found, Action("crash", crash)) if crashes else found

    kept = Invariant(
        "kept",
        "what was told is kept",
        lambda world: world.done > 0,
        lambda world: (world.memory.get("t", "n") or 0) >= world.done,
    )
    return Model("counting", "counts", (World(),), actions, (kept,), lambda world: not world.left, ())


def test_a_transaction_loses_nothing():
    assert explore(counting(add)).violation is None
    assert explore(counting(add, crashes=True)).violation is None


def test_without_one_an_update_is_lost():
    found = explore(counting(without_transaction(add))).violation
    assert found is not None
    assert found.invariant == "kept"


def test_what_is_not_written_is_not_kept():
    assert explore(counting(without_writing("t")(add))).violation is not None


def test_others_see_nothing_before_the_commit_and_wait_to_begin():
    running = Interleaving(add=add)
    kept, point = memory_of(), running.start("add", 5)
    waiting = running.start("add", 7)
    for asks in (Begin, Read, Write):
        assert type(point.asks) is asks
        kept, point = running.step(kept, (point, waiting), point)
        assert kept is memory_of()
        assert running.step(kept, (point, waiting), waiting) is None
    kept, point = running.step(kept, (point, waiting), point)
    assert (kept.get("t", "n"), point.over, point.value) == (5, True, 0)
    assert running.step(kept, (point, waiting), waiting) is not None


def test_an_operation_sees_what_it_wrote_itself():
    def twice():
        yield Begin()
        yield Write("t", "n", 1, due=3)
        seen = yield Read("t", "n")
        first = yield Next("t", 3)
        yield Commit()
        return seen, first

    running = Interleaving(twice=twice)
    kept, point = memory_of(), running.start("twice")
    while not point.over:
        kept, point = running.step(kept, (point,), point)
    assert point.value == (1, ("n", 1))


def test_equal_events_of_two_kinds_are_two_operations():
    class One(NamedTuple):
        code: str

    class Two(NamedTuple):
        code: str

    def kind(event):
        yield Begin()
        yield Commit()
        return type(event).__name__

    running = Interleaving(kind=kind)
    assert running.start("kind", One("x")) is not running.start("kind", Two("x"))
    assert running.start("kind", One("x")) is running.start("kind", One("x"))


def test_an_operation_without_an_end_is_refused():
    def endless():
        yield Begin()

    running = Interleaving(endless=endless)
    with pytest.raises(DataError, match="ends without `Commit`"):
        running.step(memory_of(), (), running.start("endless"))


def test_memories_of_one_content_are_one():
    one = memory_of().after([Write("t", "a", 1), Write("t", "b", 2)])
    assert one is memory_of().after([Write("t", "b", 2), Write("t", "a", 1)])
    assert one.after([Write("t", "b", None)]) is memory_of({("t", "a"): StoredValue(1)})
    assert memory_of().after([Write("t", "a", 1, until=5)]).swept(5) is memory_of()


KEYS, TIMES = st.sampled_from(["a", "b", "c"]), st.none() | st.integers(0, 3)


def write(key, value, time, until):
    """No two are due at the same moment: among such the explorer takes the first by its key, the store the one written first."""
    return Write("t", key, value, None if time is None else 3 * time + "abc".index(key), until)


ASKED = st.one_of(
    st.builds(write, KEYS, st.none() | st.integers(0, 9), TIMES, TIMES),
    st.builds(Read, st.just("t"), KEYS),
    st.builds(Next, st.just("t"), st.integers(0, 11)),
)


@given(st.lists(st.tuples(st.lists(ASKED, max_size=5), st.integers(0, 4)), max_size=4))
def test_alone_it_is_what_the_real_store_does(tmp_path_factory, runs):
    """The same operations on SQLite and in the explorer's memory give the same answers."""

    def asking(asked):
        heard = []
        yield Begin()
        for one in asked:
            heard += [(yield one)]
        yield Commit()
        return tuple(heard)

    link = sqlite_link(tmp_path_factory.mktemp("store") / "s.db")
    running, kept = Interleaving(asking=asking), memory_of()
    for asked, now in runs:
        ((real, failed),) = run_together(link, {"t": NUMBER}, [asking(asked)])
        assert failed is None
        before, point = kept, running.start("asking", tuple(asked))
        while not point.over:
            kept, point = running.step(kept, (point,), point)
        assert point.value == real
        assert Course(partial(asking, asked)).alone(before) == (kept, real)
        link.begin()
        link.sweep(now)
        link.commit()
        kept = kept.swept(now)
    link.close()
