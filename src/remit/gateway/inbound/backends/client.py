"""A turn of Claude Code or Codex, in a capsule and under the guard. The session is resumed where it stopped.

(1) the session has a folder of its own: the client's home, and a workspace if the agent has none
(2) the client starts in a capsule with these two, the system's programs, and the model proxy as its only host
(3) before each of its tools: the policy of this moment, the store records that the turn acts, the log has the call, the guard judges
(4) the gateway's tools are offered over MCP and run like those of a model
(5) partial text is shown; the last text is the answer, and the client's session name is kept for the next turn

Hooks and MCP arrive on one Unix socket a turn, through the bridge in the capsule.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import shutil
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.errors import AuthorityError, RemitError
from remit.core.scope.component import escape
from remit.gateway.inbound.agent.turn import (
    AgentCall,
    By,
    ConversationMessage,
    LostError,
    PendingApproval,
    StoppedError,
    Talk,
    TurnOrigin,
    WaitsError,
    run_call,
)
from remit.gateway.inbound.backends import bridge, capsule_run
from remit.gateway.inbound.backends.capsule_run import NOT_RUN
from remit.gateway.inbound.backends.programs import SERVER, Launch, OutputLine, Program, Start, offered, own_tools
from remit.gateway.inbound.tool_policy import names
from remit.gateway.private_files import make_private
from remit.guard.daemon.protocol import ANSWERED, DENIED, IN_CAPSULE, LARGEST, HookAnswer

if TYPE_CHECKING:
    from remit.gateway.inbound.agent.model_proxy import Relay
    from remit.gateway.inbound.agent.turn import Tool
    from remit.gateway.inbound.turn_context import TurnContext
    from remit.guard.daemon.daemon_client import Daemon


PYTHON = "/usr/bin/python3"
_SOCKET = f"/run/remit/sockets/{capsule_run.SOCKET}"
_SOURCE = Path(bridge.__file__)
_LINE = 32 * 1024 * 1024  # bytes of one line of output
_LONGEST = 3600.0  # seconds: limits what a turn can cost
_LEAVES = 15.0  # seconds for a client to exit after its answer
_ENDS = 5.0  # and then until it is killed
_TAIL = 2000  # bytes of a failing client's error output
_SHOWN = 100_000  # characters of the partial answer that are shown
_PIECE = 1 << 16
_OLD = "old-"  # homes that could not be removed yet
_EARLIER = "Earlier in this conversation:\n{said}\n\nNow:\n{words}"
_WHOSE = {By.PERSON: "person", By.AGENT: "you"}
# The client's own folder with its settings and sessions: the manifest grants these classes only by explicit paths.
_OWN = (
    "file.read file.write file.delete secret.read secret.write secret.delete memory.read memory.write policy.expand "
    "hook.install skill.install"
).split()


def folder_of_sessions(gateway: Path, environ: Mapping[str, str] = os.environ) -> Path:
    """Return the parent folder of the clients' sessions.

    It lies outside the state folder, which the guard closes to every agent.
    """
    named = environ.get("XDG_DATA_HOME", "")
    base = Path(named) if Path(named).is_absolute() else Path.home() / ".local/share"
    return base / "remit/agents" / sha256(os.fsencode(gateway)).hexdigest()[:12]


class SessionFolders(NamedTuple):
    """The folders of a session."""

    folder: Path
    workspace: Path

    @property
    def home(self) -> Path:
        """The client's home folder."""
        return self.folder / "home"

    @property
    def resumes(self) -> Path:
        """The file with the client's session name, outside the capsule."""
        return self.folder / "resumes"


