"""Claude Code: the format of its hooks' input and output.

Only the environment of a hook shows whether a person is at the host, so the installed command appends it to the name of
the event: `PreToolUse.cli` is a terminal, `PreToolUse.sdk-cli` is `claude -p`. Events that the host cannot refuse (the
start of a session or of a subagent) are answered with a message. If every effect must go through the authorities, the
command says so before that: `PreToolUse.authority.cli`.

A command inside walls runs as a rewritten one, which no rule of the host names. So the user's own rules about commands
(`"deny": ["Bash(git push:*)"]`) are applied here to the original command.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from remit.guard.event import Event, Kind, Outcome, Reply, Verdict
from remit.guard.hosts.payload import answer, leaves, mapping, named, specific, text

MANAGED = Path("/etc/claude-code")
_RULE = re.compile(r"Bash\((?P<pattern>.+)\)", re.DOTALL)
_BETWEEN = re.compile(r"&&|\|\||\$\(|[;&|\n()`]")  # also inside quotes: then a rule matches too much, not too little
_ASSIGNED = re.compile(r"(?:\w+=\S*\s+)+")
_STRICTEST = ("deny", "ask")


def rule_about(command: str, cwd: str, home: Path, managed: Path = MANAGED) -> tuple[str, str] | None:
    """Return decision and text of the strictest rule against a command: managed, the user's, or of a folder above."""
    parts = [_ASSIGNED.sub("", part.strip(), count=1).strip() for part in _BETWEEN.split(command)]
    rules = [permissions for path in _files(cwd, home, managed) for permissions in _permissions(path)]
    for decision in _STRICTEST:
        for permissions in rules:
            for rule in _texts(permissions.get(decision)):
                found = _RULE.fullmatch(rule)
                if found and any(_speaks_of(found["pattern"], part) for part in (command.strip(), *parts)):
                    return decision, rule
    return None


def _files(cwd: str, home: Path, managed: Path) -> Iterator[Path]:
    yield managed / "managed-settings.json"
    yield from sorted((managed / "managed-settings.d").glob("*.json"))
    yield home / ".claude/settings.json"
    for folder in (Path(cwd), *Path(cwd).parents):
        yield folder / ".claude/settings.json"
        yield folder / ".claude/settings.local.json"


def _permissions(path: Path) -> Iterator[dict[str, Any]]:
    """Return the permissions of a file; none if it is missing, or unreadable for the host too."""
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return
    found = value.get("permissions") if isinstance(value, dict) else None
    if isinstance(found, dict):
        yield found


def _texts(value: object) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _speaks_of(pattern: str, part: str) -> bool:
    if pattern.endswith(":*"):
        return part.startswith(pattern[:-2])
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), part, re.DOTALL) is not None


_KINDS = MappingProxyType({
    "PreToolUse": Kind.BEFORE,
    "PermissionRequest": Kind.BEFORE,
    "ConfigChange": Kind.BEFORE,
    "PostToolUse": Kind.AFTER,
    "PostToolUseFailure": Kind.FAILED,
    "UserPromptSubmit": Kind.PROMPT,
    "UserPromptExpansion": Kind.SKILL,
    "SessionStart": Kind.SESSION,
    "SessionEnd": Kind.END,
    "SubagentStart": Kind.DELEGATE,
    "SubagentStop": Kind.RETURN,
    "Stop": Kind.STOP,
    "InstructionsLoaded": Kind.NOTICE,
    "PostToolBatch": Kind.NOTICE,
    "Notification": Kind.NOTICE,
    "PermissionDenied": Kind.NOTICE,
    "StopFailure": Kind.NOTICE,
    "PostCompact": Kind.NOTICE,
})  # fmt: skip
# Entry points at which a person sees the host's questions. `claude -p`, SDKs, CI and MCP have no person; unknown ones
# count as that.
_ATTENDED = frozenset({"cli", "claude-vscode", "claude-desktop"})
AUTHORITY = "authority"  # a part of the event's name
_NEVER_ASKS = frozenset({"dontAsk"})  # modes in which a question is a refusal
_COMMON = frozenset({
    "session_id", "transcript_path", "cwd", "prompt_id", "permission_mode", "effort", "hook_event_name", "tool_name",
    "tool_input", "tool_response", "tool_use_id", "agent_id",
})  # fmt: skip
# Kinds whose answer may carry text for the model. At Stop it would make the model continue.
_TAKES_NOTES = (Kind.BEFORE, Kind.AFTER, Kind.FAILED, Kind.PROMPT, Kind.SKILL, Kind.SESSION, Kind.DELEGATE)
# Kinds that the host refuses when it is answered with `block`; after a tool, the model is informed.
_INSIDE = "runs inside of Remit's walls"
_BLOCKS = (Kind.AFTER, Kind.PROMPT, Kind.SKILL, Kind.STOP, Kind.RETURN)


