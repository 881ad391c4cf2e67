"""Nothing is believed that the platform did not sign: each check has cases that must be refused."""

import json

import pytest
from channelworld import DISCORD, NOW, SECRET, SLACK, WEBHOOK, WORLDS, body_of, settings
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from each_row import each_row
from remit.gateway.inbound.channels.connections import make_channel
from remit.gateway.inbound.channels.interface import Incoming
from remit.gateway.inbound.channels.parsing import WINDOW, Refusal, RefusedError, header_of
from remit.gateway.inbound.settings.values import Platform

STAMPED = (SLACK, DISCORD, WEBHOOK)
CASE = {"slack": "direct", "telegram": "private", "discord": "command", "webhook": "direct"}
SIGNATURE = {
    "slack": "x-slack-signature",
    "telegram": "x-telegram-bot-api-secret-token",
    "discord": "x-signature-ed25519",
    "webhook": "x-remit-signature",
}
every = pytest.mark.parametrize("world", WORLDS, ids=lambda one: one.name)
stamped = pytest.mark.parametrize("world", STAMPED, ids=lambda one: one.name)


def value_of(world):
    return world.fixture[CASE[world.name]]


def refused(world, incoming, **fields):
    found = world.channel(**fields).receive(incoming)
    assert found.events == ()
    assert found.reply.body == b""
    return found.refused, found.reply.status


def changed(incoming, name, new):
    """The same request with another value of a header; None takes it away."""
    kept = [(key, new(value) if key == name else value) for key, value in incoming.headers]
    return incoming._replace(headers=tuple(one for one in kept if one[1] is not None))


@every
def test_what_is_signed_is_heard(world):
    assert len(world.channel().receive(world.signed(value_of(world))).events) == 1


@every
def test_a_signature_that_is_missing(world):
    incoming = world.signed(value_of(world))
    for name in {key for key, _ in incoming.headers} - {"content-type"}:
        assert refused(world, changed(incoming, name, lambda _: None)) == (Refusal.NOT_SIGNED, 401)
    assert refused(world, incoming._replace(headers=())) == (Refusal.NOT_SIGNED, 401)


@every
def test_a_header_that_stands_twice(world):
    incoming = world.signed(value_of(world))
    for one in incoming.headers[1:]:
        for doubled in ((one, *incoming.headers), (*incoming.headers, (one[0], "x"))):
            assert refused(world, incoming._replace(headers=doubled)) == (Refusal.SIGNED_TWICE, 401)


@every
def test_another_key(world):
    how = {"key": Ed25519PrivateKey.from_private_bytes(b"x" * 32)} if world is DISCORD else {"secret": SECRET + "x"}
    assert refused(world, world.signed(value_of(world), **how)) == (Refusal.SIGNATURE, 401)


@every
def test_a_signature_that_is_spoiled(world):
    incoming = world.signed(value_of(world))
    for spoil in (
        lambda one: one[:-1],
        lambda one: one + "0",
        lambda one: one[:-1] + ("0" if one[-1] != "0" else "1"),
        lambda _: "",
        lambda one: " " + one,
        lambda one: one + "é",
        lambda _: "\ud800",
        lambda one: one * 40,
        lambda one: one.replace("=", "=="),
    ):
        given = changed(incoming, SIGNATURE[world.name], spoil)
        if given != incoming:
            assert refused(world, given) == (Refusal.SIGNATURE, 401)


@each_row("world", [SLACK, WEBHOOK], ids=lambda one: one.name)
@each_row("prefix", ["", "v0", "v2=", "V0=", "sha256=", "sha1=", "v1:", "v0=v0="])
def test_another_algorithm(world, prefix):
    assert refused(world, world.signed(value_of(world), prefix=prefix)) == (Refusal.SIGNATURE, 401)


@each_row("world", [SLACK, WEBHOOK], ids=lambda one: one.name)
@each_row("base", ["", "v1", "out", "IN", "v0:in"])
def test_what_was_signed_for_another_purpose(world, base):
    assert refused(world, world.signed(value_of(world), base=base)) == (Refusal.SIGNATURE, 401)