class ClientBackend:
    """A client program as a backend. `folder`: parent of the session folders."""

    def __init__(self, program: Program, relay: Relay, guard: Daemon, folder: Path) -> None:
        self._program, self._relay, self._guard, self._folder = program, relay, guard, folder

    async def answer(self, context: TurnContext, about: TurnOrigin, talk: Talk) -> Talk:
        """Run one turn; if the client has lost its session, it starts again with the gateway's record of the
        conversation.
        """
        place = self._place(context, about)
        # A new conversation has no session, and an aborted turn loses it: the client's memory may contain text of
        # others, and taint that the gateway does not know of must not be resumed.
        begun = len(talk.said) > 1
        known = place.resumes.read_text("utf-8").strip() if begun and place.resumes.exists() else ""
        place.resumes.unlink(missing_ok=True)
        turn = _Turn(self._program, self._guard, context, about)
        with self._relay.lent() as token:
            try:
                text = await self._run(turn, place, talk, token, known)
            except AuthorityError:
                if not known or turn.worked:
                    raise
                text = await self._run(turn, place, talk, token, "")
        return Talk((*talk.said, ConversationMessage(By.AGENT, text)), turn.about.tainted)

    def _place(self, context: TurnContext, about: TurnOrigin) -> SessionFolders:
        """(1) Return the folders of the session."""
        folder = (
            self._folder / self._program.name / sha256(about.session.encode("utf-8", "surrogatepass")).hexdigest()[:32]
        )
        given = context.workspace(about.agent)
        place = SessionFolders(folder, Path(given) if given else folder / "workspace")
        make_private(place.folder)
        for one in (place.workspace, place.workspace / ".claude"):
            one.mkdir(mode=0o700, exist_ok=True)
        return place

    async def _run(self, turn: _Turn, place: SessionFolders, talk: Talk, token: str, known: str) -> str:
        """(2) Start the client and wait for its answer."""
        said = talk.said[-1].text
        words = said if known else _with_earlier(talk)
        turn.begin(said if turn.about.operator and words == said else "")
        if not known:
            await asyncio.to_thread(_renew, place.home)
        start = Start(
            place.home, self._relay.settings.name, self._relay.url, token, turn.context.prompt(turn.about.agent), words, known,
            offered(self._program.name, turn.context.allowed(turn.about)), (PYTHON, "-I", "-S", str(_SOURCE), _SOCKET),
        )  # fmt: skip
        launch = self._program.launch(start)
        async with listening(turn, place.workspace.stat().st_uid) as socket:
            order = self._order(turn.about.agent, place, launch, socket)
            heard = await _see_through(turn, order, launch.input)
        if heard.session:
            draft = place.resumes.with_suffix(".new")
            draft.write_text(heard.session, "utf-8")
            draft.replace(place.resumes)
        return heard.whole

    def _order(self, agent: str, place: SessionFolders, launch: Launch, socket: str) -> Path:
        """Write the order for the process and the manifest of the capsule; return the order's path."""
        manifest = place.folder / "remit.json"
        order = place.folder / "order.json"
        permissions = self._permissions(place, launch)
        told = {
            "skill_metadata": {"name": agent, "version": "1"},
            "verification": "declared",
            "permissions": permissions,
        }
        manifest.write_text(json.dumps(told, indent=1), "utf-8")
        order.touch(mode=0o600)
        order.write_text(
            json.dumps({
                "agent": agent, "manifest": str(manifest), "command": launch.command, "workspace": str(place.workspace),
                "socket": socket, "environment": launch.environment,
            }),
            "utf-8",
        )  # fmt: skip
        return order

    def _permissions(self, place: SessionFolders, launch: Launch) -> list[dict[str, str]]:
        host = self._relay.url.removeprefix("http://")
        allowed = [
            *((name, "./**") for name in ("file.read", "file.write", "file.delete")),
            *((name, f"{_escaped(place.home)}/**") for name in _OWN),
            ("file.read", _escaped(_SOURCE)),
            ("process.create", "*"),
            ("net.connect", host),
            *(("env.read", name) for name in launch.environment),
        ]
        # settings that the client would load
        denied = [(name, "./.claude/**") for name in ("file.write", "file.delete")]
        return [
            *({"capability": name, "scope": scope, "effect": "allow"} for name, scope in allowed),
            *({"capability": name, "scope": scope, "effect": "deny"} for name, scope in denied),
        ]


