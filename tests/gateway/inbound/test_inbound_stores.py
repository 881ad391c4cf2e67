"""Every store keeps what an operation wrote, all of it or nothing, and gives it back as it was."""

import threading

import pytest

from remit.core.errors import AuthorityError, DataError
from remit.gateway.inbound.delivery import Piece, PiecePhase, Route
from remit.gateway.inbound.events import Event, MessageSession, What
from remit.gateway.inbound.intake import MESSAGE_KEPT, Routed, accept
from remit.gateway.inbound.routing import ChatAddress, ConversationKind
from remit.gateway.inbound.stores.operations import All, Begin, Commit, Next, Read, Write, listed
from remit.gateway.inbound.stores.sql import sqlite_link
from remit.gateway.inbound.stores.store import Store, UnfinishedError, run_together
from remit.gateway.inbound.stores.tables import TABLES

HELD = MessageSession("a\x00b", "line\nfeed ü \ud800")


@pytest.fixture
def store(links):
    made = Store(links(), TABLES)
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


def test_operations_of_one_transaction_see_what_those_before_them_kept(store):
    """All wait until the first has ended, so that they are run together."""
    seen = []

    def look():
        yield Begin()
        seen.append((yield Read("once", "n")))
        yield Write("once", "n", (seen[-1] or 0) + 1, due=5)
        seen.append((yield Read("once", "n")))
        yield Write("once", "gone", 1)
        yield Write("once", "gone", None)
        yield Commit()

    futures = [store.submit(one) for one in (look(), put(Write("once", "n", 7), fail=True), look(), due("once", 5))]
    assert futures[3].result() == ("n", 2)
    assert futures[1].exception() is not None
    assert seen == [None, 1, 1, 2]
    store.run(put(Write("once", "n", None)))
    assert store.run(due("once", 5)) is None
    assert store.run(listed("once")) == []


@pytest.mark.parametrize("fail", [False, True])
def test_who_has_written_sees_it_when_it_asks_what_is_due_and_an_attempt_that_fails_leaves_nothing(store, fail):
    def asks():
        yield Begin()
        yield Write("once", "n", 1, due=1)
        assert (yield Next("once", 5)) == ("n", 1)
        yield Write("once", "m", 2)
        assert len((yield All("once"))) == 3
        if fail:
            raise ZeroDivisionError
        yield Commit()

    before = store.submit(put(Write("once", "before", 3)))
    future = store.submit(asks())
    assert before.result() is None
    assert (future.exception() is not None) is fail
    assert [key for key, _ in store.run(listed("once"))] == (["before"] if fail else ["before", "m", "n"])


def test_what_can_not_be_kept_is_its_own_fault_alone(store):
    bad = store.submit(put(Write("messages", "bad", object())))
    good = store.submit(put(Write("messages", "good", HELD)))
    good.result()
    with pytest.raises(TypeError):
        bad.result()
    assert [key for key, _ in store.run(listed("messages"))] == ["good"]


def test_what_is_due_comes_in_its_order(store):
    piece = Piece("s", Route("c", "a", "p"), "x", "t", PiecePhase.WAITING)
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
    one, two = Store(links(), TABLES), Store(links(), TABLES)

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
    link = sqlite_link(tmp_path / "x.db")
    store = Store(link, TABLES)
    store.run(put(Write("messages", "k", HELD)))
    for text in ('["one"]', '["a", 2]', "{}", "no", '["a","b","c"]'):
        link._cursor.execute("UPDATE kept SET value = ?", (text,))
        with pytest.raises(DataError):
            store.run(get("messages", "k"))
    store.close()


def test_who_goes_away_while_it_waits_ends_nothing_for_others(store):
    """A task that is cancelled cancels its future: the store's thread goes on."""
    holds, goes_on = threading.Event(), threading.Event()

    def slow():
        holds.set()
        goes_on.wait(300)
        yield Begin()
        yield Write("messages", "slow", HELD)
        yield Commit()

    first = store.submit(slow())
    assert holds.wait(300)
    waiting = store.submit(put(Write("messages", "gone", HELD)))
    assert not first.cancel()
    assert waiting.cancel()
    goes_on.set()
    first.result(300)
    assert store.submit(put(Write("messages", "next", HELD))).result(300) is None
    assert {key for key, _ in store.run(listed("messages"))} == {"slow", "next"}


def test_a_message_stays_its_first_speakers(store):
    """Whoever says something under the name of a message that is there does not become its speaker."""
    place = ChatAddress("chat", "us", ConversationKind.GROUP, "ann", "room")
    first = Event(place, What.SAID, "one", "m1", "e1")
    store.run(accept(Routed(first, "ann", "main", "s"), 0))
    again = first._replace(place=place._replace(peer="bob"), event="e2", text="two")
    store.run(accept(Routed(again, "bob", "main", "s"), 0))
    assert [held.speaker for _, held in store.run(listed("messages"))] == ["ann"]


def test_a_message_that_is_said_again_is_remembered_since_the_first_time(store):
    place = ChatAddress("chat", "us", ConversationKind.GROUP, "ann", "room")
    first = Event(place, What.SAID, "one", "m1", "e1")
    for number in range(2):
        store.run(accept(Routed(first._replace(event=f"e{number}"), "ann", "main", "s"), 1000 * number))
    store.sweep(MESSAGE_KEPT - 1)
    assert len(store.run(listed("messages"))) == 1
    store.sweep(MESSAGE_KEPT)
    assert store.run(listed("messages")) == []


def test_a_store_that_can_not_write_tells_so(links):
    link = links()
    store = Store(link, TABLES)
    link.begin()
    link._do(link._dialect.said("DROP TABLE {kept}"))
    link.commit()
    with pytest.raises(AuthorityError):
        store.run(put(Write("messages", "k", HELD)))
    store.close()


def test_a_mark_is_forgotten_when_its_operation_has_ended(tmp_path):
    link = sqlite_link(tmp_path / "x.db")

    def looks_at_what_it_wrote():
        yield Begin()
        yield Write("once", "n", 1)
        yield All("once")
        yield Commit()

    def goes_on():
        yield Begin()
        link.go_on()
        yield Commit()

    (_, first), (_, second) = run_together(link, TABLES, [looks_at_what_it_wrote(), goes_on()])
    assert first is None
    assert isinstance(second, AuthorityError)
    link.close()


def test_whoever_does_not_want_to_see_an_operation_does_not_see_it(tmp_path):
    class Watching:
        def __init__(self, *wanted):
            self.wanted, self.seen = list(wanted), []

        def wants(self):
            return self.wanted.pop(0)

        def kept(self, observed):
            self.seen.append([change.key for change in observed.changes])

    watcher = Watching(True, False, True, True)
    store = Store(sqlite_link(tmp_path / "x.db"), TABLES, watcher)
    for key in ("a", "b"):
        store.run(put(Write("messages", key, HELD)))
    store.run(get("messages", "a"))
    with pytest.raises(ZeroDivisionError):
        store.run(put(Write("messages", "c", HELD), fail=True))
    store.close()
    assert watcher.seen == [["a"]]
