"""Walls around the commands of skills, for the engine: their availability, their coverage, and the rewritten command.

Commands that run on behalf of a skill run inside of walls, by a rewritten call. What the walls hold needs no question; what they
cannot hold is decided as before. Where they cannot be made, everything is decided as before.
"""

from __future__ import annotations

import os
import platform
import secrets
import shutil
import subprocess
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.capsule.contract_places import lies_in
from remit.capsule.helper.build import compiled
from remit.capsule.kernel import located, machine_problem
from remit.capsule.seccomp import seccomp_filter
from remit.core.capability import vocabulary
from remit.core.errors import RemitError
from remit.core.scope import ANY_SCOPE, DEEP, ROOT, TEMP, WORKSPACE, AnyScope, NameScope, PathScope, Scope, SymbolScope
from remit.core.scope.component import literal
from remit.core.sensitive import sensitive, variable_of
from remit.guard.call_analysis.path_patterns import begins_in_sensitive
from remit.guard.call_analysis.requests import SHELLS, CallRequests, possible_requests
from remit.guard.call_analysis.run_later import changed_later
from remit.guard.event import Event, Kind, Verdict
from remit.guard.hosts.toolmap import Role, wants
from remit.guard.paths import folder_scope
from remit.guard.settings import read_settings
from remit.guard.walls.agent_settings import make_folders, remove_folders, settings_in
from remit.guard.walls.call import REFUSAL, Wrapped, kept_in, rewritten, unwrapped, was_barred, write_call
from remit.guard.walls.contract import Site, Wall, kept_objects, make_wall, real_folders
from remit.guard.walls.logins import Login, find_login
from remit.guard.walls.logins import ShellCall as LoginCall
from remit.guard.walls.masks import Masks
from remit.guard.walls.sandbox import Programs, Sandbox, end_processes, note_of, remove
from remit.policy.decide import JudgedRequest
from remit.policy.entry_matches import may_deny
from remit.policy.gate import Standing
from remit.policy.judge import Allow, Ask, Deny, judge
from remit.policy.principal import UNLISTED, SessionPolicy
from remit.policy.request import Request

if TYPE_CHECKING:
    from remit.guard.session.state import SessionState
    from remit.guard.state_folder import StateFolder
    from remit.policy.limits import Situation
    from remit.policy.rules import Rule
    from remit.policy.skill_policy import SkillPolicy

SOURCE = Path(__file__).resolve().with_name("wall.c")
REWRITES = frozenset(
    {"claude-code", "codex", "copilot", "gemini", "opencode"}
)  # hosts with which rewritten calls were tried for real
_FIELDS = frozenset({"command", "cmd"})  # of a tool that starts a command; others write to one that runs
SOURCE_OF_RIGHT = "walls"  # as records name whose entry decided
_MOST_ROOMS = 16
_KEPT_CALLS = 3600.0  # seconds after which the file of a call that never ran is removed
_READS = frozenset(
    "file.read source.read commit.read profile.read memory.read schedule.read process.query env.read".split()
)
_WRITES = frozenset(
    "file.write source.write file.delete source.delete file.chmod commit.create secret.write secret.delete".split()
)
_RUNS = frozenset(
    "process.create process.kill shell.execute source.execute repl.create repl.execute repl.read repl.reset repl.terminate net.listen".split()
)
_REACHES = frozenset("web.fetch web.post web.interact api.call net.connect".split())
_OPENED = _REACHES | {"secret.read"}
_NOT_THERE = frozenset("tool.invoke db.read db.write".split())  # of the host, and behind hosts that stay outside
_NEVER_THERE = frozenset({"container.run"})  # by services whose sockets no answer of a person opens
_NOT_NAMED = frozenset({"undeclared", "outside", "sensitive"})  # denials that only say: no entry speaks of it


class Inside(NamedTuple):
    """A call that runs inside of walls: the skill, and the field of its arguments that holds the command."""

    skill: str
    field: str
    command: str


