"""The hosts that the guard supports, in an explicit list, with the adapters of all but Claude Code.

A host needs an entry here, a table of its tools and an installer. Hosts differ in how strictly they read an answer:

- Codex takes an answer that it considers invalid for a failed hook, and the tool runs: this includes `ask`, a refusal
  without a reason, exit 2 with empty stderr, and an unknown field. So we answer with little, and never with `ask`.
- Gemini never gets `ask`: without a person at the terminal the session hangs.
- Copilot takes output that is not JSON for no answer, and the tool runs; exit 2 blocks. Only events before a tool can be
  refused. The payload does not name its event; the command line of the hook does.
- opencode and OpenClaw load our plugin, which sends both arguments of their hooks; a refusal makes it throw or block.
- Remit's own programs (the proxy of `remit guard mcp`, the inbound gateway) send the fields of an event and read those of
  a verdict, because both ends are ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from remit.guard.event import Event, Host, Kind, Outcome, Reply, Verdict
from remit.guard.hosts.claude_code import ClaudeCode
from remit.guard.hosts.payload import (
    answer,
    arguments,
    below,
    first,
    leaves,
    named,
    reason_of,
    specific,
    with_files,
    without_files,
)


class _Adapter:
    """What adapters share: the names of the host and its events, and the arguments that the guard has to look into."""

    name: str
    before: ClassVar[str]  # the event before a tool
    kinds: ClassVar[Mapping[str, Kind]]
    folder: ClassVar[tuple[str, str]] = ("", "")  # a tool, and its argument that names a folder of its own
    patch: ClassVar[str] = ""  # the argument of `apply_patch` with the patch
    notes: ClassVar[tuple[str, ...]] = ()  # events whose answer may carry text for the model

    def kind(self, name: str) -> Kind:
        """Return the kind of an event; an unknown one is judged, not skipped."""
        return self.kinds.get(name, Kind.BEFORE)

    def event(
        self, name: str, kind: Kind, session: str, cwd: str, tool: str, args: Mapping[str, Any], **more: Any
    ) -> Event:
        """Return an event in the folder of its call, and a patch with the files that it touches."""
        if tool and tool == self.folder[0]:
            cwd = below(cwd, args.get(self.folder[1]))
        if self.patch and tool == "apply_patch":
            args = with_files(args, self.patch)
        return Event(self.name, kind, name, session, cwd, tool=tool, args=args, **more)

    def passed(self, event: Event, verdict: Verdict, fields: dict[str, Any]) -> Reply:
        """Return the answer that lets a call through, with a note for the model where the host takes one."""
        if verdict.note and event.name in self.notes:
            fields["additionalContext"] = verdict.note
        return answer(specific(event, **fields) if fields else {})


class Codex(_Adapter):
    """Codex CLI: events and answers similar to those of Claude Code. A call with a folder of its own reports it as `cwd`."""

    name = "codex"
    before = "PreToolUse"
    patch = "command"
    kinds: ClassVar = {
        "PreToolUse": Kind.BEFORE,
        "PostToolUse": Kind.AFTER,
        "SessionStart": Kind.SESSION,
        "UserPromptSubmit": Kind.PROMPT,
        "SubagentStart": Kind.DELEGATE,
        "SubagentStop": Kind.RETURN,
        "Stop": Kind.STOP,
        "SessionEnd": Kind.END,
    }
    _BLOCKS = (Kind.AFTER, Kind.PROMPT, Kind.RETURN, Kind.STOP)  # {"decision": "block", "reason"}
    notes = ("PreToolUse", "PostToolUse", "SessionStart", "UserPromptSubmit", "SubagentStart")

    def read(self, name: str, payload: Mapping[str, Any]) -> Event:
        """Parse the hook's input."""
        name = named(name, payload)
        return self.event(
            name,
            self.kind(name),
            first(payload, "session_id"),
            first(payload, "cwd"),
            first(payload, "tool_name"),
            arguments(payload.get("tool_input")),
            call=first(payload, "tool_use_id"),
            agent=first(payload, "agent_id"),
            mode=first(payload, "permission_mode"),
            text=first(payload, "prompt", "last_assistant_message") or "\n".join(leaves(payload.get("tool_response"))),
        )

    def reply(self, event: Event, verdict: Verdict) -> Reply:
        """Return the hook's output."""
        if verdict.outcome is Outcome.PASS:
            fields: dict[str, Any] = {}
            if verdict.changed is not None and event.name == self.before:
                # new arguments are accepted only with `allow`; the host's own rules still judge them afterwards
                fields |= {"permissionDecision": "allow", "updatedInput": without_files(verdict.changed)}
            return self.passed(event, verdict, fields)
        reason = reason_of(verdict)
        if event.name == self.before:
            return answer(specific(event, permissionDecision="deny", permissionDecisionReason=reason))
        if event.kind in self._BLOCKS:
            return answer({"decision": "block", "reason": reason})
        if event.kind in {Kind.SESSION, Kind.DELEGATE}:
            return answer({"continue": False, "stopReason": reason})
        return Reply(stderr=reason, exit=2)


