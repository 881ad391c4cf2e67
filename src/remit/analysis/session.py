"""One analysis of one skill: implements `World`, so that the front ends meet here."""

from __future__ import annotations

import ast
import gc
import os
import sys
import warnings
from functools import lru_cache
from typing import TYPE_CHECKING

from remit.analysis.commands import Catalog, load_commands, spawn
from remit.analysis.commands.embedded import Host
from remit.analysis.commands.programs import PROGRAM_LANGUAGES, run_program
from remit.analysis.configurations import fixed_text
from remit.analysis.domain import (
    ARG,
    BOTTOM,
    CWD,
    SOME_TEXT,
    Atom,
    Hole,
    Text,
    Value,
    concat,
    lit,
)
from remit.analysis.engine.engine import Engine
from remit.analysis.engine.texts import texts_of
from remit.analysis.hosted import FORMS
from remit.analysis.instructions import front_matter_effects, sentence_effects
from remit.analysis.launches import Launch, readable, text_end
from remit.analysis.linker import Linker
from remit.analysis.loading import Loading, placeholders
from remit.analysis.ownwrites import in_skill
from remit.analysis.programs import LANGUAGES
from remit.analysis.repeats import Repeats, ShellRun
from remit.analysis.shell import functions_of, run_shell
from remit.analysis.shell.values import TOP
from remit.analysis.shellruns import MAX_NESTING, ShellRuns, script_path
from remit.analysis.skillfiles import SkillFiles, given
from remit.analysis.sql import run_sql
from remit.analysis.summaries.library import Library
from remit.analysis.world import HERE, Child, Outcome, Site
from remit.core.effect import Origin
from remit.core.location import Location
from remit.core.via import Cause, Via
from remit.skill.classify import by_name, interpreter
from remit.skill.model import Stance
from remit.skill.program import HOST_FORMS, programs
from remit.skill.prose.requests import requests

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from remit.analysis.configurations import Configuration
    from remit.analysis.result import Effects
    from remit.analysis.shell.syntax import Function
    from remit.skill.model import Skill
    from remit.skill.program import SourceProgram

LOADED = "run the program where there are only settings of the user, or write the settings as a fixed text"
RECURSION = 20_000  # evaluation nests as deeply as the code; frames of the interpreter are cheap


@lru_cache(8)
def _library(language: str, extra: tuple[Path, ...]) -> Library:
    """Summaries are read once, however many skills are analysed."""
    return Library(language, extra)


@lru_cache(8)
def _catalog(extra: tuple[Path, ...]) -> Catalog:
    return load_commands(extra)


