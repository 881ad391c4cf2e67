"""Decisions of the guard in the proxy: before a request is passed on, and on the answer before it is returned.

The user is asked where that is required. Any failure is a refusal.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from itertools import count
from typing import TYPE_CHECKING, Any

import anyio
import mcp_types as types

from remit.core.digest import digest
from remit.core.errors import InputError
from remit.guard.event import Outcome, Verdict
from remit.guard.mcp.consent import METHOD as ELICIT
from remit.guard.mcp.consent import Choice, choice_of, question
from remit.guard.mcp.peer import AnswerError, RefusedError
from remit.guard.mcp.results import check

if TYPE_CHECKING:
    from remit.guard.daemon.daemon_client import Guard
    from remit.guard.mcp.methods import Method
    from remit.guard.mcp.server_entries import ServerEntries
    from remit.guard.mcp.settings import Settings

    Put = Callable[[str, dict[str, Any]], Awaitable[dict[str, Any]]]

TOOL = "tools/call"
_PINNED = {TOOL: "tool", "prompts/get": "prompt"}
_LAST_WORD = 2.0  # seconds for reporting to the guard that a call was cancelled
_CALL_FIELDS = frozenset({"name", "arguments", "_meta"})


class GuardDecisions:
    """The decisions of one session."""

    def __init__(self, settings: Settings, session: str, guard: Guard, book: ServerEntries) -> None:
        self.asks = False  # the client can show a form to its user
        self._settings = settings
        self._session = session
        self._guard = guard
        self._book = book
        self._calls = count(1)
        self._agreed: set[str] = set()  # calls that the user approved for the session

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
            raise AnswerError(f"`{method.name}` does not say what it is about", types.INVALID_PARAMS)
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


def refused_call(message: str) -> dict[str, Any]:
    """Return the answer for a tool call that did not run: an error that the model sees."""
    return {"content": [{"type": "text", "text": message}], "isError": True}


def _name(method: Method, event: Mapping[str, Any]) -> str:
    return str(event["tool"]).split("__", 2)[2].removeprefix(f"{method.kind}:" if method.kind else "")


def _with(method: Method, params: dict[str, Any], changed: Mapping[str, Any]) -> dict[str, Any]:
    """Return the request with other arguments: those of its tool, or everything but what identifies it."""
    if method.name == TOOL:
        return params | {"arguments": dict(changed)}
    return dict(changed) | {key: value for key, value in params.items() if key == "_meta"}