class Gemini(_Adapter):
    """Gemini CLI. Calls have no names here; the payload has the session's folder, even for a command with its own."""

    name = "gemini"
    before = "BeforeTool"
    folder = ("run_shell_command", "dir_path")
    kinds: ClassVar = {
        "BeforeTool": Kind.BEFORE,
        "AfterTool": Kind.AFTER,
        "SessionStart": Kind.SESSION,
        "BeforeAgent": Kind.PROMPT,
        "AfterAgent": Kind.STOP,
        "SessionEnd": Kind.END,
    }
    notes = ("AfterTool", "SessionStart", "BeforeAgent")

    def read(self, name: str, payload: Mapping[str, Any]) -> Event:
        """Parse the hook's input."""
        name = named(name, payload)
        kind = self.kind(name)
        said = "prompt_response" if kind is Kind.STOP else "prompt"  # the end of a turn repeats the prompt
        return self.event(
            name,
            kind,
            first(payload, "session_id"),
            first(payload, "cwd"),
            first(payload, "tool_name"),
            arguments(payload.get("tool_input")),
            text=first(payload, said) or "\n".join(leaves(payload.get("tool_response"))),
        )

    def reply(self, event: Event, verdict: Verdict) -> Reply:
        """Return the hook's output."""
        if verdict.outcome is Outcome.PASS:
            fields: dict[str, Any] = {}
            if verdict.changed is not None and event.name == self.before:
                fields["tool_input"] = dict(verdict.changed)
            return self.passed(event, verdict, fields)
        reason = reason_of(verdict)
        return (
            answer({"decision": "deny", "reason": reason}) if event.name in self.kinds else Reply(stderr=reason, exit=2)
        )


class Copilot(_Adapter):
    """Copilot CLI. Calls have no names here."""

    name = "copilot"
    before = "preToolUse"
    kinds: ClassVar = {
        "preToolUse": Kind.BEFORE,
        "postToolUse": Kind.AFTER,
        "sessionStart": Kind.SESSION,
        "userPromptSubmitted": Kind.PROMPT,
        "subagentStart": Kind.DELEGATE,
        "subagentStop": Kind.RETURN,
        "agentStop": Kind.STOP,
        "sessionEnd": Kind.END,
    }

    def read(self, name: str, payload: Mapping[str, Any]) -> Event:
        """Parse the hook's input."""
        kind = self.kind(name)
        result = arguments(payload.get("toolResult"))
        if kind is Kind.AFTER and first(result, "resultType") not in {"", "success"}:
            kind = Kind.FAILED
        return self.event(
            name,
            kind,
            first(payload, "sessionId"),
            first(payload, "cwd"),
            first(payload, "toolName"),
            arguments(payload.get("toolArgs", payload.get("toolInput"))),
            agent=first(payload, "agentId", "agentName"),
            text=first(payload, "prompt") or first(result, "textResultForLlm") or "\n".join(leaves(result)),
            asks=kind is Kind.BEFORE,  # where no person can be asked, the host itself refuses
        )

    def reply(self, event: Event, verdict: Verdict) -> Reply:
        """Return the hook's output."""
        if verdict.outcome is Outcome.PASS:
            changed = verdict.changed if event.name == self.before else None
            return answer({} if changed is None else {"modifiedArgs": dict(changed)})
        reason = reason_of(verdict)
        if event.name == self.before:
            decision = "ask" if verdict.outcome is Outcome.ASK else "deny"
            return answer({"permissionDecision": decision, "permissionDecisionReason": reason})
        if event.kind in {Kind.STOP, Kind.RETURN}:
            return answer({"decision": "block", "reason": reason})
        return Reply(stderr=reason, exit=2)


class _Plugin(_Adapter):
    """A host with our plugin."""

    def reply(self, event: Event, verdict: Verdict) -> Reply:
        """Return the answer to the plugin."""
        if verdict.outcome is not Outcome.PASS:
            asks = verdict.outcome is Outcome.ASK and event.asks and event.name == self.before
            return answer({"ask" if asks else "deny": reason_of(verdict)})
        changed = verdict.changed if event.name == self.before else None
        return answer({} if changed is None else {"args": without_files(changed)})