class _Turn:
    """Answers a client's hooks and tool calls during one turn, one at a time."""

    def __init__(self, program: Program, guard: Daemon, context: TurnContext, about: TurnOrigin) -> None:
        self.context, self.about = context, about
        self.worked = False  # a tool ran, or may have run
        self.lost: LostError | None = None
        self._program, self._guard = program, guard
        self._one = asyncio.Lock()
        self._words = self._session = ""

    def begin(self, words: str) -> None:
        """Begin with a start of the client. `words`: an operator's message, if the client gets nothing else."""
        self._words, self._session = words, ""

    def heard(self, told: Mapping[str, Any]) -> OutputLine:
        """Parse a line of the client's output."""
        return self._program.heard(told)

    def _end(self, lost: LostError) -> None:
        """Note that the turn belongs to another worker: nothing that the client still does counts."""
        self.lost = lost
        self.context.stopping(self.about).set()

    async def hook(self, event: str, body: bytes) -> HookAnswer:
        """(3) Answer a hook; any error is a refusal."""
        try:
            told = json.loads(body)
            # Any process in the capsule can send a hook. The first hook of a turn comes from the client, before it
            # starts others.
            self._session = self._session or str(told["session_id"])
            if event not in self._program.events or told["session_id"] != self._session:
                return _refused("not a hook of this session")
            async with self._one:
                return await self._answered(event, told, body)
        except LostError as error:
            self._end(error)
            return _refused(error.message)
        except (RemitError, ValueError, KeyError, TypeError, RecursionError) as error:
            return _refused(error.message if isinstance(error, RemitError) else "not of the form of a hook")

    async def _answered(self, event: str, told: Mapping[str, Any], body: bytes) -> HookAnswer:
        if event == "PreToolUse":
            return await self._before(told, body)
        if event == "UserPromptSubmit":
            words, self._words = self._words, ""
            if not words:
                return HookAnswer(ANSWERED, b"{}")  # text of people other than operators is not the user's prompt
            body = json.dumps({**told, "prompt": words}).encode()  # use the gateway's own record of the message, once
        answer = await self._ask(event, body)
        if event.startswith("PostToolUse") and not _ours(str(told["tool_name"])):
            self._record(told, ended="done" if event == "PostToolUse" else "failed")
        return answer

    async def _before(self, told: Mapping[str, Any], body: bytes) -> HookAnswer:
        tool = str(told["tool_name"])
        if _ours(tool):
            return HookAnswer(ANSWERED, b"{}")  # judged when it is called
        known = own_tools(self._program.name)
        means = known.get(tool)
        refused = "TOOL_UNKNOWN" if means is None else self.context.refusal(self.about, means) if means else ""
        if refused:
            self._record(told, refused=refused)
            return _refused(refused)
        if means:
            await self.context.acts(self.about)
        self.worked = True
        answer = await self._ask("PreToolUse", body)
        self._record(told, refused="" if _passes(answer) else "GUARD")
        self.about = self.about._replace(tainted=True)  # a tool's result is not an operator's text
        return answer

    async def _ask(self, event: str, body: bytes) -> HookAnswer:
        return await self._guard.relayed(event + self._program.entry + IN_CAPSULE, body)

    def _record(self, told: Mapping[str, Any], *, refused: str = "", ended: str = "") -> None:
        call = AgentCall(str(told.get("tool_use_id", "")), str(told["tool_name"]), json.dumps(told.get("tool_input")))
        self.context.record(self.about, call, refused=refused, ended=ended)

    def tools(self) -> Sequence[Tool]:
        """Return the gateway's tools without those that the client has itself."""
        own = set(own_tools(self._program.name).values())
        return [one for one in self.context.shown(self.about) if one.name not in own]

    async def call(self, tool: str, arguments: str) -> tuple[str, bool]:
        """(4) Call one of the gateway's tools; return its result and whether it failed."""
        async with self._one:
            if names().tool(tool) not in {one.name for one in self.tools()}:
                return "refused: TOOL_UNKNOWN", True
            self.worked = True
            try:
                told = await self._call(AgentCall(f"mcp-{os.urandom(4).hex()}", tool, arguments))
            except LostError as error:
                self._end(error)
                return error.message, True
            self.about = self.about._replace(tainted=True)
            return told, told.startswith(("refused: ", "failed: "))

    async def _call(self, call: AgentCall) -> str:
        """Run a tool call. The client keeps running: if a person must answer first, the call blocks until then."""
        waits: PendingApproval | None = None
        while True:
            try:
                return await run_call(self.context, self.about, call, waits)
            except WaitsError as error:
                try:
                    waits = await self.context.waited(self.about, error)
                except RemitError as refused:
                    return f"failed: {refused.message}"


