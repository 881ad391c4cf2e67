"""What the real hosts told their hooks, one event each: the fields as they came, the values our own."""

from __future__ import annotations

from typing import Any

SESSION = "5e551011"
WORK = "/srv/demo"
COMMAND = "echo hi > made"

_CODEX = {
    "session_id": SESSION,
    "transcript_path": None,
    "cwd": WORK,
    "model": "m",
    "permission_mode": "bypassPermissions",
}
_CODEX_TURN = {**_CODEX, "turn_id": "t1"}
_PATCH = "*** Begin Patch\n*** Add File: new.txt\n+x\n*** Update File: old.txt\n*** Move to: moved.txt\n*** Delete File: gone.txt\n*** End Patch"
_GEMINI = {
    "session_id": SESSION,
    "transcript_path": "/home/u/.gemini/t",
    "cwd": WORK,
    "timestamp": "2026-11-15T14:00:00Z",
}
_COPILOT = {"sessionId": SESSION, "timestamp": 1794751495713, "cwd": WORK}
_CLAW = {"agentId": "main", "sessionKey": "agent:main:main", "sessionId": SESSION, "runId": "r1"}


def _named(base: dict[str, Any], event: str, **fields: Any) -> tuple[str, dict[str, Any]]:
    return event, {**base, "hook_event_name": event, **fields}


TOLD: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "codex": [
        _named(_CODEX, "SessionStart", source="startup"),
        _named(_CODEX_TURN, "UserPromptSubmit", prompt="hi"),
        _named(_CODEX_TURN, "PreToolUse", tool_name="Bash", tool_input={"command": COMMAND}, tool_use_id="c1"),
        _named(_CODEX_TURN, "PreToolUse", tool_name="apply_patch", tool_input={"command": _PATCH}, tool_use_id="c2"),
        _named(
            _CODEX_TURN,
            "PostToolUse",
            tool_name="Bash",
            tool_input={"command": COMMAND},
            tool_response="ok",
            tool_use_id="c1",
        ),
        _named(_CODEX_TURN, "SubagentStart", agent_id="a1", agent_type="default"),
        _named(_CODEX_TURN, "Stop", stop_hook_active=False, last_assistant_message="done"),
        _named({"session_id": SESSION, "transcript_path": None, "cwd": WORK}, "SessionEnd", reason="other"),
    ],
    "gemini": [
        _named(_GEMINI, "SessionStart", source="startup"),
        _named(_GEMINI, "BeforeAgent", prompt="hi"),
        _named(
            _GEMINI, "BeforeTool", tool_name="run_shell_command", tool_input={"command": COMMAND, "dir_path": "sub"}
        ),
        _named(_GEMINI, "BeforeTool", tool_name="activate_skill", tool_input={"name": "demo"}),
        _named(
            _GEMINI,
            "AfterTool",
            tool_name="run_shell_command",
            tool_input={"command": COMMAND},
            tool_response={"llmContent": "Output: (empty)", "returnDisplay": ""},
        ),
        _named(_GEMINI, "AfterAgent", prompt="hi", prompt_response="done", stop_hook_active=False),
        _named(_GEMINI, "SessionEnd", reason="exit"),
    ],
    "copilot": [
        ("sessionStart", {**_COPILOT, "source": "new", "initialPrompt": "hi"}),
        ("userPromptSubmitted", {**_COPILOT, "prompt": "hi"}),
        ("preToolUse", {**_COPILOT, "toolName": "bash", "toolArgs": {"command": COMMAND, "description": "x"}}),
        ("preToolUse", {**_COPILOT, "toolName": "skill", "toolArgs": {"skill": "demo"}}),
        (
            "postToolUse",
            {
                **_COPILOT,
                "toolName": "bash",
                "toolArgs": {"command": COMMAND},
                "toolResult": {"resultType": "success", "textResultForLlm": "ok"},
            },
        ),
        (
            "postToolUse",
            {
                **_COPILOT,
                "toolName": "bash",
                "toolArgs": {"command": COMMAND},
                "toolResult": {"resultType": "failure", "textResultForLlm": "no"},
            },
        ),
        ("agentStop", {**_COPILOT, "stopReason": "end_turn", "stop_hook_active": False}),
        ("sessionEnd", {**_COPILOT, "reason": "complete"}),
    ],
    "opencode": [
        ("session.created", {"directory": WORK, "input": {"sessionID": SESSION}, "output": {"info": {"id": SESSION}}}),
        (
            "session.created",
            {"directory": WORK, "input": {"sessionID": "child"}, "output": {"info": {"parentID": SESSION}}},
        ),
        (
            "chat.message",
            {
                "directory": WORK,
                "input": {"sessionID": SESSION},
                "output": {
                    "parts": [{"type": "text", "text": "hi"}, {"type": "text", "text": "a file", "synthetic": True}]
                },
            },
        ),
        (
            "tool.execute.before",
            {
                "directory": WORK,
                "input": {"tool": "bash", "sessionID": SESSION, "callID": "c1"},
                "output": {"args": {"command": COMMAND, "workdir": "/elsewhere"}},
            },
        ),
        (
            "tool.execute.before",
            {
                "directory": WORK,
                "input": {"tool": "skill", "sessionID": SESSION, "callID": "c2"},
                "output": {"args": {"name": "demo"}},
            },
        ),
        (
            "tool.execute.after",
            {
                "directory": WORK,
                "input": {"tool": "bash", "sessionID": SESSION, "callID": "c1", "args": {"command": COMMAND}},
                "output": {"output": "(no output)", "metadata": {"exit": 0}},
            },
        ),
    ],
    "openclaw": [
        ("before_agent_run", {"workspace": WORK, "context": _CLAW, "event": {"prompt": "hi"}}),
        (
            "before_tool_call",
            {
                "workspace": WORK,
                "context": {**_CLAW, "toolName": "exec"},
                "event": {
                    "toolName": "exec",
                    "params": {"command": COMMAND, "workdir": "sub"},
                    "runId": "r1",
                    "toolCallId": "c1",
                },
            },
        ),
        (
            "before_tool_call",
            {
                "workspace": WORK,
                "context": {**_CLAW, "toolName": "read"},
                "event": {"toolName": "read", "params": {"path": "skills/demo/SKILL.md"}, "toolCallId": "c2"},
            },
        ),
        (
            "after_tool_call",
            {
                "workspace": WORK,
                "context": _CLAW,
                "event": {
                    "toolName": "read",
                    "params": {"path": "x"},
                    "toolCallId": "c2",
                    "error": "File not found",
                    "result": {"content": [{"type": "text", "text": "File not found"}]},
                },
            },
        ),
    ],
}
