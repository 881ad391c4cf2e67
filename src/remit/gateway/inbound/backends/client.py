"""A turn of Claude Code or Codex: started in a capsule for this turn, resumed where the session stopped, and under the guard.

(1) the session has a folder of its own: the client's memory of it, and a workspace where the agent has none
(2) the client starts in a capsule that holds these two, the system's programs, and the model's relay as its only host
(3) before each of its tools: the policy of this moment, the disk says that the turn acts, the log has the call, the guard judges it
(4) our tools reach it over MCP, and run as those of a model do
(5) its words are shown while they come; its answer is the last of them, and its name of the session is kept for the next turn
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import shutil
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.errors import AuthorityError, RemitError
from remit.core.scope.component import escape
from remit.gateway.inbound.agent.talk import By, Call, Pause, Said, Talk, Waits
from remit.gateway.inbound.agent.turn import About, LostError, StoppedError, WaitsError, World, run_call
from remit.gateway.inbound.backends import bridge, capsule_run
from remit.gateway.inbound.backends.capsule_run import NOT_RUN
from remit.gateway.inbound.backends.programs import SERVER, Heard, Launch, Program, Start, offered, own_tools
from remit.gateway.inbound.backends.socket import listening
from remit.gateway.inbound.tools.names import names
from remit.gateway.private import make_private
from remit.guard.daemon.protocol import ANSWERED, DENIED, IN_CAPSULE, Answer

if TYPE_CHECKING:
    from remit.gateway.inbound.agent.relay import Relay
    from remit.gateway.inbound.agent.tools import Tool
    from remit.guard.daemon.daemon_client import Daemon

PYTHON = "/usr/bin/python3"
_SOCKET = f"/run/remit/sockets/{capsule_run.SOCKET}"
_SOURCE = Path(bridge.__file__)
_LINE = 32 * 1024 * 1024  # bytes of one line of output
_LONGEST = 3600.0  # seconds of a turn: what a client spends has an end
_LEAVES = 15.0  # seconds that a client may take to leave after its answer
_ENDS = 5.0  # and then to end
_TAIL = 2000  # bytes of what a client says as it fails
_SHOWN = 100_000  # characters of an answer that is shown while it comes
_PIECE = 1 << 16
_OLD = "old-"  # homes that could not be removed yet
_EARLIER = "Earlier in this conversation:\n{said}\n\nNow:\n{words}"
_WHOSE = {By.PERSON: "person", By.AGENT: "you"}
# What the folder of a client's own memory holds: its settings and sessions are of classes that are granted by name alone.
_OWN = (
    "file.read file.write file.delete secret.read secret.write secret.delete memory.read memory.write policy.expand "
    "hook.install skill.install"
).split()


def folder_of_sessions(gateway: Path, environ: Mapping[str, str] = os.environ) -> Path:
    """Where the sessions of a gateway's clients have their folders. It lies outside of the state folder, which the guard lets no agent enter."""
    named = environ.get("XDG_DATA_HOME", "")
    base = Path(named) if Path(named).is_absolute() else Path.home() / ".local/share"
    return base / "remit/agents" / sha256(os.fsencode(gateway)).hexdigest()[:12]


class Place(NamedTuple):
    """The folders of a session."""

    folder: Path
    workspace: Path

    @property
    def home(self) -> Path:
        """What the client remembers."""
        return self.folder / "home"

    @property
    def resumes(self) -> Path:
        """The client's name of the session. It lies outside of the capsule."""
        return self.folder / "resumes"


