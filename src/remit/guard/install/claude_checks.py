"""Checks for the known bypasses of Claude Code hooks; tests/hosts shows each, and its fix, with the real host."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.errors import GuardError
from remit.guard.hosts.toolmap import AUTHORITY_SERVER
from remit.guard.install import doctor as shared
from remit.guard.install.claude_code import (
    EVENTS,
    HOST,
    SERVERS,
    is_through,
    managed_folder,
    missing_tools,
    our_hooks,
    our_server,
    servers_path,
    settings_path,
)
from remit.guard.install.doctor import CheckResult, closed, judge, opened
from remit.guard.install.model import event_of
from remit.guard.install.settings_file import content, parse

if TYPE_CHECKING:
    from remit.guard.install.model import Site, Trap

_INLINE = "disableSkillShellExecution"
_ENTRY = "CLAUDE_CODE_ENTRYPOINT"
_BEFORE = "PreToolUse"
_SESSION = "remit-doctor"
# refusals of the gateway that come after it accepted the credential
_KNOWN_CALLER = frozenset({"SCOPE_INTENT", "SCOPE_SINK", "INTENT_NOT_SERVED"})
_SECONDS = 20.0  # for the gateway to answer
# an intent without effect that asks no server: an answer shows that the gateway accepts the credential
_PROBE = {"intent_id": "MemoryList", "inputs": {}}
_HOST_DEFAULT = 60  # seconds that the host waits by default


class Settings(NamedTuple):
    """One settings file that the host would read."""

    place: str
    path: Path
    value: dict[str, Any]
    problem: str = ""


class ClaudeState(NamedTuple):
    """Everything that the checks inspect."""

    site: Site
    managed: tuple[Settings, ...]
    user: Settings
    project: tuple[Settings, ...]

    @property
    def files(self) -> tuple[Settings, ...]:
        """Return all files."""
        return (*self.managed, self.user, *self.project)

    def managed_value(self, key: str) -> Any:
        """Return a value of the managed settings: a later file overrides an earlier one."""
        return next((file.value[key] for file in reversed(self.managed) if key in file.value), None)

    @property
    def ours_alone(self) -> bool:
        """Whether only managed hooks run, and ours are among them."""
        return self.managed_value("allowManagedHooksOnly") is True and any(
            our_hooks(file.value) for file in self.managed
        )

    @property
    def no_inline_shell(self) -> bool:
        """Whether the strongest settings that say so keep skills from running commands while they are loaded."""
        if (said := self.managed_value(_INLINE)) is not None:
            return said is True
        project = [file.value[_INLINE] for file in self.project if _INLINE in file.value]
        return all(said is True for said in project or [self.user.value.get(_INLINE)])

    @property
    def through(self) -> Settings | None:
        """Return the settings by which every effect must go through the authorities; None if there are none."""
        return next((file for file in (*self.managed, self.user) if is_through(file.value)), None)

    def servers(self) -> Settings:
        """Return the file with our gateway's entry."""
        managed = self.through is not None and self.through.place == "managed"
        return _read("servers", servers_path(self.site, managed=managed))

    def ours(self) -> shared.InstalledHooks:
        """Return our hooks, the managed ones or else the user's, with a call that does nothing."""
        files = self.managed if self.ours_alone else (*self.managed, self.user)
        found = [
            shared.Hook(event, hook["command"], _waits(hook))
            for file in files
            for event, hooks in our_hooks(file.value).items()
            for hook in hooks
        ]
        harmless = {
            "session_id": _SESSION, "transcript_path": "", "cwd": str(self.site.project), "permission_mode": "default",
            "hook_event_name": _BEFORE, "tool_name": "TodoWrite", "tool_input": {"todos": []}, "tool_use_id": _SESSION,
        }  # fmt: skip
        environ = {**os.environ, _ENTRY: _SESSION}
        return shared.InstalledHooks(HOST, self.site, EVENTS, tuple(found), _BEFORE, harmless, environ, _decides)


def _waits(hook: Mapping[str, Any]) -> float | None:
    waits = hook.get("timeout", _HOST_DEFAULT)
    return waits if isinstance(waits, int | float) else None


def _decides(answer: Mapping[str, Any]) -> bool:
    return bool(answer.get("decision")) or "permissionDecision" in (answer.get("hookSpecificOutput") or ())