class Session(Loading):
    """Runs the front ends on every program of a skill, and on those that programs start."""

    def __init__(self, skill: Skill, summaries: Iterable[Path] = (), entries: frozenset[str] | None = None) -> None:
        self.asked = requests(skill) if entries is None and skill.documents else ()
        super().__init__(
            skill, tuple(item for item in programs(skill, self.asked) if entries is None or item.file in entries)
        )
        extra = list(summaries)
        self.libraries = {
            "python": _library("python", tuple(path for path in extra if path.name.endswith(".py.sum"))),
            "js": _library("js", tuple(path for path in extra if path.name.endswith(".js.sum"))),
        }
        self.catalog = _catalog(tuple(path for path in extra if path.name.endswith(".cmd")))
        self.linker = Linker((file.path for file in skill.files), self._load_module, packaged=entries is not None)
        self.engine = Engine(self, self.libraries, self.linker)
        self.engine.programs.entries = entries
        self._loaded = {}
        self.shells = ShellRuns(self)
        self._children: dict[tuple[object, ...], Outcome] = {}  # started for the same cause, with what they print
        self.files = SkillFiles(skill.root.name, (file.path for file in skill.files))
        self.repeats = Repeats()
        self._functions: dict[str, list[Function]] | None = None

    def analyse(self) -> Effects:
        """Run every program of the skill to a fixpoint."""
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, RECURSION))
        collecting = gc.isenabled()
        gc.disable()  # the heap only grows until the end; collecting it on the way finds nothing
        try:
            self._run()
        finally:
            sys.setrecursionlimit(limit)
            if collecting:
                gc.enable()
        return self._result()

    def _run(self) -> None:
        front_matter_effects(self, self.skill)
        self.unread += sentence_effects(self, self.asked)
        for file in self.skill.files:
            if file.stance is Stance.OPAQUE:
                self.opaque(
                    file.reason,
                    Site(Location(file.path)),
                    "remove the file, or replace it by source in an analysed language",
                )
        shells: list[SourceProgram] = []
        for program in self.programs:
            if program.opaque:
                self.opaque(program.opaque, Site(Location(program.file, program.line(1)), program.origin))
            elif program.language == "shell":
                shells.append(program)
            else:
                self._start(program)
        for program in shells:
            self._start(program)
        self._settle()
        while True:
            for run in self.repeats.take():
                self._run_script(run)
            if self.launches.pending:
                self._launch(self.launches.pending.pop())
            elif not self._load_settings():
                break
            self._settle()
        self._judge_own_writes()
        self._judge_history_in_texts()
        self._judge_settings()

    def _settle(self) -> None:
        try:
            self.engine.evaluator.solve()
        except RecursionError:
            where = self.engine.run.frame.loaded.file
            self.opaque("the code is nested too deeply to follow", Site(Location(where)), "make it simpler")

    def _start(self, program: SourceProgram) -> None:
        """A program that is run by itself: a script, the fences of a document, a hook."""
        if program.form in HOST_FORMS and program.origin is Origin.HOOK:
            site = Site(Location(program.file, program.line(1)), program.origin)
            self.effect(
                "hook.install", script_path(program.file), site, Via(Cause.SETTING, words=program.note or "a hook")
            )
        key = (program.file, LANGUAGES.get(program.language, program.language))
        if program.form == "file" and key in self._loaded:
            return
        if program.language == "shell":
            self._run_shell_program(program)
            return
        language = LANGUAGES.get(program.language)
        if language is None:
            site = Site(Location(program.file, program.line(1)), program.origin)
            self.opaque(f"{program.language} is not analysed", site, "rewrite it in Python, shell or JavaScript")
            return
        loaded = self._load(program)
        if program.form == "file":
            self._loaded[key] = loaded

    # ── World: programs that start programs ──

    def spawn(self, child: Child, site: Site) -> Outcome:
        """Start a program by its summary.

        Wrappers start what their words name, and of a list whose order is not known each word may be the wrapper again:
        a child that is being read already, or was read for the same cause, is not read twice.
        """
        self.told(child.words, child.rest, site, cwd=child.cwd)
        env = frozenset(child.env.items()) if child.env else None
        key = (child._replace(env=None), env, site)
        if key in self._children:
            return self._children[key]
        if self.shells.nesting > MAX_NESTING:
            self.opaque("programs start each other too deeply", site)
            return Outcome(SOME_TEXT)
        outermost = not self._children
        self._children[key] = Outcome(SOME_TEXT)
        self.shells.nesting += 1
        self._reading += 1
        try:
            outcome = self._children[key] = spawn(self, child, site, self.catalog)
        finally:
            self.shells.nesting -= 1
            self._reading -= 1
            if outermost:
                self._children.clear()
        return outcome

    def run_code(
        self, language: str, code: Value, site: Site, *, args: tuple[Value, ...] = (), child: Child | None = None
    ) -> Outcome:
        """Run text as code."""
        if language in PROGRAM_LANGUAGES:
            run_program(language, code, Host(self, site, child or Child(()), args))
            return Outcome(SOME_TEXT)
        reading, self._reading = self._reading, 0
        try:
            return self._run_code(language, code, site, args, child)
        finally:
            self._reading = reading

    def _run_code(
        self, language: str, code: Value, site: Site, args: tuple[Value, ...], child: Child | None
    ) -> Outcome:
        if language == "shell":
            return self.shells.code(code, site, args, child)
        if language == "sql":
            run_sql(self, frozenset(texts_of(code)), site)
            return Outcome(SOME_TEXT)
        if language not in LANGUAGES:
            self.opaque(f"{language or 'this'} code is not analysed", site)
            return Outcome(SOME_TEXT)
        cwd = child.cwd if child is not None else HERE
        if child is not None and site.origin is not Origin.INSTRUCTED:
            self.engine.environments.launched(child._replace(words=(BOTTOM, *args), cwd=BOTTOM))
        for text in texts_of(code):
            if text.literal is not None:
                self._load_text(language, text.literal, {}, site, cwd)
            else:
                self._open_code(language, text, site, cwd)
        return Outcome(SOME_TEXT)

    def _run_shell_program(self, program: SourceProgram) -> None:
        source = lit(program.source.decode("utf-8", "surrogateescape"))

        def site_of(line: int) -> Site:
            return Site(Location(program.file, program.line(line)), program.origin, hosted=program.form in FORMS)

        script = script_path(program.file) if program.form == "file" else None
        run_shell(self, source, site_of, script=script, placeholders=placeholders(program), starts=program.starts)

    def run_file(
        self, language: str, path: Value, site: Site, *, args: tuple[Value, ...] = (), child: Child | None = None
    ) -> Outcome:
        """Run a file in a language."""
        cwd = child.cwd if child else HERE
        printed: set[Atom] = set()
        self.effect("source.execute", path, site, Via(Cause.CODE, words="a script is run"), cwd=cwd)
        for text in texts_of(path):
            files = self.skill_files(frozenset({text}), cwd)
            if files is None and language == "python":  # a folder is run by its `__main__.py`
                files = self.skill_files(frozenset({concat(text, Text(("/__main__.py",)))}), cwd)
            for file in files or ():
                printed |= self._run_skill_file(language, file, site, args, child).stdout
            if files is None:
                printed |= SOME_TEXT
            if files is not None or not _callers(text, cwd):
                command = self._reading > 0
                self.launches.add(Launch(language, text, cwd, site, args, child, command, own=files is not None))
        return Outcome(frozenset(printed))

    def _launch(self, launch: Launch) -> None:
        """A file that is run and is none of the skill."""
        verdict = self.launches.judge(launch, self.links)
        if verdict.assumes:
            self.assume(verdict.assumes, launch.site)
        elif verdict.reason:
            self._reading += launch.command
            self.opaque(verdict.reason, launch.site, "run scripts of the skill by their path in it")
            self._reading -= launch.command
        for text in verdict.texts:
            self._run_written(launch.language, text, launch.site, launch.args, launch.child)

    def _run_written(
        self, language: str, written: Value, site: Site, args: tuple[Value, ...], child: Child | None
    ) -> None:
        """Run a file of a known text, in a language or as its first line says."""
        site = site._replace(hosted=False)  # a program starts what a file says, even if the agent wrote the file
        for text in texts_of(written):
            head = text.parts[0] if text.parts and isinstance(text.parts[0], str) else ""
            named, plain = (language, True) if language else interpreter(head.encode("utf-8", "replace"))
            if plain:
                self.run_code(named, frozenset({text}), site, args=args, child=child)
            else:
                self.opaque("the first line of a file that is run gives its interpreter options", site)

    def _load_settings(self) -> bool:
        """What the programs that are started load by themselves, if the skill wrote or brings it; False if there is nothing."""
        found = False
        for call, line, path in self.tools.brought(file.path for file in self.skill.files):
            file = self.skill.file(path)
            if (
                file is None
                or file.stance is Stance.OPAQUE
                or file.extract
                or (line.setting is None and file.languages)
            ):
                continue  # its stance says more
            source = self.skill.read(path)
            if source is None or line.speaks(source.decode("utf-8", "replace")):
                self.opaque(f"`{path}` is loaded by `{call.shown}`: {line.meaning}", call.site, LOADED)
        for call, line, write in self.tools.written(self.launches.all_writes(), self._copies_skill):
            found = True
            told = call.site.origin is Origin.INSTRUCTED
            site = Site(write.where) if told and not write.instructed else call.site
            text = self.launches.text_of(write)
            language = self._language_of(line, write.path)
            if language is not None and text and all(map(readable, text)):
                self._run_written(language, text, site, (), Child((), cwd=call.cwd))
                continue
            lines = self.launches.lines_of(write)
            known = fixed_text(lines) if lines else None
            if known is None or line.speaks(known):
                shown = text_end(write.path) or "a file"
                reason = f"`{shown}`, which the skill writes, is loaded by `{call.shown}`: {line.meaning}"
                self._reading += call.command
                self.opaque(reason, site, LOADED)
                self._reading -= call.command
        return found

    @staticmethod
    def _language_of(line: Configuration, path: Text) -> str | None:
        """The language in which a program runs what it finds (empty: as its first line says); None if it is not analysed."""
        if line.setting is not None or line.program:
            return "" if line.program else None
        kind = by_name(text_end(path))
        return kind.languages[0] if kind is not None and kind.languages else None

    def wrote(self, path: Value, content: Value, site: Site, *, added: bool = False) -> None:
        """The text of a file that is written here. One to which something is added may hold anything."""
        self.launches.wrote(path, TOP if added else content, site)
        if added:
            self.launches.added(path, content, site)

    def written(self, path: Value) -> Value:
        """What the skill was seen to write to a file of this path."""
        return self.launches.written(path)

    def _run_skill_file(
        self, language: str, file: str, site: Site, args: tuple[Value, ...], child: Child | None
    ) -> Outcome:
        known = self.skill.file(file)
        own = known.languages if known is not None else ()
        wanted = language or (own[0] if own else "")
        if wanted == "shell":
            if wanted in own and _as_the_caller(child, args):
                return Outcome(SOME_TEXT)  # analysed as a program of its own
            child = child or Child(())
            run = ShellRun(file, site, args, child.rest, child.cwd, child.env, child.stdin)
            key = (run.surroundings, args, run.rest)
            new = key not in self._seen
            self._seen.add(key)
            if new and site.origin is Origin.INSTRUCTED and self.repeats.defer(run):
                return Outcome(SOME_TEXT)
            return self._run_script(run)
        if wanted in PROGRAM_LANGUAGES:
            return self.run_code(wanted, self.file_text(file), site, args=args, child=child)
        if wanted in LANGUAGES:
            if own == ("shell",) and not _parses(wanted, self.skill.read(file)):
                return Outcome()  # the interpreter refuses it
            self._load_module(file, LANGUAGES[wanted])
            if child is not None and site.origin is not Origin.INSTRUCTED:
                self._judge_variables(child, site)
                self.engine.environments.launched(child._replace(words=(BOTTOM, *args)))
            elif child is not None and any(
                map(in_skill, child.cwd)
            ):  # whose words are the caller's, but not the folder
                self.engine.cells.write(self.engine.environments.cwd, child.cwd)
        elif wanted and (known is None or known.stance is not Stance.OPAQUE):
            self.opaque(f"`{file}` is run as {wanted}, which is not analysed", site)
        elif not wanted:
            self.opaque(f"`{file}` is run, and its language is not known", site)
        return Outcome(SOME_TEXT)

    def _judge_variables(self, child: Child, site: Site) -> None:
        """What whoever starts a program sets for it alone steers that program and all that it starts."""
        for name, value in (child.env or {}).items():
            if self.engine.environments.environment.get(name) != value:
                self.shells.judge(name, value, site)

    def _run_script(self, run: ShellRun) -> Outcome:
        source = self.skill.read(run.file)
        return Outcome(SOME_TEXT) if source is None else self.shells.file(run, source)

    # ── World: files ──

    def skill_files(self, path: Value, cwd: Value = HERE) -> tuple[str, ...] | None:
        """The files of the skill that this path can name; None if it may be another file."""
        found = self.files.find(texts_of(path), cwd)
        if found is None:
            return None
        if found.assumes:
            self._assumptions.add(found.assumes)
        return found.files

    def knows(self, name: str) -> bool:
        """Whether there is a summary of a command."""
        return self.catalog.get(name) is not None

    def shell_functions(self, name: str) -> tuple[Function, ...]:
        """The functions of this name in all shell files of the skill: a file may be meant to be sourced beside others."""
        if self._functions is None:
            self._functions = {}
            for file in self.skill.files:
                source = self.skill.read(file.path) if "shell" in file.languages else None
                for function in functions_of(source or b"", file.path):
                    self._functions.setdefault(function.name, []).append(function)
        return tuple(self._functions.get(name, ()))

    def matching(self, pattern: str, cwd: Value) -> tuple[str, ...] | None:  # noqa: ARG002
        """Nobody knows what lies in the folders of whoever uses the skill."""
        return None

    def is_folder(self, path: Text) -> bool:  # noqa: ARG002
        """The same for folders."""
        return False

    def file_text(self, file: str) -> Value:
        """The content of a skill file."""
        self.own_writes.known.add(file)
        source = self.skill.read(file)
        return SOME_TEXT if source is None else lit(source.decode("utf-8", "replace"))


