"""Every store keeps what an operation wrote, all of it or nothing, and gives it back as it was."""

import threading

import pytest

from remit.core.errors import AuthorityError, DataError
from remit.gateway.inbound.delivery.life import Phase, Piece, Route
from remit.gateway.inbound.ingress.about import Held
from remit.gateway.inbound.stores.operations import Begin, Commit, Next, Read, Write, listed
from remit.gateway.inbound.stores.running import Store, UnfinishedError
from remit.gateway.inbound.stores.sqlite import SqliteLink
from remit.gateway.inbound.stores.tables import TABLES

HELD = Held("a\x00b", "line\nfeed ü \ud800")


@pytest.fixture
def store(links):
    made = Store(links())
    yield made
    made.close()


def put(*writes, fail=False, commit=True):
    yield Begin()
    yield from writes
    if fail:
        raise ZeroDivisionError
    if commit:
        yield Commit()


def get(table, key):
    return (yield Read(table, key))


def due(table, now):
    return (yield Next(table, now))


def test_what_is_written_is_read(store):
    store.run(put(Write("messages", "k\x1fü", HELD)))
    assert store.run(get("messages", "k\x1fü")) == HELD
    store.run(put(Write("messages", "k\x1fü", None)))
    assert store.run(get("messages", "k\x1fü")) is None


def test_an_operation_that_fails_or_has_no_end_leaves_nothing(store):
    good = store.submit(put(Write("messages", "good", HELD)))
    bad = store.submit(put(Write("messages", "bad", HELD), fail=True))
    endless = store.submit(put(Write("messages", "endless", HELD), commit=False))
    good.result()
    with pytest.raises(ZeroDivisionError):
        bad.result()
    with pytest.raises(UnfinishedError):
        endless.result()
    assert [key for key, _ in store.run(listed("messages"))] == ["good"]


def test_what_is_due_comes_in_its_order(store):
    piece = Piece("s", Route("c", "a", "p"), "x", "t", Phase.WAITING)
    store.run(put(*(Write("delivery", key, piece, time) for key, time in [("b", 5), ("a", 5), ("c", 3), ("d", None)])))
    assert store.run(due("delivery", 2)) is None
    found = []
    while one := store.run(due("delivery", 9)):
        found.append(one[0])
        store.run(put(Write("delivery", one[0], one[1])))
    assert found == ["c", "b", "a"]  # the earliest, and then as they were written


def test_what_may_be_forgotten_is_forgotten(store):
    store.run(put(Write("messages", "old", HELD, until=5), Write("messages", "new", HELD, until=6)))
    store.sweep(5)
    assert [key for key, _ in store.run(listed("messages"))] == ["new"]


def test_two_gateways_with_one_store(links):
    one, two = Store(links()), Store(links())

    def count(store):
        def more():
            yield Begin()
            known = (yield Read("once", "n")) or 0
            yield Write("once", "n", known + 1)
            yield Commit()

        return store.submit(more())

    for future in [count(store) for _ in range(100) for store in (one, two)]:
        future.result()
    assert one.run(get("once", "n")) == 200
    one.close()
    two.close()
    with pytest.raises(AuthorityError):
        one.run(get("once", "n"))


def test_a_store_that_somebody_changed_is_refused(tmp_path):
    link = SqliteLink(tmp_path / "x.db", TABLES)
    store = Store(link)
    store.run(put(Write("messages", "k", HELD)))
    for text in ('["one"]', '["a", 2]', "{}", "no", '["a","b","c"]'):
        link._link.execute("UPDATE kept SET value = ?", (text,))
        with pytest.raises(DataError):
            store.run(get("messages", "k"))
    store.close()


def test_who_goes_away_while_it_waits_ends_nothing_for_others(store):
    """A task that is cancelled cancels its future: the store's thread goes on."""
    holds, goes_on = threading.Event(), threading.Event()

    def slow():
        holds.set()
        goes_on.wait(20)
        yield Begin()
        yield Write("messages", "slow", HELD)
        yield Commit()

    first = store.submit(slow())
    assert holds.wait(20)
    waiting = store.submit(put(Write("messages", "gone", HELD)))
    assert not first.cancel()
    assert waiting.cancel()
    goes_on.set()
    first.result(20)
    assert store.submit(put(Write("messages", "next", HELD))).result(20) is None
    assert {key for key, _ in store.run(listed("messages"))} == {"slow", "next"}
