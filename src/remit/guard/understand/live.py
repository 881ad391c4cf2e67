"""The analysis of one call: the session of a skill whose folder is the whole machine, read on demand, with one real command line.

What differs from a skill: paths are where they lead on this disk, arguments are the words that are given, a program without a summary
is a doubt, and only what the call reaches is live.
"""

from __future__ import annotations

import posixpath
import time
from pathlib import Path
from typing import TYPE_CHECKING, cast

from remit.analysis.domain import BOTTOM, SOME_TEXT, Text, Value, lit
from remit.analysis.engine.texts import texts_of
from remit.analysis.programs import LANGUAGES
from remit.analysis.session import Session
from remit.analysis.shell import run_shell
from remit.analysis.world import HERE, Child, Outcome, Site
from remit.core.assumption import assumptions
from remit.core.effect import Origin
from remit.core.location import Location
from remit.guard.understand.configurations import around_program
from remit.guard.understand.disk import Disk
from remit.guard.understand.grounding import Ground
from remit.guard.understand.landing import Landings
from remit.guard.understand.linking import DiskLinker
from remit.guard.understand.machine import DiskSkill, HostedNames, LiveEngine
from remit.guard.understand.patching import NAMES, patched
from remit.guard.understand.repository import around_git
from remit.guard.understand.runs import LiveShells
from remit.skill.classify import classify
from remit.skill.makefile import recipes
from remit.skill.model import Limits, Skill, SkillFile
from remit.skill.walk import RawFile

if TYPE_CHECKING:
    from collections.abc import Callable

    from remit.analysis.engine.frames import Loaded
    from remit.analysis.launches import Launch
    from remit.analysis.result import Effects
    from remit.analysis.shell.syntax import Function
    from remit.core.effect import Effect
    from remit.core.scope import Scope
    from remit.guard.understand.values import Place

STEPS = 20_000  # of a shell program
ENGINE_STEPS = 400_000
BYTES_A_SECOND = 200_000  # of programs, on a busy machine
INLINE = "\0"  # begins the name of a text that stands in no file: no file has such a name
_LIMITS = Limits(max_source_bytes=1 << 20)
_CHANGING = ("write", "delete", "create", "execute", "install", "run", "kill", "manage", "configure", "chmod")


class SpentError(Exception):
    """The time is over."""


