"""Turns of a session, and answers to a place: one after the other, in their order, whichever gateway of those that share a store works."""

import pytest
from one_at_a_time import take_piece, take_turn

from remit.gateway.inbound import delivery, turns
from remit.gateway.inbound.delivery import MaybeSent, NotSent, Piece, Route, SentConfirmed
from remit.gateway.inbound.delivery import PiecePhase as Sending
from remit.gateway.inbound.events import Event, What
from remit.gateway.inbound.intake import Routed, accept
from remit.gateway.inbound.routing import ChatAddress, ConversationKind
from remit.gateway.inbound.stores.operations import BEHIND, LAST, Begin, Commit, Write, listed
from remit.gateway.inbound.stores.store import Store
from remit.gateway.inbound.stores.tables import TABLES
from remit.gateway.inbound.turns import MOST_TRIES, ORDERS, TURNS, Turn, TurnPhase

NOW = 1000


@pytest.fixture
def stores(links):
    """Of two gateways."""
    made = Store(links(), TABLES), Store(links(), TABLES)
    yield made
    for one in made:
        one.close()


def said(store, name, peer="ann", agent="main"):
    place = ChatAddress("chat", "us", ConversationKind.DIRECT, peer)
    return store.run(accept(Routed(Event(place, What.SAID, name, name, name), peer, agent, f"main/{peer}"), NOW))


def taken(store, worker, now=NOW, lane=TURNS):
    found = store.run(take_turn(worker, now, lane))
    return found and (found[2].event, found[1].phase)


def finish(store, worker, name):
    key = next(key for key, _ in store.run(listed(TURNS)) if f"\x1f{name}\x1f" in key)
    return store.run(turns.finish(key, worker, NOW, ()))


def test_two_gateways_do_not_work_on_one_session_at_a_time(stores):
    one, two = stores
    for name in ("e1", "e2", "e3"):
        said(one, name)
    said(two, "other", "bob")
    assert taken(one, "v") == ("e1", TurnPhase.TAKEN)
    assert taken(two, "w") == ("other", TurnPhase.TAKEN)
    assert taken(two, "w") is None
    assert finish(one, "v", "e1")
    assert taken(two, "w") == ("e2", TurnPhase.TAKEN)
    assert taken(one, "v") is None
    assert finish(two, "w", "e2")
    assert taken(one, "v") == ("e3", TurnPhase.TAKEN)
    assert finish(one, "v", "e3")
    assert finish(two, "w", "other")
    assert one.run(listed(LAST)) == one.run(listed(BEHIND)) == []


def test_who_comes_next_comes_after_one_that_was_lost(stores):
    one, two = stores
    said(one, "e1")
    said(one, "e2")
    later = NOW
    for _ in range(MOST_TRIES - 1):
        assert taken(one, "v", later) == ("e1", TurnPhase.TAKEN)
        later += turns.LEASE
        assert taken(two, "w", later) == ("e1", TurnPhase.WAITING)
    assert taken(one, "v", later) == ("e1", TurnPhase.TAKEN)
    later += turns.LEASE
    assert taken(two, "w", later) == ("e1", TurnPhase.INTERRUPTED)
    assert taken(two, "w", later) == ("e2", TurnPhase.TAKEN)


def test_a_command_does_not_wait_for_the_agent_that_waits_for_it(stores):
    one, _ = stores
    said(one, "ask")
    assert taken(one, "v") == ("ask", TurnPhase.TAKEN)
    said(one, "approve", agent="/")
    assert taken(one, "w", lane=ORDERS) == ("approve", TurnPhase.TAKEN)


def test_an_event_that_waits_for_longer_than_it_is_remembered_is_not_heard_again(stores):
    one, _ = stores
    said(one, "e1")
    said(one, "e2")
    one.sweep(NOW + 8 * 24 * 3600)
    assert said(one, "e1") == "SEEN"
    assert taken(one, "v") == ("e1", TurnPhase.TAKEN)
    assert finish(one, "v", "e1")
    assert taken(one, "v") == ("e2", TurnPhase.TAKEN)


def test_what_a_version_without_lines_left_goes_on(stores):
    one, _ = stores

    def old():
        yield Begin()
        yield Write(TURNS, "a\x1fold\x1fb", Turn("main/ann", "main", "t"), NOW - 1)
        yield Write(
            turns.HEARD,
            "a\x1fold\x1fb",
            Event(ChatAddress("chat", "us", ConversationKind.DIRECT, "ann"), What.SAID, "x", "m", "old"),
        )
        yield Commit()

    one.run(old())
    said(one, "e1")
    said(one, "e2")
    assert taken(one, "v") == ("old", TurnPhase.TAKEN)
    assert finish(one, "v", "old")
    assert taken(one, "v") == ("e1", TurnPhase.TAKEN)
    assert taken(one, "w") is None
    assert finish(one, "v", "e1")
    assert taken(one, "w") == ("e2", TurnPhase.TAKEN)


def queued(store, key, to="ann"):
    def queue():
        yield Begin()
        yield from delivery.queue(key, Piece("s", Route("chat", "us", to), key, "t"), NOW)
        yield Commit()

    store.run(queue())


def sending(store, worker, now=NOW):
    found = store.run(take_piece(worker, now))
    return found and found[0]


@pytest.mark.parametrize(
    ("end", "waits"),
    [(SentConfirmed("v"), 0), (MaybeSent("v"), 0), (NotSent("v", 30), 30)],
    ids=["sent", "unknown", "to be tried again"],
)
def test_an_answer_does_not_overtake_one_to_the_same_place(stores, end, waits):
    one, two = stores
    queued(one, "a1")
    queued(one, "a2")
    queued(two, "b1", "bob")
    assert sending(one, "v") == "a1"
    assert sending(two, "w") == "b1"
    assert sending(two, "w") is None
    one.run(delivery.apply("a1", end, NOW))
    if waits:
        assert sending(two, "w") is None
        assert sending(two, "w", NOW + waits) == "a1"
        assert sending(one, "v", NOW + waits) is None
        two.run(delivery.apply("a1", SentConfirmed("w"), NOW))
    assert sending(two, "w", NOW + waits) == "a2"


def test_one_that_is_given_up_holds_nobody_up(stores):
    one, _ = stores
    queued(one, "a1")
    queued(one, "a2")
    now, tries = NOW, 0
    while sending(one, "v", now) == "a1":
        one.run(delivery.apply("a1", NotSent("v"), now))
        now, tries = now + 1000, tries + 1
    assert tries == 5
    assert {key: piece.phase for key, piece in one.run(listed(delivery.TABLE))} == {
        "a1": Sending.GIVEN_UP,
        "a2": Sending.TAKEN,
    }
