"""Each law by itself: a change that it lets pass, and one that differs from it in a single respect and breaks it."""

import pytest

from each_row import each_row
from remit.gateway.inbound import delivery, laws, turns
from remit.gateway.inbound.delivery import TABLE as DELIVERY
from remit.gateway.inbound.delivery import Piece, Route
from remit.gateway.inbound.events import KEPT, Direct, Event, Gate, What
from remit.gateway.inbound.intake import ONCE
from remit.gateway.inbound.laws import CheckContext, judged
from remit.gateway.inbound.nodes import runs
from remit.gateway.inbound.pairing import TABLE as PAIRING
from remit.gateway.inbound.pairing import ChannelPairings, Rules, Waiting
from remit.gateway.inbound.routing import ChatAddress, ConversationKind, Sessions, session_key
from remit.gateway.inbound.settings.values import Agent, Platform, Settings
from remit.gateway.inbound.settings.values import ChannelSettings as Channels
from remit.gateway.inbound.stores.operations import Change, Observed
from remit.gateway.inbound.tool_policy import Layer, Policy, names
from remit.gateway.inbound.turns import HEARD, INTERRUPTED, TURNS, Turn

NOW = 1_000_000


def ids(found):
    return {one.id.partition(".")[2] for one in found}


P, D = Piece("s", Route("chat", "us", "ann"), "x", "t"), delivery.PiecePhase
TAKEN = P._replace(phase=D.TAKEN, tries=1, worker="w", after=5)


@each_row(
    ("before", "after", "found"),
    [
        (None, P, set()),
        (None, None, set()),
        (P, None, {"at-most-once"}),
        (None, P._replace(tries=delivery.MOST_TRIES), set()),
        (None, P._replace(tries=delivery.MOST_TRIES + 1), {"bounded-tries"}),
        (P, P._replace(session="o"), {"stable-route"}),
        (P, P._replace(route=Route("chat", "us", "bob")), {"stable-route"}),
        (P, P._replace(body="o"), {"stable-route"}),
        (P, P._replace(trace="o"), {"stable-route"}),
        (P, TAKEN, set()),
        (P, TAKEN._replace(tries=0), {"one-worker"}),
        (P, TAKEN._replace(tries=2), {"one-worker"}),
        (TAKEN, TAKEN._replace(tries=2), {"one-worker"}),
        *((TAKEN, TAKEN._replace(phase=phase), set()) for phase in delivery.OVER),
        (TAKEN, TAKEN._replace(phase=D.WAITING, after=6), set()),
        (TAKEN, TAKEN._replace(phase=D.WAITING), {"not-before-its-time"}),
        (P, P._replace(worker="w"), set()),
        *((P._replace(phase=phase), P._replace(phase=phase), set()) for phase in delivery.OVER),
        *((P._replace(phase=phase), P._replace(phase=phase, after=1), {"at-most-once"}) for phase in delivery.OVER),
    ],
)
def test_answers(before, after, found):
    assert ids(laws.broken_by_piece(before, after)) == found


def test_answers_that_go_out():
    assert [laws.at_most_once(times) for times in ((), (0, 1), (1, 2))] == [True, True, False]
    assert [laws.one_worker(keys) for keys in ("", "ab", "aa")] == [True, True, False]
    assert laws.taken_first(None)
    assert [phase for phase in D if not laws.taken_first(P._replace(phase=phase))] == [D.WAITING]


R, N = runs.Request("d", "notes.list", "x", NOW + 10, runs.RunPhase.READY), runs.RunPhase
ASKS = min(laws.known().asks)