class Entered(NamedTuple):
    """A call that was rewritten, and where what it changes is kept while it runs."""

    verdict: Verdict
    kept: Path


class Walls:
    """The walls of all sessions of one process."""

    def __init__(
        self, places: StateFolder, home: Path, temp: Path, abandoned: Callable[[Path], object] = shutil.rmtree
    ) -> None:
        self._abandoned = abandoned  # is given what was kept of a command whose end nobody told
        self._observed: dict[tuple[str, str, str], Path] = {}  # what was kept of calls that ended
        self._folder = places.folder / "walls"
        self._home = os.path.realpath(home)
        self._temps = real_folders((str(temp), "/tmp", "/var/tmp"))  # noqa: S108  (those of the machine)
        self._lock = threading.Lock()
        self._masks = Masks()
        self._rooms: OrderedDict[tuple[str, str, str], Sandbox] = OrderedDict()
        self._programs: Programs | None = None
        self._problem: str | None = None  # why walls cannot be made; None: nobody has tried
        self._barred: set[tuple[str, str]] = set()  # sessions of hosts whose commands cannot enter walls
        self._settings: dict[str, frozenset[str]] = {}  # that were there before a command, by session

    @property
    def calls(self) -> Path:
        """The folder with the files of calls, and what is kept of them while they run."""
        return self._folder / "calls"

    # --- whether they stand ---

    def inside(self, event: Event, whose: Sequence[str]) -> Inside | None:
        """The call as one that runs inside of walls; None if it does not: no skill, no shell command, another host or one
        in a capsule, no walls here."""
        if not whose or event.kind is not Kind.BEFORE or event.host not in REWRITES or event.confined:
            return None
        commands = [
            one for one in wants(event) if one.role is Role.COMMAND and one.target in SHELLS and not one.problem
        ]
        field = next((name for name in _FIELDS if commands and event.args.get(name) == commands[0].command), "")
        if len(commands) != 1 or not field or len(set(whose)) != 1 or self.problem():
            return None
        if (event.host, event.session) in self._barred:
            return None
        return Inside(whose[0], field, commands[0].command)

    def problem(self) -> str:
        """Why there are no walls on this machine; empty if there are."""
        if not read_settings(self._folder.parent).walls:
            return "walls are switched off in settings.json"
        with self._lock:
            if self._problem is None:
                self._problem = self._prepared()
            return self._problem

    def _prepared(self) -> str:
        try:
            if problem := machine_problem():
                return problem
            self._folder.mkdir(mode=0o700, exist_ok=True)
            self._forget_old()
            self._programs = Programs(located("bwrap", "bubblewrap"), compiled(SOURCE, self._folder))
            calls = self._folder / "filter"
            draft = calls.with_name(f"filter.{os.getpid()}")
            draft.write_bytes(seccomp_filter(platform.machine(), walls=True))
            draft.chmod(0o600)
            draft.replace(calls)
            return _refusal(self._programs.bwrap)
        except (RemitError, OSError) as error:
            return error.message if isinstance(error, RemitError) else str(error)

    def _forget_old(self) -> None:
        """Remove what earlier guards left: rooms whose first process is gone, and folders that were made for them."""
        for folder in self._folder.glob("rooms/*"):
            if note_of(folder) is None:
                remove(folder)
        self._forget_folders()

    def _forget_folders(self) -> None:
        standing = filter(None, map(note_of, self._folder.glob("rooms/*")))
        remove_folders(self._folder / "made", {one.workspace for one in standing})

    def _forget_calls(self) -> None:
        """Remove files of calls that the host never ran, or never reported."""
        for path in self.calls.glob("*"):
            with suppress(OSError):
                if time.time() - path.stat().st_mtime > _KEPT_CALLS:
                    self._abandoned(path) if path.is_dir() else path.unlink()

    def expect(self, live: SessionState, event: Event, whose: Sequence[str]) -> None:
        """A skill was loaded: look for what its walls cover while the model thinks, so that its first command need not wait."""
        if event.host in REWRITES and whose and not event.confined:
            wall = self._wall(live, whose[-1], ())
            threading.Thread(target=self._expected, args=(wall,), daemon=True).start()

    def _expected(self, wall: Wall) -> None:
        if not self.problem():
            with self._lock:
                self._masks.of(wall)

    # --- what they hold ---

    def crossing(
        self, policy: SessionPolicy, skill: str, drafted: CallRequests, situation: Situation, root: Path
    ) -> tuple[Request, ...]:
        """Of what a call would do, what must be decided: walls hold the rest, whether or not an entry speaks of it. What others run
        later they do not hold.

        What happens only if a word that is not known is an option is not asked about where it reads, or reaches what is not open.
        """
        found: list[Request] = []
        unasked: list[Request] = []  # reads that no entry speaks of
        chain = [policy.policy(name) for name in policy.chain(skill)]
        possible = possible_requests(drafted)
        for one in drafted.requests:
            answers = [judge(rights, one, situation) for rights in chain]
            if (one in possible and _is_spared(one, answers)) or _is_emptied(one, chain):
                continue
            unlisted = any(map(_is_unlisted, chain, answers))
            held = _held(one, self._temps, policy, _not_hidden(one, chain, answers, situation))
            if (
                not held
                or changed_later(one, root)
                or (one.capability in _WRITES and not _is_vague(one.scope) and any(map(_is_asked, chain, answers)))
            ):
                found.append(one)
            elif one.capability in _READS and unlisted and not _is_vague(one.scope):
                unasked.append(one)
        sends = any(one.capability in _REACHES for one in found)  # then what is read may go out with it
        return (*found, *(unasked if sends else ()))

    # --- the command that runs inside ---

    def login(
        self, live: SessionState, call: Inside, drafted: CallRequests, event: Event, situation: Situation
    ) -> Login | None:
        """The login of the user that a call would use. An entry that denies a file of it by name keeps it outside."""
        commands = tuple(words for known in drafted.understood for words in (*known.commands, *known.inner) if words)
        workspace = os.path.realpath(live.workspace.root)
        found = find_login(LoginCall(call.command, commands, event.cwd, workspace, self._home))
        chain = [live.policy.policy(name) for name in live.policy.chain(call.skill)]
        requests = found.requests if found else ()
        denials = (rule for one in requests for rights in chain for rule in _denials(rights, one, situation))
        if found and any(ANY_SCOPE not in rule.entry.scopes for rule in denials):  # `any`: no skill reads one by itself
            return found._replace(left_out="an entry denies it")
        return found

    def enter(
        self,
        live: SessionState,
        call: Inside,
        admitted: Sequence[Request],
        verdict: Verdict,
        event: Event,
        login: Login | None = None,
    ) -> Entered:
        """The verdict with a call that is rewritten so that it runs inside of the walls, with a login of the user if it is given."""
        workspace = os.path.realpath(live.workspace.root)
        self._settings[live.name] = settings_in(workspace)
        make_folders(self._folder / "made", workspace)
        if any(
            one.capability == "package.install" for one in admitted
        ):  # it comes from where the installers take packages
            admitted = (*admitted, *(Request("web.fetch", one) for one in live.workspace.registries))
        kept_objects(workspace, self._folder)  # before places are covered: a command may not remove what is kept
        command, glue, last = login.parts if login and login.parts else (call.command, "", "")
        name = self._called(self._room(live, call.skill, admitted, None if glue else login), command)
        then = self._called(self._room(live, call.skill, admitted, login), last) if glue else ""
        assert self._programs is not None
        command = rewritten(self._programs.wall, self.calls, Wrapped(name, command, glue, last, then))
        return Entered(verdict._replace(changed={**event.args, call.field: command}), kept_in(self.calls, name))

    def _called(self, room: Sandbox, command: str) -> str:
        """Let one command enter a room, and return the name of the call."""
        room.call = write_call(self.calls, room, command, self._folder / "filter")
        return room.call

    def new_settings(self, live: SessionState) -> tuple[str, ...]:
        """Settings of agents and of git that came into being in the workspace while a command ran inside: walls can only fix what was there."""
        before = self._settings.pop(live.name, None)
        found = () if before is None else sorted(settings_in(os.path.realpath(live.workspace.root)) - before)
        return tuple(
            f"`{path}` was created by a command of a skill, and an agent or git obeys it: remove it" for path in found
        )

    def original(self, event: Event) -> Event:
        """An event about a call that was rewritten, as the call was before. Others are as they are."""
        if event.host not in REWRITES:
            return event
        for field in _FIELDS & set(event.args):
            text = event.args[field]
            if not isinstance(text, str) or f"{self._folder}/" not in text or self.problem():
                continue
            assert self._programs is not None
            found = unwrapped(self._programs.wall, self.calls, text)
            if found is not None:
                if event.kind in (Kind.AFTER, Kind.FAILED):
                    self._observed[event.host, event.session, event.call] = kept_in(self.calls, found.name)
                    self._done(found.name, event)
                    if found.last_name:
                        self._done(found.last_name, event)
                        if (kept := kept_in(self.calls, found.last_name)).is_dir():
                            self._abandoned(kept)
                return event._replace(args={**event.args, field: found.whole})
        return event

    def observed(self, event: Event) -> Path | None:
        """Where what a call changed was kept while it ran, when it has ended; None if it was not rewritten."""
        return self._observed.pop((event.host, event.session, event.call), None)

    def _done(self, name: str, event: Event) -> None:
        with self._lock:
            for key in [key for key, room in self._rooms.items() if room.wall.login and room.call == name]:
                self._close(self._rooms.pop(key))
        if REFUSAL in event.text and was_barred(self.calls, name):
            self._barred.add(
                (event.host, event.session)
            )  # a sandbox of the host's own, out of which nothing is entered
        for path in (self.calls / name, self.calls / f"{name}.back"):
            with suppress(OSError):
                path.unlink()

    def _wall(self, live: SessionState, skill: str, admitted: Sequence[Request], login: Login | None = None) -> Wall:
        folder = live.folders.get(skill, "")
        real = os.path.realpath(folder) if folder.startswith("/") else ""
        return make_wall(live.policy, skill, admitted, real, self._site(live), login)

    def _room(self, live: SessionState, skill: str, admitted: Sequence[Request], login: Login | None) -> Sandbox:
        wall = self._wall(live, skill, admitted, login)
        key = (live.host, live.name, wall.name if login is None else secrets.token_hex(8))
        with self._lock:
            found = self._masks.of(wall)
            room = self._rooms.get(key)
            if room is None or not room.holder.alive():
                assert self._programs is not None
                room = self._rooms[key] = Sandbox(wall, found, self._programs, self._folder / "rooms", key[:2])
                self._forget_calls()
            self._rooms.move_to_end(key)
            room.cover(found.covers)
            while len(self._rooms) > _MOST_ROOMS:
                self._close(self._rooms.popitem(last=False)[1])
        return room

    def _site(self, live: SessionState) -> Site:
        named = [one for one in os.environ.get("PATH", "").split(":") if one.startswith("/")]
        search = tuple(dict.fromkeys(path for one in named for path in (one, os.path.realpath(one))))
        return Site(
            os.path.realpath(live.workspace.root),
            self._home,
            self._temps,
            os.path.realpath(self._folder.parent),
            search,
        )

    # --- the end ---

    def forget(self, live: SessionState) -> tuple[str, ...]:
        """A session ended: its rooms end, and what still runs in them. Returns a sentence for each process that was ended."""
        own = (live.host, live.name)
        self._barred.discard(own)
        with self._lock:
            rooms = [self._rooms.pop(key) for key in list(self._rooms) if key[:2] == own]
        said: list[str] = []
        for folder in self._folder.glob("rooms/*"):  # also those of an earlier guard
            note = note_of(folder)
            if note is not None and note.session == own:
                said += (
                    f"`{command}`, left in the background by skill `{note.skill}`, ended with the session"
                    for command in end_processes(note.holder)
                )
                remove(folder)
        for room in rooms:
            room.close()
        self._forget_folders()
        return tuple(said)

    def close(self) -> None:
        """The guard ends. A command that runs goes on, because the host waits for it; its room ends with it."""
        with self._lock:
            while self._rooms:
                self._close(self._rooms.popitem()[1])

    def _close(self, room: Sandbox) -> None:
        threading.Thread(target=self._closed, args=(room,)).start()

    def _closed(self, room: Sandbox) -> None:
        room.close()
        self._forget_folders()


