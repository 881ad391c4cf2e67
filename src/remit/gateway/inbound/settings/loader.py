"""Reading of the settings file. Secrets lie in files of their own that only their owner can open.

Fields that the schema does not know are refused: they would have no effect.
"""

from __future__ import annotations

import tomllib
from ipaddress import ip_network
from typing import TYPE_CHECKING, Any

from remit.bundle.files import read_small
from remit.core.errors import DataError, UsageError
from remit.core.shape import Flag, Items, Named, Record, Text, Whole, Word
from remit.gateway.inbound.access import Access, Auth, Bind, fingerprint
from remit.gateway.inbound.events import Direct, Gate
from remit.gateway.inbound.limits import Limit
from remit.gateway.inbound.nodes.command_requests import NODES
from remit.gateway.inbound.nodes.commands import Commands
from remit.gateway.inbound.pairing import OFTEN, Rules
from remit.gateway.inbound.routing import ANY, Binding, Identity, Scope, Sessions, linked
from remit.gateway.inbound.settings.values import (
    CLIENTS,
    MAIN,
    MODEL,
    Agent,
    ChannelSettings,
    GuardSettings,
    Limits,
    ModelSettings,
    Platform,
    Settings,
)
from remit.gateway.inbound.tool_policy import LAYERS, Layer, Policy, names

if TYPE_CHECKING:
    from pathlib import Path


GLOBAL = ("global", "global-provider")  # layers that apply to all agents: no agent overrides them
PLACES = ("channel", "session")  # layers of channels and sessions, for every agent
_NAME, _PATH, _WORD = Text(64, r"[a-z0-9][a-z0-9_-]*"), Text(4096), Text(200)
_WORDS = Items(_WORD, 10_000)
_PERSON = Text(300, r"[a-z0-9_-]+:.+")
_LAYER = Record({"allow": _WORDS, "deny": _WORDS}, frozenset({"allow", "deny"}))


def _open(fields: dict[str, Any]) -> Record:
    return Record(fields, frozenset(fields))


_ACCESS = _open(
    {
        "bind": Word(tuple(Bind)),
        "address": _WORD,
        "port": Whole(1, 65535),
        "auth": Word(tuple(Auth)),
        "token_file": _PATH,
        "password_file": _PATH,
        "proxies": Items(Text(64), 64),
        "tailnet_users": Items(Text(320), 1000),
        "names": Items(Text(253, r"[A-Za-z0-9._-]+"), 64),
    }
)
_SESSIONS = _open(
    {
        "scope": Word(tuple(Scope)),
        "scopes": Named(_NAME, Word(tuple(Scope)), 64),
        "links": Items(Items(_PERSON, 32), 1000),
        "unlinked": Items(_NAME, 64),
        "tools": Named(Text(2000), _LAYER, 1000),
    }
)
_PAIRING = _open({"lifetime": Whole(60, 7 * 86400), "most": Whole(1, 100), "per_hour": Whole(1, 3600)})
_CHANNEL_FIELDS: dict[str, Any] = {
    "kind": Word(tuple(Platform)),
    "account": _WORD,
    "direct": Word(tuple(Direct)),
    **dict.fromkeys(("named", "rooms", "roles", "unnamed", "operators", "voices"), _WORDS),
    "command": Text(8),
    "pairing": _PAIRING,
    **dict.fromkeys(("secret_file", "token_file", "app_token_file"), _PATH),
    **dict.fromkeys(("api", "smtp"), Text(2000)),
    "mail_server": _WORD,
    "tools": _LAYER,
}
_CHANNEL = Record(_CHANNEL_FIELDS, frozenset(_CHANNEL_FIELDS) - {"kind"})
_AGENT = _open(
    {
        "backend": Word((MODEL, *CLIENTS)),
        "workspace": _PATH,
        "prompt": Text(100_000),
        "credential_file": _PATH,
        "tools": _open({name: _LAYER for name in LAYERS if name not in (*GLOBAL, *PLACES)}),
        "elevated": Flag(),
        "elevated_for": Items(_PERSON, 1000),
    }
)
_BINDING = Record(
    {"agent": _NAME, "channel": _NAME, "account": _WORD, "room": _WORD, "peer": _WORD},
    frozenset({"channel", "account", "room", "peer"}),
)
_TOOLS = _open({**dict.fromkeys(GLOBAL, _LAYER), "elevated": Flag(), "elevated_tools": _WORDS})
FORM = _open(
    {
        "authority": _open({"socket": _PATH}),
        "guard": Record({"workspace": _PATH, "state": _PATH}, frozenset({"state"})),
        "store": _open({"postgres_file": _PATH}),
        "access": _ACCESS,
        "sessions": _SESSIONS,
        "channels": Named(_NAME, _CHANNEL, 64),
        "agents": Named(_NAME, _AGENT, 64),
        "bindings": Items(_BINDING, 1000),
        "tools": _TOOLS,
        "nodes": _open({"extra": _WORDS, "deny": _WORDS}),
        "limits": _open(
            {
                "workers": Whole(1, 1000),
                "burst": Whole(1, 100_000),
                "seconds": Whole(1, 3600),
                "connections": Whole(16, 100_000),
            }
        ),
        "model": _open({"speaks": Word(("anthropic", "openai")), "url": Text(2000), "name": _WORD, "key_file": _PATH}),
    }
)