def traps(site: Site) -> tuple[Trap, ...]:
    """Return the state of every known bypass on this machine."""
    seen = look(site)
    return judge(seen.ours(), CHECKS, seen)


def look(site: Site) -> ClaudeState:
    """Return all settings that the host would read when it is started in the project."""
    folder = managed_folder(site)
    drop_ins = sorted((folder / "managed-settings.d").glob("*.json"))
    managed = [_read("managed", settings_path(site, managed=True)), *(_read("managed", path) for path in drop_ins)]
    project = [_read("project", site.project / ".claude" / name) for name in ("settings.json", "settings.local.json")]
    return ClaudeState(site, tuple(managed), _read("user", settings_path(site, managed=False)), tuple(project))


def _read(place: str, path: Path) -> Settings:
    try:
        return Settings(place, path, parse(content(path), path))
    except GuardError as error:
        return Settings(place, path, {}, error.message)


def _settings(seen: ClaudeState) -> CheckResult:
    problems = [file.problem for file in seen.files if file.problem]
    return opened("; ".join(problems)) if problems else closed("all files of settings can be read")


def _interpreter(seen: ClaudeState) -> CheckResult:
    commands = tuple(dict.fromkeys(hook.command for hook in seen.ours().hooks))
    for path in dict.fromkeys(path for command in commands for path in shared.programs(command, HOST)):
        if not path.is_absolute() or not path.is_file():
            return opened(f"`{path}` is not there, or its path is not absolute")
        with path.open("rb") as file:
            if path.suffix != ".py" and file.read(2) == b"#!":
                return opened(f"`{path}` is a script that starts another program")
    return closed("absolute paths, no shim") if commands else opened("no hook of ours")


def _all_off(seen: ClaudeState) -> CheckResult:
    off = [file.path for file in seen.files if file.value.get("disableAllHooks")]
    if any(file.value.get("disableAllHooks") for file in seen.managed) or (off and not seen.ours_alone):
        return opened(f"`{off[0]}` says so now")
    return closed("managed hooks stay") if seen.ours_alone else opened("no setting says so now")


def _skill_hooks(seen: ClaudeState) -> CheckResult:
    if seen.ours_alone:
        return closed("no hooks run but managed ones")
    return opened("any skill that is loaded can bring some")


def _other_hooks(seen: ClaudeState) -> CheckResult:
    names = [f"`{file.path}`" for file in (*seen.managed, seen.user) for _ in _foreign(file)]
    managed = [f"`{file.path}`" for file in seen.managed for _ in _foreign(file)]
    if seen.ours_alone:
        return opened(f"managed hooks next to Remit's in {managed[0]}") if managed else closed("no hooks run but ours")
    return opened(f"there are some in {names[0]}" if names else "there are none now; a plugin can bring some")


def _project_hooks(seen: ClaudeState) -> CheckResult:
    if seen.ours_alone:
        return closed("no hooks run but managed ones")
    names = [f"`{file.path}`" for file in seen.project if file.value.get("hooks")]
    return opened(f"there are some in {names[0]}" if names else "there are none now")


def _inline_shell(seen: ClaudeState) -> CheckResult:
    if seen.managed_value(_INLINE) is True:
        return closed("managed settings forbid it")
    allowed = [file for file in seen.project if file.value.get(_INLINE) is False]
    if allowed:
        return opened(f"`{allowed[0].path}` allows it now")
    forbidden = seen.user.value.get(_INLINE) is True
    return opened("the user's settings forbid it; a project can allow it" if forbidden else "nothing forbids it")


def _project_env(seen: ClaudeState) -> CheckResult:
    names = [
        f"`{file.path}` sets {', '.join(map(str, file.value['env']))}" for file in seen.project if file.value.get("env")
    ]
    return opened(names[0]) if names else closed("this project sets none")


def _ask(_seen: ClaudeState) -> CheckResult:
    return closed("as of version 2.1.197 the strictest answer counts; where no person can be asked, it is a deny")


def _untrusted(seen: ClaudeState) -> CheckResult:
    return closed("managed hooks stay") if seen.ours_alone else opened("the user's hooks can be left out")