async def _see_through(turn: _Turn, order: Path, given: bytes) -> OutputLine:
    """(5) Return the client's answer; AuthorityError if there is none. Afterwards no process of it is left."""
    environment = {**os.environ, "REMIT_GATEWAY": str(os.getpid())}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", capsule_run.__name__, str(order),
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, env=environment, limit=_LINE,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stderr is not None
    errors = asyncio.create_task(_tail(process.stderr))
    reading = asyncio.create_task(_read(turn, process))
    stopping = asyncio.create_task(turn.context.stopping(turn.about).wait())
    try:
        with suppress(OSError):
            process.stdin.write(given)
            await process.stdin.drain()
            process.stdin.close()
        done, _ = await asyncio.wait((reading, stopping), timeout=_LONGEST, return_when=asyncio.FIRST_COMPLETED)
        if turn.lost is not None:
            raise turn.lost
        if not done:
            raise AuthorityError(
                f"the client worked on it for {_LONGEST:.0f} s and was ended", "ask for less at a time"
            )
        if not reading.done():
            raise StoppedError("the turn was stopped", "ask again")
        heard = reading.result()
        if heard.failed or not heard.ended:
            raise AuthorityError(f"the client failed: {heard.failed or await _why(process, errors)}", "look at the log")
        return heard
    finally:
        for task in (reading, stopping):
            task.cancel()
        await _ended(process, _ENDS if reading.done() else 0)
        errors.cancel()
        await asyncio.gather(reading, stopping, errors, return_exceptions=True)


async def _ended(process: asyncio.subprocess.Process, seconds: float) -> None:
    """Wait for the client's end, or kill it. The capsule ends with the process in front of it."""
    try:
        async with asyncio.timeout(seconds):
            await process.wait()
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def _why(process: asyncio.subprocess.Process, errors: asyncio.Task[bytes]) -> str:
    status = await process.wait()
    said = (await errors).decode("utf-8", "replace").strip()
    return said or (f"it ended with status {status}" if status != NOT_RUN else "it was not started")


async def _tail(stream: asyncio.StreamReader) -> bytes:
    """Return the end of a stream's data. All of it is read, or the writer would block."""
    found = b""
    while piece := await stream.read(_PIECE):
        found = (found + piece)[-_TAIL:]
    return found


async def _lines(stream: asyncio.StreamReader) -> AsyncIterator[bytes]:
    try:
        async for line in stream:
            yield line
    except ValueError:
        raise AuthorityError(
            f"the client printed a line of more than {_LINE >> 20} MiB", "ask for less at a time"
        ) from None


async def _read(turn: _Turn, process: asyncio.subprocess.Process) -> OutputLine:
    """Read the client's output until its answer is complete."""
    assert process.stdout is not None
    found, shown = OutputLine(), ""
    async for line in _lines(process.stdout):
        try:
            told = json.loads(line)
        except (ValueError, RecursionError):
            continue
        heard = turn.heard(told) if isinstance(told, dict) else OutputLine()
        shown = (heard.whole or shown + heard.piece)[:_SHOWN]
        if (heard.piece or heard.whole) and shown.strip():
            await turn.context.show(turn.about, shown.strip())
        found = OutputLine(heard.session or found.session, "", heard.whole or found.whole, heard.ended, heard.failed)
        if heard.ended:
            with suppress(TimeoutError):
                async with asyncio.timeout(_LEAVES):  # it saves its session
                    await _tail(process.stdout)
            break
    return found


def _renew(home: Path) -> None:
    """Create an empty home: what a client remembers of an earlier conversation may come from other people."""
    if os.path.lexists(home):
        home.rename(home.with_name(f"{_OLD}{secrets.token_hex(8)}"))
    for old in home.parent.glob(f"{_OLD}*"):
        shutil.rmtree(old, ignore_errors=True)
    home.mkdir(mode=0o700)


def _with_earlier(talk: Talk) -> str:
    """Return the message with the gateway's record of the conversation, for a client without a session."""
    *before, last = talk.said
    said = [f"{_WHOSE[one.by]}: {one.text}" for one in before if one.by in _WHOSE and one.text]
    return _EARLIER.format(said="\n".join(said), words=last.text) if said else last.text


