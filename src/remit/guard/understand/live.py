"""The analysis of one call: the session of a skill whose folder is the whole machine, read on demand, with one real command line.

What differs from a skill: paths are where they lead on this disk, arguments are the words that are given, a program without a summary
is a doubt, and only what the call reaches is live.
"""

from __future__ import annotations

import posixpath
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from remit.analysis.domain import BOTTOM, SOME_TEXT, Text, Value, lit
from remit.analysis.engine.modules import Engine
from remit.analysis.engine.texts import texts_of
from remit.analysis.hosted import is_credential
from remit.analysis.programs import LANGUAGES
from remit.analysis.session import Session
from remit.analysis.shell import run_shell
from remit.analysis.world import HERE, Child, Outcome, Site
from remit.core.assumption import assumptions
from remit.core.effect import Origin
from remit.core.location import Location
from remit.guard.understand.disk import Disk
from remit.guard.understand.grounding import Ground
from remit.guard.understand.landing import Landings
from remit.guard.understand.linking import DiskLinker
from remit.guard.understand.runs import LiveShells
from remit.skill.classify import classify
from remit.skill.makefile import recipes
from remit.skill.model import Limits, Skill, SkillFile
from remit.skill.walk import RawFile

if TYPE_CHECKING:
    from collections.abc import Callable

    from remit.analysis.engine.frames import Frame
    from remit.analysis.launches import Launch
    from remit.analysis.result import Effects
    from remit.analysis.shell.syntax import Function
    from remit.core.effect import Effect
    from remit.core.scope import Scope
    from remit.guard.understand.values import Place

STEPS = 20_000  # of a shell program
ENGINE_STEPS = 400_000
INLINE = "\0"  # begins the name of a text that stands in no file: no file has such a name
_LIMITS = Limits(max_source_bytes=1 << 20)
_CHANGING = ("write", "delete", "create", "execute", "install", "run", "kill", "manage", "configure", "chmod")


class SpentError(Exception):
    """The time is over."""


class DiskSkill(NamedTuple):
    """The machine as a skill: its files are those that something names."""

    name: str
    root: Path
    read: Callable[[str], bytes | None]
    file: Callable[[str], SkillFile | None]
    files: tuple[SkillFile, ...] = ()
    documents: tuple[object, ...] = ()


class LiveEngine(Engine):
    """The evaluator, which stops when the time is over and follows `sys.path` on this disk."""

    session: LiveSession

    def evaluate_frame(self, frame: Frame) -> None:
        """Evaluate, unless the time is over."""
        self.session.tick()
        super().evaluate_frame(frame)

    def search_also(self, value: Value) -> None:
        """A folder is put into `sys.path`: modules are looked for there as well, and before libraries."""
        for item in texts_of(self.session.ground.value(value)):
            folder = None if item.literal is None else posixpath.normpath(f"{self.session.cwd}/{item.literal}")
            if item.literal is None or folder is None:
                self.opaque("modules are imported from a folder that is not known", self._search_line)
                continue
            folder = posixpath.normpath(item.literal if item.literal.startswith("/") else folder).lstrip("/")
            if folder not in self.session.modules.folders:
                self.session.modules.folders.append(folder)
            for name in self.session.modules.libraries:
                if any(found.partition(".")[0] == name for found in self.session.disk.names("/" + folder) or ()):
                    self.opaque(f"`/{folder}` holds a module `{name}`, like a library", self._search_line)


class HostedNames:
    """What effects of the call itself are called."""

    def names(self, capability: str, scope: Value, site: Site) -> tuple[str, ...]:
        """The shell of the host starts the programs of a call; a variable that is named like a key is a credential."""
        if capability == "process.create" and site.hosted:
            return ("shell.execute",)
        item = next(iter(scope)) if len(scope) == 1 else None
        if capability == "env.read" and isinstance(item, Text) and is_credential(item.literal or ""):
            return (capability, "secret.read")
        return (capability,)


