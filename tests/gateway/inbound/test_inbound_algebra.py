"""What holds of the inbound gateway's pure functions whatever they are given: where the models go through all that is small, these go further."""

import sys
import typing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from each_row import each_row
from remit.core.errors import DataError
from remit.gateway.inbound import delivery, turns
from remit.gateway.inbound.agent.turn import Pause, Talk
from remit.gateway.inbound.chat_history import History
from remit.gateway.inbound.delivery import Piece
from remit.gateway.inbound.event_text import Room
from remit.gateway.inbound.events import Event, MessageSession
from remit.gateway.inbound.limits import Limit, take
from remit.gateway.inbound.nodes import runs
from remit.gateway.inbound.nodes.commands import Commands, ShippedCommands, allowlist
from remit.gateway.inbound.nodes.runs import Request
from remit.gateway.inbound.pairing import ChannelPairings
from remit.gateway.inbound.routing import ChatAddress, ConversationKind, Identity, Scope, Sessions, linked, session_key
from remit.gateway.inbound.stores.serialization import key_of, read, written
from remit.gateway.inbound.stores.tables import TABLES
from remit.gateway.inbound.tool_policy import LAYERS, Caller, Layer, Policy, allowed, names, read_names
from remit.gateway.inbound.turns import MOST_TRIES, Take, Turn, TurnPhase, WorkerLost, step

TEXTS = st.text(
    st.characters() | st.sampled_from("/%\ud800\x1b\x1f"), max_size=4
)  # half of a pair too: JSON can bring it
PEOPLE = st.builds(Identity, st.sampled_from("abc"), st.sampled_from("xyz"))


@given(st.lists(st.tuples(PEOPLE, PEOPLE), max_size=8), st.randoms(use_true_random=False))
def test_links_are_an_equivalence_in_any_order(pairs, chance):
    links = linked(pairs)
    everyone = {one for pair in pairs for one in pair}
    for one in everyone:
        person = links.person(one)
        assert one in person
        assert all(links.person(other) == person for other in person)
    assert all(links.person(one) == links.person(other) for one, other in pairs)
    mixed = [pair if chance.random() < 0.5 else pair[::-1] for pair in chance.sample(pairs, len(pairs))]
    assert linked(mixed) == links


@given(st.lists(st.tuples(PEOPLE, PEOPLE), max_size=8))
def test_links_join_nobody_whom_no_link_leads_to(pairs):
    for one in {one for pair in pairs for one in pair}:
        found = {one}
        for _ in pairs:
            found |= {other for pair in pairs if found & set(pair) for other in pair}
        assert set(linked(pairs).person(one)) == found


@given(TEXTS, TEXTS)
def test_a_tool_has_one_spelling(text, other):
    known = names()
    assert known.tool(known.tool(text)) == known.tool(text)
    assert known.tool(f" {text.upper()}\t") == known.tool(text.upper())


@each_row("alias", sorted(names().aliases))
def test_other_names_are_denied_with_the_tool(alias):
    tool = names().aliases[alias]
    for entry in (alias, alias.upper(), f" {alias.replace('_', '-')} ", tool):
        policy = Policy(frozenset({tool, "read", "write"}), {"session": Layer(deny=(entry,))})
        assert tool not in allowed(names(), policy, Caller())


@given(st.dictionaries(st.sampled_from(LAYERS), st.builds(Layer, st.none() | st.tuples(st.sampled_from(["exec", "*", "group:run", "read"])),
       st.tuples() | st.tuples(st.sampled_from(["exec", "bash", "group:files"])))), st.sampled_from(LAYERS))  # fmt: skip
def test_another_denial_never_adds_anything(layers, place):
    policy = Policy(frozenset({"exec", "process", "read", "edit"}), layers)
    more = layers.get(place, Layer())
    narrower = policy._replace(layers={**layers, place: more._replace(deny=(*more.deny, "read"))})
    assert allowed(names(), narrower, Caller()) == allowed(names(), policy, Caller()) - {"read"}


NAMED = st.frozensets(st.sampled_from("abcd"))


