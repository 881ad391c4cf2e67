"""Which effects an executor has: a JSON file of a closed form. What is not set up does not happen.

{"v": 1, "smtp": {"host": "mail.example.org", "port": 587, "from": "agent@example.org", "tls": "starttls"},
 "files": {"workspace": "workspace", "read": ["workspace"], "write": ["workspace"]}}
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from remit.core.errors import UsageError
from remit.core.shape import Items, Record, Text, Whole, Word
from remit.executor.effects.acknowledged import with_the_gateway
from remit.executor.effects.files import FileEffect, Folders
from remit.executor.effects.message import FinalOutput, Mail
from remit.executor.effects.process import Process
from remit.executor.effects.skills import LEVELS, Install
from remit.executor.effects.web import Fetch, Post, Web

if TYPE_CHECKING:
    from collections.abc import Mapping

    from remit.executor.effects.form import Effect

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
    {
        "manifest": Text(4096),
        "workspace": Text(4096),
        "seconds": Whole(1, 3600),
        "most-bytes": Whole(1, 1 << 20),
    },
    frozenset({"seconds", "most-bytes"}),
)
_SKILLS = Record(
    {
        "offered": Text(4096),
        "place": Text(4096),
        "trust-root": Text(4096),
        "level": Word(LEVELS[1:]),
    },
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
_HELPERS = "capsule"  # where what closes a capsule is compiled to
_HERE = frozenset({"localhost", "127.0.0.1", "::1"})


def read_effects(path: Path) -> Mapping[str, Effect]:
    """The effects by intent; UsageError with what is wrong."""
    try:
        told: Any = json.loads(path.read_bytes()[:65536])
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(
            f"`{path}` can not be read: {type(error).__name__}", "docs/authority.md has its form"
        ) from None
    if fault := FORM.fault(told, path.name):
        raise UsageError(fault, "docs/authority.md has its form")
    effects: dict[str, Effect] = {"FinalizeOutput": FinalOutput(), **with_the_gateway()}
    if "smtp" in told:
        effects["SendMessage"] = _mail(told["smtp"], path.parent)
    if "web" in told:
        web = Web(*(frozenset(told["web"].get(name, ())) for name in Web._fields))
        effects |= {"FetchResource": Fetch(web), "PostWebhook": Post(web), "UseCredential": Post(web)}
    if "files" in told:
        folders = _folders(told["files"], path.parent)
        effects |= {name: FileEffect(act, folders) for name, act in _FILE_INTENTS.items()}
    if "process" in told:
        effects["RunProcess"] = _process(told["process"], path.parent)
    if "skills" in told:
        effects["CommitSkillInstall"] = _install(told["skills"], path.parent)
    return effects


def _install(told: dict[str, Any], folder: Path) -> Install:
    offered, place = (Path(_real(folder, told[name])) for name in ("offered", "place"))
    level = told.get("level", LEVELS[1])
    return Install(offered, place, folder / told["trust-root"], folder / "state" / "admission", level)


def _folders(told: dict[str, Any], folder: Path) -> Folders:
    readable, writable = (tuple(_real(folder, text) for text in told.get(name, ())) for name in ("read", "write"))
    most = told.get("most-bytes", _MOST_FILE)
    return Folders(_real(folder, told["workspace"]), readable, writable, most, folder / _HELPERS, _apart(folder))


def _process(told: dict[str, Any], folder: Path) -> Process:
    manifest = folder / told["manifest"]
    if not manifest.is_file():
        raise UsageError(
            f"`{told['manifest']}` in effects.json is not a file", "write a manifest for what commands may do"
        )
    workspace, most = _real(folder, told["workspace"]), told.get("most-bytes", _MOST_OUTPUT)
    return Process(manifest, workspace, told.get("seconds", _SECONDS), most, folder / _HELPERS, _apart(folder))


def _real(folder: Path, text: str) -> str:
    """A folder by its real name; UsageError if there is none, or if keys of this installation would lie in it."""
    found = os.path.realpath(folder / text)
    if not (folder / text).is_dir():
        raise UsageError(f"`{text}` in effects.json is not a folder", "make it, or name another one")
    if os.path.commonpath((found, os.path.realpath(folder))) == found:
        raise UsageError(f"`{text}` in effects.json holds the executor's own keys and state", "grant a narrower folder")
    return found


def _apart(folder: Path) -> tuple[str, ...]:
    """What no command sees, whatever is granted around it."""
    return tuple(str(folder / name) for name in ("keys", "state", "policy", "run", "log", _HELPERS))


def _mail(told: dict[str, Any], folder: Path) -> Mail:
    if told["tls"] == "none" and told["host"] not in _HERE:
        raise UsageError("mail without TLS goes to this machine only", "set `tls` to `starttls` or `tls`")
    password = folder / told["password-file"] if "password-file" in told else None
    return Mail(told["host"], told["port"], told["from"], told["tls"], told.get("user", ""), password)
