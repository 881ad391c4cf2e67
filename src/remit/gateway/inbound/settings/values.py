"""What the settings of a gateway come to."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from remit.gateway.inbound.access.settings import Access
from remit.gateway.inbound.nodes.commands import Commands
from remit.gateway.inbound.routing.sessions import Sessions
from remit.gateway.inbound.tools.layers import Layer, Policy, joined
from remit.gateway.inbound.tools.names import names

if TYPE_CHECKING:
    from remit.gateway.inbound.ingress.gate import Gate
    from remit.gateway.inbound.pairing.life import Rules
    from remit.gateway.inbound.routing.agents import Binding
    from remit.gateway.inbound.routing.message import Identity

MODEL, CLAUDE_CODE, CODEX = "model", "claude-code", "codex"  # what answers as an agent
CLIENTS = {CLAUDE_CODE: "anthropic", CODEX: "openai"}  # clients, and what the endpoint of their model speaks
MAIN = "main"  # the agent that hears what no binding gives to another


class Platform(StrEnum):
    """What a channel speaks."""

    WEB = "web"
    CLI = "cli"
    WEBHOOK = "webhook"
    SLACK = "slack"
    DISCORD = "discord"
    TELEGRAM = "telegram"
    MAIL = "mail"

    @property
    def socket(self) -> bool:
        """Whether people come to a socket of ours, and log in there."""
        return self in (Platform.WEB, Platform.CLI)

    @property
    def opened(self) -> bool:
        """Whether we can open the connection, so that nobody needs to call us."""
        return self in (Platform.TELEGRAM, Platform.SLACK, Platform.DISCORD, Platform.MAIL)


class Channel(NamedTuple):
    """One channel."""

    kind: Platform
    account: str
    gate: Gate
    pairing: Rules
    secret: str = ""  # proves what comes in: a signing secret, or the public key of the platform
    token: str = ""  # with which we speak there
    api: str = ""  # where the platform is reached
    voices: frozenset[str] = frozenset()  # applications of the platform that speak for people
    tools: Layer = Layer()  # the layer `channel` of who is heard here
    app_token: str = ""  # with which a connection is opened, where that wants another token
    smtp: str = ""  # where mail goes out
    mail_server: str = ""  # under which name our mail server says who wrote a mail


class Agent(NamedTuple):
    """One agent."""

    policy: Policy
    prompt: str = ""
    credential: str = ""  # with which it asks the outbound gateway
    sender_elevated: frozenset[Identity] = frozenset()
    backend: str = MODEL
    workspace: str = ""  # of a client, for all sessions of the agent; nothing: each session has one of its own


class ModelSettings(NamedTuple):
    """Which model thinks."""

    speaks: str = "anthropic"  # or `openai`
    url: str = ""
    name: str = ""
    key: str = ""


class GuardSettings(NamedTuple):
    """Whether the guard of a workspace judges what agents do."""

    workspace: str = ""  # nothing: it is not asked
    state: str = ""  # the folder of its daemon; nothing: the user's own


class Limits(NamedTuple):
    """How much at a time."""

    workers: int = 32  # turns of agents at a time; as many sendings, and as many commands of operators
    burst: int = 60  # events of one speaker at once
    seconds: int = 1  # for each one after that
    connections: int = 1000


class Settings(NamedTuple):
    """All of it."""

    access: Access = Access()
    port: int = 18790
    sessions: Sessions = Sessions()
    channels: Mapping[str, Channel] = MappingProxyType({})
    agents: Mapping[str, Agent] = MappingProxyType({})
    bindings: tuple[Binding, ...] = ()
    nodes: Commands = Commands()
    model: ModelSettings = ModelSettings()
    authority: str = ""  # the socket of the outbound gateway
    database: str = ""  # address of a PostgreSQL database; a file of its own without one
    guard: GuardSettings = GuardSettings()
    limits: Limits = Limits()
    session_tools: Mapping[str, Layer] = MappingProxyType({})  # the layer `session`, by the key of a session

    def policy(self, agent: str, channel: str, session: str) -> Policy | None:
        """The layers that count for an agent in a session on a channel; None if there is no such agent."""
        found = self.agents.get(agent)
        if found is None:
            return None
        own = dict(found.policy.layers)
        if channel in self.channels:
            own["channel"] = joined(
                names(), found.policy.tools, [own.get("channel", Layer()), self.channels[channel].tools]
            )
        inside = [one for key, one in self.session_tools.items() if session == key or session.startswith(f"{key}/")]
        if inside:
            own["session"] = joined(names(), found.policy.tools, [own.get("session", Layer()), *inside])
        return found.policy._replace(layers=own)
