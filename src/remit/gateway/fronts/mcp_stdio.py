"""The gateway as an MCP server on standard input, with one tool, `act`.

It runs beside the agent and holds only the agent's credential.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from remit.authority.intents import Intent, intents
from remit.core.errors import AuthorityError, PackageError

if TYPE_CHECKING:
    Act = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]

TOOL = "act"
_ABOUT = (
    "Ask for something outside of this session: messages, fetches, webhooks, files, secrets, skills, memory. The first call previews "
    "and gives a tx_id; the second one, with the same intent and inputs and constraints.tx_id, lets it happen. CONFIRM: a person must "
    "agree first. Intents and their inputs: "
)


def tool_schema() -> dict[str, Any]:
    """Return the JSON schema of the tool's arguments."""
    return {
        "type": "object",
        "properties": {
            "intent_id": {"enum": sorted(intents())},
            "inputs": {"type": "object"},
            "constraints": {
                "type": "object",
                "properties": {"tx_id": {"type": "string", "pattern": "^[0-9a-f]{32}$"}},
                "additionalProperties": False,
            },
        },
        "required": ["intent_id", "inputs"],
        "additionalProperties": False,
    }


def tool_text() -> str:
    """Return the description of the tool for the model."""
    return _ABOUT + "; ".join(f"{name}({_inputs(one)})" for name, one in intents().items())


def _inputs(intent: Intent) -> str:
    return ", ".join(f"{name}?" if name in intent.form.optional else name for name in intent.form.fields)


def make_server(act: Act) -> Any:
    """Return the server; `act` answers its calls."""
    try:
        import mcp_types as types  # noqa: PLC0415  installed on request
        from mcp.server.lowlevel.server import Server  # noqa: PLC0415
    except ImportError:
        raise PackageError("mcp", "mcp") from None

    async def tools(_: Any, __: Any) -> Any:
        tool = types.Tool(name=TOOL, description=tool_text(), input_schema=tool_schema())
        return types.ListToolsResult(tools=[tool])

    async def call(_: Any, params: Any) -> Any:
        answer = await _answer(act, params.name, params.arguments)
        content: list[Any] = [types.TextContent(type="text", text=json.dumps(answer, ensure_ascii=False))]
        return types.CallToolResult(content=content, structured_content=answer, is_error=answer["status"] == "DENY")

    return Server("remit", on_list_tools=tools, on_call_tool=call)


async def _answer(act: Act, name: str, arguments: Any) -> dict[str, Any]:
    """Return the gateway's answer, or a refusal if there is none."""
    if name != TOOL:
        return _refusal("BAD_FORM", "there is one tool, `act`")
    try:
        return await act({} if arguments is None else dict(arguments))
    except AuthorityError as error:
        return _refusal("STORE_FAILED", error.message)


def _refusal(code: str, summary: str) -> dict[str, Any]:
    return {"status": "DENY", "summary": summary, "data": {}, "artifacts": [], "reason_code": code}


async def serve(act: Act) -> None:
    """Serve the client on standard input until it disconnects."""
    server = make_server(act)
    from mcp.server.stdio import stdio_server  # noqa: PLC0415  installed, or there would be no server

    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
