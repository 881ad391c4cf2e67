"""A client as an editor has it: the real `remit lsp` in a process, spoken with over its standard input and output."""

import asyncio
import os
import sys

from lsprotocol import types
from pygls.lsp.client import LanguageClient

PATIENCE = 60


class Editor:
    """One session. `texts` are the buffers; an edit that the server offers is applied to them."""

    def __init__(self, folder, encoding=None):
        self.folder = folder
        self.texts, self.versions, self.told = {}, {}, {}
        self._news = asyncio.Event()
        self._encoding = encoding
        self.client = LanguageClient("test", "1")

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def hear(params):
            self.told.setdefault(params.uri, []).append(params.diagnostics)
            self._news.set()

        self.watched = []

        @self.client.feature(types.CLIENT_REGISTER_CAPABILITY)
        def register(params):
            self.watched += [
                one["globPattern"] for each in params.registrations for one in each.register_options["watchers"]
            ]

    async def __aenter__(self):
        await self.client.start_io(sys.executable, "-P", "-m", "remit.cli", "lsp", cwd=str(self.folder), env=os.environ)
        general = types.GeneralClientCapabilities(position_encodings=[self._encoding]) if self._encoding else None
        root = self.folder.as_uri()
        watching = types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True)
        workspace = types.WorkspaceClientCapabilities(did_change_watched_files=watching)
        self.began = await self.client.initialize_async(
            types.InitializeParams(
                types.ClientCapabilities(workspace, general=general), process_id=os.getpid(), root_uri=root
            )
        )
        self.client.initialized(types.InitializedParams())
        return self

    async def __aexit__(self, *_):
        await asyncio.wait_for(self.client.shutdown_async(None), PATIENCE)
        self.client.exit(None)
        await asyncio.wait_for(self.client._server.wait(), PATIENCE)
        self.status = self.client._server.returncode
        await self.client.stop()

    def uri(self, file):
        return (self.folder / file).as_uri()

    def open(self, file, text=None):
        self.texts[file] = (self.folder / file).read_text() if text is None else text
        self.versions[file] = 1
        item = types.TextDocumentItem(self.uri(file), "plaintext", 1, self.texts[file])
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def change(self, file, text):
        self.texts[file] = text
        self.versions[file] += 1
        known = types.VersionedTextDocumentIdentifier(self.versions[file], self.uri(file))
        whole = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(known, [whole]))

    def close(self, file):
        self.client.text_document_did_close(
            types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(self.uri(file)))
        )

    def tell(self, file):
        """What a client says of a file that somebody else wrote."""
        change = types.FileEvent(self.uri(file), types.FileChangeType.Changed)
        self.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([change]))

    async def sees(self, file, wanted):
        """Wait until what was last told of a file is as wanted, and return it."""
        uri = self.uri(file)

        async def wait():
            while not (self.told.get(uri) and wanted(self.told[uri][-1])):
                self._news.clear()
                await self._news.wait()

        await asyncio.wait_for(wait(), PATIENCE)
        return self.told[uri][-1]

    async def hover(self, file, line, column):
        params = types.HoverParams(types.TextDocumentIdentifier(self.uri(file)), types.Position(line, column))
        found = await asyncio.wait_for(self.client.text_document_hover_async(params), PATIENCE)
        return found.contents.value if found else None

    async def actions(self, file, line):
        span = types.Range(types.Position(line, 0), types.Position(line, 0))
        params = types.CodeActionParams(types.TextDocumentIdentifier(self.uri(file)), span, types.CodeActionContext([]))
        return await asyncio.wait_for(self.client.text_document_code_action_async(params), PATIENCE)

    def apply(self, action):
        """The edit of an action, in the open buffers."""
        for uri, edits in action.edit.changes.items():
            file = next(name for name in self.texts if self.uri(name) == uri)
            for edit in edits:
                assert edit.range.start == edit.range.end
                lines = self.texts[file].split("\n")
                here = lines[edit.range.start.line]
                at = len(here.encode("utf-16-le")[: edit.range.start.character * 2].decode("utf-16-le"))
                lines[edit.range.start.line] = here[:at] + edit.new_text + here[at:]
                self.change(file, "\n".join(lines))


def session(folder, play, **more):
    """Run a play with an editor, and see that the server left in order."""

    async def whole():
        editor = Editor(folder, **more)
        async with editor:
            await play(editor)
        assert editor.status == 0

    asyncio.run(whole())