def _authority_tools(seen: ClaudeState) -> CheckResult | None:
    if seen.through is None:
        return None
    missing = missing_tools(seen.through.value)
    if missing:
        return opened(f"`{seen.through.path}` does not deny {', '.join(missing)}")
    return closed(f"`{seen.through.path}` denies every tool with effects, and the hook what it does not name")


def _authority_server(seen: ClaudeState) -> CheckResult | None:
    if seen.through is None:
        return None
    file = seen.servers()
    words = our_server(file.value)
    if words is None:
        return opened(file.problem or f"the gateway is not among the MCP servers of `{file.path}`")
    answer = ask_gateway(words)
    code = answer.get("reason_code")
    if answer.get("status") == "OK" or code in _KNOWN_CALLER:
        return closed("the gateway answers, and takes the credential")
    return opened(f"the gateway says {code}: {answer.get('summary')}")


def _authority_name(seen: ClaudeState) -> CheckResult | None:
    if seen.through is None:
        return None
    if seen.through.place == "managed":
        return closed("the host starts no MCP servers but managed ones")
    own = _read("user", seen.site.home / ".claude.json").value
    local = own.get("projects", {}).get(str(seen.site.project), {}) if isinstance(own.get("projects"), dict) else {}
    shared_file = _read("project", seen.site.project / ".mcp.json")
    for value, where in ((shared_file.value, shared_file.path), (local, "the settings of this project")):
        servers = value.get(SERVERS) if isinstance(value, dict) else None
        if isinstance(servers, dict) and AUTHORITY_SERVER in servers:
            return opened(f"`{where}` has one")
    return closed("this project has none; another project, or `claude --mcp-config`, can bring one")


def _foreign(file: Settings) -> Iterator[object]:
    hooks = file.value.get("hooks")
    for groups in hooks.values() if isinstance(hooks, dict) else ():
        for group in groups if isinstance(groups, list) else ():
            inner = group.get("hooks") if isinstance(group, dict) else None
            for hook in inner if isinstance(inner, list) else ():
                if not isinstance(hook, dict) or event_of(hook.get("command"), HOST) is None:
                    yield hook


def ask_gateway(words: Sequence[str]) -> Mapping[str, Any]:
    """Return the gateway's answer to a request without an effect, through the command that the host starts."""
    requests: tuple[dict[str, Any], ...] = (
        {"id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "remit-doctor", "version": "1"}}},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": "act", "arguments": _PROBE}},
    )  # fmt: skip
    try:
        child = subprocess.Popen(  # noqa: S603  our own program, as it stands in the settings
            list(words), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
    except OSError as error:
        raise GuardError(f"`{words[0]}` does not start: {error.strerror}", "") from None
    timer = threading.Timer(_SECONDS, child.kill)
    timer.start()
    try:
        return _conversation(child, requests)
    except (OSError, ValueError, KeyError, TypeError):
        raise GuardError("the gateway's MCP server gives no answer that can be read", "") from None
    finally:
        timer.cancel()
        child.kill()
        child.communicate()


def _conversation(child: subprocess.Popen[str], requests: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return the answer to the last request."""
    if child.stdin is None or child.stdout is None or child.stderr is None:
        raise OSError
    for request in requests:
        with contextlib.suppress(BrokenPipeError):  # it has ended, and may have printed why
            print(json.dumps({"jsonrpc": "2.0", **request}), file=child.stdin, flush=True)
        while "id" in request:
            line = child.stdout.readline()
            if not line:
                said = child.stderr.read().strip().splitlines()
                raise GuardError(f"the gateway's MCP server ends: {said[0] if said else 'it was late'}", "")
            value = json.loads(line)
            if value.get("id") != request["id"]:
                continue
            if request is requests[-1]:
                found: Mapping[str, Any] = value["result"]["structuredContent"]
                return found
            break
    raise OSError


CHECKS: Mapping[str, Callable[[ClaudeState], CheckResult | None]] = {
    "settings": _settings,
    "interpreter": _interpreter,
    "all-off": _all_off,
    "skill-hooks": _skill_hooks,
    "other-hooks": _other_hooks,
    "project-hooks": _project_hooks,
    "inline-shell": _inline_shell,
    "project-env": _project_env,
    "ask": _ask,
    "untrusted": _untrusted,
    "authority-tools": _authority_tools,
    "authority-server": _authority_server,
    "authority-name": _authority_name,
    "bare": shared.check_outside,
}
