"""Client of the daemon for Remit's own programs: one connection for each question, and no answer is a refusal."""

from __future__ import annotations

import json
import os
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import anyio
import anyio.abc

from remit.core.errors import GuardError, RemitError
from remit.guard.client.build import hook_command
from remit.guard.daemon.protocol import (
    ANSWERED,
    DENIED,
    LARGEST,
    LONGEST_LINE,
    OWN,
    HookAnswer,
    OtherVersion,
    Question,
    peer_user,
    question_line,
    read_answer,
)
from remit.guard.event import Outcome, Verdict
from remit.guard.state_folder import checked, private_socket
from remit.version import VERSION

SECONDS = 30.0  # seconds for one answer, analyses included
START_SECONDS = 20.0
_CHUNK = 1 << 16


class _DownError(GuardError):
    """The daemon does not answer, and another one may be started."""


class Daemon:
    """The guard behind the socket of a state folder."""

    def __init__(
        self, host: str, state: Path, seconds: float = SECONDS, start: Callable[[], Awaitable[object]] | None = None
    ) -> None:
        self._host = host  # the asking program (`hosts/registry.py`)
        self._state = state
        self._seconds = seconds
        self._start = start  # starts a daemon that is down; None: it stays down

    async def ask(self, event: str, payload: Mapping[str, Any]) -> Verdict:
        """Ask the daemon. If it is down, late, of another user or version, or breaks the protocol, that is a denial."""
        try:
            return _verdict(await self._answer(event, json.dumps(payload, allow_nan=False).encode()))
        except Exception as error:  # noqa: BLE001  whatever it is, the answer is no
            return Verdict(Outcome.DENY, f"remit: {self._reason(error)}")

    async def relayed(self, event: str, body: bytes) -> HookAnswer:
        """Return what a hook of the host prints for the input `body`, and its exit status; any failure is a denial."""
        try:
            return await self._answer(event, body)
        except Exception as error:  # noqa: BLE001  whatever it is, the answer is no
            return HookAnswer(DENIED, stderr=f"remit: {self._reason(error)}\n".encode())

    def _reason(self, error: Exception) -> str:
        if isinstance(error, TimeoutError):
            return f"the guard did not answer within {self._seconds:g} seconds"
        if isinstance(error, RemitError):
            return f"{error.message} ({error.remedy})" if error.remedy else error.message
        return f"{type(error).__name__}: {error}"

    async def _answer(self, event: str, body: bytes) -> HookAnswer:
        with anyio.fail_after(self._seconds):
            try:
                return _own_version(await self._exchange(event, body))
            except _DownError:
                if self._start is None:
                    raise
            await self._start()
            return _own_version(await self._exchange(event, body))

    async def _exchange(self, event: str, body: bytes) -> bytes:
        if len(body) > LARGEST:
            raise GuardError(f"a call of {len(body)} bytes is too large to check", f"at most {LARGEST}")
        places = checked(self._state)
        try:
            private_socket(places.socket)
            link = await anyio.connect_unix(str(places.socket))
        except (OSError, GuardError) as error:
            raise _DownError(f"the guard's daemon is down: {error}", "see `remit guard status`") from None
        async with link:
            raw = link.extra(anyio.abc.SocketAttribute.raw_socket)  # noqa: S610  no database
            if peer_user(raw) != os.geteuid():
                raise GuardError("another user listens at the guard's socket", "look at the state folder")
            await link.send(question_line(Question(self._host, event, len(body), VERSION)) + body)
            parts: list[bytes] = []
            size = 0
            while True:
                try:
                    part = await link.receive(_CHUNK)
                except anyio.EndOfStream:
                    return b"".join(parts)
                parts.append(part)
                size += len(part)
                if size > 2 * LARGEST + LONGEST_LINE:
                    raise GuardError("the answer of the guard is too large", "look who listens at its socket")


def starter(state: Path) -> Callable[[], Awaitable[object]]:
    """Return a function that starts the daemon of a state folder as hooks do: their client starts it when it is down."""
    command = hook_command(OWN, "status", START_SECONDS, str(checked(state).folder))

    async def start() -> object:
        return await anyio.run_process(command, input=b"{}", stderr=None, check=False)

    return start


def _own_version(data: bytes) -> HookAnswer:
    answer = read_answer(data)
    if isinstance(answer, OtherVersion):
        raise _DownError(f"the guard's daemon is of version {answer.version}", "it makes way; call again")
    return answer


def _verdict(answer: HookAnswer) -> Verdict:
    if answer.exit != ANSWERED:
        raise GuardError(answer.stderr.decode("utf-8", "replace").strip() or "the guard denies", "")
    value = json.loads(answer.stdout)
    changed = value.get("changed")
    reason, approval, note = (value.get(name, "") for name in ("reason", "approval", "note"))
    if not all(isinstance(text, str) for text in (reason, approval, note)) or not isinstance(changed, dict | None):
        raise GuardError("the answer of the guard is not of its form", "stop the daemon of another version")
    return Verdict(Outcome(value["outcome"]), reason, approval, note, changed)
