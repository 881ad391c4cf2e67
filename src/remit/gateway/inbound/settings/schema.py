"""Schema of the settings file. Unknown fields are refused: they would have no effect."""

from __future__ import annotations

from typing import Any

from remit.core.shape import Flag, Items, Named, Record, Text, Whole, Word
from remit.gateway.inbound.access.settings import Auth, Bind
from remit.gateway.inbound.ingress.gate import Direct
from remit.gateway.inbound.routing.sessions import Scope
from remit.gateway.inbound.settings.values import CLIENTS, MODEL, Platform
from remit.gateway.inbound.tools.layers import LAYERS

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
_CHANNEL = Record(
    {
        "kind": Word(tuple(Platform)),
        "account": _WORD,
        "direct": Word(tuple(Direct)),
        "named": _WORDS,
        "rooms": _WORDS,
        "roles": _WORDS,
        "unnamed": _WORDS,
        "operators": _WORDS,
        "command": Text(8),
        "pairing": _PAIRING,
        "secret_file": _PATH,
        "token_file": _PATH,
        "api": Text(2000),
        "voices": _WORDS,
        "tools": _LAYER,
        "app_token_file": _PATH,
        "smtp": Text(2000),
        "mail_server": _WORD,
    },
    frozenset(
        (
            "account direct named rooms roles unnamed operators command pairing secret_file token_file api voices tools"
            " app_token_file smtp mail_server"
        ).split()
    ),
)
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