@stamped
@pytest.mark.parametrize("age", [WINDOW + 1, 86_400, -WINDOW - 1, -86_400])
def test_what_was_signed_long_ago_or_will_be(world, age):
    assert refused(world, world.signed(value_of(world), when=NOW - age)) == (Refusal.OLD, 401)


@stamped
@pytest.mark.parametrize("age", [WINDOW, -WINDOW, 0])
def test_clocks_may_differ_a_little(world, age):
    assert world.channel().receive(world.signed(value_of(world), when=NOW - age)).events


@stamped
@pytest.mark.parametrize(
    "stamp", ["", "now", "-1", f"{NOW}.0", f" {NOW}", f"+{NOW}", "1_765_000_000", "9" * 13, "٣", f"{NOW}\n"]
)
def test_a_time_is_written_in_one_way(world, stamp):
    found = refused(world, world.signed(value_of(world), when=stamp))
    assert found in ((Refusal.OLD, 401), (Refusal.SIGNATURE, 401))


@stamped
def test_a_time_that_was_made_fresh(world):
    incoming = world.signed(value_of(world), when=NOW - 1000)
    name = next(key for key, _ in incoming.headers if "timestamp" in key)
    assert refused(world, changed(incoming, name, lambda _: str(NOW))) == (Refusal.SIGNATURE, 401)


@stamped
def test_a_signature_of_another_body(world):
    other = world.signed(value_of(world))._replace(body=body_of(value_of(world)) + b" ")
    assert refused(world, other) == (Refusal.SIGNATURE, 401)
    assert refused(world, other._replace(body=b"")) == (Refusal.SIGNATURE, 401)


@every
def test_without_a_secret_nothing_is_heard(world):
    """HMAC with an empty key is something that everybody can compute."""
    for secret in ("", "0" * 63, "z" * 64) if world is DISCORD else ("",):
        how = {} if world is DISCORD else {"secret": secret}
        assert refused(world, world.signed(value_of(world), **how), secret=secret) == (Refusal.NO_SECRET, 503)


def test_a_challenge_and_a_ping_are_answered_to_nobody_else():
    for world, case in ((SLACK, "challenge"), (DISCORD, "ping")):
        incoming = world.signed(world.fixture[case])
        assert world.channel().receive(incoming).reply.body
        spoiled = changed(incoming, SIGNATURE[world.name], lambda one: one[:-1] + ("0" if one[-1] != "0" else "1"))
        assert refused(world, spoiled) == (Refusal.SIGNATURE, 401)


def test_a_signature_of_one_platform_is_none_of_another():
    for one in WORLDS:
        for other in WORLDS:
            if one is not other:
                incoming = one.signed(value_of(other))
                assert refused(other, incoming)[1] == 401


def test_names_of_headers_are_looked_up_in_small_letters():
    incoming = Incoming((("a", "1"), ("b", "2"), ("a", "3")), b"", NOW)
    assert (incoming.header("a"), incoming.header("b"), incoming.header("A")) == (("1", "3"), ("2",), ())


@pytest.mark.parametrize("kind", [Platform.WEB, Platform.CLI])
def test_connections_have_no_door_for_requests(kind):
    from remit.core.errors import UsageError

    with pytest.raises(UsageError):
        make_channel("web", settings(kind))


@each_row("kind", [one for one in Platform if not one.socket and one is not Platform.MAIL])
def test_each_signed_platform_is_opened(kind):
    channel = make_channel("x", settings(kind, token="5:a"))
    assert type(channel).__name__.lower() == kind
    assert channel.receive(Incoming((), json.dumps({}).encode(), NOW)).events == ()


def test_a_header_of_a_signature_stands_once_and_is_short():
    def read(*values):
        return header_of(Incoming(tuple(("x-sign", value) for value in values), b"", 0), "x-sign")

    assert read("a" * 1024) == "a" * 1024
    for values, refusal in (
        ((), Refusal.NOT_SIGNED),
        (("a", "a"), Refusal.SIGNED_TWICE),
        (("a" * 1025,), Refusal.SIGNATURE),
        (("ä",), Refusal.SIGNATURE),
    ):
        with pytest.raises(RefusedError) as raised:
            read(*values)
        assert raised.value.code == refusal
