"""Whatever comes in: receiving never fails, and without a signature nothing is heard."""

import copy
import json

import pytest
from channelworld import DISCORD, GATEWAY, KNOWN, NOW, WORLDS, body_of
from hypothesis import given, settings
from hypothesis import strategies as st

from by_day import many
from remit.gateway.inbound.channels.interface import Incoming
from remit.gateway.inbound.channels.parsing import Refusal
from remit.gateway.inbound.channels.texts import LONGEST, MOST, split, units
from remit.gateway.inbound.events import name_of
from remit.gateway.inbound.settings.values import Platform
from remit.gateway.inbound.stores.serialization import key_of, read, written
from remit.gateway.inbound.stores.tables import TABLES

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
HEADERS = st.lists(
    st.tuples(
        st.sampled_from([name for world in WORLDS for name, _ in world.signed({}).headers]),
        st.one_of(st.text(max_size=80), st.just(str(NOW)), st.just("v0=" + "0" * 64), st.just("00" * 64)),
    ),
    max_size=5,
).map(tuple)
CASES = [(world, case) for world in WORLDS for case in world.fixture if case != "long"]
CODES = {"", *Refusal}


def ways(value, way=()):
    """Every place in a value."""
    yield way
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from ways(value[key], (*way, key))


def put(value, way, new):
    value = copy.deepcopy(value)
    if not way:
        return new
    inner = value
    for key in way[:-1]:
        inner = inner[key]
    inner[way[-1]] = new
    return value


def check(found):
    """What is heard can be kept: it has its form after it was written and read."""
    assert found.refused in CODES
    assert bool(found.events) + bool(found.refused) <= 1
    for event in found.events:
        assert read(written(event), TABLES["heard"]) == event
        assert len(event.text) <= MOST
        assert len(key_of(name_of(event)).encode()) < 3000
        assert event.digest


@pytest.mark.parametrize("world", WORLDS, ids=lambda one: one.name)
@given(st.data())
@settings(max_examples=many(150))
def test_without_a_signature_nothing_is_heard(world, data):
    body = data.draw(
        st.one_of(st.binary(max_size=60), st.sampled_from([body_of(one) for one in world.fixture.values()]))
    )
    found = world.channel().receive(Incoming(data.draw(HEADERS), body, NOW))
    assert found.events == ()
    assert found.refused in (Refusal.NOT_SIGNED, Refusal.SIGNED_TWICE, Refusal.SIGNATURE, Refusal.OLD)
    assert found.reply.status == 401
    assert found.reply.body == b""


@given(st.data())
@settings(max_examples=many(400))
def test_what_is_signed_and_spoiled_at_any_place_is_heard_or_refused(data):
    world, case = data.draw(st.sampled_from(CASES))
    value = world.fixture[case]
    for _ in range(data.draw(st.integers(1, 2))):
        value = put(value, data.draw(st.sampled_from(list(ways(value)))), data.draw(JSON))
    check(world.channel().receive(world.signed(json.dumps(value).encode())))


@given(st.data())
@settings(max_examples=many(200))
def test_frames_of_discord_that_are_spoiled_are_heard_or_refused(data):
    value = GATEWAY[data.draw(st.sampled_from(sorted(GATEWAY)))]
    value = put(value, data.draw(st.sampled_from(list(ways(value)))), data.draw(JSON))
    check(DISCORD.channel().dispatched(json.dumps(value).encode(), KNOWN))


@given(st.binary(max_size=200))
def test_frames_of_anything_are_refused(body):
    assert DISCORD.channel().dispatched(body, KNOWN).events == ()


@pytest.mark.parametrize("world", WORLDS, ids=lambda one: one.name)
@given(
    st.lists(
        st.sampled_from(
            ["<@U0REMIT>", "@remit_garden_bot", "<@830000000000000001>", "/stop@other_bot", '","mentioned":true']
        )
        | st.text(max_size=20)
    ).map(" ".join)
)
@settings(max_examples=80)
def test_a_text_changes_nothing_but_the_text(world, text):
    """Whatever somebody writes: who speaks, where, as what, and for whom stays as the platform says it."""
    name = {"slack": "channel, not named", "telegram": "group, not named", "discord": "command", "webhook": "direct"}[
        world.name
    ]
    value = world.fixture[name]
    way = {
        "slack": ("event", "text"),
        "telegram": ("message", "text"),
        "discord": ("data", "options", 0, "value"),
        "webhook": ("text",),
    }[world.name]
    if world.name == "slack":  # `<@` is how Slack itself writes a name: what is typed comes in as `&lt;@`
        text = text.replace("<", "&lt;")
    (plain,) = world.channel().receive(world.signed(value)).events
    for found in world.channel().receive(world.signed(put(value, way, text))).events:
        assert found._replace(text=plain.text, digest=plain.digest) == plain


@given(
    st.sampled_from(sorted(Platform)),
    st.text(st.sampled_from("ab \n\U0001f339é"), max_size=3000).map(lambda one: one * 5),
)
@settings(max_examples=60)
def test_a_long_answer_is_split_and_nothing_is_lost(platform, text):
    pieces = split(platform, text)
    assert "".join(pieces) == text
    assert all(0 < units(one) <= LONGEST[platform] for one in pieces)
