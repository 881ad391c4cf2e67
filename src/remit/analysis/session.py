"""One analysis of one skill: the parts of it, and the order in which they run."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING

from remit.analysis.commands import Catalog, load_commands
from remit.analysis.domain import SOME_TEXT, Value, lit
from remit.analysis.effect_reports import Reports
from remit.analysis.engine.engine import Engine
from remit.analysis.engine.run import Host
from remit.analysis.engine.texts import texts_of
from remit.analysis.flows import Flows
from remit.analysis.instructions import FORMS, front_matter_effects, sentence_effects, stands_for_output
from remit.analysis.linker import Linker
from remit.analysis.own_programs import own_programs
from remit.analysis.parts import connect
from remit.analysis.process_starts import ShellRuns, Starts, script_path, script_streams
from remit.analysis.program_loader import LANGUAGES, Loader, placeholders
from remit.analysis.shell import run_shell
from remit.analysis.shell.data_flow import Streams
from remit.analysis.skillfiles import SkillFiles
from remit.analysis.summaries.library import Library
from remit.analysis.world import HERE, Site, World
from remit.core.effect import Origin
from remit.core.location import Location
from remit.core.patterns import lazy_pattern
from remit.core.via import Cause, Via
from remit.skill.model import Skill, Stance
from remit.skill.program import HOST_FORMS, SourceProgram, programs
from remit.skill.prose.requests import requests

if TYPE_CHECKING:
    from pathlib import Path

    from remit.analysis.result import Effects
    from remit.analysis.shell.syntax import Function
    from remit.analysis.world import Child

RECURSION = 20_000  # evaluation nests as deeply as the code; frames of the interpreter are cheap


# Markup that runs code, or fetches something, where it is shown: each pattern alone is found three times as fast as all in one
_ACTIVE_WORDS = (b"<script", b"javascript:", b"@import")
_ACTIVE = (
    lazy_pattern(rb"url\(\s*[\"']?(?:https?:)?//"),
    lazy_pattern(
        rb"<(?:link|img|iframe|object|embed|video|audio|source|image|use|form|base|meta)\b[^>]{0,400}?[=\"'\s](?:https?:)?//"
    ),
    lazy_pattern(rb"\son[a-z]{3,20}\s*="),
)


def _is_active(markup: bytes) -> bool:
    small = markup.lower()
    return b"\0" in small or any(word in small for word in _ACTIVE_WORDS) or any(one.search(small) for one in _ACTIVE)


@lru_cache(8)
def _library(language: str, extra: tuple[Path, ...]) -> Library:
    """Summaries are read once, however many skills are analysed."""
    return Library(language, extra)


@lru_cache(8)
def _catalog(extra: tuple[Path, ...]) -> Catalog:
    return load_commands(extra)


class Parts:
    """The parts of an analysis, connected with each other and with the world that the front ends see."""

    reports: Reports
    loader: Loader
    starts: Starts
    engine: Engine

    def __init__(  # noqa: PLR0913  what an analysis begins with
        self,
        world: World,
        reports: Reports,
        loader: Loader,
        linker: Linker,
        *,
        skill: Skill,
        shells: ShellRuns,
        summaries: Iterable[Path] = (),
        host: type[Host] = Host,
    ) -> None:
        extra = list(summaries)
        self.libraries = {
            "python": _library("python", tuple(path for path in extra if path.name.endswith(".py.sum"))),
            "js": _library("js", tuple(path for path in extra if path.name.endswith(".js.sum"))),
        }
        self.catalog = _catalog(tuple(path for path in extra if path.name.endswith(".cmd")))
        engine = Engine(world, self.libraries, linker, host)
        starts = Starts(skill, world, self.catalog)
        connect((self, reports, loader, starts, engine, engine.programs, shells))

    @staticmethod
    @contextmanager
    def running() -> Iterator[None]:
        """While programs are followed: evaluation nests deeply, and the heap only grows, so that collecting it finds nothing."""
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, RECURSION))
        collecting = gc.isenabled()
        gc.disable()
        try:
            yield
        finally:
            sys.setrecursionlimit(limit)
            if collecting:
                gc.enable()

    def settle(self) -> None:
        """Follow what is loaded until nothing new comes of it."""
        try:
            self.engine.evaluator.solve()
        except RecursionError:
            where = self.engine.run.frame.loaded.file
            self.reports.opaque("the code is nested too deeply to follow", Site(Location(where)), "make it simpler")


class Session(World):
    """Runs the front ends on every program of a skill, and on those that programs start."""

    def __init__(self, skill: Skill, summaries: Iterable[Path] = (), entries: frozenset[str] | None = None) -> None:
        self.skill = skill
        self.flows = Flows()
        self._asked = requests(skill) if entries is None and skill.documents else ()
        self._programs = tuple(item for item in programs(skill, self._asked) if entries is None or item.file in entries)
        self._files = SkillFiles(skill)
        self._own_programs = own_programs(skill)
        loader = Loader(skill, self)
        self._linker = Linker((file.path for file in skill.files), loader.module, packaged=entries is not None)
        self.parts = Parts(
            self, Reports(skill, self), loader, self._linker, skill=skill, shells=ShellRuns(self), summaries=summaries
        )
        self.parts.engine.programs.entries = entries

    def analyse(self) -> Effects:
        """Run every program of the skill to a fixpoint."""
        with self.parts.running():
            self._run()
        self.parts.reports.uses |= self._linker.uses
        return self.parts.reports.result()

    def _run(self) -> None:
        reports, starts = self.parts.reports, self.parts.starts
        front_matter_effects(self, self.skill)
        reports.unread += sentence_effects(self, self._asked)
        for file in self.skill.files:
            if file.stance is Stance.OPAQUE:
                remedy = "remove the file, or replace it by source in an analysed language"
                self.opaque(file.reason, Site(Location(file.path)), remedy)
            elif file.kind == "markup" and _is_active(self.skill.read(file.path) or b""):
                self.assume("markup", Site(Location(file.path)))
        shells: list[SourceProgram] = []
        for program in self._programs:
            if program.opaque:
                self.opaque(program.opaque, Site(Location(program.file, program.line(1)), program.origin))
            elif program.language == "shell":
                shells.append(program)
            else:
                self._start(program)
        for program in shells:
            self._start(program)
        self.parts.settle()
        while True:
            for run in starts.repeats.take():
                starts.script(run)
            if reports.file_runs.pending:
                file_run = reports.file_runs.pending.pop()
                starts.file_run(file_run, reports.file_runs.judge(file_run, reports.links))
            elif not starts.settings():
                break
            self.parts.settle()
        reports.judge_own_writes()
        reports.judge_history_in_texts()
        reports.judge_settings()

    def _start(self, program: SourceProgram) -> None:
        """A program that is run by itself: a script, the fences of a document, a hook."""
        site = Site(Location(program.file, program.line(1)), program.origin)
        if program.form in HOST_FORMS and program.origin is Origin.HOOK:
            via = Via(Cause.SETTING, words=program.note or "a hook")
            self.effect("hook.install", script_path(program.file), site, via)
        language = LANGUAGES.get(program.language)
        if program.language == "shell":
            self._run_shell_program(program)
        elif language is not None:
            self.parts.loader.program(program, language)
        else:
            self.opaque(f"{program.language} is not analysed", site, "rewrite it in Python, shell or JavaScript")

    def _run_shell_program(self, program: SourceProgram) -> None:
        source = lit(program.source.decode("utf-8", "surrogateescape"))

        def site_of(line: int) -> Site:
            return Site(Location(program.file, program.line(line)), program.origin, hosted=program.form in FORMS)

        script = script_path(program.file) if program.form == "file" else None
        blanks = frozenset(mark for mark, name in program.holes.items() if stands_for_output(name))
        streams = script_streams(self, program.file) if script else Streams(output=self.flows.model, blanks=blanks)
        holes, starts = placeholders(program), program.starts
        run_shell(self, source, site_of, script=script, placeholders=holes, starts=starts, streams=streams)

    # ── World: files ──

    def skill_files(self, path: Value, cwd: Value = HERE) -> tuple[str, ...] | None:
        """The files of the skill that this path can name; None if it may be another file."""
        found = self._files.find(texts_of(path), cwd)
        if found is None:
            return None
        if found.assumes:
            self.parts.reports.assume(found.assumes)
        return found.files

    def file_text(self, file: str, site: Site | None = None) -> Value:
        """The content of a skill file."""
        if site is not None:
            self.parts.reports.uses.add((site.where, file))
        self.parts.reports.own_writes.known.add(file)
        source = self.skill.read(file)
        return SOME_TEXT if source is None else lit(source.decode("utf-8", "replace"))

    def run_own_program(self, name: str, child: Child, site: Site) -> None:
        """Run the program of this name that a package of the skill installs, if there is one."""
        program = self._own_programs.get(name)
        if program is not None and program.file:
            self.run_skill_file("", program.file, site, child.words[1:], child)
        elif program is not None:
            self.run_code("python", lit(program.code), site, args=child.words[1:], child=child)

    def shell_functions(self, name: str) -> tuple[Function, ...]:
        """The functions of this name in all shell files of the skill."""
        return self._files.shell_functions(name)


def analyse(skill: Skill, summaries: Iterable[Path] = (), entries: frozenset[str] | None = None) -> Effects:
    """What a skill can do.

    A skill's files can be used in every way. Of a package whose users are known, `entries` names them: then only what they reach
    is live, and its files are imported by their full names.
    """
    return Session(skill, summaries, entries).analyse()
