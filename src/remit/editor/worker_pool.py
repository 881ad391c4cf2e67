"""Workers for the server: one is always preloaded, and a cancelled request kills its worker."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from remit.editor.notes import Note, wrong

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from pathlib import Path

_AT_ONCE = 2  # concurrent requests; a user may open a folder of a hundred skills
_PATIENCE = 120.0  # seconds for one skill
_REMEDY = "run `remit check` on the skill; REMIT_DEBUG=1 shows the cause"
# -P: the folder in which an editor is started may contain anything, and must not be imported from
_WORKER = (sys.executable, "-P", "-m", "remit.editor.worker")


class Workers:
    """Starts workers and sends them requests."""

    def __init__(self) -> None:
        self._spare: Process | None = None
        self._turns = asyncio.Semaphore(_AT_ONCE)

    async def ask(self, folder: Path, texts: Mapping[str, str], summaries: Sequence[Path]) -> list[Note]:
        """Return the notes about a skill. Cancelled, it kills the worker; if a worker fails, a note says so."""
        async with self._turns:
            return await self._asked(folder, texts, summaries)

    async def _asked(self, folder: Path, texts: Mapping[str, str], summaries: Sequence[Path]) -> list[Note]:
        question = {"folder": str(folder), "texts": dict(texts), "summaries": list(map(str, summaries))}
        worker = await self._take()
        try:
            data = json.dumps(question).encode("ascii") + b"\n"
            async with asyncio.timeout(_PATIENCE):
                answer, said = await worker.communicate(data)
            if worker.returncode:
                return [failed((said.decode(errors="replace").strip().splitlines() or ["it ended"])[-1])]
            return [Note.decode(value) for value in json.loads(answer)]
        except TimeoutError:
            message = f"the analysis did not finish in {_PATIENCE:g} seconds, so nothing is known of this skill"
            return [wrong(message, _REMEDY, "SKILL.md")]
        finally:
            await _end(worker)

    async def warm(self) -> None:
        """Start a worker for the next request."""
        if self._spare is None:
            self._spare = await _start()

    async def close(self) -> None:
        """End the idle worker."""
        if self._spare is not None:
            spare, self._spare = self._spare, None
            await _end(spare)

    async def _take(self) -> Process:
        worker, self._spare = self._spare or await _start(), None
        await self.warm()
        return worker


def failed(reason: str) -> Note:
    """Return a note about a failed check."""
    return wrong(f"the analysis failed ({reason}), so nothing is known of this skill", _REMEDY, "SKILL.md")


async def _start() -> Process:
    return await asyncio.create_subprocess_exec(
        *_WORKER, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, cwd="/"
    )


async def _end(worker: Process) -> None:
    if worker.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            worker.kill()
    await worker.wait()
