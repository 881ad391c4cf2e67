"""The analysis of one call, treated as a skill whose folder is the whole machine, read on demand, with one real command
line.

Unlike in the analysis of a skill, paths are resolved on this disk, arguments are the actual words, a program without a
summary is a doubt, and only what the call reaches counts. Front ends report here; their values are resolved for this
machine, and the components that analyse a skill do the rest.
"""

from __future__ import annotations

import posixpath
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, cast

from remit.analysis.commands.programs import PROGRAM_LANGUAGES
from remit.analysis.domain import BOTTOM, SOME_TEXT, Text, Value, lit
from remit.analysis.effect_reports import Reports
from remit.analysis.engine.texts import texts_of
from remit.analysis.flows import Flows
from remit.analysis.process_starts import ShellRuns
from remit.analysis.program_loader import LANGUAGES
from remit.analysis.session import Parts
from remit.analysis.shell import run_shell
from remit.analysis.world import HERE, Child, Outcome, Site, World
from remit.core.assumption import assumptions
from remit.core.effect import Origin
from remit.core.location import Location
from remit.guard.call_analysis.commands.disk import Disk
from remit.guard.call_analysis.commands.effect_causes import INLINE, CommandWords, EffectCauses
from remit.guard.call_analysis.commands.file_targets import FileTargets
from remit.guard.call_analysis.commands.git_repository import around_git
from remit.guard.call_analysis.commands.hole_values import HoleValues
from remit.guard.call_analysis.commands.machine import CommandHost, DiskSkill
from remit.guard.call_analysis.commands.python_imports import Imports
from remit.guard.call_analysis.commands.special_programs import PATCHES, around_program, patched, piped
from remit.guard.call_analysis.commands.started_programs import StartedPrograms

if TYPE_CHECKING:
    from remit.analysis.shell.syntax import Function
    from remit.core.via import Via
    from remit.guard.call_analysis.commands.model import CallPlace
    from remit.skill.model import Skill

ENGINE_STEPS = 400_000
BYTES_A_SECOND = 200_000  # of programs, on a busy machine
_OF_THE_USER = frozenset({"one-word-arguments"})  # a variable that the call does not set is the user's own
_CHANGING = ("write", "delete", "create", "execute", "install", "run", "kill", "manage", "configure", "chmod")


class SpentError(Exception):
    """The time budget is exhausted."""


class Budget:
    """The limits of an analysis: time, and bytes of programs."""

    def __init__(self, seconds: float) -> None:
        self._deadline = time.monotonic() + seconds
        self._bytes = int(seconds * BYTES_A_SECOND)

    def tick(self) -> None:
        """Raise if the hard deadline has passed."""
        if time.monotonic() > self._deadline:
            raise SpentError

    def spend(self, size: int) -> None:
        """Charge for reading a program. Parsing cannot be interrupted, so a program too long for the remaining time is
        not started.
        """
        self._bytes -= size
        if self._bytes < 0:
            raise SpentError


