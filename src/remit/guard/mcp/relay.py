"""One session: the traffic between a client and a server. Requests are judged, notifications are passed on.

The guard decides before a request is passed on, and on the answer before it is returned. The user is asked where that
is required. Any failure is a refusal.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

import anyio
import mcp_types as types
from mcp.shared.message import MessageMetadata, ServerMessageMetadata
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from remit.core.digest import digest
from remit.core.errors import InputError
from remit.guard.event import Outcome, Verdict
from remit.guard.mcp.consent import METHOD as ELICIT
from remit.guard.mcp.consent import Choice, can_ask, choice_of, question
from remit.guard.mcp.peer import CANCELLED, AnswerError, Peer, RefusedError
from remit.guard.mcp.pins import bare, shown
from remit.guard.mcp.results import check
from remit.guard.mcp.server_entries import ServerEntries
from remit.guard.mcp.settings import Method, Treatment, methods

if TYPE_CHECKING:
    from anyio.abc import TaskGroup
    from mcp.client._transport import TransportStreams

    from remit.guard.daemon.daemon_client import Daemon
    from remit.guard.mcp.consent import Consent
    from remit.guard.mcp.pins import PinFiles
    from remit.guard.mcp.settings import Settings

    Put = Callable[[str, dict[str, Any]], Awaitable[dict[str, Any]]]


TOOL = "tools/call"
_PINNED = {TOOL: "tool", "prompts/get": "prompt"}
_LAST_WORD = 2.0  # seconds for reporting to the guard that a call was cancelled
_CALL_FIELDS = frozenset({"name", "arguments", "_meta"})


class GuardDecisions:
    """The requests of one session: how each is answered, and the guard's decisions on those that are judged."""

    def __init__(self, settings: Settings, session: str, guard: Daemon, book: ServerEntries) -> None:
        self.asks = False  # the client can show a form to its user
        self.version = ""  # of the protocol, once agreed
        self._settings = settings
        self._session = session
        self._guard = guard
        self._book = book
        self._calls = count(1)
        self._agreed: set[str] = set()  # calls that the user approved for the session

    async def handle(self, side: str, name: str, params: dict[str, Any], put: Put, ask: Put) -> dict[str, Any]:
        """Answer a side's request; AnswerError is an error. `put` passes it on, `ask` shows a form to the user."""
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
        self.asks = can_ask(capabilities)
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
            return await self.run(method, params, put, ask)
        except RefusedError as failure:
            if side == "client" and method.name == TOOL:
                # an error that the model sees
                return {"content": [{"type": "text", "text": failure.message}], "isError": True}
            raise

    async def told(self, event: str, **fields: Any) -> Verdict:
        """Report an event of this session to the guard."""
        return await self._guard.ask(event, {"session": self._session, "cwd": self._settings.cwd, **fields})

    async def run(self, method: Method, params: dict[str, Any], put: Put, ask: Put) -> dict[str, Any]:
        """Judge a request, pass it on with `put`, and judge its answer. `ask` shows a form to the user."""
        event = await self._event(method, params)
        said = await self._decided(event, ask)
        if said.changed is not None:
            params = _with(method, params, said.changed)
            event = event | {"args": dict(said.changed)}
        try:
            result = await put(method.name, params)
        except AnswerError as failure:
            await self._failed(event, failure)
            raise
        except anyio.get_cancelled_exc_class():
            with anyio.move_on_after(_LAST_WORD, shield=True):
                await self.told("failed", **event, text="cancelled: nothing waits for the answer")
            raise
        return await self._answered(method, event, said, result)

    async def _event(self, method: Method, params: dict[str, Any]) -> dict[str, Any]:
        """(1) The request has a known form, and is about something that a person has seen."""
        tool = method.tool(self._settings.server, params)
        if tool is None:
            raise AnswerError(f"`{method.name}` does not name its target", types.INVALID_PARAMS)
        args: Any = {key: value for key, value in params.items() if key != "_meta"}
        if method.name == TOOL:
            if params.keys() - _CALL_FIELDS:
                raise AnswerError(f"a call has no `{min(params.keys() - _CALL_FIELDS)}` here", types.INVALID_PARAMS)
            args = {} if params.get("arguments") is None else params["arguments"]
        if not isinstance(args, dict):
            raise AnswerError("the arguments of a call are an object", types.INVALID_PARAMS)
        event = {"method": method.name, "tool": tool, "args": args, "call": str(next(self._calls))}
        if method.name in _PINNED:
            why = await self._book.refusal(f"{_PINNED[method.name]}:{params['name']}")
            if why:
                await self.told("notice", **event, text=why)
                raise RefusedError(why)
        return event

    async def _decided(self, event: dict[str, Any], ask: Put) -> Verdict:
        """(2) The guard allows it, or the user approves."""
        said = await self.told("before", **event, asks=self.asks)
        if said.outcome is Outcome.PASS:
            return said
        if said.outcome is Outcome.ASK and self.asks:
            await self._ask_user(event, said, ask)
            return said
        raise RefusedError(said.reason or "remit: denied")

    async def _ask_user(self, event: Mapping[str, Any], said: Verdict, ask: Put) -> None:
        try:
            name = digest([event["tool"], event["args"]])
        except InputError as error:
            raise RefusedError(f"remit: {error.message}") from None
        if name in self._agreed:
            return
        shown = json.dumps(event["args"], indent=1)  # non-ASCII characters are escaped, so that none is hidden
        try:
            choice = choice_of(await ask(ELICIT, question(str(event["tool"]), said.reason, shown)))
        except AnswerError as failure:
            await self.told("notice", **event, text=f"no person agreed: {failure.message}")
            raise RefusedError(f"{said.reason}; the user was asked: {failure.message}") from None
        if choice is Choice.DENY:
            await self.told("notice", **event, text="the user denied it")
            raise RefusedError(f"{said.reason}; the user denied it")
        if choice is Choice.SESSION:
            self._agreed.add(name)

    async def _failed(self, event: dict[str, Any], failure: AnswerError) -> None:
        """Judge an error: its words reach the model like those of an answer."""
        text = failure.message if failure.data is None else f"{failure.message}\n{json.dumps(failure.data)}"
        if len(text.encode("utf-8", "surrogatepass")) > self._settings.bounds.text:
            await self.told("failed", **event, text="an error that is too large")
            raise RefusedError(f"remit: the error holds more than {self._settings.bounds.text} bytes")
        said = await self.told("failed", **event, text=text)
        if said.outcome is not Outcome.PASS:
            raise RefusedError(said.reason or "remit: the error is withheld")

    async def _answered(
        self, method: Method, event: dict[str, Any], said: Verdict, result: dict[str, Any]
    ) -> dict[str, Any]:
        """(3) The answer has a valid form, and the guard has seen it."""
        output = self._book.output(f"tool:{_name(method, event)}") if method.name == TOOL else None
        checked = check(method.name, result, output, self._settings.bounds)
        if checked.problem:
            await self.told("failed", **event, text=checked.problem)
            raise RefusedError(f"remit: {checked.problem}")
        after = await self.told("after", **event, text=checked.text)
        if after.outcome is not Outcome.PASS:
            raise RefusedError(after.reason or "remit: the answer is withheld")
        if after.changed is not None:
            result = dict(after.changed)
            if check(method.name, result, None, self._settings.bounds).problem:
                raise RefusedError("remit: the answer is withheld: it could not be redacted")
        notes = [note for note in (said.note, after.note) if note]
        if notes and method.name == TOOL:
            result = result | {"content": [*result["content"], *({"type": "text", "text": note} for note in notes)]}
        return result