@each_row(
    ("before", "after", "found"),
    [
        *((None, R._replace(phase=phase), set()) for phase in (N.WAITING, N.READY)),
        *((None, R._replace(phase=phase), {"nothing-runs-while-it-waits"}) for phase in N if phase not in (N.WAITING, N.READY)),
        (None, R._replace(command=ASKS), {"what-changes-something-wants-approval"}),
        (None, R._replace(command=ASKS, phase=N.WAITING), set()),
        (R, R._replace(device="o"), {"never-replaced"}),
        (R, R._replace(command="o"), {"never-replaced"}),
        (R, R._replace(digest="o"), {"never-replaced"}),
        (R, R._replace(until=NOW + 11), {"never-replaced"}),
        (R, R._replace(shown="o"), {"never-replaced"}),
        (R, R._replace(phase=N.RUNNING), set()),
        (R._replace(until=NOW + 1), R._replace(phase=N.RUNNING, until=NOW + 1), set()),
        (R._replace(until=NOW), R._replace(phase=N.RUNNING, until=NOW), {"in-time"}),
        (R._replace(until=NOW), R._replace(phase=N.DENIED, until=NOW), set()),
        *((R._replace(phase=ran), R._replace(phase=ran), set()) for ran in (N.DONE, N.UNKNOWN, N.DENIED)),
        *((R._replace(phase=ran), R._replace(phase=N.RUNNING), {"never-twice"}) for ran in (N.DONE, N.UNKNOWN)),
        *((R._replace(phase=ran), R, {"never-twice"}) for ran in laws.RAN),
        *((R._replace(phase=N.RUNNING), R._replace(phase=end), set()) for end in laws.RAN),
        (R._replace(phase=N.RUNNING), R._replace(phase=N.RUNNING, approver="o"), {"never-twice"}),
        (R._replace(phase=N.DENIED), R, {"a-no-is-final"}),
    ],
)  # fmt: skip
def test_devices(before, after, found):
    assert ids(laws.broken_by_run(before, after, NOW)) == found


def test_a_request_that_runs_is_kept_first():
    assert laws.run_kept_first(None)
    assert {phase for phase in N if laws.run_kept_first(R._replace(phase=phase))} == set(laws.RAN)


T, W = Turn("s", "main", "t"), turns.TurnPhase
TOOK = T._replace(phase=W.TAKEN, tries=1, worker="w")
ACTS = TOOK._replace(phase=W.ACTING)
EVENT = Event(ChatAddress("chat", "us", ConversationKind.DIRECT, "ann"), What.SAID, "hello", "m", "e", "t", "d")
ANSWER = Piece("s", Route("chat", "us", "ann"), "x", "t")


@each_row(
    ("before", "after", "found"),
    [
        (T, TOOK, set()),
        (T, TOOK._replace(tries=0), {"ends"}),
        (T, T._replace(tries=1), {"ends"}),
        (T._replace(tries=turns.MOST_TRIES - 1), TOOK._replace(tries=turns.MOST_TRIES), set()),
        (T._replace(tries=turns.MOST_TRIES), TOOK._replace(tries=turns.MOST_TRIES + 1), {"ends"}),
        (TOOK, ACTS, set()),
        (TOOK, TOOK._replace(phase=W.WAITING), set()),
        *((ACTS, ACTS._replace(phase=phase), set()) for phase in (W.ACTING, *laws.TURN_OVER)),
        *((ACTS, ACTS._replace(phase=phase), {"acts-once"}) for phase in (W.WAITING, W.TAKEN)),
        *((T._replace(phase=over), T._replace(phase=over), set()) for over in laws.TURN_OVER),
        *((T._replace(phase=over), T._replace(phase=over, worker="o"), {"one-answer"}) for over in laws.TURN_OVER),
        *((T, T._replace(**{field: "o"}), {"its-own-stream"}) for field in ("session", "agent", "trace")),
    ],
)  # fmt: skip
def test_turns(before, after, found):
    assert ids(laws.broken_by_turn(before, after)) == found


@each_row(
    ("turn", "event", "told", "found"),
    [
        (T, EVENT, (), set()),
        (T, EVENT, (ANSWER,), {"answered-if-done"}),
        (T._replace(phase=W.DONE), EVENT, (ANSWER, ANSWER), set()),
        (T._replace(phase=W.DONE), EVENT, (), {"answered-if-done"}),
        (T._replace(phase=W.INTERRUPTED), EVENT, (ANSWER._replace(body=INTERRUPTED),), set()),
        (T._replace(phase=W.INTERRUPTED), EVENT, (ANSWER,), {"interrupted-is-told"}),
        (T._replace(phase=W.DONE), None, (ANSWER._replace(session="o"),), set()),
        *((T._replace(phase=W.DONE), EVENT, (ANSWER, ANSWER._replace(**other)), {"its-own-stream"})
          for other in ({"session": "o"}, {"trace": "o"}, {"route": Route("chat", "us", "bob")})),
    ],
)  # fmt: skip
def test_ends_of_turns(turn, event, told, found):
    assert ids(laws.broken_by_turn_end(turn, event, told)) == found


