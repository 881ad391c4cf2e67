"""The settings of a gateway as values."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from remit.gateway.inbound.access import Access
from remit.gateway.inbound.nodes.commands import Commands
from remit.gateway.inbound.routing import Sessions
from remit.gateway.inbound.tool_policy import Layer, Policy, joined, names

if TYPE_CHECKING:
    from remit.gateway.inbound.events import Gate
    from remit.gateway.inbound.pairing import Rules
    from remit.gateway.inbound.routing import Binding, Identity


MODEL, CLAUDE_CODE, CODEX = "model", "claude-code", "codex"  # backends of an agent
CLIENTS = {CLAUDE_CODE: "anthropic", CODEX: "openai"}  # clients, and the API of their model's endpoint
MAIN = "main"  # the agent without a binding


class Platform(StrEnum):
    """The platform of a channel."""

    WEB = "web"
    CLI = "cli"
    WEBHOOK = "webhook"
    SLACK = "slack"
    DISCORD = "discord"
    TELEGRAM = "telegram"
    MAIL = "mail"

    @property
    def socket(self) -> bool:
        """Return whether people connect to the gateway's own socket and log in there."""
        return self in (Platform.WEB, Platform.CLI)

    @property
    def opened(self) -> bool:
        """Return whether the gateway can open the connection, so that no public address is needed."""
        return self in (Platform.TELEGRAM, Platform.SLACK, Platform.DISCORD, Platform.MAIL)


class ChannelSettings(NamedTuple):
    """One channel."""

    kind: Platform
    account: str
    gate: Gate
    pairing: Rules
    secret: str = ""  # verifies requests: a signing secret, or the platform's public key
    token: str = ""  # for our requests to the platform
    api: str = ""  # base URL of the platform
    voices: frozenset[str] = frozenset()  # the platform's applications that may speak for people
    tools: Layer = Layer()  # the layer `channel`
    app_token: str = ""  # for opening a connection, if that needs another token
    smtp: str = ""  # outgoing mail server
    mail_server: str = ""  # the name under which our mail server writes its verdicts on senders


class Agent(NamedTuple):
    """One agent."""

    policy: Policy
    prompt: str = ""
    credential: str = ""  # for the outbound gateway
    sender_elevated: frozenset[Identity] = frozenset()
    backend: str = MODEL
    workspace: str = ""  # of a client, for all sessions of the agent; empty: each session has its own


class ModelSettings(NamedTuple):
    """The model endpoint."""

    speaks: str = "anthropic"  # or `openai`
    url: str = ""
    name: str = ""
    key: str = ""


class GuardSettings(NamedTuple):
    """The guard that judges tool calls, if any."""

    workspace: str = ""  # empty: no guard
    state: str = ""  # state folder of its daemon; empty: the user's own


class Limits(NamedTuple):
    """Limits on load."""

    workers: int = 32  # concurrent turns; also concurrent sendings, and concurrent commands
    burst: int = 60  # events of one speaker at once
    seconds: int = 1  # for each further event
    connections: int = 1000


class Settings(NamedTuple):
    """All settings."""

    access: Access = Access()
    port: int = 18790
    sessions: Sessions = Sessions()
    channels: Mapping[str, ChannelSettings] = MappingProxyType({})
    agents: Mapping[str, Agent] = MappingProxyType({})
    bindings: tuple[Binding, ...] = ()
    nodes: Commands = Commands()
    model: ModelSettings = ModelSettings()
    authority: str = ""  # socket of the outbound gateway
    database: str = ""  # address of a PostgreSQL database; empty: a local file
    guard: GuardSettings = GuardSettings()
    limits: Limits = Limits()
    session_tools: Mapping[str, Layer] = MappingProxyType({})  # the layer `session`, by session key

    def policy(self, agent: str, channel: str, session: str) -> Policy | None:
        """Return the policy of an agent in a session on a channel; None if there is no such agent."""
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
