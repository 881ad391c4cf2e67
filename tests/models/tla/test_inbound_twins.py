"""Twins of the inbound gateway: what they see of the explorer's world, and what is planted in them and must be noticed."""

import pytest

from remit.gateway.inbound import pairing
from remit.gateway.inbound.pairing import Approve, Ask, Bucket, ChannelPairings, Deny, Rules, Waiting
from remit.models.explore.gates import read_expected
from remit.models.explore.interleave import Interleaving, StoredValue, memory_of, without_transaction
from remit.models.explore.registry import models
from remit.models.tla import registry
from remit.models.tla.gates import check_twin
from remit.models.tla.runner import TWINS
from remit.models.tla.twin_values import Operations, event, memory, value

OPERATIONS = Operations(lambda call: call.name, lambda call: pairing.apply(*call.args))


def test_events_of_two_kinds_that_hold_the_same_are_two():
    assert event(Approve("1")) != event(Deny("1"))


def test_who_waits_is_a_set():
    ann, bob = Waiting("ann", "1", 2), Waiting("bob", "2", 2)
    assert value(ChannelPairings((ann, bob), ("cid",), Bucket(1, 0))) == {
        "waiting": frozenset({ann, bob}),
        "allowed": ("cid",),
        "asked": Bucket(1, 0),
    }


def test_a_key_of_parts_is_their_tuple():
    kept = memory_of({("once", "chat\x1fus"): StoredValue(1, until=2), ("runs", "r"): StoredValue("x")})
    assert memory(kept) == {("once", ("chat", "us")): StoredValue(1, until=2), ("runs", "r"): StoredValue("x")}


def test_a_name_that_stands_in_a_line_is_a_tuple_wherever_it_stands():
    kept = memory_of(
        {("turns", "event"): StoredValue(1), ("lines", "line"): StoredValue("event"), ("delivery", "a"): StoredValue(2)}
    )
    assert memory(kept) == {
        ("turns", ("event",)): StoredValue(1),
        ("lines", ("line",)): StoredValue(("event",)),
        ("delivery", ("a",)): StoredValue(2),
    }


def test_an_operation_is_what_it_read_and_where_it_is():
    running = Interleaving(apply=pairing.apply)
    point, kept, seen = running.start("apply", Rules(), "mail", Ask("ann", "1"), 0), memory_of(), []
    while not point.over:
        seen.append(OPERATIONS.doing((point, None)))
        kept, point = running.step(kept, (), point)
    assert [one[0]["at"] for one in seen] == [0, 1, 2, 3]
    assert [one[0]["heard"] for one in seen] == [(), (), (None,), (None,)]
    assert [one[0]["began"] for one in seen] == [False, True, True, True]
    assert OPERATIONS.doing((point,))[0]["at"] == 4
    assert seen[0][1] is None


def test_an_operation_is_seen_as_it_is_spoiled(monkeypatch):
    monkeypatch.setattr(pairing, "apply", without_transaction(pairing.apply))
    running = Interleaving(apply=pairing.apply)
    kept, point = memory_of(), running.start("apply", Rules(), "mail", Ask("ann", "1"), 0)
    _, point = running.step(kept, (), point)
    assert OPERATIONS.doing((point,))[0]["heard"] == (None,)


PLANTED = {
    "it is heard before the login": ('ELSE To(CutOff, "close")', 'ELSE To(known, "hear")', "`NothingBeforeTheLogin` fails"),
    "one guess is enough": ("To([phase |-> IF over THEN Closed ELSE New,", "To([phase |-> Closed,", "the code alone goes by LogIn"),
}  # fmt: skip


@pytest.mark.parametrize("planted", PLANTED)
def test_what_is_planted_in_a_connection_is_noticed_if_java_is_there(tlc, planted):
    old, new, told = PLANTED[planted]
    text = (TWINS / "connection.tla").read_text()
    assert old in text
    outcome = check_twin(
        tlc,
        models(["connection"])[0],
        registry.twins(["connection"])["connection"],
        "connection",
        text.replace(old, new),
        read_expected(),
    )
    assert told in "\n".join(outcome.faults)