def _refusal(bwrap: str) -> str:
    """Return the kernel's reason against namespaces: empty if they can be made."""
    words = [bwrap, *"--unshare-user --unshare-pid --unshare-net --ro-bind / / --proc /proc true".split()]
    try:
        done = subprocess.run(words, capture_output=True, timeout=10, check=False)  # noqa: S603  (a program of the system)
    except subprocess.TimeoutExpired:
        return "bubblewrap does not answer"
    said = done.stderr.decode("utf-8", "replace").strip()[:200]
    return f"namespaces cannot be made ({said})" if done.returncode else ""


def walls_sentence(host: str, places: StateFolder, home: Path) -> str:
    """Whether commands of skills run inside of walls in a host, in one sentence."""
    if host not in REWRITES:
        return f"no walls in {host}: rewritten calls were not tried with it, so the guard decides on each command of a skill"
    with (
        tempfile.TemporaryDirectory() as scratch
    ):  # the state folder is made when the guard is active for the first time
        known = places if places.folder.is_dir() else places._replace(folder=Path(scratch))
        problem = Walls(known, home, home).problem()
    if problem:
        return f"no walls here: {problem}; the guard decides on each command of a skill"
    return "commands of skills run inside walls; if the host runs them in its own sandbox, the guard decides instead"