@given(NAMED, NAMED, NAMED)
def test_a_denied_command_is_on_no_list(defaults, extra, deny):
    known = ShippedCommands({"p": defaults}, frozenset())
    assert allowlist(known, Commands(extra, deny), "p") == (defaults | extra) - deny
    assert allowlist(known, Commands(extra, deny), "q") == extra - deny


@given(st.integers(1, 4), st.integers(1, 4), st.lists(st.integers(0, 5), max_size=30))
def test_no_more_than_the_limit_in_any_stretch_of_time(most, seconds, pauses):
    bucket, now, through = None, 0, []
    for pause in pauses:
        now += pause
        bucket, found = take(bucket, Limit(most, seconds), now)
        through += [now] if found else []
        assert 0 <= bucket.left <= most
    for first in range(len(through)):
        for last in range(first, len(through)):
            assert last - first + 1 <= most + (through[last] - through[first]) // seconds


@given(st.integers(0, 100), st.integers(0, 100))
def test_a_clock_that_goes_back_fills_nothing(first, second):
    bucket, _ = take(None, Limit(1, 5), max(first, second))
    assert take(bucket, Limit(1, 5), min(first, second))[1] is False


PLACES = st.builds(ChatAddress, TEXTS, TEXTS, st.sampled_from(ConversationKind), TEXTS, TEXTS, TEXTS)


def kept_apart(place):
    room = (place.room,) if place.kind is ConversationKind.GROUP else (place.peer,)
    return (place.kind, place.channel, place.account, *room, place.thread)


@given(PLACES, PLACES)
def test_a_key_says_what_it_was_made_of(one, other):
    same = session_key(Sessions(), "agent", one) == session_key(Sessions(), "agent", other)
    assert same == (kept_apart(one) == kept_apart(other))


@given(PLACES, TEXTS, st.sampled_from(Scope))
def test_a_thread_lies_in_what_it_is_a_thread_of(place, thread, scope):
    parent = session_key(Sessions(scope), "agent", place._replace(thread=""))
    inside = session_key(Sessions(scope), "agent", place._replace(thread=thread))
    assert inside == parent if not thread else inside.startswith(f"{parent}/thread/")


@given(st.lists(TEXTS, min_size=1, max_size=3), st.lists(TEXTS, min_size=1, max_size=3))
def test_parts_of_a_key_do_not_run_together(one, other):
    assert (key_of(tuple(one)) == key_of(tuple(other))) == (one == other)


PLAIN = st.text(st.characters(codec="utf-8"), max_size=4)
FIELDS = {str: PLAIN, int: st.integers(), bool: st.booleans(), frozenset[str]: st.frozensets(PLAIN, max_size=3)}


def values(hint):
    """Values of a type of a field."""
    if hint in FIELDS:
        return FIELDS[hint]
    if typing.get_origin(hint) is tuple:
        return st.lists(values(typing.get_args(hint)[0]), max_size=2).map(tuple)
    if type(None) in typing.get_args(hint):
        return st.none() | values(next(one for one in typing.get_args(hint) if one is not type(None)))
    if hasattr(hint, "_fields"):
        return st.builds(
            hint,
            *(
                values(field)
                for field in typing.get_type_hints(
                    hint, vars(sys.modules[hint.__module__]), {"ChatAddress": ChatAddress}
                ).values()
            ),
        )
    return st.sampled_from(hint)


KINDS = {
    "heard": Event, "late": Event, "turns": Turn, "delivery": Piece, "messages": MessageSession, "pairing": ChannelPairings, "runs": Request, "talks": Talk, "once": int,
    "lines": str, "behind": str, "orders": Turn, "pauses": Pause, "positions": str, "rooms": Room, "history": History, "gateways": int,
}  # fmt: skip


def test_every_table_is_tried():
    assert set(KINDS) == set(TABLES)


@given(st.data())
def test_what_is_kept_is_read_as_it_was_written(data):
    """The forms of tables.py agree with the types of the fields: whatever those allow is read back."""
    table = data.draw(st.sampled_from(sorted(KINDS)))
    value = data.draw(values(KINDS[table]))
    found = read(written(value), TABLES[table])
    assert (found, type(found)) == (value, type(value))