class ClientBackend:
    """See above. `folder`: where sessions have theirs."""

    def __init__(self, program: Program, relay: Relay, guard: Daemon, folder: Path) -> None:
        self._program, self._relay, self._guard, self._folder = program, relay, guard, folder

    async def answer(self, world: World, about: About, talk: Talk, pause: Pause | None) -> Talk:  # noqa: ARG002  a process can not be suspended
        """One turn; a session that the client has lost begins anew, with what is known of it."""
        place = self._place(world, about)
        # A conversation that begins here has no session, and one whose turn breaks off loses it: what the client then
        # remembers may come from others, and taint that we do not know of must not be resumed.
        begun = len(talk.said) > 1
        known = place.resumes.read_text("utf-8").strip() if begun and place.resumes.exists() else ""
        place.resumes.unlink(missing_ok=True)
        turn = _Turn(self._program, self._guard, world, about)
        with self._relay.lent() as token:
            try:
                text = await self._run(turn, place, talk, token, known)
            except AuthorityError:
                if not known or turn.worked:
                    raise
                text = await self._run(turn, place, talk, token, "")
        return Talk((*talk.said, Said(By.AGENT, text)), turn.about.tainted)

    async def close(self) -> None:
        """Nothing is held between turns."""

    def _place(self, world: World, about: About) -> Place:
        """(1) The folders of the session."""
        folder = (
            self._folder / self._program.name / sha256(about.session.encode("utf-8", "surrogatepass")).hexdigest()[:32]
        )
        given = world.workspace(about.agent)
        place = Place(folder, Path(given) if given else folder / "workspace")
        make_private(place.folder)
        for one in (place.workspace, place.workspace / ".claude"):
            one.mkdir(mode=0o700, exist_ok=True)
        return place

    async def _run(self, turn: _Turn, place: Place, talk: Talk, token: str, known: str) -> str:
        """(2) Start the client, and see it through."""
        said = talk.said[-1].text
        words = said if known else _with_earlier(talk)
        turn.begin(said if turn.about.operator and words == said else "")
        if not known:
            await asyncio.to_thread(_renew, place.home)
        start = Start(
            place.home, self._relay.settings.name, self._relay.url, token, turn.world.prompt(turn.about.agent), words, known,
            offered(self._program.name, turn.world.allowed(turn.about)), (PYTHON, "-I", "-S", str(_SOURCE), _SOCKET),
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

    def _order(self, agent: str, place: Place, launch: Launch, socket: str) -> Path:
        """What the process is to do, and the manifest of the capsule."""
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

    def _permissions(self, place: Place, launch: Launch) -> list[dict[str, str]]:
        host = self._relay.url.removeprefix("http://")
        allowed = [
            *((name, "./**") for name in ("file.read", "file.write", "file.delete")),
            *((name, f"{_escaped(place.home)}/**") for name in _OWN),
            ("file.read", _escaped(_SOURCE)),
            ("process.create", "*"),
            ("net.connect", host),
            *(("env.read", name) for name in launch.environment),
        ]
        denied = [(name, "./.claude/**") for name in ("file.write", "file.delete")]  # settings that would count
        return [
            *({"capability": name, "scope": scope, "effect": "allow"} for name, scope in allowed),
            *({"capability": name, "scope": scope, "effect": "deny"} for name, scope in denied),
        ]


class _Turn:
    """What one turn answers its client: hooks and our tools, one at a time."""

    def __init__(self, program: Program, guard: Daemon, world: World, about: About) -> None:
        self.world, self.about = world, about
        self.worked = False  # a tool ran, or may have
        self.lost: LostError | None = None
        self._program, self._guard = program, guard
        self._one = asyncio.Lock()
        self._words = self._session = ""

    def begin(self, words: str) -> None:
        """The client starts. `words`: those of an operator, if it is given nothing else."""
        self._words, self._session = words, ""

    def heard(self, told: Mapping[str, Any]) -> Heard:
        """What a line of its output says."""
        return self._program.heard(told)

    def _end(self, lost: LostError) -> None:
        """The turn is another's: whatever the client would still do does not count."""
        self.lost = lost
        self.world.stopping(self.about).set()

    async def hook(self, event: str, body: bytes) -> Answer:
        """(3) Answer a hook; what goes wrong is a refusal."""
        try:
            told = json.loads(body)
            # Any process in the capsule can send a hook. The first one of a turn comes before all of them, and from the client.
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

    async def _answered(self, event: str, told: Mapping[str, Any], body: bytes) -> Answer:
        if event == "PreToolUse":
            return await self._before(told, body)
        if event == "UserPromptSubmit":
            words, self._words = self._words, ""
            if not words:
                return Answer(ANSWERED, b"{}")  # words of others speak for nobody
            body = json.dumps({**told, "prompt": words}).encode()  # what was said is known here, and counts once
        answer = await self._ask(event, body)
        if event.startswith("PostToolUse") and not _ours(str(told["tool_name"])):
            self._record(told, ended="done" if event == "PostToolUse" else "failed")
        return answer

    async def _before(self, told: Mapping[str, Any], body: bytes) -> Answer:
        tool = str(told["tool_name"])
        if _ours(tool):
            return Answer(ANSWERED, b"{}")  # judged when it is called
        known = own_tools(self._program.name)
        means = known.get(tool)
        refused = "TOOL_UNKNOWN" if means is None else self.world.refusal(self.about, means) if means else ""
        if refused:
            self._record(told, refused=refused)
            return _refused(refused)
        if means:
            await self.world.acts(self.about)
        self.worked = True
        answer = await self._ask("PreToolUse", body)
        self._record(told, refused="" if _passes(answer) else "GUARD")
        self.about = self.about._replace(tainted=True)  # whatever a tool told was not said by the operator
        return answer

    async def _ask(self, event: str, body: bytes) -> Answer:
        return await self._guard.relayed(event + self._program.entry + IN_CAPSULE, body)

    def _record(self, told: Mapping[str, Any], *, refused: str = "", ended: str = "") -> None:
        call = Call(str(told.get("tool_use_id", "")), str(told["tool_name"]), json.dumps(told.get("tool_input")))
        self.world.record(self.about, call, refused=refused, ended=ended)

    def tools(self) -> Sequence[Tool]:
        """Our tools, without those that the client has itself."""
        own = set(own_tools(self._program.name).values())
        return [one for one in self.world.shown(self.about) if one.name not in own]

    async def call(self, tool: str, arguments: str) -> tuple[str, bool]:
        """(4) Call one of our tools."""
        async with self._one:
            if names().tool(tool) not in {one.name for one in self.tools()}:
                return "refused: TOOL_UNKNOWN", True
            self.worked = True
            try:
                told = await self._call(Call(f"mcp-{os.urandom(4).hex()}", tool, arguments))
            except LostError as error:
                self._end(error)
                return error.message, True
            self.about = self.about._replace(tainted=True)
            return told, told.startswith(("refused: ", "failed: "))

    async def _call(self, call: Call) -> str:
        """The client runs meanwhile: where a person must answer first, it waits for its tool."""
        waits: Waits | None = None
        while True:
            try:
                return await run_call(self.world, self.about, call, waits)
            except WaitsError as error:
                try:
                    waits = await self.world.waited(self.about, error)
                except RemitError as refused:
                    return f"failed: {refused.message}"


async def _see_through(turn: _Turn, order: Path, given: bytes) -> Heard:
    """(5) The client's answer; AuthorityError if it gives none. However it ends, nothing of it is left."""
    environment = {**os.environ, "REMIT_GATEWAY": str(os.getpid())}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", capsule_run.__name__, str(order),
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, env=environment, limit=_LINE,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stderr is not None
    errors = asyncio.create_task(_tail(process.stderr))
    reading = asyncio.create_task(_read(turn, process))
    stopping = asyncio.create_task(turn.world.stopping(turn.about).wait())
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
    """The end of a client, by itself in some time or by force. With the process in front of the capsule everything in it ends."""
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
    """The end of what a stream gives. All of it is read: whoever writes would wait."""
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


async def _read(turn: _Turn, process: asyncio.subprocess.Process) -> Heard:
    """All of its output, until its answer is whole."""
    assert process.stdout is not None
    found, shown = Heard(), ""
    async for line in _lines(process.stdout):
        try:
            told = json.loads(line)
        except (ValueError, RecursionError):
            continue
        heard = turn.heard(told) if isinstance(told, dict) else Heard()
        shown = (heard.whole or shown + heard.piece)[:_SHOWN]
        if (heard.piece or heard.whole) and shown.strip():
            await turn.world.show(turn.about, shown.strip())
        found = Heard(heard.session or found.session, "", heard.whole or found.whole, heard.ended, heard.failed)
        if heard.ended:
            with suppress(TimeoutError):
                async with asyncio.timeout(_LEAVES):  # it writes down what it remembers
                    await _tail(process.stdout)
            break
    return found


def _renew(home: Path) -> None:
    """An empty home: what a client remembers of an earlier conversation may come from others."""
    if os.path.lexists(home):
        home.rename(home.with_name(f"{_OLD}{secrets.token_hex(8)}"))
    for old in home.parent.glob(f"{_OLD}*"):
        shutil.rmtree(old, ignore_errors=True)
    home.mkdir(mode=0o700)


def _with_earlier(talk: Talk) -> str:
    """What is said, with what the gateway knows of the conversation, for a client that knows nothing of it."""
    *before, last = talk.said
    said = [f"{_WHOSE[one.by]}: {one.text}" for one in before if one.by in _WHOSE and one.text]
    return _EARLIER.format(said="\n".join(said), words=last.text) if said else last.text


def _ours(tool: str) -> bool:
    return tool.startswith(f"mcp__{SERVER}__")


def _passes(answer: Answer) -> bool:
    if answer.exit != ANSWERED:
        return False
    told = json.loads(answer.stdout or b"{}")
    return bool(told.get("hookSpecificOutput", {}).get("permissionDecision") != "deny")


def _refused(reason: str) -> Answer:
    return Answer(DENIED, stderr=f"remit: {reason}\n".encode())


def _escaped(path: Path) -> str:
    return "/".join(map(escape, str(path).split("/")))
