"""Writing of settings: the TOML file and its secret files. Existing files are never replaced.

Initial settings are closed to all but this machine, its own terminal, and paired people.
"""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.errors import UsageError
from remit.gateway.inbound.access import Bind, exposed
from remit.gateway.inbound.settings.loader import FORM, made, read_inbound
from remit.gateway.inbound.settings.values import CLIENTS, MAIN, MODEL
from remit.gateway.private_files import make_private

if TYPE_CHECKING:
    from pathlib import Path

    from remit.gateway.inbound.settings.values import Settings


_BARE = re.compile(r"[A-Za-z0-9_-]+")
_HEAD = "# The settings of the inbound gateway. What is not here is closed. docs/gateway.md explains every field.\n"


class Draft(NamedTuple):
    """Settings before they are written: a value that matches the schema, and secrets by file name."""

    value: Mapping[str, Any]
    secrets: Mapping[str, str] = {}

    @property
    def text(self) -> str:
        """The content of the TOML file."""
        return _HEAD + "\n".join(_lines(self.value, ()))


def write_settings(draft: Draft, path: Path) -> Settings:
    """Write the files and read them back; UsageError if a file exists or the value does not match the schema."""
    if fault := FORM.fault(dict(draft.value), path.name):
        raise UsageError(fault, "docs/gateway.md has the form of settings")
    make_private(path.parent)
    files = {path.parent / name: text + "\n" for name, text in draft.secrets.items()} | {path: draft.text}
    if there := [str(one) for one in files if one.exists()]:
        raise UsageError(f"`{there[0]}` is there already", "name another place with --settings, or move it away")
    written: list[Path] = []
    try:
        for one, text in files.items():
            handle = os.open(one, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            written.append(one)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
        return read_inbound(path)
    except BaseException:
        for one in written:
            with suppress(OSError):
                one.unlink()
        raise


def settings_of(draft: Draft, folder: Path) -> Settings:
    """Return the settings of a draft without its secrets; nothing is read or written."""
    return made(_without_files(dict(draft.value)), folder)


def _without_files(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_files(one) for name, one in value.items() if not name.endswith("_file")}
    return [_without_files(one) for one in value] if isinstance(value, list) else value


def _lines(table: Mapping[str, Any], at: tuple[str, ...]) -> Iterator[str]:
    """Yield a table as TOML: first its own values, then tables, then arrays of tables."""
    plain = {name: one for name, one in table.items() if not isinstance(one, dict) and not _tables(one)}
    if at and (plain or not table):
        yield f"\n[{'.'.join(map(_key, at))}]"
    for name, one in plain.items():
        yield f"{_key(name)} = {_value(one)}"
    for name, one in table.items():
        if isinstance(one, dict):
            yield from _lines(one, (*at, name))
        elif _tables(one):
            for row in one:
                yield f"\n[[{'.'.join(map(_key, (*at, name)))}]]"
                yield from (f"{_key(field)} = {_value(text)}" for field, text in row.items())
    if not at:
        yield ""


def _tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _value(name)


def _value(value: Any) -> str:
    """Return a value as JSON, which is TOML too, apart from one control character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


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
