"""Handlers of MCP requests, one for each treatment."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from remit.guard.mcp.catalogue import bare, shown
from remit.guard.mcp.consent import METHOD as ELICIT
from remit.guard.mcp.consent import can_ask
from remit.guard.mcp.guard_decisions import TOOL, GuardDecisions, refused_call
from remit.guard.mcp.methods import Method, Treatment, methods
from remit.guard.mcp.peer import AnswerError, RefusedError

if TYPE_CHECKING:
    from remit.guard.mcp.server_entries import ServerEntries
    from remit.guard.mcp.settings import Settings

    Put = Callable[[str, dict[str, Any]], Awaitable[dict[str, Any]]]

# Capabilities not listed here are not offered through the proxy, because they are not judged: tasks, extensions,
# experiments.
_OF_CLIENTS = ("roots", "sampling", "elicitation")
_OF_SERVERS = ("tools", "prompts", "resources", "logging", "completions")
_LONGEST_NAME = 100
_LISTS = {"resources/list": "resources", "resources/templates/list": "resourceTemplates"}


class Handling:
    """The handling of requests in one session."""

    def __init__(self, settings: Settings, judge: GuardDecisions, book: ServerEntries) -> None:
        self.version = ""  # of the protocol, once agreed
        self._settings = settings
        self._judge = judge
        self._book = book

    async def handle(self, side: str, name: str, params: dict[str, Any], put: Put, ask: Put) -> dict[str, Any]:
        """Return the answer to a side's request; AnswerError is an error. `put` passes it on, `ask` shows a form to the
        user.
        """
        method = methods(side).get(name)
        if method is None:
            raise AnswerError(f"remit: `{name[:100]}` is not handed on", types.METHOD_NOT_FOUND)
        match method.treatment:
            case Treatment.PASS:
                await put(name, params)
                return {}  # these have no result; anything in it is dropped
            case Treatment.OPEN:
                return await self._open(params, put)
            case Treatment.LIST:
                return await self._list(method)
            case Treatment.BARE:
                return await self._bare(method, params, put)
            case Treatment.JUDGE:
                return await self._judged(side, method, params, put, ask)

    async def _open(self, params: dict[str, Any], put: Put) -> dict[str, Any]:
        if self.version:
            raise AnswerError("remit: the session is open already")
        capabilities = params.get("capabilities")
        result = await put("initialize", params | {"capabilities": _only(capabilities, _OF_CLIENTS)})
        version = result.get("protocolVersion")
        if version not in HANDSHAKE_PROTOCOL_VERSIONS:
            raise AnswerError(
                f"remit: the server uses the protocol version `{str(version)[:40]}`", types.INTERNAL_ERROR
            )
        self.version = str(version)
        self._judge.asks = can_ask(capabilities)
        instructions = self._book.open(result)
        offered = _only(result.get("capabilities"), _OF_SERVERS)
        if "tools" in offered:  # the list changes when a person accepts it
            offered["tools"] = {**offered["tools"], "listChanged": True}
        opened = {"protocolVersion": version, "capabilities": offered, "serverInfo": _info(result.get("serverInfo"))}
        return opened if instructions is None else opened | {"instructions": instructions}

    async def _list(self, method: Method) -> dict[str, Any]:
        kind = method.name.partition("/")[0]
        return {kind: shown(await self._book.look(), kind)}

    async def _bare(self, method: Method, params: dict[str, Any], put: Put) -> dict[str, Any]:
        result = await put(method.name, params)
        kind = _LISTS[method.name]
        cursor = result.get("nextCursor")
        more = {"nextCursor": cursor} if isinstance(cursor, str) else {}
        return {kind: bare(result.get(kind)), **more}

    async def _judged(self, side: str, method: Method, params: dict[str, Any], put: Put, ask: Put) -> dict[str, Any]:
        if method.name == ELICIT:
            # names the asking server, so that it cannot pass its question off as ours
            params = params | {"message": f"The MCP server `{self._settings.server}` asks: {params.get('message', '')}"}
        try:
            return await self._judge.run(method, params, put, ask)
        except RefusedError as failure:
            if side == "client" and method.name == TOOL:
                return refused_call(failure.message)
            raise


def _only(value: Any, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: value[name] for name in names if isinstance(value, dict) and isinstance(value.get(name), dict)}


def _info(value: Any) -> Mapping[str, str]:
    """Return name and version of the server. Its other texts were not reviewed by a person."""
    found = value if isinstance(value, dict) else {}
    return {key: str(found.get(key, ""))[:_LONGEST_NAME] for key in ("name", "version")}