ANN, BOB = Waiting("ann", "A", NOW + 100), Waiting("bob", "B", NOW + 100)
LATE = 60  # seconds by which an operation may lie behind


@each_row(
    ("before", "after", "found"),
    [
        (ChannelPairings(), ChannelPairings((ANN, BOB)), set()),
        (ChannelPairings(), ChannelPairings((ANN, BOB, Waiting("cid", "C", NOW + 1))), {"cap"}),
        (ChannelPairings(), ChannelPairings((ANN, BOB, Waiting("cid", "C", NOW))), set()),
        (ChannelPairings((ANN, BOB, Waiting("cid", "C", NOW + 1))),) * 2 + (set(),),
        (ChannelPairings((ANN, BOB, Waiting("cid", "C", NOW))), ChannelPairings((ANN, BOB, Waiting("cid", "C", NOW + 9))), {"cap"}),
        (ChannelPairings(), ChannelPairings((ANN, ANN._replace(code="C"))), {"one-request-each"}),
        (ChannelPairings(), ChannelPairings((ANN, BOB._replace(code="A"))), {"one-code-each"}),
        (ChannelPairings((ANN,)), ChannelPairings((), ("ann",)), set()),
        (ChannelPairings((ANN,)), ChannelPairings((), ("bob",)), {"approved-in-time"}),
        (ChannelPairings((), ("bob",)), ChannelPairings((), ("bob",)), set()),
        (ChannelPairings((), ("bob",)), ChannelPairings((), ("bob", "bob")), {"one-entry"}),
        (ChannelPairings((ANN,)), ChannelPairings((ANN,), ("ann",)), {"let-in-does-not-wait"}),
        (ChannelPairings((ANN._replace(until=NOW - LATE + 1),)), ChannelPairings((), ("ann",)), set()),
        (ChannelPairings((ANN._replace(until=NOW - LATE),)), ChannelPairings((), ("ann",)), {"approved-in-time"}),
    ],
)  # fmt: skip
def test_people(before, after, found):
    assert ids(laws.broken_by_pairing(Rules(most=2), before, after, NOW)) == found


def test_tools():
    assert laws.denied_is_not_shown({"a"}, {"a", "b"})
    assert not laws.denied_is_not_shown({"a", "c"}, {"a", "b"})
    assert [laws.by_the_policy(tool, {"a"}) for tool in "ab"] == [True, False]
    assert [laws.deny_wins({"a"}, allowed) for allowed in ({"b"}, {"a", "b"})] == [True, False]
    policy = Policy(names().all, {"global": Layer(deny=("exec",)), "agent": Layer(deny=("read",))})
    assert laws.denied_by(names(), policy) == {"exec", "read"}


SETTINGS = Settings(
    channels={"chat": Channels(Platform.WEBHOOK, "us", Gate(Direct.PAIRED), Rules(most=2), "secret")}, agents={"main": Agent(Policy(names().all, {}))},
)  # fmt: skip
SESSION = session_key(Sessions(), "main", EVENT.place)
HEARS = Turn(SESSION, "main", "t")
LET_IN = {(PAIRING, "chat"): ChannelPairings((), ("ann",))}


def hearing(event=EVENT, turn=HEARS, **others):
    made = {ONCE: (None, NOW + KEPT), HEARD: (None, event), TURNS: (None, turn), **others}
    return [Change(table, "k", *change) for table, change in made.items() if change is not None]


def seen(changes, read=LET_IN, settings=(SETTINGS,), commands="/"):
    return ids(one.law for one in judged(Observed(tuple(changes), read), CheckContext(settings, NOW, commands)))


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        (hearing(), set()),
        (hearing(once=None), {"all-or-nothing"}),
        (hearing(heard=None), {"all-or-nothing"}),
        (hearing(turns=None), {"all-or-nothing"}),
        (hearing(turns=None, heard=None), set()),  # some are remembered alone
        (hearing(once=(NOW, NOW + KEPT)), set()),
        (hearing(once=(NOW + 1, NOW + KEPT)), {"once"}),
        (hearing(turns=(HEARS, HEARS)), {"once"}),
        (hearing(turn=HEARS._replace(trace="o")), {"parts-keep-their-trace"}),
        (hearing(EVENT._replace(trace=""), HEARS._replace(trace="e")), set()),
        (hearing(turn=HEARS._replace(session="o")), {"in-its-session"}),
        (hearing(turn=HEARS._replace(agent="o")), {"in-its-session"}),
        (hearing(turn=HEARS._replace(agent="/")), set()),
        (hearing(EVENT._replace(what=What.EDITED), HEARS._replace(session="o")), set()),
    ],
)  # fmt: skip
def test_what_comes_in(changes, found):
    assert seen(changes) == found


