"""Attacks by names: whatever people, rooms, threads, accounts and messages are called, no two conversations are one, and no key another's."""

from hypothesis import given
from hypothesis import strategies as st

from remit.gateway.inbound.delivery import Route, line_of
from remit.gateway.inbound.events import Event, What, name_of
from remit.gateway.inbound.intake import message_name
from remit.gateway.inbound.routing import ChatAddress, ConversationKind, Scope, Sessions, session_key
from remit.gateway.inbound.stores.serialization import key_of

NAME = st.text(st.sampled_from("ab/%.:\x1f\x1b\x00\ud800\u202e"), min_size=1, max_size=6)
PLACE = st.one_of(
    st.builds(
        lambda account, peer, thread: ChatAddress("chat", account, ConversationKind.DIRECT, peer, "", thread),
        NAME,
        NAME,
        st.just("") | NAME,
    ),
    st.builds(
        lambda account, peer, room, thread: ChatAddress("chat", account, ConversationKind.GROUP, peer, room, thread),
        NAME,
        NAME,
        NAME,
        st.just("") | NAME,
    ),
)


def conversation(place):
    """What a conversation is, by the documentation."""
    who = place.peer if place.kind is ConversationKind.DIRECT else place.room
    return place.kind, place.account, who, place.thread


@given(PLACE, PLACE)
def test_two_conversations_have_two_keys_and_one_has_one(one, other):
    sessions = Sessions(Scope.CHANNEL_PEER)
    same = session_key(sessions, "main", one) == session_key(sessions, "main", other)
    assert same == (conversation(one) == conversation(other))


@given(PLACE, PLACE, NAME, NAME)
def test_two_messages_have_two_keys(one, other, first, second):
    keys = {key_of(message_name(Event(place, What.SAID, "x", name))) for place, name in ((one, first), (other, second))}
    assert (len(keys) == 1) == ((conversation(one)[:3], first) == (conversation(other)[:3], second))


@given(PLACE, PLACE, NAME, NAME)
def test_two_events_have_two_keys(one, other, first, second):
    made = [Event(place, What.SAID, "x", "m", name, digest="d") for place, name in ((one, first), (other, second))]
    keys = {key_of(name_of(event)) for event in made}
    assert (len(keys) == 1) == ((one.account, first) == (other.account, second))


@given(
    st.tuples(NAME, NAME, NAME, NAME, st.sampled_from(ConversationKind)),
    st.tuples(NAME, NAME, NAME, NAME, st.sampled_from(ConversationKind)),
)
def test_two_places_have_two_lines(one, other):
    assert (line_of(Route(*one)) == line_of(Route(*other))) == (one == other)
