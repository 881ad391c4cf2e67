"""The language server: receives documents, sends diagnostics, hovers and actions. It never blocks on an analysis.

A change starts a short pause; a further change restarts it. Then a worker checks the whole skill, with open texts in
place of those on the disk; one worker is always preloaded. If something changes meanwhile, the worker is killed, and
its result is never shown.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from remit.core.errors import RemitError
from remit.editor.diagnostics import Text, actions, diagnostics, line_hover, manifest_hover, path_of, skill_of, uri_of
from remit.editor.notes import Note, wrong
from remit.manifest.read import NAME
from remit.version import VERSION

if TYPE_CHECKING:
    from asyncio.subprocess import Process


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
        question = {"folder": str(folder), "texts": dict(texts), "summaries": list(map(str, summaries))}
        async with self._turns:
            worker = await self._take()
            try:
                data = json.dumps(question).encode("ascii") + b"\n"
                async with asyncio.timeout(_PATIENCE):
                    answer, said = await worker.communicate(data)
                if worker.returncode:
                    return [failed((said.decode(errors="replace").strip().splitlines() or ["it ended"])[-1])]
                return [Note.decode(value) for value in json.loads(answer)]
            except TimeoutError:
                message = f"the analysis did not finish in {_PATIENCE:g} seconds, so there is no result for this skill"
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
    return wrong(f"the analysis failed ({reason}), so there is no result for this skill", _REMEDY, "SKILL.md")


async def _start() -> Process:
    return await asyncio.create_subprocess_exec(
        *_WORKER, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, cwd="/"
    )


async def _end(worker: Process) -> None:
    if worker.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            worker.kill()
    await worker.wait()


_WATCHED = ("**/SKILL.md", "**/remit.json", "**/*.{py,sh,bash,js,mjs,cjs,ts}")  # on the disk, by any program
_MOVES = (  # of an open text; its skill is checked again
    types.TEXT_DOCUMENT_DID_OPEN,
    types.TEXT_DOCUMENT_DID_CHANGE,
    types.TEXT_DOCUMENT_DID_SAVE,
    types.TEXT_DOCUMENT_DID_CLOSE,
)
PAUSE = 0.3  # seconds without a change before a skill is checked


class SkillServer(LanguageServer):
    """The results for the skills whose files are open."""

    def __init__(self, summaries: Callable[[Path], Sequence[Path]], pause: float = PAUSE) -> None:
        super().__init__("remit", VERSION, text_document_sync_kind=types.TextDocumentSyncKind.Incremental)
        self.summaries = summaries  # summary files about the libraries of a skill
        self.pause = pause
        self.workers = Workers()
        self.found: dict[Path, list[Note]] = {}  # by the folder of the skill
        self._looking: dict[Path, asyncio.Task[None]] = {}
        self._told: dict[Path, set[str]] = {}  # files for which the client has diagnostics

    # ── looking ──

    def changed(self, uri: str, *, elsewhere: bool = False) -> None:
        """Check the skill of a file, after a pause; a check under way is cancelled.

        A change `elsewhere`, on the disk, counts only if its skill was checked before: a checkout changes thousands of
        files.
        """
        path = path_of(uri)
        folder = skill_of(path, self._open_files()) if path else None
        if folder is None or (elsewhere and folder not in self._looking):
            return
        before = self._looking.pop(folder, None)
        if before is not None:
            before.cancel()
        self._looking[folder] = asyncio.get_running_loop().create_task(self._look(folder))

    async def _look(self, folder: Path) -> None:
        await asyncio.sleep(self.pause)
        try:
            found = await self.workers.ask(folder, self._texts(folder), self.summaries(folder))
        except RemitError as error:  # an invalid summary file
            found = [wrong(error.message, error.remedy, "SKILL.md")]
        except Exception as error:  # noqa: BLE001  what was found before does not hold for the texts of now
            found = [failed(type(error).__name__)]
        self.found[folder] = found
        self._tell(folder, found)

    def _tell(self, folder: Path, found: Sequence[Note]) -> None:
        """Send diagnostics for every file that has any, and empty ones for those that had some before."""

        def place(file: str, line: int) -> types.Location:
            uri = uri_of(folder / file)
            return types.Location(uri, self.text(uri).range(line))

        files = {one.file for one in found}
        for file in sorted(files | self._told.get(folder, set())):
            here = [one for one in found if one.file == file]
            uri = uri_of(folder / file)
            known = diagnostics(here, self.text(uri), place)
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, known))
        self._told[folder] = files

    def settled(self, folder: Path) -> bool:
        """Whether the results are about the current texts."""
        return folder in self.found and self._looking[folder].done()

    def _open_files(self) -> list[Path]:
        return [path for uri in self.workspace.text_documents if (path := path_of(uri)) is not None]

    def _texts(self, folder: Path) -> dict[str, str]:
        """Return the open files of a skill, by their paths in it."""
        out: dict[str, str] = {}
        for uri, document in self.workspace.text_documents.items():
            path = path_of(uri)
            if path is not None and path.is_relative_to(folder):
                out[path.relative_to(folder).as_posix()] = document.source
        return out

    # ── answering ──

    def text(self, uri: str) -> Text:
        """Return the text of a file: as open, else as on the disk; empty if there is none."""
        try:
            source = self.workspace.get_text_document(uri).source
        except (OSError, UnicodeDecodeError):
            source = ""
        return Text(source, self.workspace.position_encoding)

    def of(self, uri: str) -> tuple[Path, str, list[Note]] | None:
        """Return the skill of a file, the path of the file in it, and the results."""
        path = path_of(uri)
        folder = skill_of(path, self._open_files()) if path else None
        if path is None or folder is None or folder not in self.found:
            return None
        return folder, path.relative_to(folder).as_posix(), self.found[folder]


def serve(stdin: BinaryIO, stdout: BinaryIO, summaries: Callable[[Path], Sequence[Path]]) -> None:
    """Serve one client until it disconnects."""
    make_server(summaries).start_io(stdin, stdout)


def make_server(summaries: Callable[[Path], Sequence[Path]]) -> SkillServer:
    """Return a server with its features."""
    server = SkillServer(summaries)

    @server.feature(types.INITIALIZED)
    async def initialized(_: types.InitializedParams) -> None:
        await server.workers.warm()
        await _watch(server)

    @server.feature(types.SHUTDOWN)
    async def shutdown(_: None) -> None:
        await server.workers.close()

    async def moved(
        params: types.DidOpenTextDocumentParams
        | types.DidChangeTextDocumentParams
        | types.DidSaveTextDocumentParams
        | types.DidCloseTextDocumentParams,
    ) -> None:
        server.changed(params.text_document.uri)

    for event in _MOVES:
        server.feature(event)(moved)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def watched(params: types.DidChangeWatchedFilesParams) -> None:
        for change in params.changes:
            server.changed(change.uri, elsewhere=True)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(params: types.HoverParams) -> types.Hover | None:
        return _hover(server, params.text_document.uri, params.position)

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions([types.CodeActionKind.QuickFix]))
    async def act(params: types.CodeActionParams) -> list[types.CodeAction]:
        return _actions(server, params.text_document.uri, params.range)

    return server


async def _watch(server: SkillServer) -> None:
    """Ask the client to report changes on the disk, if it can."""
    workspace = server.client_capabilities.workspace
    can = workspace.did_change_watched_files if workspace else None
    if can is None or not can.dynamic_registration:
        return
    files = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(glob) for glob in _WATCHED])
    wanted = types.Registration("remit-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, files)
    with contextlib.suppress(JsonRpcException):  # a client that refuses reports nothing
        await server.client_register_capability_async(types.RegistrationParams([wanted]))


def _hover(server: SkillServer, uri: str, position: types.Position) -> types.Hover | None:
    known = server.of(uri)
    if known is None:
        return None
    _, file, found = known
    text = server.text(uri)
    if file == NAME:
        line = text.lines[position.line] if position.line < len(text.lines) else ""
        said = manifest_hover(line, text.column(position), found)
    else:
        said = line_hover([one for one in found if one.file == file and one.line == position.line + 1])
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, said)) if said else None


def _actions(server: SkillServer, uri: str, span: types.Range) -> list[types.CodeAction]:
    known = server.of(uri)
    if known is None:
        return []
    folder, file, found = known
    if not server.settled(folder):
        return []  # an escape of an earlier text may need no entry any more
    here = [one for one in found if one.file == file and span.start.line <= one.line - 1 <= span.end.line]
    manifest = uri_of(folder / NAME)
    return list(actions(here, found, server.text(manifest), manifest))