def _name(method: Method, event: Mapping[str, Any]) -> str:
    return str(event["tool"]).split("__", 2)[2].removeprefix(f"{method.kind}:" if method.kind else "")


def _with(method: Method, params: dict[str, Any], changed: Mapping[str, Any]) -> dict[str, Any]:
    """Return the request with other arguments: those of its tool, or everything but what identifies it."""
    if method.name == TOOL:
        return params | {"arguments": dict(changed)}
    return dict(changed) | {key: value for key, value in params.items() if key == "_meta"}


# Capabilities not listed here are not offered through the proxy, because they are not judged: tasks, extensions,
# experiments.
_OF_CLIENTS = ("roots", "sampling", "elicitation")
_OF_SERVERS = ("tools", "prompts", "resources", "logging", "completions")
_LONGEST_NAME = 100
_LISTS = {"resources/list": "resources", "resources/templates/list": "resourceTemplates"}


def _only(value: Any, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: value[name] for name in names if isinstance(value, dict) and isinstance(value.get(name), dict)}


def _info(value: Any) -> Mapping[str, str]:
    """Return name and version of the server. Its other texts were not reviewed by a person."""
    found = value if isinstance(value, dict) else {}
    return {key: str(found.get(key, ""))[:_LONGEST_NAME] for key in ("name", "version")}


