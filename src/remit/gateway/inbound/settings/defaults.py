"""Initial settings: closed to all but this machine, its own terminal, and paired people."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, NamedTuple

from remit.gateway.inbound.access.settings import Bind, exposed
from remit.gateway.inbound.settings.values import CLIENTS, MAIN, MODEL
from remit.gateway.inbound.settings.writer import Draft

ENDPOINTS = {"anthropic": "https://api.anthropic.com", "openai": "https://api.openai.com"}
TOKEN = "token"  # noqa: S105  the name of a file
KEY = "model-key"
PROMPT = "You are a helpful assistant. Keep answers short."
_CLOSED = ("group:run", "group:files")  # a model has no capsule; a client runs in one


class Choices(NamedTuple):
    """The operator's choices. Without a model, a script answers."""

    backend: str = MODEL
    speaks: str = "anthropic"
    url: str = ""
    name: str = ""
    key: str = ""
    bind: Bind = Bind.LOOPBACK
    port: int = 0
    operator: str = ""  # visitor name of this machine's terminal, which is admitted and whose commands are obeyed


def starting(choices: Choices) -> Draft:
    """Return the settings for the choices."""
    client = choices.backend in CLIENTS
    own = {"named": [choices.operator], "operators": [choices.operator]} if choices.operator else {}
    access: dict[str, Any] = {"bind": str(choices.bind)}
    files: dict[str, str] = {}
    if choices.port:
        access["port"] = choices.port
    if exposed(choices.bind):
        access["token_file"] = TOKEN
        files[TOKEN] = secrets.token_hex(24)
    value: dict[str, Any] = {
        "access": access,
        "sessions": {"scope": "per-channel-peer"},
        "channels": {"web": {"kind": "web", "direct": "paired"}, "cli": {"kind": "cli", "direct": "paired", **own}},
        "agents": {MAIN: {"backend": choices.backend, "prompt": PROMPT}},
        "tools": {"global": {"deny": [] if client else list(_CLOSED)}},
        "nodes": {"extra": ["system.run"]},
    }
    if choices.url:
        value["model"] = {"speaks": choices.speaks, "url": choices.url, "name": choices.name}
        if choices.key:
            value["model"]["key_file"] = KEY
            files[KEY] = choices.key
    return Draft(value, files)


def model_of(backend: str, speaks: str) -> Mapping[str, str]:
    """Return the API and the default URL of a backend's model."""
    found = CLIENTS.get(backend, speaks)
    return {"speaks": found, "url": ENDPOINTS[found]}