def held_writes(live: SessionState, call: Inside) -> tuple[JudgedRequest, ...]:
    """Return what a call inside walls may do to the workspace, for the record: whatever it is, it was let through."""
    inside = folder_scope(live.workspace.root)
    return tuple(
        JudgedRequest(call.skill, Request(capability, inside, spared=True), Allow(0, ()), SOURCE_OF_RIGHT)
        for capability in ("file.write", "file.delete")
    )


def opening(judged: Iterable[JudgedRequest]) -> list[Request]:
    """Return what was admitted of a call and may be outside of the walls. What an entry lets a skill read, the walls
    have anyway.
    """
    return [
        one.request for one in judged if one.request.capability not in _READS or not isinstance(one.judgement, Allow)
    ]


def _is_unlisted(rights: SkillPolicy, answer: Allow | Ask | Deny) -> bool:
    """Whether no entry speaks of a request."""
    return isinstance(answer, Ask) and any(rights.granting[member][1].source == UNLISTED for _, member in answer.held)


def _is_spared(request: Request, answers: Sequence[Allow | Ask | Deny]) -> bool:
    """Whether no decision is needed because it may not happen at all: a read, or a host that stays outside."""
    outside = request.capability in _REACHES and not all(isinstance(one, Allow) for one in answers)
    return outside or request.capability.endswith(".read")


