"""Work of `remit console` in separate processes: the same commands that a person would run."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from base64 import b64decode
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from remit.checker.fingerprint import fingerprint
from remit.cli.arguments import LIMITS
from remit.cli.atomic_write import save
from remit.core.errors import InputError, RemitError
from remit.models.outcomes import PYTHON
from remit.skill.find import link_boundary
from remit.skill.model import Limits
from remit.skill.walk import Walker
from remit.web.console.work import AnalysedSkill, SkillRow

if TYPE_CHECKING:
    import argparse

_LONGEST = 256 * 1024 * 1024  # bytes of a line: the effects of one skill, packed
_OPTIONS = ("summaries", "jobs", "no_cache", "max_memory", "timeout")


class OwnProcesses:
    """Processes of this program, with the options of the serving one."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._options = {name: getattr(args, name) for name in (*_OPTIONS, *(field for _, field, _, _ in LIMITS))}
        self._limits = Limits(**{name: getattr(args, name) for name in Limits.__dataclass_fields__})
        self._bounds = [f"{option}={getattr(args, field)}" for option, field, _, _ in LIMITS]
        self._bounds += [f"--max-memory={args.max_memory}", f"--timeout={args.timeout}"]
        self._bounds += ["--no-cache"] if args.no_cache else []

    async def look(self, folders: Sequence[Path]) -> AsyncIterator[AnalysedSkill]:
        """Yield what each of the folders can do, as it becomes known."""
        if not folders:
            return
        process = await self._started("remit.cli.console_look", limit=_LONGEST)
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            asked = {"folders": [str(folder) for folder in folders], "options": self._options}
            process.stdin.write(json.dumps(asked).encode() + b"\n")
            process.stdin.close()
            async for line in process.stdout:
                yield _looked(json.loads(line))
            await process.wait()
        finally:
            await _ended(process)
        if process.returncode:
            raise RemitError(f"the analysis ended with status {process.returncode}", "the terminal shows the cause")

    def content(self, folder: Path) -> str:
        """Return the fingerprint of the present content of a folder."""
        try:
            tree = Walker(folder, self._limits, link_boundary(folder)).run()
        except InputError:
            return ""
        return fingerprint(tree.files, tree.links)

    async def compare(self, old: Path, new: Path) -> dict[str, Any]:
        """Return the changes of an update."""
        summaries = [f"--summaries={path}" for path in self._options["summaries"]]
        return await self._answer("diff", *summaries, "--format", "json", "--quiet", "--", str(old), str(new))

    async def verify(self, skill: Path, trust_root: Path) -> dict[str, Any]:
        """Return the evidence level. As of a time, so that viewing a skill does not make it the newest admitted one."""
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        asked = ("--trust-root", str(trust_root), "--at", now, "--format", "json")
        return await self._answer("verify", *asked, "--", str(skill))

    async def list_models(self) -> dict[str, Any]:
        """Return our own models."""
        return _read(await self._said("models", "list", "--format", "json"))

    async def check_models(self, names: Sequence[str]) -> dict[str, Any]:
        """Yield the explorer's results for models."""
        asked = ("--engine", PYTHON, "--quiet", "--format", "json")
        return _read(await self._said("models", "check", *asked, "--", *names))

    async def draw_model(self, name: str, mutant: str) -> bytes:
        """Return the picture of a small model, or the trace of a mutant."""
        return await self._said("models", "graph", *(("--mutant", mutant, "--story") if mutant else ()), "--", name)

    def save(self, path: Path, text: str) -> None:
        """Write a file atomically."""
        save(path, text)

    async def _answer(self, command: str, *words: str) -> dict[str, Any]:
        """Return a command's output as JSON, within the limits of the serving process."""
        return _read(await self._said(command, *self._bounds, *words))

    async def _said(self, command: str, *words: str) -> bytes:
        """Return what a command prints. Status 0 and 1 are results; others are errors, which the command reported."""
        process = await self._started("remit.cli", command, *words, stderr=subprocess.PIPE)
        try:
            out, said = await process.communicate()
        finally:
            await _ended(process)
        if process.returncode not in (0, 1) and not out:
            message, _, remedy = said.decode(errors="replace").strip().removeprefix("remit: ").partition("\n")
            raise RemitError(message or f"`remit {command}` ended with status {process.returncode}", remedy.strip())
        return out

    async def _started(
        self, module: str, *words: str, limit: int = 64 * 1024, stderr: int | None = None
    ) -> asyncio.subprocess.Process:
        pipe = subprocess.PIPE if stderr is None else subprocess.DEVNULL
        return await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-m", module, *words, stdin=pipe, stdout=subprocess.PIPE, stderr=stderr, limit=limit
        )  # fmt: skip


def _read(out: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(out)
    return found


async def _ended(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.kill()
        await process.wait()


def _looked(line: dict[str, Any]) -> AnalysedSkill:
    row = line["row"]
    failure = row.get("failure")
    found = SkillRow(
        **{
            **row,
            "badness": tuple(row.get("badness", ())),
            "capabilities": tuple(row.get("capabilities", ())),
            "failure": (failure[0], failure[1]) if failure else None,
        }
    )
    effects = b64decode(line.get("effects", ""))
    return AnalysedSkill(Path(line["folder"]), found, effects, line.get("content", ""), tuple(line.get("noted", ())))
