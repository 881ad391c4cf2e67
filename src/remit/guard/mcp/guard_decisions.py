"""What is judged: the guard decides before a request is handed on, the user is asked where that is wanted, and the guard looks at
the answer before it is handed back. Anything that goes wrong on the way is a refusal."""

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
_LAST_WORD = 2.0  # seconds to tell the guard that a call was given up
_CALL_FIELDS = frozenset({"name", "arguments", "_meta"})


class GuardDecisions:
    """The judge of one session."""

    def __init__(self, settings: Settings, session: str, guard: Guard, book: ServerEntries) -> None:
        self.asks = False  # the client can show a form to its user
        self._settings = settings
        self._session = session
        self._guard = guard
        self._book = book
        self._calls = count(1)
        self._agreed: set[str] = set()  # calls to which the user agreed for the session

    async def told(self, event: str, **fields: Any) -> Verdict:
        """Tell the guard something of this session."""
        return await self._guard.ask(event, {"session": self._session, "cwd": self._settings.cwd, **fields})

    async def run(self, method: Method, params: dict[str, Any], put: Put, ask: Put) -> dict[str, Any]:
        """Judge a request, hand it on with `put`, and judge its answer. `ask` shows a form to the user."""
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
        """(1) It is of a form that we know, and about something that a person has seen."""
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
        """(2) The guard lets it through, or the user agrees."""
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
        shown = json.dumps(event["args"], indent=1)  # characters outside of ASCII are escaped, so that none hides
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
        """The words of an error reach the model like those of an answer."""
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
        """(3) The answer is of its form, and the guard has seen it."""
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
    """The answer to a call of a tool that did not run: an error that the model sees."""
    return {"content": [{"type": "text", "text": message}], "isError": True}


def _name(method: Method, event: Mapping[str, Any]) -> str:
    return str(event["tool"]).split("__", 2)[2].removeprefix(f"{method.kind}:" if method.kind else "")


def _with(method: Method, params: dict[str, Any], changed: Mapping[str, Any]) -> dict[str, Any]:
    """The request with other arguments: those of its tool, or all but what carries it."""
    if method.name == TOOL:
        return params | {"arguments": dict(changed)}
    return dict(changed) | {key: value for key, value in params.items() if key == "_meta"}