def _is_emptied(request: Request, chain: Sequence[SkillPolicy]) -> bool:
    """Whether all variables are read, and walls hand on no credential among them."""
    if request.capability != "secret.read" or variable_of(request.scope) != "*":
        return False
    entries = (entry for rights in chain for entry, layer in rights.granting if layer.source != UNLISTED)
    return not any(
        isinstance(scope, NameScope | AnyScope)
        for entry in entries
        if "secret.read" in vocabulary().expand(entry.capability)
        for scope in entry.scopes
    )


def _is_asked(rights: SkillPolicy, answer: Allow | Ask | Deny) -> bool:
    """Whether an entry says that a person must agree."""
    return isinstance(answer, Ask) and answer.standing is Standing.ASK and not _is_unlisted(rights, answer)


def _is_vague(scope: Scope) -> bool:
    """Whether the host or file is unknown."""
    if isinstance(scope, PathScope):
        return any(literal(part) is None or part == DEEP for part in scope.parts)
    return isinstance(scope, AnyScope | SymbolScope)


def _held(
    request: Request, temps: tuple[str, ...], policy: SessionPolicy, answers: Sequence[Allow | Ask | Deny]
) -> bool:
    """Whether walls hold a request, so that nobody has to decide on it.

    What is read or reached is held also where an entry denies it: it is not there. What is run or written is denied then,
    unless it is not known what: walls keep denied places from being written. A host or secret that can be named and that
    no entry grants is a question; one that nobody can name is not there. What may be read by an entry is judged, so that it is followed (`carried.holders`).
    """
    denials = [one for one in answers if isinstance(one, Deny)]
    vague = _is_vague(request.scope)
    if request.capability in _OPENED:  # what an entry grants or asks about opens the walls; the rest stays outside
        return bool(denials) or (vague and not all(isinstance(one, Allow) for one in answers))
    if request.capability in _NEVER_THERE or (request.capability in _NOT_THERE and vague):
        return True
    if request.capability in _READS:
        return not all(isinstance(one, Allow) for one in answers)
    if any(one.code not in _NOT_NAMED for one in denials) and not (vague and request.capability in _WRITES):
        return False
    if request.capability in _RUNS:
        return True
    return request.capability in _WRITES and _writable(request, temps, policy)