def _callers(path: Text, cwd: Value) -> bool:
    """Whether the caller names the file: by an argument, or by the folder in which the program runs."""
    first = path.parts[0] if path.parts else ""
    if isinstance(first, Hole):
        return first.exact and given(first)
    return (
        not first.startswith(("/", "~"))
        and bool(cwd)
        and all(
            isinstance(item, Text) and item.parts and item != Text((Hole(CWD),)) and _callers(item, BOTTOM)
            for item in cwd
        )
    )


def analyse(skill: Skill, summaries: Iterable[Path] = (), entries: frozenset[str] | None = None) -> Effects:
    """What a skill can do.

    A skill's files can be used in every way. Of a package whose users are known, `entries` names them: then only what they reach
    is live, and its files are imported by their full names.
    """
    return Session(skill, summaries, entries).analyse()


def _as_the_caller(child: Child | None, args: tuple[Value, ...]) -> bool:
    """Whether a script is started as whoever uses the skill starts it: with the caller's own words, in the same surroundings."""
    words = (*args, child.rest) if child else args
    surroundings = child is None or (not child.env and child.cwd == HERE)
    return surroundings and all(text == Text((Hole(ARG),)) for value in words for text in texts_of(value))


def _parses(language: str, source: bytes | None) -> bool:
    """Whether an interpreter would accept a file that is written in another language."""
    if source is None or language != "python":
        return True
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(source, os.devnull)
    except (SyntaxError, ValueError):
        return False
    return True
