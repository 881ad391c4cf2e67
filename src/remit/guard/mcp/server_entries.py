"""The entries of one server in one session, compared with its pin. Only entries that a person has seen can be called."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
import mcp_types as types

from remit.core.errors import RemitError
from remit.guard.mcp.peer import AnswerError
from remit.guard.mcp.pins import (
    INSTRUCTIONS,
    KINDS,
    MOST_ENTRIES,
    ORIGIN,
    PinFiles,
    PinStatus,
    Sight,
    compare,
    diff,
    findings,
    instructions,
    listed,
)
from remit.guard.mcp.settings import FirstUse, Settings

if TYPE_CHECKING:
    from remit.guard.daemon.daemon_client import Daemon
    from remit.guard.mcp.consent import Consent

    Put = Callable[[str, dict[str, Any]], Awaitable[dict[str, Any]]]
    Changed = Callable[[], Awaitable[object]]

_MOST_PAGES = 200
_MOST_FINDINGS = 50
_LONGEST_DIFF = 20_000  # characters that a question and the log keep


class ServerEntries:
    """The pins of one server, and what it shows."""

    def __init__(
        self, settings: Settings, files: PinFiles, consent: Consent, guard: Daemon, put: Put, changed: Changed
    ) -> None:
        self._settings = settings
        self._files = files
        self._consent = consent
        self._guard = guard
        self._put = put
        self._changed = changed  # notifies the client that a list has changed
        self._turn = anyio.Lock()
        self._fixed: dict[str, Mapping[str, Any]] = {ORIGIN: settings.origin}
        self._offers: tuple[str, ...] = ()
        self._sight: Sight | None = None
        self._waited = False  # the client was shown less than the server shows
        self._told = ""
        self._why = ""

    def open(self, result: Mapping[str, Any]) -> str | None:
        """Start with the server's own description. Returns its instructions, if a person has seen them."""
        text = result.get("instructions")
        if isinstance(text, str) and text:
            self._fixed[INSTRUCTIONS] = {"text": text}
        capabilities = result.get("capabilities")
        self._offers = tuple(kind for kind in KINDS if isinstance(capabilities, dict) and kind in capabilities)
        try:
            return instructions(compare(self._files.pinned(self._settings.server), self._fixed, {}))
        except RemitError as error:
            self._settings.tell(error.message)
            return None

    def forget(self) -> None:
        """Discard the lists: the server says that they have changed."""
        self._sight = None

    async def look(self) -> Sight:
        """Return what the server shows now."""
        async with self._turn:
            self._sight = None
            return await self._looked()

    async def refusal(self, key: str) -> str:
        """Return why an entry cannot be used; empty if it is as a person has seen it."""
        async with self._turn:
            sight = self._sight
            if sight is None or not sight.usable(key):
                sight = await self._looked()
        if sight.usable(key):
            return ""
        server = self._settings.server
        match sight.standing.get(key):
            case None:
                return f"the server `{server}` offers no {key.replace(':', ' ', 1)} that can be called"
            case PinStatus.NEW:
                why = f"no person has accepted the server `{server}` yet"
            case PinStatus.SHADOWS:
                why = f"`{key}` has the name of another tool, or one that reads like it"
            case standing:
                why = f"`{key}` was {standing.value} since a person accepted the server `{server}`"
        more = f"; {self._why}" if self._why else ""
        return f"{why}; `remit guard mcp pins` shows what it is, `--accept {server}` accepts it{more}"

    def output(self, key: str) -> Mapping[str, Any] | None:
        """Return the schema that a tool promises for its answers."""
        entry = {} if self._sight is None else self._sight.entries.get(key, {})
        schema = entry.get("outputSchema")
        return schema if isinstance(schema, dict) else None

    async def _looked(self) -> Sight:
        try:
            self._sight = await self._settle(self._compare(await self._entries()))
        except RemitError as error:
            raise AnswerError(f"remit: {error.message} ({error.remedy})", types.INTERNAL_ERROR) from None
        if self._waited and self._sight.settled:
            await self._changed()
        self._waited = not self._sight.settled
        return self._sight

    async def _entries(self) -> tuple[dict[str, Mapping[str, Any]], tuple[str, ...]]:
        entries = dict(self._fixed)
        problems: list[str] = []
        for kind in self._offers:
            found, wrong = listed(kind, await self._pages(kind))
            entries |= found
            problems += wrong
        return entries, tuple(problems)

    async def _pages(self, kind: str) -> list[Any]:
        items: list[Any] = []
        cursor: str | None = None
        for _ in range(_MOST_PAGES):
            page = await self._put(f"{kind}/list", {} if cursor is None else {"cursor": cursor})
            found = page.get(kind)
            items += found if isinstance(found, list) else []
            cursor = page.get("nextCursor")
            if not isinstance(cursor, str) or not cursor:
                return items
            if len(items) > MOST_ENTRIES:
                break
        raise AnswerError(f"the server lists {kind} without end", types.INTERNAL_ERROR)

    def _compare(self, found: tuple[dict[str, Mapping[str, Any]], tuple[str, ...]]) -> Sight:
        server = self._settings.server
        return compare(self._files.pinned(server), found[0], self._files.elsewhere(server), found[1])

    async def _settle(self, sight: Sight) -> Sight:
        """Ask a person about changes, as the settings require."""
        server = self._settings.server
        self._why = ""
        if sight.settled:
            return sight
        if sight.first and self._settings.first_use is FirstUse.ACCEPT:
            taken = {key: sight.entries[key] for key, how in sight.standing.items() if how is PinStatus.NEW}
            bad = {one.key for one in await anyio.to_thread.run_sync(findings, taken)}
            self._files.pin(server, {key: value for key, value in taken.items() if key not in bad})
            sight = self._compare((dict(sight.entries), sight.problems))
            if sight.settled:
                await self._log(sight, {"server": server, "digest": sight.digest}, "accepted at first use")
                return sight
        self._files.keep(server, sight)
        arguments = await anyio.to_thread.run_sync(self._arguments, sight)  # scanning long texts takes time
        if self._told != sight.digest:
            self._told = sight.digest
            self._settings.tell(f"what the server `{server}` shows waits for a person: remit guard mcp pins")
            await self._log(sight, arguments, "waits for a person")
        if self._settings.first_use is FirstUse.DENY:
            return sight
        self._why = await anyio.to_thread.run_sync(self._consent.seek, server, sight.digest, arguments)
        if self._why:
            return sight
        self._files.pin(server, sight.entries)
        await self._log(sight, arguments, "a person accepted it")
        return self._compare((dict(sight.entries), sight.problems))

    def _arguments(self, sight: Sight) -> dict[str, Any]:
        return {
            "server": self._settings.server,
            "digest": sight.digest,
            "first": sight.first,
            "diff": diff(sight, _LONGEST_DIFF),
            "findings": [finding.line() for finding in findings(sight.entries)[:_MOST_FINDINGS]],
        }

    async def _log(self, sight: Sight, arguments: Mapping[str, Any], text: str) -> None:
        fields = {"method": "pins", "tool": "pins", "call": sight.digest, "args": dict(arguments), "text": text}
        session = {"session": f"pins-{self._settings.server}", "cwd": self._settings.cwd}
        await self._guard.ask("notice", {**session, **fields})