SETTINGS = "gateway.toml"  # the file, in the folder of the gateway
_MOST, _MOST_SECRET = 1024 * 1024, 16 * 1024


def read_inbound(path: Path) -> Settings:
    """Return the settings in a file; UsageError if they are invalid."""
    try:
        told = tomllib.loads(read_small(path, "the settings", _MOST, UsageError).decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"`{path.name}`: {error}", "docs/gateway.md has an example") from None
    if fault := FORM.fault(told, path.name):
        raise UsageError(fault, "docs/gateway.md has the form of settings")
    return made(told, path.parent)


def made(told: dict[str, Any], folder: Path) -> Settings:
    """Return the settings for values that match the schema. File paths are relative to `folder`."""
    agents = told.get("agents", {}) or {MAIN: {}}
    tools = told.get("tools", {})
    settings = Settings(
        _access(told.get("access", {}), folder),
        told.get("access", {}).get("port", Settings().port),
        _sessions(told.get("sessions", {})),
        {name: _channel(one, folder) for name, one in told.get("channels", {}).items()},
        {name: _agent(one, tools, folder) for name, one in agents.items()},
        tuple(Binding(**one) for one in told.get("bindings", ())),
        Commands(*(frozenset(told.get("nodes", {}).get(name, ())) for name in ("extra", "deny"))),
        _model(told.get("model", {}), folder),
        told.get("authority", {}).get("socket", ""),
        _secret(told.get("store", {}), "postgres_file", folder),
        _guard(told.get("guard", {}), folder),
        Limits(**told.get("limits", {})),
        {key: _layer(one) for key, one in told.get("sessions", {}).get("tools", {}).items()},
    )
    for layer in (*(one.tools for one in settings.channels.values()), *settings.session_tools.values()):
        _known(layer)
    _refer(settings)
    return settings


def _guard(told: dict[str, str], folder: Path) -> GuardSettings:
    """Return the guard's settings. A missing workspace is an error, since no manifest in it would apply."""
    if not told:
        return GuardSettings()
    return GuardSettings(_workspace(told["workspace"], folder, "[guard]"), told.get("state", ""))


def _workspace(name: str, folder: Path, where: str) -> str:
    workspace = (folder / name).resolve()
    if not workspace.is_dir():
        raise UsageError(f"the workspace `{name}` is no folder", f"correct `workspace` under {where}")
    return str(workspace)


def _refer(settings: Settings) -> None:
    """Check references: a setting for something that does not exist is a mistake, and a denial of it would be a hole."""
    for binding in settings.bindings:
        if binding.agent not in settings.agents:
            raise UsageError(
                f"a binding names the agent `{binding.agent}`, which is not there", f"add [agents.{binding.agent}]"
            )
    for name, agent in settings.agents.items():
        speaks = CLIENTS.get(agent.backend, settings.model.speaks)
        if settings.model.url and speaks != settings.model.speaks:
            raise UsageError(
                f"`{agent.backend}` of the agent `{name}` wants a model that speaks `{speaks}`", "correct [model]"
            )
    if NODES in settings.channels:
        raise UsageError(f"a channel cannot be named `{NODES}`: devices are paired under it", "give it another name")
    named = {*settings.sessions.scopes, *settings.sessions.unlinked, *(one.channel for one in settings.bindings)}
    named |= {one.channel for people in settings.sessions.links.classes for one in people}
    if missing := sorted(named - {ANY, *settings.channels}):
        raise UsageError(f"the channel `{missing[0]}` is named and not there", f"add [channels.{missing[0]}]")