_LISTS_CHANGED = ("notifications/tools/list_changed", "notifications/prompts/list_changed")
_DRAIN = 2.0  # seconds for answers under way when a side ends
_OPENING = "initialize"


@dataclass
class _ActiveRequest:
    """A request that is being handled."""

    token: Any  # under which its progress is reported
    unanswered: Callable[[], Awaitable[None]] | None  # callback of the transport for a request without an answer
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    number: int | None = None  # the number under which it was passed on


class Relay:
    """A session, from the first message to the end of a side."""

    def __init__(
        self,
        settings: Settings,
        guard: Daemon,
        files: PinFiles,
        consent: Consent,
        client: TransportStreams,
        server: TransportStreams,
    ) -> None:
        self._settings = settings
        self._client, self._server = Peer("client", client), Peer("server", server)
        self._running: dict[str, dict[types.RequestId, _ActiveRequest]] = {"client": {}, "server": {}}
        changed = partial(self._client.notify, _LISTS_CHANGED[0], None)
        book = ServerEntries(settings, files, consent, guard, partial(self._put, self._server, None), changed)
        self._book = book
        self._judge = GuardDecisions(settings, f"mcp-{settings.server}-{secrets.token_hex(8)}", guard, book)

    async def run(self) -> str:
        """Relay until a side ends; return which one."""
        ended: list[str] = []
        await self._judge.told("session", method="session")
        async with anyio.create_task_group() as tasks:

            async def read(peer: Peer) -> None:
                await self._read(peer, tasks)
                if not ended:
                    ended.append(peer.name)
                    await self._drain()
                    tasks.cancel_scope.cancel()

            tasks.start_soon(read, self._client)
            tasks.start_soon(read, self._server)
        with anyio.CancelScope(shield=True):
            await self._judge.told("end", method="end")
        return ended[0] if ended else ""

    async def _drain(self) -> None:
        """End all pending requests, and give them a moment to report it."""
        self._server.end()
        self._client.end()
        with anyio.move_on_after(_DRAIN):
            while any(self._running.values()):  # noqa: ASYNC110  it is short
                await anyio.sleep(0.01)

    async def _read(self, peer: Peer, tasks: TaskGroup) -> None:
        other = self._server if peer is self._client else self._client
        async for item in peer.read:
            if isinstance(item, Exception):
                self._settings.tell(f"the {peer.name} sent what is no message: {_short(item)}")
                continue
            match item.message:
                case types.JSONRPCRequest() as request:
                    await self._begin(peer, other, request, item.metadata, tasks)
                case types.JSONRPCNotification() as notification:
                    await self._notified(peer, other, notification)
                case answer:
                    if not peer.take(answer):
                        self._settings.tell(f"the {peer.name} answered a request that was not sent")

    async def _begin(
        self, peer: Peer, other: Peer, request: types.JSONRPCRequest, metadata: MessageMetadata, tasks: TaskGroup
    ) -> None:
        running = self._running[peer.name]
        if request.id in running or len(running) >= self._settings.most_at_once:
            why = "has a number that is in use" if request.id in running else "is one too many at once"
            await self._reply(peer, request.id, AnswerError(f"remit: the request {why}"))
            return
        meta = (request.params or {}).get("_meta")
        token = meta.get("progressToken") if isinstance(meta, dict) else None
        unanswered = metadata.on_request_unanswered if isinstance(metadata, ServerMessageMetadata) else None
        entry = running[request.id] = _ActiveRequest(token, unanswered)
        tasks.start_soon(self._handle, peer, other, request, entry)

    async def _handle(self, peer: Peer, other: Peer, request: types.JSONRPCRequest, entry: _ActiveRequest) -> None:
        related = request.id if peer is self._client else self._only_running()
        ask = partial(self._ask_user, related)
        try:
            with entry.scope:
                try:
                    put = partial(self._put, other, entry)
                    params = dict(request.params or {})
                    answer: Any = await self._judge.handle(peer.name, request.method, params, put, ask)
                    if request.method == _OPENING:
                        self._server.version = self._judge.version
                except AnswerError as failure:
                    answer = failure
                except Exception as error:  # noqa: BLE001  whatever it is, nothing was let through
                    answer = AnswerError(f"remit: {type(error).__name__}: {error}", types.INTERNAL_ERROR)
                await self._reply(peer, request.id, answer)
            if entry.scope.cancelled_caught and entry.unanswered is not None:
                await entry.unanswered()
        finally:
            self._running[peer.name].pop(request.id, None)

    async def _put(
        self, other: Peer, entry: _ActiveRequest | None, method: str, params: dict[str, Any]
    ) -> dict[str, Any]:
        """Pass a request on, under a number of ours."""

        def numbered(number: int) -> None:
            if entry is not None:
                entry.number = number

        related = self._only_running() if other is self._client else None
        return await other.ask(method, params, self._settings.answer_within, related=related, numbered=numbered)

    async def _ask_user(self, related: types.RequestId | None, method: str, params: dict[str, Any]) -> dict[str, Any]:
        return await self._client.ask(method, params, self._settings.decide_within, related=related)

    async def _reply(self, peer: Peer, number: types.RequestId, answer: dict[str, Any] | AnswerError) -> None:
        message: types.JSONRPCMessage
        if isinstance(answer, AnswerError):
            more = {} if answer.data is None else {"data": answer.data}
            error = types.ErrorData(code=answer.code, message=answer.message, **more)
            message = types.JSONRPCError(jsonrpc="2.0", id=number, error=error)
        else:
            message = types.JSONRPCResponse(jsonrpc="2.0", id=number, result=answer)
        try:
            await peer.send(message)
        except AnswerError as failure:
            self._settings.tell(failure.message)

    async def _notified(self, peer: Peer, other: Peer, notification: types.JSONRPCNotification) -> None:
        params = notification.params
        if notification.method == CANCELLED:
            await self._cancelled(peer, other, params or {})
            return
        if peer is self._server and notification.method in _LISTS_CHANGED:
            self._book.forget()
        related = self._related(params or {}) if peer is self._server else None
        await other.notify(notification.method, params, related)

    async def _cancelled(self, peer: Peer, other: Peer, params: dict[str, Any]) -> None:
        """Cancel a request under the number with which we passed it on, if we did."""
        wanted = params.get("requestId")
        entry = self._running[peer.name].get(wanted) if isinstance(wanted, int | str) else None
        if entry is None:
            return
        if entry.number is not None:
            await other.notify(CANCELLED, params | {"requestId": entry.number})
        entry.scope.cancel()

    def _related(self, params: dict[str, Any]) -> types.RequestId | None:
        """Return the client's request that a notification of the server belongs to."""
        token = params.get("progressToken")
        for number, entry in self._running["client"].items():
            if token is not None and entry.token == token:
                return number
        return self._only_running()

    def _only_running(self) -> types.RequestId | None:
        """Return the only request of the client that is under way; None if there are none or several."""
        running = self._running["client"]
        return next(iter(running)) if len(running) == 1 else None


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
