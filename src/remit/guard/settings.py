"""The user's settings for the guard on this machine: `settings.json` in its state folder. What is not set has its
default.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from remit.core.errors import GuardError
from remit.guard.rules.model import Action
from remit.guard.session.loading_policy import Unlisted

if TYPE_CHECKING:
    from pathlib import Path

FILE = "settings.json"


class Settings(NamedTuple):
    """All settings."""

    unlisted: Unlisted | None = None  # skills that no lock lists; None: asked about if there is a lock, else loaded
    rules: Mapping[str, Action] = MappingProxyType({})  # actions of single rules, by identifier (`remit guard rules`)
    walls: bool = True  # commands on behalf of a skill run inside walls, if the machine and the host support it


def read_settings(state: Path) -> Settings:
    """Read the settings of a state folder. An invalid file is refused, because it may have been meant to be strict."""
    path = state / FILE
    try:
        value = json.loads(path.read_bytes())
    except FileNotFoundError:
        return Settings()
    except (OSError, ValueError) as error:
        raise GuardError(f"`{path}` cannot be read: {error}", "correct it, or remove it") from None
    if not isinstance(value, dict) or not set(value) <= set(Settings._fields):
        raise GuardError(f"`{path}` holds something that is not a setting", _KNOWN)
    word = value.get("unlisted")
    if word is not None and word not in list(Unlisted):
        raise GuardError(f"`{path}`: `unlisted` is `{word}`", _KNOWN)
    walls = value.get("walls", True)
    if not isinstance(walls, bool):
        raise GuardError(f"`{path}`: `walls` is `{walls}`", _KNOWN)
    return Settings(None if word is None else Unlisted(word), _switches(path, value.get("rules", {})), walls)


def _switches(path: Path, value: object) -> Mapping[str, Action]:
    from remit.guard.rules.registry import RULES  # noqa: PLC0415  (few have such a setting)

    known = {rule.ident for rule in RULES if not rule.fixed}
    if not isinstance(value, dict) or not set(value) <= known or not set(value.values()) <= set(Action):
        raise GuardError(
            f"`{path}`: `rules` names a rule or an action that cannot be set", "`remit guard rules` lists them"
        )
    return MappingProxyType({name: Action(word) for name, word in value.items()})


_KNOWN = f"it holds `unlisted` ({', '.join(map(str, Unlisted))}), `rules`, and `walls` (true, false)"