def _not_hidden(
    request: Request, chain: Sequence[SkillPolicy], answers: Sequence[Allow | Ask | Deny], situation: Situation
) -> list[Allow | Ask | Deny]:
    """Return answers without denials of unknown code that are only about reading it: what may not be read is not there."""
    if request.capability not in _RUNS or not _is_vague(request.scope):
        return list(answers)
    return [
        answer
        for rights, answer in zip(chain, answers, strict=True)
        if not isinstance(answer, Deny) or answer.code != "denied" or _is_denied_by_name(rights, request, situation)
    ]


def _is_denied_by_name(rights: SkillPolicy, request: Request, situation: Situation) -> bool:
    """Whether an entry may deny a request by its own capability, not by what the file that it acts on is."""
    return any(True for _ in _denials(rights, request, situation))


def _denials(rights: SkillPolicy, request: Request, situation: Situation) -> Iterator[Rule]:
    here = request._replace(scope=rights.resolve(request.scope))
    denials = rights.under(situation.bound)[request.capability].denials
    return (rule for rule in denials.near(here.scope) if may_deny(rule.entry, here))


def _writable(request: Request, temps: tuple[str, ...], policy: SessionPolicy) -> bool:
    """Whether something is written in the workspace or a temporary folder, or at an unknown location: then the walls
    decide.
    """
    scope = policy.policy("").resolve(request.scope)
    if not isinstance(scope, PathScope) or scope.anchor != ROOT:
        return True
    words = [literal(part) if part != DEEP else None for part in scope.parts]
    known = words[: words.index(None)] if None in words else words
    path = "/" + "/".join(word for word in known if word)
    if sensitive("file.write", scope) or begins_in_sensitive(scope):  # fixed inside, if they are there already
        return False
    own = [place for name, place in policy.places if name in (WORKSPACE, TEMP)]
    roots = ["/" + "/".join(literal(part) or part for part in place.parts if part != DEEP) for place in own]
    inside = any(lies_in(path, root) for root in (*roots, *temps))
    return inside or (None in words and any(lies_in(root, path) for root in roots))