def test_who_comes_in_was_let_in():
    assert seen(hearing(), {(PAIRING, "chat"): ChannelPairings()}) == {"paired-first"}
    assert seen(hearing(), {(PAIRING, "chat"): None}) == {"paired-first"}
    assert seen(hearing(), {}) == set()  # the operation did not look: it is judged by others
    gone = SETTINGS._replace(channels={})
    assert seen(hearing(), settings=(gone,)) == {"paired-first"}
    assert seen(hearing(), settings=(gone, SETTINGS)) == set()  # by the settings before
    assert seen(hearing(turn=HEARS._replace(session="o")), {(PAIRING, "chat"): ChannelPairings()}, ()) == set()


WORKS = HEARS._replace(phase=W.TAKEN, tries=1)
DONE = WORKS._replace(phase=W.DONE)
SAYS = Piece(SESSION, Route("chat", "us", "ann"), "x", "t")


def ending(turn=DONE, before=WORKS, answer=SAYS, key="k\x1f0"):
    changes = [Change(TURNS, "k", before, turn), Change(HEARD, "k", EVENT, None)]
    return [*changes, *([Change(DELIVERY, key, None, answer)] if answer else [])]


@each_row(
    ("changes", "found"),
    [
        (ending(), set()),
        (ending(answer=None), {"answered-if-done"}),
        (ending(key="j\x1f0"), {"answered-if-done"}),
        (ending(answer=SAYS._replace(session="")), {"answered-if-done"}),  # what the gateway itself says answers nothing
        (ending(answer=SAYS._replace(trace="o")), {"its-own-stream"}),
        (ending(DONE, DONE, None), set()),  # it was over before
        (ending(None, DONE, None), set()),
        (ending()[2:], {"answered-if-done"}),  # an answer by itself
        ([Change(DELIVERY, "k\x1f0", SAYS, SAYS._replace(phase=D.TAKEN, tries=1))], set()),
        ([Change(TURNS, "k", HEARS, HEARS._replace(tries=5)), Change(TURNS, "k", HEARS._replace(tries=5), HEARS)], {"ends"}),
    ],
)  # fmt: skip
def test_what_ends(changes, found):
    assert seen(changes) == found


@each_row(
    ("change", "found"),
    [
        (Change(PAIRING, "chat", None, ChannelPairings((ANN, BOB))), set()),
        (Change(PAIRING, "chat", None, ChannelPairings((ANN, BOB, Waiting("c", "C", NOW + 9)))), {"cap"}),
        (
            Change(PAIRING, "mail", None, ChannelPairings((ANN, BOB, Waiting("c", "C", NOW + 9)))),
            set(),
        ),  # the cap that nobody set
        (Change(PAIRING, "chat", ChannelPairings((), ("ann",)), None), set()),
        (Change(runs.TABLE, "r", R, R._replace(phase=N.RUNNING), NOW + 9 + runs.KEPT), set()),
        (Change(runs.TABLE, "r", R, R._replace(phase=N.RUNNING), NOW + 10 + runs.KEPT), {"in-time"}),
        (Change(runs.TABLE, "r", R, None), set()),
        (Change(ONCE, "k", NOW, None), set()),
        (Change(DELIVERY, "p", SAYS, None), {"at-most-once"}),
    ],
)
def test_single_changes(change, found):
    assert seen([change]) == found


def test_an_event_is_heard_and_remembered_by_what_was_known():
    assert laws.heard_once(None)
    assert not laws.heard_once(HEARS)
    assert laws.remembered_once(None, 0)
    assert [laws.remembered_once(before, NOW + KEPT) for before in (NOW, NOW + 1)] == [True, False]
