"""Which effects an executor has: a JSON file of a closed form. What is not set up does not happen.

{"v": 1, "smtp": {"host": "mail.example.org", "port": 587, "from": "agent@example.org", "tls": "starttls"}}
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from remit.core.errors import UsageError
from remit.core.shape import Items, Record, Text, Whole, Word
from remit.executor.effects.acknowledged import with_the_gateway
from remit.executor.effects.message import FinalOutput, Mail
from remit.executor.effects.web import Fetch, Post, Web

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

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
_PLACES = Items(Text(300, r"[^\s/]+:[0-9]{1,5}"), 100)
_WEB = Record({"near": _PLACES, "plain": _PLACES}, frozenset({"near", "plain"}))
_FORM = Record({"v": Whole(1, 1), "smtp": _SMTP, "web": _WEB}, frozenset({"smtp", "web"}))
_HERE = frozenset({"localhost", "127.0.0.1", "::1"})


def read_effects(path: Path) -> Mapping[str, Effect]:
    """The effects by intent; UsageError with what is wrong."""
    try:
        told: Any = json.loads(path.read_bytes()[:65536])
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(
            f"`{path}` can not be read: {type(error).__name__}", "docs/authority.md has its form"
        ) from None
    if fault := _FORM.fault(told, path.name):
        raise UsageError(fault, "docs/authority.md has its form")
    effects: dict[str, Effect] = {"FinalizeOutput": FinalOutput(), **with_the_gateway()}
    if "smtp" in told:
        effects["SendMessage"] = _mail(told["smtp"], path.parent)
    if "web" in told:
        web = Web(*(frozenset(told["web"].get(name, ())) for name in Web._fields))
        effects |= {"FetchResource": Fetch(web), "PostWebhook": Post(web), "UseCredential": Post(web)}
    return effects


def _mail(told: dict[str, Any], folder: Path) -> Mail:
    if told["tls"] == "none" and told["host"] not in _HERE:
        raise UsageError("mail without TLS goes to this machine only", "set `tls` to `starttls` or `tls`")
    password = folder / told["password-file"] if "password-file" in told else None
    return Mail(told["host"], told["port"], told["from"], told["tls"], told.get("user", ""), password)
