"""The effects of an executor: a JSON file. An effect that is not configured cannot happen.

{"v": 1, "smtp": {"host": "mail.example.org", "port": 587, "from": "agent@example.org", "tls": "starttls"},
 "files": {"workspace": "workspace", "read": ["workspace"], "write": ["workspace"]}}
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.authority.intents import intents
from remit.core.errors import UsageError
from remit.core.shape import Items, Record, Text, Whole, Word
from remit.executor.effects.adapter import Effect, EffectDone
from remit.executor.effects.files import FileEffect, Folders
from remit.executor.effects.message import FinalOutput, Mail
from remit.executor.effects.process import Process
from remit.executor.effects.skills import LEVELS, Install
from remit.executor.effects.web import Fetch, Post, Web

if TYPE_CHECKING:
    from remit.executor.accepted_request import Accepted


# Effects that lie with the gateway: a value is shown, a text remembered, a message put into another agent's box.
#
# The executor accepts such an action, marks it and records it, as any other. That is what the gateway waits for before it does its part.
_WITH_THE_GATEWAY = ("show", "memory", "agent")


class Acknowledged(NamedTuple):
    """An effect that the gateway performs: the executor only accepts and records it."""

    def happen(self, accepted: Accepted) -> EffectDone:
        """Acknowledge the action."""
        return EffectDone(f"accepted: `{accepted.request.intent}` lies with the gateway")


def with_the_gateway() -> dict[str, Effect]:
    """Return the intents that the gateway performs."""
    return {name: Acknowledged() for name, one in intents().items() if one.effect in _WITH_THE_GATEWAY}


_SMTP = Record(
    {
        "host": Text(253),
        "port": Whole(1, 65535),
        "from": Text(320, r"[^\s@]+@[^\s@]+"),
        "tls": Word(("tls", "starttls", "none")),
        "user": Text(320),
        "password-file": Text(4096),
    },
    frozenset({"user", "password-file"}),
)
_FOLDERS = Items(Text(4096), 64)
_FILES = Record(
    {"workspace": Text(4096), "read": _FOLDERS, "write": _FOLDERS, "most-bytes": Whole(1, 16 << 20)},
    frozenset({"read", "write", "most-bytes"}),
)
_PROCESS = Record(
    {"manifest": Text(4096), "workspace": Text(4096), "seconds": Whole(1, 3600), "most-bytes": Whole(1, 1 << 20)},
    frozenset({"seconds", "most-bytes"}),
)
_SKILLS = Record(
    {"offered": Text(4096), "place": Text(4096), "trust-root": Text(4096), "level": Word(LEVELS[1:])},
    frozenset({"level"}),
)
_PLACES = Items(Text(300, r"[^\s/]+:[0-9]{1,5}"), 100)
_WEB = Record({"near": _PLACES, "plain": _PLACES}, frozenset({"near", "plain"}))
_PARTS = {"smtp": _SMTP, "web": _WEB, "files": _FILES, "process": _PROCESS, "skills": _SKILLS}
FORM = Record({"v": Whole(1, 1), **_PARTS}, frozenset(_PARTS))
_FILE_INTENTS = {
    "ReadFile": "read",
    "WriteWorkspaceFile": "write",
    "AppendWorkspaceFile": "append",
    "DeleteWorkspaceFile": "delete",
}
_MOST_FILE, _MOST_OUTPUT, _SECONDS = 256 * 1024, 64 * 1024, 60
_HELPERS = "capsule"  # where what closes a capsule is compiled to, in the state of the executor
_HERE = frozenset({"localhost", "127.0.0.1", "::1"})


class OwnPaths(NamedTuple):
    """The executor's own paths: the folder of settings and keys, the state folder, and others to hide from every effect."""

    folder: Path
    state: Path
    apart: tuple[Path, ...] = ()

    def kept_apart(self) -> tuple[str, ...]:
        """Return the paths that are hidden from every command, whatever is granted around them."""
        inner = (self.folder / name for name in ("keys", "state", "policy", "run", "log", "tls"))
        return tuple(map(str, (*inner, self.state, *self.apart)))

    def real(self, text: str) -> str:
        """Return the real path of a folder; UsageError if there is none, or if it contains keys or state of the
        executor.
        """
        found = os.path.realpath(self.folder / text)
        if not (self.folder / text).is_dir():
            raise UsageError(f"`{text}` in effects.json is not a folder", "make it, or name another one")
        for own in (self.folder, self.state):
            if os.path.commonpath((found, os.path.realpath(own))) == found:
                message = f"`{text}` in effects.json holds the executor's own keys and state"
                raise UsageError(message, "grant a narrower folder")
        return found


def read_effects(path: Path, state: Path, apart: tuple[Path, ...] = ()) -> Mapping[str, Effect]:
    """Read the effects by intent; UsageError says what is wrong. `state`: the state folder; `apart`: paths to hide from
    all effects.
    """
    own = OwnPaths(path.parent, state, apart)
    try:
        told: Any = json.loads(path.read_bytes()[:65536])
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"`{path}` cannot be read: {type(error).__name__}", "docs/authority.md has its form") from None
    if fault := FORM.fault(told, path.name):
        raise UsageError(fault, "docs/authority.md has its form")
    effects: dict[str, Effect] = {"FinalizeOutput": FinalOutput(), **with_the_gateway()}
    if "smtp" in told:
        effects["SendMessage"] = _mail(told["smtp"], own.folder)
    if "web" in told:
        web = Web(*(frozenset(told["web"].get(name, ())) for name in Web._fields))
        effects |= {"FetchResource": Fetch(web), "PostWebhook": Post(web), "UseCredential": Post(web), "Pay": Post(web)}
    if "files" in told:
        folders = _folders(told["files"], own)
        effects |= {name: FileEffect(act, folders) for name, act in _FILE_INTENTS.items()}
    if "process" in told:
        effects["RunProcess"] = _process(told["process"], own)
    if "skills" in told:
        effects["CommitSkillInstall"] = _install(told["skills"], own)
    return effects


def _install(told: dict[str, Any], own: OwnPaths) -> Install:
    offered, place = (Path(own.real(told[name])) for name in ("offered", "place"))
    level = told.get("level", LEVELS[1])
    return Install(offered, place, own.folder / told["trust-root"], own.state / "admission", level)


def _folders(told: dict[str, Any], own: OwnPaths) -> Folders:
    readable, writable = (tuple(own.real(text) for text in told.get(name, ())) for name in ("read", "write"))
    most = told.get("most-bytes", _MOST_FILE)
    return Folders(own.real(told["workspace"]), readable, writable, most, own.state / _HELPERS, own.kept_apart())


def _process(told: dict[str, Any], own: OwnPaths) -> Process:
    manifest = own.folder / told["manifest"]
    if not manifest.is_file():
        raise UsageError(
            f"`{told['manifest']}` in effects.json is not a file", "write a manifest for what commands may do"
        )
    workspace, most = own.real(told["workspace"]), told.get("most-bytes", _MOST_OUTPUT)
    return Process(manifest, workspace, told.get("seconds", _SECONDS), most, own.state / _HELPERS, own.kept_apart())


def _mail(told: dict[str, Any], folder: Path) -> Mail:
    if told["tls"] == "none" and told["host"] not in _HERE:
        raise UsageError("mail without TLS goes to this machine only", "set `tls` to `starttls` or `tls`")
    password = folder / told["password-file"] if "password-file" in told else None
    return Mail(told["host"], told["port"], told["from"], told["tls"], told.get("user", ""), password)
