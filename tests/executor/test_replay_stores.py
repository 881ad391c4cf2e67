"""Every store of marks keeps the same promise: one yes for an action, whoever asks and however many at once."""

import threading
from contextlib import ExitStack

import pytest
import servers
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from by_day import many
from remit.core.errors import AuthorityError
from remit.executor.replay.memory import Finish, Forget, Mark, State, step
from remit.executor.replay.redis import RedisMemory
from remit.executor.replay.sql import PostgresMemory, SqliteMemory

LATER = 4_000_000_000
needs_postgres = pytest.mark.skipif(servers.postgres_folder() is None, reason="PostgreSQL of Debian is not installed")
needs_redis = pytest.mark.skipif(servers.redis_program() is None, reason="Redis of Debian is not installed")
STORES = ["sqlite", pytest.param("postgres", marks=needs_postgres), pytest.param("redis", marks=needs_redis)]


@pytest.fixture(scope="module", params=STORES)
def opened(request, tmp_path_factory):
    """Opens the store; each call is another connection."""
    folder = tmp_path_factory.mktemp("store")
    with ExitStack() as stack:
        if request.param == "postgres":
            address = stack.enter_context(servers.postgres())
            make = lambda: PostgresMemory(address)  # noqa: E731
        elif request.param == "redis":
            address = stack.enter_context(servers.redis(folder))
            make = lambda: RedisMemory(address)  # noqa: E731
        else:
            make = lambda: SqliteMemory(folder / "actions.db")  # noqa: E731

        def call():
            memory = make()
            stack.callback(memory.close)
            return memory

        yield call


def test_an_action_is_marked_once(opened):
    first, second = opened(), opened()
    assert first.mark("a" * 32, "one", LATER, 0)
    assert not first.mark("a" * 32, "one", LATER, 0)
    assert not second.mark("a" * 32, "two", LATER, 0)


def test_a_mark_that_would_be_over_is_none(opened):
    assert not opened().mark("e" * 32, "one", 10, 10)


def test_what_was_not_finished_is_known_to_its_owner(opened):
    memory = opened()
    for name in ("b", "c"):
        assert memory.mark(name * 32, "three", LATER, 0)
    memory.finish("b" * 32, "three", State.DONE)
    memory.finish("c" * 32, "another", State.DONE)
    assert opened().unfinished("three") == ("c" * 32,)
    assert opened().unfinished("another") == ()
    assert not memory.mark("b" * 32, "three", LATER, 0)


def test_of_many_at_once_one_wins(opened):
    names = [f"{number:032x}" for number in range(50)]
    wins, lock = [], threading.Lock()

    def race(memory, owner):
        for name in names:
            if memory.mark(name, owner, LATER, 0):
                with lock:
                    wins.append(name)

    runners = [threading.Thread(target=race, args=(opened(), f"r{number}")) for number in range(6)]
    for runner in runners:
        runner.start()
    for runner in runners:
        runner.join()
    assert sorted(wins) == names


EVENTS = st.lists(
    st.tuples(
        st.sampled_from("xyz"),
        st.one_of(
            st.builds(Mark, st.sampled_from(("one", "two")), st.sampled_from((5, LATER))),
            st.builds(
                Finish, st.sampled_from(("one", "two")), st.sampled_from((State.DONE, State.FAILED, State.UNKNOWN))
            ),
            st.just(Forget()),
        ),
        st.sampled_from((1, 6)),
    ),
    max_size=12,
)


@given(EVENTS)
@settings(max_examples=many(150), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_file_does_what_the_step_says(tmp_path_factory, events):
    memory = SqliteMemory(tmp_path_factory.mktemp("step") / "actions.db")
    known = dict.fromkeys("xyz")
    for name, event, now in events:
        if isinstance(event, Forget):
            for other in known:
                known[other], _ = step(known[other], event, now)
            memory.forget(now)
            continue
        known[name], took = step(known[name], event, now)
        if isinstance(event, Mark):
            assert memory.mark(name, event.owner, event.expires, now) == took
        else:
            memory.finish(name, event.owner, event.state)
    for owner in ("one", "two"):
        wanted = {name for name, mark in known.items() if mark and mark[:2] == (owner, State.STARTED)}
        assert set(memory.unfinished(owner)) == wanted
    memory.close()


@needs_redis
@pytest.mark.parametrize(
    "setting", [{"appendonly": "no"}, {"appendfsync": "everysec"}, {"maxmemory-policy": "allkeys-lru"}]
)
def test_a_redis_that_may_forget_is_refused(tmp_path, setting):
    with servers.redis(tmp_path, **setting) as address, pytest.raises(AuthorityError, match="may forget"):
        RedisMemory(address)


@needs_postgres
def test_a_postgres_that_may_forget_is_refused():
    with servers.postgres(fsync="off") as address, pytest.raises(AuthorityError, match="may forget"):
        PostgresMemory(address)


def test_flaw_11_a_store_that_fails_says_no(tmp_path):
    memory = SqliteMemory(tmp_path / "actions.db")
    memory.close()
    with pytest.raises(AuthorityError):
        memory.mark("a" * 32, "one", LATER, 0)


@needs_redis
def test_a_redis_marks_nothing_that_it_would_forget_at_once(tmp_path):
    """Whoever was held up after reading the clock: another may have acted, and its mark may be gone."""
    with servers.redis(tmp_path) as address:
        memory = RedisMemory(address)
        assert not memory.mark("a" * 32, "one", 1000, 0)
        assert memory.unfinished("one") == ()
        memory.close()


@needs_redis
def test_flaw_11_a_redis_that_is_gone_says_no(tmp_path):
    with servers.redis(tmp_path) as address:
        memory = RedisMemory(address)
    with pytest.raises(AuthorityError):
        memory.mark("a" * 32, "one", LATER, 0)


@needs_postgres
def test_flaw_11_a_postgres_that_is_gone_says_no():
    with servers.postgres() as address:
        memory = PostgresMemory(address)
        assert memory.mark("a" * 32, "one", LATER, 0)
    with pytest.raises(AuthorityError):
        memory.mark("b" * 32, "one", LATER, 0)


def test_a_store_has_one_name_however_many_open_it(opened):
    first, second = opened(), opened()
    assert first.identity() == second.identity() == first.identity()
    assert len(first.identity()) == 32


def test_how_far_an_action_has_come_is_known(opened):
    memory = opened()
    assert memory.state("7" * 32) is None
    assert memory.mark("7" * 32, "seven", LATER, 0)
    assert opened().state("7" * 32) is State.STARTED
    memory.finish("7" * 32, "seven", State.DONE)
    assert opened().state("7" * 32) is State.DONE


def test_an_epoch_only_grows(opened):
    assert [opened().advance(epoch) for epoch in (5, 3, 9, 10, 9)] == [5, 5, 9, 10, 10]