def _given(told: dict[str, Any], *fields: str) -> dict[str, Any]:
    """Return those of the fields that are set: the defaults of the others are those of the values."""
    return {name: told[name] for name in fields if name in told}


def _secret(told: dict[str, Any], field: str, folder: Path) -> str:
    """Return the secret in the file that a field names; empty without the field."""
    if field not in told:
        return ""
    return read_small(folder / told[field], "the secret", _MOST_SECRET, UsageError, private=True).decode().strip()


def _access(told: dict[str, Any], folder: Path) -> Access:
    token, password = (_secret(told, name, folder) for name in ("token_file", "password_file"))
    for network in told.get("proxies", ()):
        try:
            ip_network(network, strict=False)
        except ValueError:
            raise UsageError(f"`{network}` is no network", "write 10.0.0.2 or 10.0.0.0/24") from None
    return Access(
        Bind(told.get("bind", Bind.LOOPBACK)),
        told.get("address", ""),
        Auth(told.get("auth", Auth.AUTO)),
        fingerprint(token) if token else b"",
        fingerprint(password) if password else b"",
        len(token),
        len(password),
        *(tuple(told.get(name, ())) for name in ("proxies", "tailnet_users", "names")),
    )


def _identity(text: str) -> Identity:
    return Identity(*text.split(":", 1))


def _sessions(told: dict[str, Any]) -> Sessions:
    pairs = [(_identity(people[0]), _identity(other)) for people in told.get("links", ()) for other in people[1:]]
    return Sessions(
        Scope(told.get("scope", Scope.CHANNEL_PEER)),
        {name: Scope(one) for name, one in told.get("scopes", {}).items()},
        linked(pairs),
        frozenset(told.get("unlinked", ())),
    )


def _channel(told: dict[str, Any], folder: Path) -> ChannelSettings:
    sets = {name: frozenset(told.get(name, ())) for name in ("named", "rooms", "roles", "unnamed", "operators")}
    pairing = told.get("pairing", {})
    often = Limit(pairing["per_hour"], max(1, 3600 // pairing["per_hour"])) if "per_hour" in pairing else OFTEN
    secrets = {name: _secret(told, f"{name}_file", folder) for name in ("secret", "token", "app_token")}
    return ChannelSettings(
        Platform(told["kind"]),
        told.get("account", ANY),
        Gate(Direct(told.get("direct", Direct.PAIRED)), **sets, command=told.get("command", Gate().command)),
        Rules(often=often, **_given(pairing, "lifetime", "most")),
        **secrets,
        **_given(told, "api", "smtp"),
        voices=frozenset(told.get("voices", ())),
        tools=_layer(told.get("tools", {})),
        mail_server=told.get("mail_server", "").lower(),
    )


def _agent(told: dict[str, Any], tools: dict[str, Any], folder: Path) -> Agent:
    layers = {name: _layer(one) for name, one in told.get("tools", {}).items()}
    layers |= {name: _layer(tools.get(name, {})) for name in GLOBAL}
    policy = Policy(
        names().all,
        layers,
        frozenset(map(names().tool, tools.get("elevated_tools", ()))),
        tools.get("elevated", False),
        told.get("elevated", False),
    )
    for layer in layers.values():
        _known(layer)
    return Agent(
        policy,
        credential=_secret(told, "credential_file", folder),
        sender_elevated=frozenset(map(_identity, told.get("elevated_for", ()))),
        workspace=_workspace(told["workspace"], folder, "[agents]") if "workspace" in told else "",
        **_given(told, "prompt", "backend"),
    )


def _known(layer: Layer) -> None:
    """Refuse unknown tools and groups: denying a misspelled tool would deny nothing."""
    tools = names().all
    for entry in (*(layer.allow or ()), *layer.deny):
        if not names().tools((entry,), tools) & tools:
            raise DataError(f"`{entry}` is no tool", f"one of {', '.join(sorted(tools))}, a group, or `*`")


def _layer(told: dict[str, Any]) -> Layer:
    return Layer(tuple(told["allow"]) if "allow" in told else None, tuple(told.get("deny", ())))


def _model(told: dict[str, Any], folder: Path) -> ModelSettings:
    return ModelSettings(**_given(told, "speaks", "url", "name"), key=_secret(told, "key_file", folder))
