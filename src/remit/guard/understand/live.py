"""The analysis of one call: the session of a skill whose folder is the whole machine, read on demand, with one real command line.

What differs from a skill: paths are where they lead on this disk, arguments are the words that are given, a program without a summary
is a doubt, and only what the call reaches is live.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from remit.analysis.domain import BOTTOM, SOME_TEXT, Value, lit
from remit.analysis.engine.texts import texts_of
from remit.analysis.programs import LANGUAGES
from remit.analysis.shell import run_shell
from remit.analysis.world import HERE, Child, Outcome, Site
from remit.core.effect import Origin
from remit.core.location import Location
from remit.guard.understand.commandlines import NO_FILE, Start
from remit.guard.understand.configurations import around_program
from remit.guard.understand.filing import LiveFiles
from remit.guard.understand.patching import NAMES, patched
from remit.guard.understand.repository import around_git
from remit.guard.understand.written import piped
from remit.skill.makefile import recipes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from remit.analysis.launches import Launch
    from remit.analysis.result import Effects
    from remit.guard.understand.values import Place

STEPS = 20_000  # of a shell program
INLINE = "\0"  # begins the name of a text that stands in no file: no file has such a name


class LiveSession(LiveFiles):
    """Follows one call."""

    def __init__(self, place: Place, seconds: float) -> None:
        super().__init__(place, seconds)
        self._first: Callable[[LiveSession], None] = LiveSession._settle

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
        while self.launches.pending or self.whole_modules():
            if self.launches.pending:
                self._launch(self.launches.pending.pop())
            self._settle()

    def running_texts(self) -> Iterator[tuple[str, str]]:
        """The texts that the call runs besides its own: code among its words, and scripts that it starts; each with its language."""
        yield from self.codes
        for path in self._starters:
            file = None if INLINE in path else self._file(path)
            data = self.source(path) if file is not None and file.started else None
            if file is not None and data is not None:
                yield file.started[0], data.decode("utf-8", "replace")

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
            outcome = super().spawn(child, site)
            piped(self, names, child, site)
            return outcome
        finally:
            self._running.pop()

    def _run_code(
        self, language: str, code: Value, site: Site, args: tuple[Value, ...], child: Child | None
    ) -> Outcome:
        self.tick()
        if language in LANGUAGES and child is not None:
            self.codes |= {(language, item.literal): None for item in texts_of(code) if item.literal}
            site = self._text_site(child, site)
            self._started(site.where.file, LANGUAGES[language], args, child, site)
            child = None
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

    def _started(self, file: str, language: str, args: tuple[Value, ...], child: Child | None, site: Site) -> None:
        """A program of the evaluator is started: its words, its folder and its variables are what it finds."""
        child = child or Child((), cwd=lit(self.cwd))
        self._starters.setdefault(file, self._cause(site))
        words = [item.literal for value in (*args, child.rest) for item in texts_of(self.ground.value(value))]
        if None in words:
            self.opaque("a program is started with words that are not known", site)
        cwd = self.ground.value(child.cwd)
        env = {name: tuple(texts_of(self.ground.value(value))) for name, value in (child.env or {}).items()}
        self.ground.program(words, env, (item.literal for item in texts_of(cwd) if item.literal))
        self._placed(file, language, args, child)
        self.engine.environments.launched(child._replace(words=(BOTTOM, *args), cwd=cwd))

    def _placed(self, file: str, language: str, args: tuple[Value, ...], child: Child) -> None:
        """Where the words of a program stand; one that another loads into itself has none of its own."""
        if not child.words:
            new = self.command_lines.loaded(file)
        else:
            inline = INLINE in file
            name = (
                NO_FILE[language]
                if inline
                else frozenset(texts_of(self.ground.value(child.words[0]))) or lit("/" + file)
            )
            words = tuple(map(self.ground.value, args))
            if inline and language == "js":  # `node -e` counts no name, `node -` does
                words = tuple(left | right for left, right in zip((*words, BOTTOM), (name, *words), strict=True))
            else:
                words = (name, *words)
            new = self.command_lines.started(Start(file, language, words), child.rest)
        if new:
            self.live_host.started_otherwise()

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
        if self.source(file) is None:
            self.opaque(f"`/{file}` cannot be read, or is too large", site)
            return Outcome(SOME_TEXT)
        if wanted == "make":
            return self._make(file, site, child)
        if wanted in LANGUAGES:
            self._started(file, LANGUAGES[wanted], args, child, site)
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
        for held in recipes(self.source(file) or b""):
            where = Location(file, held.line)
            at = Site(where, Origin.SCRIPT, (*site.path, site.where))
            if held.opaque:
                self.opaque(held.opaque, at)
            else:
                self._live_shells.recipe(held, at, cwd)
        return Outcome(SOME_TEXT)

    def _launch(self, launch: Launch) -> None:
        verdict = self.launches.judge(launch, self.links)
        if not verdict.texts and (verdict.reason or verdict.assumes):
            said = "written by the same call" if verdict.written else "not there or cannot be read"
            self.opaque(f"`{launch.shown}` is run, and it is {said}", launch.site)
            return
        super()._launch(launch)
