"""Channels of every platform, what platforms send in the shape in which they send it (names are invented), and their signatures."""

import hashlib
import hmac
import json
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from remit.gateway.inbound.channels.discord import ConnectionFacts, Discord
from remit.gateway.inbound.channels.interface import Incoming
from remit.gateway.inbound.channels.slack import Slack
from remit.gateway.inbound.channels.telegram import Telegram
from remit.gateway.inbound.channels.webhook import Webhook
from remit.gateway.inbound.events import Gate
from remit.gateway.inbound.pairing import Rules
from remit.gateway.inbound.settings.values import ChannelSettings, Platform

NOW = 1_765_000_000
SECRET = "of-the-platform-and-us-alone"
KEY = Ed25519PrivateKey.from_private_bytes(b"k" * 32)
VOICE, ANNA = "895000000000000001", "800000000000000001"
KNOWN = ConnectionFacts(
    "830000000000000001",
    "830000000000000001",
    {"850000000000000011": "850000000000000001"},
    {"870000000000000101": ANNA},
    {"870000000000000109": ANNA, "870000000000000108": ANNA, "870000000000000110": ANNA},
)


def fixtures(name):
    text = (Path(__file__).parent / "fixtures" / f"{name}.json").read_text()
    return json.loads(text.replace("LONG", "rose " * 8000))


def settings(kind, **fields):
    told = {"account": "*", "gate": Gate(), "pairing": Rules(), "secret": SECRET} | fields
    return ChannelSettings(kind=kind, **told)


def body_of(value):
    return value if isinstance(value, bytes) else json.dumps(value).encode()


def _hmac(secret, message):
    return hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()


class World:
    """One platform: its channel, its fixtures, and how it signs."""

    def __init__(self, name, make, fixture, headers, **fields):
        self.name, self.make, self.fixture, self._headers, self._fields = name, make, fixture, headers, fields

    def channel(self, client=None, **fields):
        return self.make(self.name, settings(Platform(self.name), **self._fields | fields), client)

    def signed(self, value, when=NOW, now=NOW, **how):
        body = body_of(value)
        return Incoming((("content-type", "application/json"), *self._headers(body, when, **how)), body, now)

    def events(self):
        return {case: self.channel().receive(self.signed(value)) for case, value in self.fixture.items()}


def _slack(body, when, secret=SECRET, prefix="v0=", base="v0"):
    return (
        ("x-slack-request-timestamp", str(when)),
        ("x-slack-signature", prefix + _hmac(secret, f"{base}:{when}:".encode() + body)),
    )


def _webhook(body, when, secret=SECRET, prefix="v1=", base="in"):
    return (
        ("x-remit-timestamp", str(when)),
        ("x-remit-signature", prefix + _hmac(secret, f"{base}:{when}:".encode() + body)),
    )


def _discord(body, when, key=KEY):
    return (("x-signature-timestamp", str(when)), ("x-signature-ed25519", key.sign(str(when).encode() + body).hex()))


def _telegram(body, when, secret=SECRET):
    return (("x-telegram-bot-api-secret-token", secret),)


SLACK = World("slack", Slack, fixtures("slack"), _slack, account="T0HOUSE", token="xoxb-ours")
TELEGRAM = World(
    "telegram", Telegram, fixtures("telegram"), _telegram, account="@remit_garden_bot", token="5550001:AAours"
)
DISCORD = World(
    "discord",
    Discord,
    fixtures("discord"),
    _discord,
    account="830000000000000001",
    token="ours",
    secret=KEY.public_key().public_bytes_raw().hex(),
    voices=frozenset({VOICE}),
)
WEBHOOK = World("webhook", Webhook, fixtures("webhook"), _webhook, account="bridge", api="http://127.0.0.1:9/hook")
WORLDS = (SLACK, TELEGRAM, DISCORD, WEBHOOK)
GATEWAY = fixtures("discord_gateway")