class ClaudeCode:
    """The adapter."""

    name = "claude-code"

    def read(self, name: str, payload: Mapping[str, Any]) -> Event:
        """Parse the hook's input. A payload of another event than the command line says is judged as an unknown event."""
        told, _, entry = name.partition(".")
        mark, _, rest = entry.partition(".")
        entry = rest if mark == AUTHORITY else entry
        name = named(told, payload)
        kind = _KINDS.get(name, Kind.BEFORE)
        tool = name if name == "ConfigChange" else text(payload.get("tool_name"))
        response = payload.get("tool_response")
        mode = text(payload.get("permission_mode"))
        return Event(
            self.name,
            kind,
            name,
            text(payload.get("session_id")),
            text(payload.get("cwd")),
            tool=tool if name in _KINDS else "",
            args=_args(kind, payload),
            call=text(payload.get("tool_use_id")),
            agent=text(payload.get("agent_id")),
            mode=mode,
            text=_text(kind, payload),
            skill=text(payload.get("command_name")) if kind is Kind.SKILL else "",
            asks=told == "PreToolUse" and (not entry or entry in _ATTENDED) and mode not in _NEVER_ASKS,
            result=response if kind is Kind.AFTER and isinstance(response, dict) else None,
            authority=mark == AUTHORITY,
        )

    def reply(self, event: Event, verdict: Verdict) -> Reply:
        """Return the hook's output. A question is a refusal where no person can be asked."""
        if verdict.outcome is Outcome.PASS and verdict.changed is not None and event.name == "PreToolUse":
            verdict = _by_the_hosts_rules(event, verdict)
        if verdict.outcome is Outcome.PASS:
            return answer(_passed(event, verdict))
        reason = verdict.reason or "the guard gave no reason"
        if verdict.outcome is Outcome.ASK and event.asks:
            changed = {} if verdict.changed is None else {"updatedInput": dict(verdict.changed)}
            return answer(specific(event, permissionDecision="ask", permissionDecisionReason=reason, **changed))
        if verdict.approval:
            reason = f"{reason} (approval {verdict.approval})"
        if event.name == "PreToolUse":
            return answer(specific(event, permissionDecision="deny", permissionDecisionReason=reason))
        if event.name == "PermissionRequest":
            return answer(specific(event, decision={"behavior": "deny", "message": reason}))
        if event.kind in _BLOCKS:
            return answer({"decision": "block", "reason": reason})
        if event.kind in (Kind.SESSION, Kind.DELEGATE):
            return answer({"systemMessage": reason, **specific(event, additionalContext=reason)})
        return Reply(stderr=f"{reason}\n", exit=2)


def _by_the_hosts_rules(event: Event, verdict: Verdict) -> Verdict:
    """Answer a rewritten call by what the user's own rules in the host say about the original call."""
    rule = rule_about(text(event.args.get("command")), event.cwd, Path.home())
    if rule is None:
        return verdict
    decision, shown = rule
    outcome = Outcome.DENY if decision == "deny" else Outcome.ASK
    return verdict._replace(outcome=outcome, reason=f"your settings say {decision}: `{shown}`")


def _passed(event: Event, verdict: Verdict) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    if verdict.note and event.kind in _TAKES_NOTES:
        fields["additionalContext"] = verdict.note
    if verdict.changed is not None and event.name == "PreToolUse":
        # The host's rules would judge the rewritten command, which no rule names, and would ask about each one.
        if event.mode != "plan":  # plan mode: the user wants nothing done yet
            fields |= {"permissionDecision": "allow", "permissionDecisionReason": _INSIDE}
        fields["updatedInput"] = dict(verdict.changed)
    if verdict.changed is not None and event.kind is Kind.AFTER:
        fields["updatedToolOutput"] = dict(verdict.changed)  # in the form of the result that it replaces
    shown = {"systemMessage": verdict.reason} if verdict.reason else {}
    return {**shown, **specific(event, **fields)} if fields else shown


def _args(kind: Kind, payload: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the arguments of a call; for other events, the fields that only they have."""
    if "tool_input" in payload or (kind in (Kind.BEFORE, Kind.AFTER, Kind.FAILED) and "tool_name" in payload):
        return mapping(payload.get("tool_input"))
    return {name: value for name, value in payload.items() if name not in _COMMON}


def _text(kind: Kind, payload: Mapping[str, Any]) -> str:
    match kind:
        case Kind.PROMPT | Kind.SKILL:
            return text(payload.get("prompt"))
        case Kind.AFTER:
            return "\n".join(leaves(payload.get("tool_response")))
        case Kind.FAILED:
            return text(payload.get("error"))
        case Kind.STOP | Kind.RETURN:
            return text(payload.get("last_assistant_message"))
        case _:
            return ""
