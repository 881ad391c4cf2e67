"""The active sessions: opened from the store or new, with the skills loaded into them, and saved."""

from __future__ import annotations

import os
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.core.errors import GuardError
from remit.core.scope import covers, overlaps
from remit.guard.call_analysis.hard_links import HardLinks
from remit.guard.call_analysis.path_patterns import WRITES, ProtectedPlaces, is_tree
from remit.guard.call_analysis.pattern_denials import asked_inside, denied_inside, files_inside, protected_inside
from remit.guard.paths import folder_scope
from remit.guard.protected_files import PROGRAM, protected, settings
from remit.guard.session.call_location import CallLocations
from remit.guard.session.provenance import AuthorKind as From
from remit.guard.session.provenance import Source, note, note_tokens
from remit.guard.session.skill_loading import Loading, Skills
from remit.guard.session.state import SessionState, new_index, recall
from remit.guard.session.tokens import Token, TokenKind
from remit.guard.session.workspace import UNATTENDED, read_workspace, root_of
from remit.guard.state_folder import StateFolder, lies_in
from remit.guard.store import (
    expire_approvals,
    grants,
    load_session,
    open_store,
    read_entries,
    save_session,
    trusted_files,
)
from remit.manifest.model import Manifest, Permission, Verification
from remit.policy.principal import AGENT, GRANT, Loaded, PersonGrant, SessionPolicy

if TYPE_CHECKING:
    from remit.guard.event import Event
    from remit.manifest.drift.model import Summary
    from remit.policy.request import Request
    from remit.skill.model import Skill

_MOST = 512  # in memory; the store has all
_NEVER = 2**53  # seconds: the expiry of a grant that does not expire


class _RightsSources(NamedTuple):
    """What the rights of a session were read from."""

    version: int  # of the store
    files: dict[str, str]  # digests of trusted files
    until: int  # when the first grant expires