def _ours(tool: str) -> bool:
    return tool.startswith(f"mcp__{SERVER}__")


def _passes(answer: HookAnswer) -> bool:
    if answer.exit != ANSWERED:
        return False
    told = json.loads(answer.stdout or b"{}")
    return bool(told.get("hookSpecificOutput", {}).get("permissionDecision") != "deny")


def _refused(reason: str) -> HookAnswer:
    return HookAnswer(DENIED, stderr=f"remit: {reason}\n".encode())


def _escaped(path: Path) -> str:
    return "/".join(map(escape, str(path).split("/")))


_PURPOSE = 200  # bytes of the first line, which states the purpose
_MOST_CONNECTIONS = 64  # concurrent connections: each may hold a whole request


@asynccontextmanager
async def listening(turn: _Turn, user: int) -> AsyncIterator[str]:
    """Serve on a socket and yield its path. `user`: the user id in the capsule, if it differs from ours."""
    at_work: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        if len(at_work) >= _MOST_CONNECTIONS:
            writer.close()
            return
        at_work.add(task)
        try:
            with suppress(OSError, ValueError, asyncio.IncompleteReadError):
                await _serve(turn, reader, writer)
        finally:
            at_work.discard(task)
            writer.close()

    with TemporaryDirectory(prefix="remit-") as folder:
        path = Path(folder) / "socket"
        server = await asyncio.start_unix_server(serve, path, limit=LARGEST)
        if user != os.geteuid():
            os.chown(folder, user, -1)
            os.chown(path, user, -1)
        try:
            yield str(path)
        finally:
            server.close()
            for task in tuple(at_work):
                task.cancel()
            await asyncio.gather(*at_work, return_exceptions=True)


async def _serve(turn: _Turn, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    line = await reader.readuntil(b"\n")
    words = line[:_PURPOSE].decode("ascii", "replace").split()
    if words == ["tools"]:
        await _serve_tools(turn, reader, writer)
    elif len(words) == 2 and words[0] == "hook":
        body = await _rest(reader)
        answer = (
            await turn.hook(words[1], body) if body is not None else HookAnswer(DENIED, stderr=b"remit: too large\n")
        )
        out, err = (text.decode("utf-8", "replace") for text in (answer.stdout, answer.stderr))
        writer.write(json.dumps({"exit": answer.exit, "out": out, "err": err}).encode())
        await writer.drain()


async def _rest(reader: asyncio.StreamReader) -> bytes | None:
    """Return all data; None if it is too much."""
    body = b""
    while piece := await reader.read(1 << 16):
        body += piece
        if len(body) > LARGEST:
            return None
    return body


async def _serve_tools(turn: _Turn, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Serve MCP until the client disconnects."""
    import mcp_types as types  # noqa: PLC0415  needed only for clients in capsules
    from mcp.server.lowlevel.server import Server  # noqa: PLC0415
    from mcp.server.stdio import stdio_server  # noqa: PLC0415

    async def listed(_: Any, __: Any) -> Any:
        return types.ListToolsResult(
            tools=[types.Tool(name=one.name, description=one.about, input_schema=one.schema()) for one in turn.tools()]
        )

    async def called(_: Any, params: Any) -> Any:
        told, failed = await turn.call(params.name, json.dumps(params.arguments or {}))
        return types.CallToolResult(content=[types.TextContent(type="text", text=told)], is_error=failed)

    lines: Any = _Lines(reader, writer)
    async with stdio_server(lines, lines) as (read, write):
        server = Server("remit", on_list_tools=listed, on_call_tool=called)
        await server.run(read, write, server.create_initialization_options())


class _Lines:
    """A connection as the pair of text files that the MCP library reads and writes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    def __aiter__(self) -> _Lines:
        return self

    async def __anext__(self) -> str:
        line = await self._reader.readline()
        if not line:
            raise StopAsyncIteration
        return line.decode("utf-8", "replace")

    async def write(self, text: str) -> None:
        """Queue text."""
        self._writer.write(text.encode())

    async def flush(self) -> None:
        """Send."""
        await self._writer.drain()