class Opencode(_Plugin):
    """opencode: `input` and `output` of a hook unchanged, and the folder of the session."""

    name = "opencode"
    before = "tool.execute.before"
    folder = ("bash", "workdir")
    patch = "patchText"
    kinds: ClassVar = {
        "tool.execute.before": Kind.BEFORE,
        "tool.execute.after": Kind.AFTER,
        "chat.message": Kind.PROMPT,
        "session.created": Kind.SESSION,
        "session.idle": Kind.STOP,
        "session.deleted": Kind.END,
    }

    def read(self, name: str, payload: Mapping[str, Any]) -> Event:
        """Parse the plugin's report."""
        told, given = arguments(payload.get("input")), arguments(payload.get("output"))
        parent = first(arguments(given.get("info")), "parentID")  # a subagent is a session of its own
        kind = self.kind(name)
        return self.event(
            name,
            Kind.DELEGATE if kind is Kind.SESSION and parent else kind,
            parent or first(told, "sessionID"),
            first(payload, "directory"),
            first(told, "tool"),
            arguments(given.get("args") if name == self.before else told.get("args")),
            call=first(told, "callID"),
            agent=first(told, "sessionID") if parent else "",
            text=_words(given) if kind is Kind.PROMPT else "\n".join(leaves(given.get("output"))),
        )


def _words(given: Mapping[str, Any]) -> str:
    parts = given.get("parts")
    said = [arguments(part) for part in parts] if isinstance(parts, list) else []
    # a part that opencode wrote itself (the text of a file, a reminder) is not the user's text
    return "\n".join(first(part, "text") for part in said if part.get("type") == "text" and not part.get("synthetic"))


class Openclaw(_Plugin):
    """OpenClaw: event and context of a hook unchanged, and the agent's workspace."""

    name = "openclaw"
    before = "before_tool_call"
    folder = ("exec", "workdir")
    patch = "input"
    kinds: ClassVar = {
        "before_tool_call": Kind.BEFORE,
        "after_tool_call": Kind.AFTER,
        "before_agent_run": Kind.PROMPT,
        "session_start": Kind.SESSION,
        "session_end": Kind.END,
        "subagent_spawned": Kind.DELEGATE,
        "subagent_ended": Kind.RETURN,
    }

    def read(self, name: str, payload: Mapping[str, Any]) -> Event:
        """Parse the plugin's report."""
        told, context = arguments(payload.get("event")), arguments(payload.get("context"))
        kind = self.kind(name)
        return self.event(
            name,
            Kind.FAILED if kind is Kind.AFTER and told.get("error") else kind,
            first(context, "sessionId", "sessionKey") or first(told, "sessionId", "sessionKey"),
            first(payload, "workspace"),
            first(told, "toolName"),
            arguments(told.get("params")),
            call=first(told, "toolCallId"),
            agent=first(told, "childSessionKey"),
            mode=first(told, "toolKind"),
            text=first(told, "prompt", "content") or "\n".join(leaves(told.get("result"))),
            asks=kind is Kind.BEFORE,
        )


class RemitProgram(_Adapter):
    """One of Remit's own programs. `method` is the request of a protocol that a report is about, if there is one."""

    kinds: ClassVar = {
        "session": Kind.SESSION,
        "prompt": Kind.PROMPT,
        "before": Kind.BEFORE,
        "after": Kind.AFTER,
        "failed": Kind.FAILED,
        "notice": Kind.NOTICE,
        "end": Kind.END,
    }

    def __init__(self, name: str) -> None:
        self.name = name

    def read(self, name: str, payload: Mapping[str, Any]) -> Event:
        """Parse a report."""
        return self.event(
            first(payload, "method") or name,
            self.kind(name),
            first(payload, "session"),
            first(payload, "cwd"),
            first(payload, "tool"),
            arguments(payload.get("args")),
            call=first(payload, "call"),
            text=first(payload, "text"),
            asks=payload.get("asks") is True,
        )

    def reply(self, _event: Event, verdict: Verdict) -> Reply:
        """Return the answer. A program that can ask a person does; another gets a refusal with the approval's name."""
        said: dict[str, Any] = {"outcome": verdict.outcome.value, "reason": reason_of(verdict)}
        said |= {name: text for name in ("approval", "note") if (text := getattr(verdict, name))}
        if verdict.changed is not None:
            said["changed"] = dict(verdict.changed)
        return answer(said)


HOSTS: tuple[Host, ...] = (
    ClaudeCode(),
    Codex(),
    Gemini(),
    Copilot(),
    Opencode(),
    Openclaw(),
    RemitProgram("mcp"),
    RemitProgram("gateway"),
)
_BY_NAME = {host.name: host for host in HOSTS}


def find_host(name: str) -> Host | None:
    """Return the adapter of a host, by the name that users write; None if there is none."""
    return _BY_NAME.get(name)