@each_row(
    "text",
    [
        "",
        "{}",
        "[]",
        '["s","a","t","waiting","w"]',
        '["s","a","t","later","w",0]',
        '["s","a","t","waiting","w","0"]',
        "[" * 9999,
    ],
)
def test_what_was_not_written_by_us_is_refused(text):
    with pytest.raises(DataError):
        read(text, TABLES["turns"])


def test_a_turn_is_not_taken_for_ever():
    turn = Turn("s", "a", "t")
    phases = []
    for _ in range(MOST_TRIES + 1):
        turn, _ = step(turn, Take("w"))
        turn, _ = step(turn, WorkerLost("w"))
        phases.append(turn.phase)
    assert phases == [TurnPhase.WAITING] * (MOST_TRIES - 1) + [TurnPhase.INTERRUPTED] * 2


@each_row("event", [delivery.SentConfirmed("v"), delivery.NotSent("v"), delivery.MaybeSent("v")])
def test_what_another_worker_says_of_a_piece_counts_for_nothing(event):
    waiting = Piece("s", delivery.Route("c", "a", "t"), "x", "t")
    taken, counted = delivery.step(waiting, delivery.Take("w"), 0)
    assert counted
    assert delivery.step(taken, event, 0) == (taken, False)
    assert delivery.step(waiting, event._replace(worker=""), 0) == (waiting, False)
    after, counted = delivery.step(taken, event._replace(worker="w"), 0)
    assert counted
    assert after.worker == ""


def test_pauses_between_tries_are_doubled_and_have_an_end():
    assert [delivery.pause_after(tries) for tries in (1, 2, 3, 8, 9)] == [2, 4, 8, 256, 300]
    piece = Piece("s", delivery.Route("c", "a", "t"), "x", "t", delivery.PiecePhase.TAKEN, 1, worker="w")
    assert delivery.step(piece, delivery.NotSent("w"), 10)[0].after == 12
    assert delivery.step(piece, delivery.NotSent("w", 30), 10)[0].after == 40
    waiting = delivery.step(piece, delivery.NotSent("w"), 10)[0]
    assert not delivery.step(waiting, delivery.Take("v"), 11)[1]
    assert delivery.step(waiting, delivery.Take("v"), 12)[1]
    last = piece._replace(tries=delivery.MOST_TRIES)
    assert delivery.step(last, delivery.NotSent("w"), 10)[0].phase is delivery.PiecePhase.GIVEN_UP
    assert (
        delivery.step(last._replace(tries=delivery.MOST_TRIES - 1), delivery.NotSent("w"), 10)[0].phase
        is delivery.PiecePhase.WAITING
    )


@each_row("event", [turns.Act("v"), turns.Finish("v"), turns.WorkerLost("v")])
def test_what_another_worker_says_of_a_turn_counts_for_nothing(event):
    waiting = Turn("s", "a", "t")
    taken = step(waiting, Take("w"))[0]
    for known in (taken, step(taken, turns.Act("w"))[0]):
        assert step(known, event) == (known, False)
    assert step(waiting, event._replace(worker="")) == (waiting, False)


@each_row(
    "event", [runs.Approve("x", "w"), runs.Deny(), runs.RunSent("x", allowed=True), runs.RunDone(), runs.RunLost()]
)
def test_of_a_request_that_nobody_made_nothing_is_known(event):
    assert runs.step(None, event, 0) == (None, "RUN_UNKNOWN")


def test_what_must_be_approved_waits_and_the_rest_does_not():
    for approval, phase in ((True, runs.RunPhase.WAITING), (False, runs.RunPhase.READY)):
        found, refused = runs.step(None, runs.Ask("d", "c", "x", approval), 5)
        assert (found.phase, found.until, refused) == (phase, 5 + runs.LIFETIME, "")
        assert runs.step(found, runs.Ask("d", "c", "y", approval), 5) == (found, "RUN_USED")


@each_row(
    "lines",
    [
        "[group]\na | x\na | y",
        "[alias]\nb | x\nb | y",
        "[other]\na | x",
        "[group]\na | x\n[alias]\nx | y",
        "[alias]\na | b\nb | c",
    ],
)
def test_a_table_of_names_says_each_once(lines, tmp_path):
    (tmp_path / "tools.table").write_text(lines + "\n")
    with pytest.raises(DataError, match=r"tools\.table"):
        read_names(tmp_path / "tools.table")