class Sessions:
    """All sessions of one user."""

    def __init__(self, places: StateFolder, clock: Callable[[], float], home: Path | None) -> None:
        self.places = places
        self.store = open_store(places.database)
        self.analysis = threading.Lock()  # an analysis sets process-wide limits: one at a time
        self.skills = Skills(places, self.store, self._summary)
        self.home = home or Path.home()
        self.temp = Path(tempfile.gettempdir()).resolve()
        self.where = CallLocations(self.home, self.temp)
        self._second_names = HardLinks((str(places.folder),))
        self._protected = (os.path.realpath(places.folder), str(PROGRAM))
        self._idle = (folder_scope(self.home / ".cache"),)
        self._clock = clock
        self._known: OrderedDict[tuple[str, str], SessionState] = OrderedDict()
        self._lock = threading.RLock()
        self._seen: dict[tuple[str, str], _RightsSources] = {}  # by session: what its rights were last read from

    def now(self) -> int:
        """Return seconds since 1970."""
        return int(self._clock())

    def of(self, event: Event) -> SessionState:
        """Return the session of an event: from memory, from the store, or a new one."""
        key = (event.host, event.session)
        with self._lock:
            live = self._known.get(key)
            if live is None:
                live = self._known[key] = self._opened(event)
            self._known.move_to_end(key)
            while len(self._known) > _MOST:
                self._seen.pop(self._known.popitem(last=False)[0], None)
        self._refresh(live)
        return live

    def knows(self, event: Event) -> bool:
        """Whether its session is in memory: opening one reads files."""
        return (event.host, event.session) in self._known

    def all(self) -> tuple[SessionState, ...]:
        """Return the sessions in memory."""
        with self._lock:
            return tuple(self._known.values())

    def forget(self, live: SessionState) -> None:
        """Drop a session from memory; it is read from the store when it is needed again."""
        with self._lock:
            self._known.pop((live.host, live.name), None)
            self._seen.pop((live.host, live.name), None)

    def save(self, live: SessionState) -> None:
        """Save what a new daemon needs to know."""
        for _ in range(3):
            revision = save_session(
                self.store, live.host, live.name, live.document(), revision=live.revision, now=self.now()
            )
            if revision is not None:
                live.revision = revision
                return
            self._task_of_others(live)
        self.forget(live)  # another process keeps writing it: its changes must not be lost

    def _refresh(self, live: SessionState) -> None:
        """Apply what persons granted, revoked, trusted or narrowed meanwhile, from this event on."""
        key = (live.host, live.name)
        version, seen = self.store.changes_of_others(), self._seen.get(key)
        if seen is not None and seen.version == version and self.now() < seen.until:
            return
        files = trusted_files(self.store)
        if seen is not None and seen.files != files:
            self._read_again(live)
        if seen is not None:
            self._task_of_others(live)
        self._give(live)
        until = min((one.expires for one in live.policy.granted if one.expires is not None), default=_NEVER)
        self._seen[key] = _RightsSources(version, files, until)

    def _read_again(self, live: SessionState) -> None:
        """Re-read everything that depends on trusted files, because these have changed."""
        live.workspace = read_workspace(
            live.workspace.root, self.store, careful=live.host in UNATTENDED, home=self.home
        )
        live.policy = replace(live.policy, baseline=live.workspace.baseline)
        for skill in live.policy.skills:
            if not self._again(live, live.folders[skill.name], skill.sent_by, skill.digest):
                nothing = skill._replace(manifest=Manifest("", ()), level=Verification.UNVERIFIED)
                live.policy = live.policy.with_skill(nothing)

    def _task_of_others(self, live: SessionState) -> None:
        """Apply a task that a person may have set meanwhile."""
        kept = load_session(self.store, live.host, live.name)
        if kept is not None and kept.revision != live.revision:
            live.revision = kept.revision
            live.policy = replace(live.policy, task=read_entries(kept.value["task"]))

    def load(self, live: SessionState, name: str, agent: str) -> Loading:
        """Decide on loading a skill, without loading it. A skill that is in the session unchanged was approved."""
        loading = self.skills.load(name, live.host, live.workspace, self.home)
        loaded = loading.loaded
        if loaded is None:
            return loading
        known = live.policy.skill(loaded.name)
        if known is not None and (known.digest, known.folder) == (loaded.digest, loaded.folder):
            loading = loading._replace(asks=())
        return loading._replace(loaded=loaded._replace(sent_by=self._sender(live, name, agent)))

    def enter(self, live: SessionState, loading: Loading, agent: str) -> None:
        """Enter a skill into the session, as the last one of an agent."""
        if loading.loaded is None:
            return
        self._enter(live, loading.loaded, loading)
        own = loading.loaded.name
        live.stacks[agent] = (*(one for one in live.stack(agent) if one != own), own)
        self.save(live)

    def _enter(self, live: SessionState, loaded: Loaded, loading: Loading) -> None:
        live.policy = live.policy.with_skill(loaded)
        live.folders[loaded.name] = loaded.folder.render()
        live.index = note(live.index, loading.text, Source(From.SKILL, loaded.name))
        trusted = Source(From.MANIFEST, loaded.name)
        live.index = note(live.index, _named_in(loaded.manifest.permissions), trusted)
        named = (
            *((TokenKind.PACKAGE, name) for name in loading.packages),
            *((TokenKind.PAGE, page) for page in loading.pages),
        )
        live.index = note_tokens(live.index, (Token(*one) for one in named), trusted)
        self._give(live)

    def _again(self, live: SessionState, folder: str, sender: tuple[str, ...], content: str) -> bool:
        """Reload a skill of the session, if it may still be loaded and is unchanged; otherwise it keeps no rights of
        its own.
        """
        loading = self.skills.load(f"{folder}/SKILL.md", live.host, live.workspace, self.home, again=True)
        same = loading.loaded is not None and loading.loaded.digest == content
        if loading.loaded is not None and same:
            self._enter(live, loading.loaded._replace(sent_by=sender), loading)
        return same

    def _hear_again(self, live: SessionState) -> None:
        """Restore texts of skills that were only read, if they are unchanged."""
        for folder, content in live.heard.copy().items():
            loading = self.skills.hear(Path(folder), live.workspace, again=True)
            if loading.loaded is not None and loading.loaded.digest == content:
                live.index = note(live.index, loading.text, Source(From.SKILL, folder))
            else:
                del live.heard[folder]

    def _summary(self, skill: Skill) -> Summary:
        """Return what a skill can do; cached, because the analysis takes seconds."""
        from remit.analysis.session import analyse  # noqa: PLC0415
        from remit.manifest.drift.summarise import summarise  # noqa: PLC0415

        with self.analysis:
            found = analyse(skill)
        return summarise(skill, found.effects, found.opaque)

    def _sender(self, live: SessionState, name: str, agent: str) -> tuple[str, ...]:
        """Return the skill on whose behalf another is loaded: the last one, if its text names it and the user's words
        do not.
        """
        stack = live.stack(agent)
        plain = Path(name).parent.name if name.startswith("/") else name.rpartition(":")[2]
        if not stack or stack[-1] == plain or any(plain in prompt for prompt in live.prompts):
            return ()
        last = live.policy.skill(stack[-1])
        text = self.skills.text_of(last.digest) if last else ""
        return live.policy.chain(stack[-1]) if plain in text else ()

    def _opened(self, event: Event) -> SessionState:
        expire_approvals(self.store, now=self.now())
        kept = load_session(self.store, event.host, event.session)
        root = Path(kept.value["workspace"]) if kept else self._root(event.cwd)
        unattended = event.host in UNATTENDED
        workspace = read_workspace(root, self.store, careful=unattended, home=self.home)
        policy = SessionPolicy(
            event.session,
            workspace.baseline,
            workspace.places(str(self.home), str(self.temp)),
            self.now(),
            snapshotted=() if lies_in(self.places.folder, root) else (folder_scope(root),),
            answers_unlisted=not unattended,
            protected=protected(self.places.folder, str(root), settings(self.places.folder, root, self.home)),
        )
        live = SessionState(event.host, event.session, workspace, policy, new_index(workspace, str(self.home)))
        if kept:
            live.revision = kept.revision
            recall(live, kept.value)
            senders, contents = kept.value["senders"], kept.value["contents"]
            for (
                name,
                folder,
            ) in live.folders.copy().items():  # a skill that is refused or has changed keeps no rights of its own
                self._again(live, folder, tuple(senders.get(name, ())), contents.get(name, ""))
            self._hear_again(live)
        return live

    def _root(self, cwd: str) -> Path:
        """Return the workspace of a new session. A repository around everything, such as the home folder, does not
        count.
        """
        if not cwd.startswith("/") or "\0" in cwd:
            raise GuardError("the host does not say in which folder it works", "look at what the host sends")
        root = root_of(cwd)
        return Path(cwd).resolve() if lies_in(self.places.folder, root) else root

    def kept(self, live: SessionState, whose: Iterable[str] = (AGENT,)) -> ProtectedPlaces:
        """Return what patterns and second names must not reach in a session, on behalf of some principals."""
        own, state = (live.workspace.root, self.temp), folder_scope(self.places.folder)
        several = partial(self._second_names.of, str(self.home), str(live.workspace.root))
        names = tuple(whose)

        def watched(one: Request) -> bool:
            return any(covers(folder_scope(folder), one.scope) for folder in own) and not overlaps(one.scope, state)

        def swept_over(one: Request) -> bool:
            """Whether the user's own agent deletes in a whole folder (`git stash -u`): that is not aimed at the
            settings in it.
            """
            return names == (AGENT,) and is_tree(one.scope) and watched(one)

        return ProtectedPlaces(
            watched,
            several,
            self._protected,
            self._idle,
            lambda one: (
                (protected_inside(live.policy, one) and not swept_over(one))
                or bool(files_inside(one, denied_inside(live.policy, names, one)))
            ),
            lambda one: asked_inside(live.policy, names, one) if one.capability in WRITES else (),
        )

    def _give(self, live: SessionState) -> None:
        """Apply the current grants of persons for longer than a session, without expired and revoked ones."""
        given = [one for one in live.policy.granted if one.expires is None]
        for name, content in ((AGENT, ""), *((one.name, one.digest) for one in live.policy.skills)):
            found = grants(self.store, name, now=self.now(), workspace=str(live.workspace.root), content=content)
            given += [
                PersonGrant(name, read_entries([one.entry])[0], GRANT, one.created, one.expires or _NEVER)
                for one in found
            ]
        if tuple(given) != live.policy.granted:
            live.policy = replace(live.policy, granted=tuple(given))


def _named_in(entries: Iterable[Permission]) -> str:
    """Return the words of a manifest that name places."""
    return " ".join(scope.render() for entry in entries for scope in entry.scopes)