class LiveSession(Session):
    """Collects what one call would do."""

    def __init__(self, place: Place, seconds: float) -> None:
        self.place = place
        self._deadline = time.monotonic() + seconds
        self._bytes = int(seconds * BYTES_A_SECOND)
        self.cwd = str(place.cwd)
        self.disk = Disk(place)
        self.ground = Ground(place)
        self._folders = tuple((name, self.disk.real(str(folder))) for name, folder in place.skills)
        super().__init__(cast("Skill", DiskSkill("", Path("/"), self._source, self._file)))
        self.modules = DiskLinker(self.disk, self._load_module, self.skill_of)
        self.linker = self.modules
        self.engine = engine = LiveEngine(self, self.libraries, self.modules)
        engine.session = self
        engine.cwd.value = BOTTOM
        engine.budget = ENGINE_STEPS
        self.hosted = cast("object", HostedNames())  # type: ignore[assignment]
        self.shells = self._live_shells = LiveShells(self)
        self.landings = Landings(self)
        self.words: dict[tuple[str, ...], None] = {}
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
        if time.monotonic() > self._deadline:
            raise SpentError

    def _load_source(self, path: str, language: str, source: bytes) -> Loaded:
        self._spend(len(source))
        return super()._load_source(path, language, source)

    def _load_text(self, language: str, source: str, holes: dict[str, Value], site: Site) -> None:
        self._spend(len(source))
        super()._load_text(language, source, holes, site)

    def _spend(self, size: int) -> None:
        """Reading a program cannot be stopped, so that one which is too long for the time is not begun."""
        self._bytes -= size
        if self._bytes < 0:
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
        self.changes = self.changes or capability.rpartition(".")[2] in _CHANGING
        super().effect(capability, target, site, why, cwd=here, port=port if port is None else self.ground.value(port))

    def _cause(self, site: Site) -> str:
        """The simple command that stands behind what happens just now; empty if that is the line itself."""
        if self._running:
            return self._running[0]
        for at in (site.where, *site.path):
            if at.file in self._starters:
                return self._starters[at.file]
        return next(iter(self._starters.values()), "") if not site.hosted else ""

    def _add(self, capability: str, scope: Scope, site: Site, why: str) -> None:
        self._caused.setdefault((capability, scope, site.where), self._cause(site))
        super()._add(capability, scope, site, why)

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
        if known[:1] == ["alias"] and any(word and "=" in word for word in known):
            self.opaque("an alias changes what words mean, in some shells", site)

    def _plain(self, words: tuple[Value, ...], rest: Value) -> tuple[str, ...]:
        return tuple(_shown(self.ground.value(word)) for word in words) + (("<any>",) if rest else ())

    # ── World: programs that start programs ──

    def spawn(self, child: Child, site: Site) -> Outcome:
        """Start a program, with words that have no holes where this machine fills them."""
        self.tick()
        words = tuple(map(self.ground.value, child.words))
        child = child._replace(words=words, rest=self.ground.value(child.rest), cwd=self.ground.value(child.cwd))
        if child.env:
            self.ground.moved(child.env)
        self._running.append(self._cause(site) or " ".join(self._plain(child.words, child.rest)))
        try:
            names = {item.literal.rpartition("/")[2] for item in texts_of(words[0]) if item.literal}
            if names & NAMES:
                return patched(self, child, site)
            if "git" in names:
                around_git(self, child, site)
            for folder in [item.literal for item in texts_of(child.cwd) if item.literal]:
                for name in names:
                    around_program(self, name, folder, site)
            return super().spawn(child, site)
        finally:
            self._running.pop()

    def _run_code(
        self, language: str, code: Value, site: Site, args: tuple[Value, ...], child: Child | None
    ) -> Outcome:
        self.tick()
        if language in LANGUAGES and child is not None:
            site = self._text_site(child, site)
            self._started(site.where.file, args, child, site)
        return super()._run_code(language, self.ground.value(code), site, args, child)

    def _text_site(self, child: Child, site: Site) -> Site:
        """A text without a file imports from the folder in which it runs."""
        folders = [item.literal for item in texts_of(self.ground.value(child.cwd))]
        if len(folders) != 1 or folders[0] is None:
            self.opaque("it is not known in which folder a program runs, and it imports from there", site)
        folder = self.disk.real(folders[0] or self.cwd)
        self._beside(folder.lstrip("/"), site)
        file = f"{folder.lstrip('/')}/{INLINE}{len(self.inline)}"
        self.inline[file] = site
        return site._replace(where=Location(file, site.where.line))

    def _started(self, file: str, args: tuple[Value, ...], child: Child | None, site: Site) -> None:
        """A program of the evaluator is started: its words, its folder and its variables are what it finds."""
        child = child or Child((), cwd=lit(self.cwd))
        self._starters.setdefault(file, self._cause(site))
        words = [item.literal for value in (*args, child.rest) for item in texts_of(self.ground.value(value))]
        if None in words:
            self.opaque("a program is started with words that are not known", site)
        cwd = self.ground.value(child.cwd)
        env = {name: tuple(texts_of(self.ground.value(value))) for name, value in (child.env or {}).items()}
        self.ground.program(words, env, (item.literal for item in texts_of(cwd) if item.literal))
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
        self._starters.setdefault(file, self._cause(site))
        if self._source(file) is None:
            self.opaque(f"`/{file}` cannot be read, or is too large", site)
            return Outcome(SOME_TEXT)
        if wanted == "make":
            return self._make(file, site, child)
        if wanted in LANGUAGES:
            self._started(file, args, child, site)
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
        if child is not None and child.env:
            self.opaque("a variable is put into recipes of make", site)
        self.changes = True  # each line is a shell of its own, so that no `cd` is sure to hold for the next
        for held in recipes(self._source(file) or b""):
            where = Location(file, held.line)
            at = Site(where, Origin.SCRIPT, (*site.path, site.where))
            if held.opaque:
                self.opaque(held.opaque, at)
            else:
                self._live_shells.recipe(held, at, cwd)
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

    def wrote(self, path: Value, content: Value, site: Site) -> None:
        """The text of a file, under the name by which its writing was reported here."""
        for item in texts_of(self.ground.value(path)):
            landed = self.landings.written.get((item, site.where), frozenset({item}))
            super().wrote(landed, self.ground.value(content), site)

    def written(self, path: Value) -> Value:
        """What was seen to be written under such a name, in whichever folder."""
        items = set(texts_of(self.ground.value(path)))
        found = [landed for (item, _), landed in self.landings.written.items() if item in items]
        return super().written(frozenset().union(items, *found))

    def skill_files(self, path: Value, cwd: Value = HERE) -> tuple[str, ...] | None:
        """The files of this machine that a path can name; None if it may be another, or there is none."""
        found: dict[str, None] = {}
        folders = [item.literal for item in texts_of(self.ground.value(cwd))]
        for item in texts_of(self.ground.value(path)):
            for folder in folders:
                if not item.literal or folder is None or "\0" in item.literal:
                    return None
                real = self.disk.real(item.literal if item.literal.startswith("/") else f"{folder}/{item.literal}")
                if real in self.landings.changed or not self.disk.is_file(real) or self.disk.is_installed(real):
                    return None
                found[real.lstrip("/")] = None
        return tuple(found) or None

    def shell_functions(self, name: str) -> tuple[Function, ...]:  # noqa: ARG002
        """Only what the call itself defines or sources is a function."""
        return ()

    def matching(self, pattern: str, cwd: Value) -> tuple[str, ...] | None:
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
                info = self.disk.look(self.disk.real("/" + path))
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
        """The simple command that stands behind an effect; empty if that is the line itself."""
        return self._caused.get((effect.capability, effect.scope, effect.where), "")

    def origin(self, where: Location) -> Location:
        """The place in a file, or in the call, from which a text comes."""
        seen = 0
        while (
            where.file in self.inline and self.inline[where.file].where.file != where.file and seen < len(self.inline)
        ):
            where = self.inline[where.file].where
            seen += 1
        return where


def _shown(value: Value) -> str:
    item = next(iter(value)) if len(value) == 1 else None
    if not isinstance(item, Text):
        return "<any>"
    return "".join(part if isinstance(part, str) else f"<{part.origin}>" for part in item.parts)