class LiveSession(Session):
    """Collects what one call would do."""

    def __init__(self, place: Place, deadline: float) -> None:
        self.place = place
        self.deadline = deadline
        self.cwd = str(place.cwd)
        self.disk = Disk(place)
        self.ground = Ground(place)
        self._folders = tuple((name, _real(self.disk, str(folder))) for name, folder in place.skills)
        super().__init__(cast("Skill", DiskSkill("", Path("/"), self._source, self._file)))
        self.modules = DiskLinker(self.disk, self._load_module, self.skill_of)
        self.linker = self.modules
        self.engine = engine = LiveEngine(self, self.libraries, self.modules)
        engine.session = self
        engine.cwd.value = BOTTOM
        engine.budget = ENGINE_STEPS
        self.hosted = cast("object", HostedNames())  # type: ignore[assignment]
        self.shells = LiveShells(self)
        self.landings = Landings(self)
        self.words: dict[tuple[str, ...], None] = {}
        self.commands_at: dict[Location, str] = {}  # the simple command that stands behind an effect
        self._caused: dict[tuple[str, Scope, Location], str] = {}
        self.inline: dict[str, Site] = {}
        self._running: list[str] = []
        self._starters: dict[str, str] = {}  # script → the simple command that runs it
        self._classified: dict[str, SkillFile | None] = {}
        self._shadows: set[str] = set()
        self._first: Callable[[LiveSession], None] = LiveSession._settle
        self.changes = False  # whether something was found that changes what lies on the disk

    def tick(self) -> None:
        """The hard end."""
        if time.monotonic() > self.deadline:
            raise SpentError

    # ── entries ──

    def follow(self, start: Callable[[LiveSession], None]) -> None:
        """Follow everything that begins with `start`."""
        self._first = start
        self.analyse()

    def found(self) -> Effects:
        """What was found, even if the time was over before the end."""
        return self._result()

    def _run(self) -> None:
        self._first(self)
        self._settle()
        while self.launches.pending:
            self._launch(self.launches.pending.pop())
            self._settle()

    def command(self, text: str) -> None:
        """A text for the shell of the host."""
        file = f"{self.cwd.lstrip('/')}/{INLINE}"
        site = Site(Location(file, 1), Origin.SCRIPT, hosted=True)
        self.inline[file] = site
        run_shell(
            self,
            lit(text),
            lambda line: site._replace(where=Location(file, line)),
            args=(),
            cwd=lit(self.cwd),
            own=False,
            steps=STEPS,
        )

    def code(self, language: str, text: str) -> None:
        """A text in a language, as a notebook or a REPL runs it."""
        site = Site(Location(f"{self.cwd.lstrip('/')}/{INLINE}", 1), Origin.SCRIPT)
        self.run_code(language, lit(text), site, child=Child((), cwd=lit(self.cwd)))

    # ── World: reporting ──

    def effect(
        self, capability: str, scope: Value, site: Site, why: str, *, cwd: Value = HERE, port: Value | None = None
    ) -> None:
        """Report an effect on what its scope really is here."""
        self.tick()
        here = self.ground.value(cwd)
        target = self.landings.landed(capability, self.ground.value(scope), here, site, why)
        self._note(site)
        self.changes = self.changes or capability.rpartition(".")[2] in _CHANGING
        super().effect(capability, target, site, why, cwd=here, port=port if port is None else self.ground.value(port))

    def _note(self, site: Site) -> None:
        if self._running:
            self.commands_at.setdefault(site.where, self._running[0])

    def _add(self, capability: str, scope: Scope, site: Site, why: str) -> None:
        if self._running:
            self._caused.setdefault((capability, scope, site.where), self._running[0])
        super()._add(capability, scope, site, why)

    def opaque(self, reason: str, site: Site, remedy: str = "") -> None:
        """A doubt, whoever causes it."""
        self._note(site)
        super().opaque(reason, site, remedy)

    def assume(self, ident: str, site: Site) -> None:
        """What the guard has to see to is a doubt: nobody comes after it."""
        found = assumptions()[ident]
        if found.layer.startswith("guard:"):
            self.opaque(f"it is not known whether {found.meaning}", site)

    def told(self, words: tuple[Value, ...], rest: Value, site: Site, *, cwd: Value = HERE) -> None:  # noqa: ARG002
        """A simple command."""
        self.tick()
        if site.hosted:
            self.words[self._plain(words, rest)] = None
        self._physical(words, site)

    def _physical(self, words: tuple[Value, ...], site: Site) -> None:
        known = [next(iter(word)).literal for word in words if len(word) == 1 and isinstance(next(iter(word)), Text)]  # type: ignore[union-attr]
        if known[:1] in (["cd"], ["pushd"], ["set"]) and any(word in ("-P", "physical") for word in known):
            self.opaque("folders are followed without the names of links", site)

    def _plain(self, words: tuple[Value, ...], rest: Value) -> tuple[str, ...]:
        return tuple(_shown(self.ground.value(word)) for word in words) + (("<any>",) if rest else ())

    # ── World: programs that start programs ──

    def spawn(self, child: Child, site: Site) -> Outcome:
        """Start a program, with words that have no holes where this machine fills them."""
        self.tick()
        words = tuple(map(self.ground.value, child.words))
        child = child._replace(words=words, rest=self.ground.value(child.rest), cwd=self.ground.value(child.cwd))
        self._running.append(" ".join(self._plain(child.words, child.rest)))
        try:
            return super().spawn(child, site)
        finally:
            self._running.pop()

    def _run_code(
        self, language: str, code: Value, site: Site, args: tuple[Value, ...], child: Child | None
    ) -> Outcome:
        self.tick()
        if language in LANGUAGES and child is not None:
            site = self._text_site(child, site)
            self._started(site.where.file, args, child)
        return super()._run_code(language, self.ground.value(code), site, args, child)

    def _text_site(self, child: Child, site: Site) -> Site:
        """A text without a file imports from the folder in which it runs."""
        folders = [item.literal for item in texts_of(self.ground.value(child.cwd))]
        if len(folders) != 1 or folders[0] is None:
            self.opaque("it is not known in which folder a program runs, and it imports from there", site)
        folder = _real(self.disk, folders[0] or self.cwd)
        self._beside(folder.lstrip("/"), site)
        file = f"{folder.lstrip('/')}/{INLINE}{len(self.inline)}"
        self.inline[file] = site
        return site._replace(where=Location(file, site.where.line))

    def _started(self, file: str, args: tuple[Value, ...], child: Child | None) -> None:
        """A program of the evaluator is started: its words, its folder and its variables are what it finds."""
        child = child or Child((), cwd=lit(self.cwd))
        if self._running:
            self._starters.setdefault(file, self._running[0])
        for value in (*args, child.rest):
            words = [item.literal for item in texts_of(self.ground.value(value))]
            self.ground.given(word for word in words if word is not None)
            if None in words:
                self.ground.words.add("<any>")
                self.opaque("a program is started with words that are not known", Site(Location(file, 1)))
        for name, value in (child.env or {}).items():
            self.ground.env.setdefault(name, set()).update(texts_of(self.ground.value(value)))
        cwd = self.ground.value(child.cwd)
        self.ground.cwds.update(item.literal for item in texts_of(cwd) if item.literal)
        self.engine.launched(child._replace(words=(BOTTOM, *args), cwd=cwd))

    def run_file(
        self, language: str, path: Value, site: Site, *, args: tuple[Value, ...] = (), child: Child | None = None
    ) -> Outcome:
        """Run a file of this machine."""
        child = (child or Child((), cwd=HERE))._replace()
        child = child._replace(cwd=self.ground.value(child.cwd))
        return super().run_file(language, self.ground.value(path), site, args=args, child=child)

    def _run_skill_file(
        self, language: str, file: str, site: Site, args: tuple[Value, ...], child: Child | None
    ) -> Outcome:
        self.tick()
        known = self._file(file)
        wanted = language or (known.started[0] if known is not None and known.started else "")
        if self._running:
            self._starters.setdefault(file, self._running[0])
        if self._source(file) is None:
            self.opaque(f"`/{file}` cannot be read, or is too large", site)
            return Outcome(SOME_TEXT)
        if wanted == "make":
            return self._make(file, site, child)
        if wanted in LANGUAGES:
            self._started(file, args, child)
            if LANGUAGES[wanted] == "python":
                self._beside(posixpath.dirname(file), site)
        return super()._run_skill_file(wanted, file, site, args, child)

    def _beside(self, folder: str, site: Site) -> None:
        """Files in the folder of a script come before the libraries of their names, for libraries too."""
        library = self.libraries["python"]
        if folder not in self._shadows:
            self._shadows.add(folder)
            for found in self.modules.shadowing(folder, library.module):
                self.opaque(f"`{found}` is imported instead of a library", site)

    def _make(self, file: str, site: Site, child: Child | None) -> Outcome:
        """Any recipe of a makefile may run: which one depends on times and dependencies."""
        cwd = child.cwd if child else lit(self.cwd)
        self.changes = True  # each line is a shell of its own, so that no `cd` is sure to hold for the next
        for held in recipes(self._source(file) or b""):
            where = Location(file, held.line)
            at = Site(where, Origin.SCRIPT, (*site.path, site.where))
            if held.opaque:
                self.opaque(held.opaque, at)
            else:
                self.shells.recipe(held, at, cwd)
        return Outcome(SOME_TEXT)

    def _launch(self, launch: Launch) -> None:
        verdict = self.launches.judge(launch)
        if not verdict.texts and (verdict.reason or verdict.assumes):
            written = verdict.reason.endswith("writes it")
            said = "written by the same call" if written else "not there or cannot be read"
            self.opaque(f"`{launch.shown}` is run, and it is {said}", launch.site)
            return
        super()._launch(launch)

    # ── World: files ──

    def skill_files(self, path: Value, cwd: Value = HERE) -> tuple[str, ...] | None:
        """The files of this machine that a path can name; None if it may be another, or there is none."""
        found: dict[str, None] = {}
        folders = [item.literal for item in texts_of(self.ground.value(cwd))]
        for item in texts_of(self.ground.value(path)):
            for folder in folders:
                if not item.literal or folder is None or "\0" in item.literal:
                    return None
                real = _real(self.disk, item.literal if item.literal.startswith("/") else f"{folder}/{item.literal}")
                if not self.disk.is_file(real):
                    return None
                found[real.lstrip("/")] = None
        return tuple(found) or None

    def shell_functions(self, name: str) -> tuple[Function, ...]:  # noqa: ARG002
        """Only what the call itself defines or sources is a function."""
        return ()

    def names(self, pattern: str, cwd: Value) -> tuple[str, ...] | None:
        """What a pattern becomes, as long as the call has changed nothing yet."""
        (folder,) = [item.literal for item in texts_of(self.ground.value(cwd))] if len(cwd) == 1 else (None,)
        return None if self.changes or folder is None else self.landings.names(pattern, folder)

    def is_folder(self, path: Text) -> bool:
        """Whether a folder is there and can be entered, as long as the call has changed nothing yet."""
        found = [item.literal for item in texts_of(self.ground.value(frozenset({path})))]
        return not self.changes and all(item is not None and self.disk.is_folder(item) for item in found)

    def _source(self, path: str) -> bytes | None:
        return self.disk.read("/" + path)

    def _file(self, path: str) -> SkillFile | None:
        if path not in self._classified:
            data = self._source(path)
            self._classified[path] = None
            if data is not None:
                info = self.disk.look(_real(self.disk, "/" + path))
                runs = bool(info and info.st_mode & 0o111)
                raw = RawFile(posixpath.basename(path), len(data), "", data[:8192], data, runs, tail=data[-8192:])
                self._classified[path] = classify(raw, _LIMITS)
        return self._classified[path]

    # ── whose ──

    def skill_of(self, path: str) -> str:
        """The skill in whose folder a path lies."""
        found = [(folder, name) for name, folder in self._folders if path == folder or path.startswith(folder + "/")]
        return max(found, key=lambda item: len(item[0]))[1] if found else ""

    def starter(self, effect: Effect) -> str:
        """The simple command that stands behind an effect."""
        known = self._caused.get((effect.capability, effect.scope, effect.where))
        if known is not None:
            return known
        files = (effect.where.file, *(at.file for at in effect.path))
        return next((self._starters[file] for file in files if file in self._starters), "") or (
            "" if effect.where.file.endswith(INLINE) else self.commands_at.get(effect.where, "")
        )

    def origin(self, where: Location) -> Location:
        """The place in a file, or in the call, from which a text comes."""
        seen = 0
        while where.file in self.inline and self.inline[where.file].where.file != where.file and seen < len(self.inline):
            where = self.inline[where.file].where
            seen += 1
        return where


def _shown(value: Value) -> str:
    item = next(iter(value)) if len(value) == 1 else None
    if not isinstance(item, Text):
        return "<any>"
    return "".join(part if isinstance(part, str) else f"<{part.origin}>" for part in item.parts)


def _real(disk: Disk, path: str) -> str:
    from remit.guard.understand.disk import UnclearError

    try:
        return disk.land(path, "/").path
    except (UnclearError, OSError):
        return path