class CommandAnalysis(World):
    """The analysis of one call."""

    def __init__(self, place: CallPlace, seconds: float) -> None:
        self.flows = Flows()
        self.budget = Budget(seconds)
        self.disk = Disk(place)
        self.ground = HoleValues(place)
        self.skill = DiskSkill(self.disk)
        self.causes = EffectCauses()
        self.command_words = CommandWords()
        self.landings = FileTargets(self)
        self.changes = False  # whether an effect was found that changes files on the disk
        skill = cast("Skill", self.skill)
        self._starting = StartedPrograms(self)
        self.imports = Imports(self)
        shells = ShellRuns(self, own=False)
        reports = Reports(skill, self, _name, self.causes.note)
        self.parts = Parts(
            self, reports, self.imports.loader, self.imports.linker, skill=skill, shells=shells, host=CommandHost
        )
        self.host = cast("CommandHost", self.parts.engine.host)
        self.parts.engine.environments.cwd.value = BOTTOM
        self.parts.engine.work.budget = ENGINE_STEPS

    # ── entries ──

    def follow(self, start: Callable[[CommandAnalysis], None]) -> None:
        """Follow all entries that begin with `start`."""
        with self.parts.running():
            start(self)
            self.parts.settle()
            while self._launch() or self.imports.whole_modules():
                self.parts.settle()

    def _launch(self) -> bool:
        """Run one pending file that has no file on this machine; False if there is none."""
        file_runs = self.parts.reports.file_runs
        if not file_runs.pending:
            return False
        file_run = file_runs.pending.pop()
        verdict = file_runs.judge(file_run, self.parts.reports.links)
        if not verdict.texts and (verdict.reason or verdict.assumes):
            said = "written by the same call" if verdict.written else "not there or cannot be read"
            self.opaque(f"`{file_run.shown}` is run, and it is {said}", file_run.site)
        else:
            self.parts.starts.file_run(file_run, verdict)
        return True

    def command(self, text: str) -> None:
        """Analyse a command line for the host's shell."""
        file = f"{self.disk.cwd.lstrip('/')}/{INLINE}"
        site = Site(Location(file, 1), Origin.SCRIPT, hosted=True)
        self.causes.inline[file] = site
        run_shell(
            self,
            lit(text),
            lambda line: site._replace(where=Location(file, line)),
            args=(),
            child=Child((), cwd=lit(self.disk.cwd)),
            own=False,
        )

    def code(self, language: str, text: str) -> None:
        """Analyse code in a language, as a notebook or a REPL runs it."""
        site = Site(Location(f"{self.disk.cwd.lstrip('/')}/{INLINE}", 1), Origin.SCRIPT)
        self.run_code(language, lit(text), site, child=Child((), cwd=lit(self.disk.cwd)))

    # ── World: reporting ──

    def effect(
        self, capability: str, scope: Value, site: Site, via: Via, *, cwd: Value = HERE, port: Value | None = None
    ) -> None:
        """Report an effect, with its scope resolved on this machine."""
        self.budget.tick()
        here = self.ground.value(cwd)
        target = self.landings.landed(capability, self.ground.value(scope), here, site, via)
        self.changes = self.changes or capability.rpartition(".")[2] in _CHANGING
        at = port if port is None else self.ground.value(port)
        self.parts.reports.effect(capability, target, site, via, cwd=here, port=at)

    def opaque(self, reason: str, site: Site, remedy: str = "") -> None:
        """Report an opaque location."""
        self.causes.note_opaque(reason, site)
        self.parts.reports.opaque(reason, site, remedy)

    def assume(self, ident: str, site: Site) -> None:
        """Report a doubt: what later checks would have to ensure, the guard cannot leave to them."""
        found = assumptions()[ident]
        if found.layer.startswith("guard:") and ident not in _OF_THE_USER:
            self.opaque(f"it is not known whether {found.meaning}", site)

    def note_command(self, words: tuple[Value, ...], rest: Value, site: Site, *, cwd: Value = HERE) -> None:  # noqa: ARG002
        """Note a simple command."""
        self.budget.tick()
        self.command_words.command(tuple(map(self.ground.value, words)), rest, hosted=site.hosted)
        known = [next(iter(word)).literal for word in words if len(word) == 1 and isinstance(next(iter(word)), Text)]  # type: ignore[union-attr]
        if known[:1] in (["cd"], ["pushd"], ["set"]) and any(word in ("-P", "physical") for word in known):
            self.opaque("folders are followed without the names of links", site)
        if known[:1] == ["alias"] and any(word and "=" in word for word in known):
            self.opaque("an alias changes what words mean, in some shells", site)

    def looks_for_settings(self, names: Iterable[str], words: Iterable[str], cwd: Value, site: Site) -> None:
        """Programs look for settings in the folder in which they are started."""

    # ── World: programs that start programs ──

    def spawn(self, child: Child, site: Site) -> Outcome:
        """Start a program, with words that have no holes where this machine can fill them."""
        self.budget.tick()
        words = tuple(map(self.ground.value, child.words))
        child = child._replace(words=words, rest=self.ground.value(child.rest), cwd=self.ground.value(child.cwd))
        if child.env:
            self.ground.moved(child.env)
        self.causes.running.append(self.causes.of(site) or " ".join(self.command_words.plain(words, child.rest)))
        try:
            names = {item.literal.rpartition("/")[2] for item in texts_of(words[0]) if item.literal}
            if names & PATCHES:
                return patched(self, child, site)
            if "git" in names:
                around_git(self, child, site)
            for folder in [item.literal for item in texts_of(child.cwd) if item.literal]:
                for name in names:
                    around_program(self, name, folder, site)
            outcome = self.parts.starts.spawn(child, site)
            piped(self, names, child, site)
            return outcome
        finally:
            self.causes.running.pop()

    def run_code(
        self, language: str, code: Value, site: Site, *, args: tuple[Value, ...] = (), child: Child | None = None
    ) -> Outcome:
        """Run text as code, in the folder and with the arguments of its process."""
        if language not in PROGRAM_LANGUAGES:
            self.budget.tick()
            if language in LANGUAGES and child is not None:
                site = self._starting.text_site(child, site)
                self._starting.started(site.where.file, LANGUAGES[language], args, child, site)
                child = None
            code = self.ground.value(code)
        return self.parts.starts.code(language, code, site, args, child)

    def run_file(
        self, language: str, path: Value, site: Site, *, args: tuple[Value, ...] = (), child: Child | None = None
    ) -> Outcome:
        """Run a file of this machine."""
        child = child or Child((), cwd=HERE)
        child = child._replace(cwd=self.ground.value(child.cwd))
        return self.parts.starts.file(language, self.ground.value(path), site, args, child)

    def run_skill_file(
        self, language: str, file: str, site: Site, args: tuple[Value, ...], child: Child | None
    ) -> Outcome:
        """Run a file that exists."""
        self.budget.tick()
        known = self.skill.file(file)
        wanted = language or (known.started[0] if known is not None and known.started else "")
        self.causes.started(file, site)
        if self.skill.read(file) is None:
            self.opaque(f"`/{file}` cannot be read, or is too large", site)
            return Outcome(SOME_TEXT)
        if wanted == "make":
            return self._starting.make(file, site, child)
        if wanted in LANGUAGES:
            self._starting.started(file, LANGUAGES[wanted], args, child, site)
            if LANGUAGES[wanted] == "python":
                self.imports.beside(posixpath.dirname(file), site)
        return self.parts.starts.skill_file(wanted, file, site, args, child)

    # ── World: what is on the disk, as long as the call has changed nothing ──

    def skill_files(self, path: Value, cwd: Value = HERE) -> tuple[str, ...] | None:
        """Return the files of this machine that a path can name; None if it may be another, or there is none."""
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

    def file_text(self, file: str, site: Site | None = None) -> Value:  # noqa: ARG002  who runs it is known from `run_skill_file`
        """Return the content of a file."""
        source = self.skill.read(file)
        return SOME_TEXT if source is None else lit(source.decode("utf-8", "replace"))

    def wrote(self, path: Value, content: Value, site: Site, *, added: bool = False) -> None:
        """Note the text of a written file, under the name by which the write was reported here."""
        text = self.ground.value(content)
        for item in texts_of(self.ground.value(path)):
            landed = self.landings.written.get((item, site.where), frozenset({item}))
            self.parts.reports.file_runs.wrote(landed, text, site, added=added)

    def written(self, path: Value) -> Value:
        """Return what was seen to be written under such a name, in any folder."""
        items = set(texts_of(self.ground.value(path)))
        found = [landed for (item, _), landed in self.landings.written.items() if item in items]
        return self.parts.reports.file_runs.written(frozenset().union(items, *found))

    def shell_functions(self, name: str) -> tuple[Function, ...]:  # noqa: ARG002
        """Return the shell functions that the call itself defines or sources."""
        return ()

    def matching(self, pattern: str, cwd: Value) -> tuple[str, ...] | None:
        """Expand a pattern, as long as the call has changed nothing yet."""
        (folder,) = [item.literal for item in texts_of(self.ground.value(cwd))] if len(cwd) == 1 else (None,)
        return None if self.changes or folder is None else self.landings.names(pattern, folder)

    def is_folder(self, path: Text) -> bool:
        """Whether a folder exists and can be entered, as long as the call has changed nothing yet."""
        found = [item.literal for item in texts_of(self.ground.value(frozenset({path})))]
        return not self.changes and all(item is not None and self.disk.is_folder(item) for item in found)


def _name(capability: str, scope: Value, site: Site) -> str:  # noqa: ARG001
    """The host's shell starts the programs of a call; a call has no placeholders."""
    return "shell.execute" if capability == "process.create" and site.hosted else capability
