"""Codex CLI: hooks.json of the user, which Codex runs only if the user trusts it, or of the machine, which needs no
trust; config.toml, which records trust, is only read.

tests/hosts/test_codex_facts_nightly.py demonstrates each known bypass with the real host.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from remit.core.counting import counted
from remit.core.errors import GuardError
from remit.guard.hosts.registry import Codex
from remit.guard.install import doctor as shared
from remit.guard.install.doctor import CheckResult, closed, judge, opened
from remit.guard.install.hook_file import HookFile, asks_at, placed
from remit.guard.install.settings_file import content, parse, real

if TYPE_CHECKING:
    from remit.guard.install.model import Site, Trap

_MANAGED = Path("/etc/codex")
_SESSION = "remit-doctor"
_WITHOUT_MATCHER = frozenset({"UserPromptSubmit", "Stop"})
_KNOWN_FIELDS = frozenset({"type", "command", "timeout", "async", "statusMessage"})


class CodexInstaller(HookFile):
    """Edits hooks.json."""

    name = Codex.name
    events = tuple(Codex.kinds)
    places = ("managed", "user")
    shorter: ClassVar = {"SessionEnd": 3}

    def path(self, site: Site, *, managed: bool) -> Path:
        """Return the file that is edited."""
        return real((site.managed or _MANAGED) / "hooks.json" if managed else site.home / ".codex" / "hooks.json")

    def doctor(self, site: Site) -> tuple[Trap, ...]:
        """Check every known bypass."""
        managed, user = (self.our_hooks(self.path(site, managed=managed)) for managed in (True, False))
        harmless: dict[str, Any] = {
            "session_id": _SESSION, "transcript_path": None, "cwd": str(site.project), "permission_mode": "default", "model": "",
            "turn_id": _SESSION, "hook_event_name": Codex.before, "tool_name": "update_plan", "tool_input": {},
            "tool_use_id": _SESSION,
        }  # fmt: skip
        whole = {hook.event for hook in managed} >= set(self.events)
        hooks = managed if whole else user
        ours = shared.InstalledHooks(self.name, site, self.events, hooks, Codex.before, harmless)
        return judge(ours, _CHECKS, CodexState(site, whole))


CODEX = CodexInstaller()


def config_path(site: Site) -> Path:
    """Return the user's settings file, which records trust."""
    return real(site.home / ".codex" / "config.toml")


class Trust(StrEnum):
    """How Codex treats a hook."""

    TRUSTED = "trusted"
    UNTRUSTED = "it is not trusted yet"
    CHANGED = "it was changed since it was trusted"
    DISABLED = "it is turned off"
    UNKNOWN = "its form is one that we do not know"


def trust(
    config: Mapping[str, Any], path: Path, event: str, group: int, place: int, matcher: Any, hook: Mapping[str, Any]
) -> Trust:
    """Whether Codex runs a hook of the user's hooks.json at `path`."""
    found = hash_of(event, matcher, hook)
    state = _state(config, key_of(path, event, group, place))
    if found is None:
        return Trust.UNKNOWN
    if state.get("enabled") is False:
        return Trust.DISABLED
    if "trusted_hash" not in state:
        return Trust.UNTRUSTED
    return Trust.TRUSTED if state["trusted_hash"] == found else Trust.CHANGED


def hash_of(event: str, matcher: Any, hook: Mapping[str, Any]) -> str | None:
    """Return the hash that Codex computes of a hook; None if the hook has a field whose part in it is unknown."""
    if not set(hook) <= _KNOWN_FIELDS or not isinstance(hook.get("timeout"), int):
        return None
    identity: dict[str, Any] = {"event_name": _label(event), "hooks": [{"async": False, **hook}]}
    if matcher is not None and event not in _WITHOUT_MATCHER:
        identity["matcher"] = matcher
    text = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def key_of(path: Path, event: str, group: int, place: int) -> str:
    """Return the name under which trust in a hook is recorded."""
    return f"{path}:{_label(event)}:{group}:{place}"


def _label(event: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", event).lower()


def _state(config: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value: Any = config
    for name in ("hooks", "state", key):
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


class CodexState(NamedTuple):
    """Everything that the checks inspect."""

    site: Site
    managed: bool  # whether the machine's hooks are ours, whatever the user trusts


def _settings(seen: CodexState) -> CheckResult:
    for managed in (True, False):
        path = CODEX.path(seen.site, managed=managed)
        parse(content(path), path)
    _config(seen.site)
    return closed("hooks.json and config.toml can be read")


def _trust(seen: CodexState) -> CheckResult:
    if seen.managed:
        return closed("the hooks of the machine need no trust")
    path, config = CODEX.path(seen.site, managed=False), _config(seen.site)
    found = [
        (event, trust(config, path, event, group, place, matcher, hook))
        for event, group, place, matcher, hook in placed(parse(content(path), path).get("hooks"))
        if asks_at(hook, CODEX.name)
    ]
    bad = next(((event, state) for event, state in found if state is not Trust.TRUSTED), None)
    if not found or bad:
        return opened(f"the hook at {bad[0]}: {bad[1]}" if bad else "the guard is not installed")
    return closed(
        f"{counted(len(found), 'hook is', 'hooks are')} trusted as {'it is' if len(found) == 1 else 'they are'}"
    )


def _feature(seen: CodexState) -> CheckResult:
    features = _config(seen.site).get("features")
    off = isinstance(features, dict) and any(features.get(name) is False for name in ("hooks", "codex_hooks"))
    return opened("config.toml turns them off") if off else closed("config.toml does not turn them off")


def _other_hooks(seen: CodexState) -> CheckResult:
    for path in (CODEX.path(seen.site, managed=True), CODEX.path(seen.site, managed=False), _project(seen.site)):
        if CODEX.other_hooks(parse(content(path), path), "PreToolUse"):
            return opened(f"there are some in `{path}`")
    hooks = _config(seen.site).get("hooks")
    if isinstance(hooks, dict) and hooks.get("PreToolUse"):
        return opened(f"there are some in `{config_path(seen.site)}`")
    return closed("there are none in hooks.json and config.toml")


def _web_search(seen: CodexState) -> CheckResult:
    off = _config(seen.site).get("web_search") == "disabled"
    return closed("config.toml turns it off") if off else opened("config.toml does not turn it off")


def _home(_seen: CodexState) -> CheckResult:
    named = os.environ.get("CODEX_HOME")
    return opened(f"CODEX_HOME is `{named}` now") if named else closed("CODEX_HOME is not set here")


def _config(site: Site) -> dict[str, Any]:
    import tomllib  # noqa: PLC0415  installing needs none of it

    path = config_path(site)
    try:
        return tomllib.loads((content(path) or b"").decode())
    except ValueError as error:
        raise GuardError(f"`{path}` is not TOML: {error}", "correct the file, then try again") from None


def _project(site: Site) -> Path:
    return site.project / ".codex" / "hooks.json"


_CHECKS: Mapping[str, Callable[[CodexState], CheckResult]] = {
    "settings": _settings,
    "trust": _trust,
    "feature": _feature,
    "other-hooks": _other_hooks,
    "web-search": _web_search,
    "home": _home,
    "write-stdin": shared.check_outside,
}
