"""Programs that programs start: by their summaries, as text, from files of the skill, and from files that it writes."""

from __future__ import annotations

import ast
import os
import warnings
from collections import Counter
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, NamedTuple

from remit.analysis.commands import Catalog, spawn
from remit.analysis.commands.programs import PROGRAM_LANGUAGES, run_program
from remit.analysis.commands.queries import run_sql
from remit.analysis.configurations import Configuration, fixed_text
from remit.analysis.domain import ANY, ARG, BOTTOM, CWD, SKILL, SOME_TEXT, Atom, Hole, Text, Value, concat, lit
from remit.analysis.engine.texts import texts_of
from remit.analysis.file_runs import FileRun, Verdict, readable, text_end
from remit.analysis.own_writes import in_skill
from remit.analysis.program_loader import LANGUAGES, Loader
from remit.analysis.shell import run_shell
from remit.analysis.shell.data_flow import Streams
from remit.analysis.shell.values import is_numeric
from remit.analysis.skillfiles import given
from remit.analysis.steering_variables import judge
from remit.analysis.world import HERE, Child, Outcome, Site, World
from remit.core.effect import Origin
from remit.core.location import Location
from remit.core.via import DECODED, Cause, Via
from remit.skill.classify import by_name, interpreter
from remit.skill.model import Skill, Stance

if TYPE_CHECKING:
    from remit.analysis.effect_reports import Reports
    from remit.analysis.engine.engine import Engine
    from remit.analysis.flows import Node


# Shell programs that other programs start: each is read once for each cause, and remembered with what it prints.

MAX_NESTING = 24  # programs that start programs
ONE_BY_ONE = 5  # runs of one script


class ShellRun(NamedTuple):
    """One way to run a shell script of the skill."""

    file: str
    site: Site
    args: tuple[Value, ...]
    child: Child

    @property
    def surroundings(self) -> Hashable:
        """What runs that are joined have in common."""
        _, rest, cwd, variables, stdin, *_ = self.child
        return self.file, len(self.args), bool(rest), cwd, frozenset(variables.items()) if variables else None, stdin


class ShellRuns:
    """What a run of a program depends on is its key: the text, the words, the folder, the variables and the input."""

    def __init__(self, world: World, *, own: bool = True) -> None:
        self.world = world
        self._own = own  # whether others may call the functions of a script
        self.nesting = 0
        self._outcomes: dict[tuple[object, ...], Outcome] = {}

    def code(
        self, code: Value, site: Site, args: tuple[Value, ...], child: Child | None, site_of: Callable[[int], Site]
    ) -> Outcome:
        """A text that is run as a shell program."""
        child = child or Child(())
        env = frozenset(child.env.items()) if child.env else None
        # `$0` of a text that a shell runs: the word after the text of `sh -c`, or the shell itself.
        name = lit("sh") | frozenset(texts_of(child.words[0] if child.words else BOTTOM))
        key = ("code", code, name, site.where, site.hosted, args, child.rest, child.cwd, env, child.stdin)

        flows = self.world.flows
        output = flows.node(("text", key))
        base = frozenset((flows.context - {flows.call}) | flows.passed())  # not what the text itself brings in
        output.into |= base

        def run() -> Outcome:
            return run_shell(
                self.world,
                frozenset(texts_of(code)),
                site_of,
                args=args,
                child=child,
                own=False,
                script=name,
                streams=Streams(base, None, flows.fed, output),
            )

        outcome = self._once(key, run)
        flows.context.add(output)
        return outcome

    def file(self, run: ShellRun, source: bytes) -> Outcome:
        """A file of the skill."""
        for name, value in (run.child.env or {}).items():
            judge(self.world, name, value, run.site)
        path = (*run.site.path, run.site.where)

        def walk() -> Outcome:
            return run_shell(
                self.world,
                frozenset({Text((source.decode("utf-8", "surrogateescape"),))}),
                lambda line: Site(Location(run.file, line), run.site.origin, path),
                args=run.args,
                child=run.child,
                script=script_path(run.file),
                own=self._own,
                judged=True,
                streams=script_streams(self.world, run.file),
            )

        return self._once((run.surroundings, run.args, run.child.rest), walk)

    def _once(self, key: tuple[object, ...], run: Callable[[], Outcome]) -> Outcome:
        if key not in self._outcomes:
            if self.nesting > MAX_NESTING:
                return Outcome(SOME_TEXT)
            self._outcomes[key] = Outcome(SOME_TEXT)  # what it prints while it runs, to itself
            self.nesting += 1
            try:
                self._outcomes[key] = run()
            finally:
                self.nesting -= 1
        return self._outcomes[key]


def script_streams(world: World, file: str) -> Streams:
    """What a script of the skill is given, and what it prints; whoever starts it adds to these nodes."""
    flows = world.flows
    return Streams(frozenset(), flows.node(("in", file)), flows.node(("fed", file)), flows.node(("out", file)))


def script_path(file: str) -> Value:
    """`$0` of a script of the skill."""
    return frozenset({Text((Hole(SKILL), "/" + file))})


class Repeats:
    """Documents that tell the agent to run one script in many ways: a few are followed one by one, the others together.

    Each way costs a walk through the script. Words that are joined place by place stand for every combination of them, so
    nothing is lost but which word goes with which.
    """

    def __init__(self) -> None:
        self._count: Counter[str] = Counter()
        self._waiting: dict[Hashable, ShellRun] = {}

    def defer(self, run: ShellRun) -> bool:
        """Whether this run was put off, to be joined with others."""
        key = run.surroundings
        self._count[run.file] += 1
        if self._count[run.file] <= ONE_BY_ONE:
            return False
        before = self._waiting.get(key)
        self._waiting[key] = run if before is None else _joined(before, run)
        return True

    def take(self) -> list[ShellRun]:
        """The runs that were put off."""
        waiting, self._waiting = list(self._waiting.values()), {}
        return waiting


def _joined(one: ShellRun, other: ShellRun) -> ShellRun:
    """Words by their place."""
    args = tuple(a | b for a, b in zip(one.args, other.args, strict=True))
    return one._replace(args=args, child=one.child._replace(rest=one.child.rest | other.child.rest))


LOADED = "run the program where there are only settings of the user, or write the settings as a fixed text"


_HIDDEN = 8  # characters of a decoded text that can be code
_COUNTING = frozenset("wc stat du".split())


def _counts(child: Child, outcome: Outcome) -> bool:
    """Whether a program prints nothing but how much there is: nothing of the data itself."""
    known = {atom.literal if isinstance(atom, Text) else None for atom in child.words[0]} if child.words else {None}
    return known <= _COUNTING and all(not text.parts or is_numeric(text) for text in texts_of(outcome.stdout))


class Starts:
    """Starts programs. What it starts reports to the world, and starts further programs there."""

    reports: Reports
    loader: Loader
    engine: Engine
    shells: ShellRuns

    def __init__(self, skill: Skill, world: World, catalog: Catalog) -> None:
        self._skill = skill
        self._world = world
        self._catalog = catalog
        self.repeats = Repeats()
        self._children: dict[tuple[object, ...], Outcome] = {}  # started for the same cause, with what they print
        self._runs: set[tuple[object, ...]] = set()
        self._exported: dict[Location, dict[str, Node]] = {}  # the variables that what is started there is given

    def spawn(self, child: Child, site: Site) -> Outcome:
        """Start a program by its summary.

        Wrappers start what their words name, and of a list whose order is not known each word may be the wrapper again:
        a child that is being read already, or was read for the same cause, is not read twice.
        """
        self._world.note_command(child.words, child.rest, site, cwd=child.cwd)
        env = frozenset(child.env.items()) if child.env else None
        key = (child._replace(env=None), env, site)
        flows = self._world.flows
        flows.named(child.words[0] if child.words else BOTTOM, site.where.file)
        begun = flows.begin(("spawn", key), lambda: site.where)
        outcome = Outcome(SOME_TEXT)
        try:
            outcome = self._spawn(key, child, site)
        finally:
            flows.end(begun)
            if _counts(child, outcome):
                flows.context.discard(begun[0].result)
        return outcome

    def _spawn(self, key: tuple[object, ...], child: Child, site: Site) -> Outcome:
        if key in self._children:
            return self._children[key]
        if self.shells.nesting > MAX_NESTING:
            self._world.opaque("programs start each other too deeply", site)
            return Outcome(SOME_TEXT)
        outermost = not self._children
        self._children[key] = Outcome(SOME_TEXT)
        self.shells.nesting += 1
        self.reports.reading += 1
        try:
            outcome = self._children[key] = spawn(self._world, child, site, self._catalog)
        finally:
            self.shells.nesting -= 1
            self.reports.reading -= 1
            if outermost:
                self._children.clear()
        return outcome

    # ── text ──

    def code(self, language: str, code: Value, site: Site, args: tuple[Value, ...], child: Child | None) -> Outcome:
        """Run text as code."""
        if language in PROGRAM_LANGUAGES:
            run_program(self._world, language, code, site, child or Child(()), args)
            return Outcome(SOME_TEXT)
        reading, self.reports.reading = self.reports.reading, 0
        try:
            return self._code(language, code, site, args, child)
        finally:
            self.reports.reading = reading

    def _code(self, language: str, code: Value, site: Site, args: tuple[Value, ...], child: Child | None) -> Outcome:
        if any(self._is_decoded(text.literal) for text in texts_of(code) if text.literal is not None):
            self._world.effect(
                "source.execute", ANY, site, Via(Cause.CODE, option=DECODED, words="decoded text is run as code")
            )
        if language == "shell":
            known = [text.literal for text in texts_of(code)]
            site_of = self.loader.site_of(known[0] or "" if len(known) == 1 else "", site)
            return self.shells.code(code, site, args, child, site_of)
        if language == "sql":
            run_sql(self._world, frozenset(texts_of(code)), site)
            return Outcome(SOME_TEXT)
        if language not in LANGUAGES:
            self._world.opaque(f"{language or 'this'} code is not analysed", site)
            return Outcome(SOME_TEXT)
        cwd = child.cwd if child is not None else HERE
        self._given_to(site.where)
        if child is not None and site.origin is not Origin.INSTRUCTED:
            self.engine.environments.launched(child._replace(words=(BOTTOM, *args), cwd=BOTTOM))
        for text in texts_of(code):
            if text.literal is not None:
                self.loader.text(language, text.literal, {}, site, cwd)
            else:
                self.loader.open_code(language, text, site, cwd)
        return Outcome(SOME_TEXT)

    def _is_decoded(self, text: str) -> bool:
        """Whether a text, or what it is made of, stands nowhere as it is run."""
        return any(len(made) >= _HIDDEN and made in text for made in self.engine.run.decoded)

    # ── files ──

    def file(self, language: str, path: Value, site: Site, args: tuple[Value, ...], child: Child | None) -> Outcome:
        """Run a file in a language."""
        cwd = child.cwd if child else HERE
        printed: set[Atom] = set()
        self._world.effect("source.execute", path, site, Via(Cause.CODE, words="a script is run"), cwd=cwd)
        for text in texts_of(path):
            files = self._world.skill_files(frozenset({text}), cwd)
            if files is None and language == "python":  # a folder is run by its `__main__.py`
                files = self._world.skill_files(frozenset({concat(text, Text(("/__main__.py",)))}), cwd)
            for file in files or ():
                printed |= self._world.run_skill_file(language, file, site, args, child).stdout
            if files is None:
                printed |= SOME_TEXT
            command, own = self.reports.reading > 0, files is not None
            given = not own and _callers(text, cwd)
            self.reports.file_runs.add(FileRun(language, text, cwd, site, args, child, command, own, given))
        self._keep_given(site.where)
        return Outcome(frozenset(printed))

    def skill_file(self, language: str, file: str, site: Site, args: tuple[Value, ...], child: Child | None) -> Outcome:
        """Run a file of the skill, in a language or in its own."""
        self.reports.uses.add((site.where, file))
        self._given_to(file)
        outcome = self._skill_file(language, file, site, args, child)
        self._world.flows.context.add(self._world.flows.node(("out", file)))
        return outcome

    def _keep_given(self, where: Location) -> None:
        """What the programs that are started here are given, for those that are only looked at when all that is written is known."""
        flows = self._world.flows
        flows.node(("given", where)).into |= flows.passed()
        flows.node(("given input", where)).into.update((flows.fed,) if flows.fed is not None else ())
        self._exported.setdefault(where, {}).update(flows.exported)

    def _given_to(self, program: str | Location) -> None:
        """A program gets words, and an input."""
        flows = self._world.flows
        flows.node(("in", program)).into |= flows.passed()
        if flows.fed is not None:
            flows.node(("fed", program)).into.add(flows.fed)

    def _skill_file(
        self, language: str, file: str, site: Site, args: tuple[Value, ...], child: Child | None
    ) -> Outcome:
        known = self._skill.file(file)
        own = known.languages if known is not None else ()
        wanted = language or (own[0] if own else "")
        if wanted == "shell":
            if wanted in own and _as_the_caller(child, args):
                return Outcome(SOME_TEXT)  # analysed as a program of its own
            child = child or Child(())
            run = ShellRun(file, site, args, child)
            key = (run.surroundings, args, child.rest)
            new = key not in self._runs
            self._runs.add(key)
            if new and site.origin is Origin.INSTRUCTED and self.repeats.defer(run):
                return Outcome(SOME_TEXT)
            return self.script(run)
        if wanted in PROGRAM_LANGUAGES:
            return self._world.run_code(wanted, self._world.file_text(file), site, args=args, child=child)
        if wanted in LANGUAGES:
            if own == ("shell",) and not _parses(wanted, self._skill.read(file)):
                return Outcome()  # the interpreter refuses it
            self.loader.module(file, LANGUAGES[wanted])
            if child is not None and site.origin is not Origin.INSTRUCTED:
                self._judge_variables(child, site)
                self.engine.environments.launched(child._replace(words=(BOTTOM, *args)))
            elif child is not None and any(
                map(in_skill, child.cwd)
            ):  # whose words are the caller's, but not the folder
                self.engine.cells.write(self.engine.environments.cwd, child.cwd)
        elif wanted and (known is None or known.stance is not Stance.OPAQUE):
            self._world.opaque(f"`{file}` is run as {wanted}, which is not analysed", site)
        elif not wanted:
            self._world.opaque(f"`{file}` is run, and its language is not known", site)
        return Outcome(SOME_TEXT)

    def _judge_variables(self, child: Child, site: Site) -> None:
        """What whoever starts a program sets for it alone steers that program and all that it starts."""
        for name, value in (child.env or {}).items():
            if self.engine.environments.environment.get(name) != value:
                judge(self._world, name, value, site)

    def script(self, run: ShellRun) -> Outcome:
        """Run a shell script of the skill."""
        source = self._skill.read(run.file)
        return Outcome(SOME_TEXT) if source is None else self.shells.file(run, source)

    # ── what the skill writes ──

    def file_run(self, file_run: FileRun, verdict: Verdict) -> None:
        """A file is run that is none of the skill, or that the skill writes."""
        if verdict.assumes:
            self._world.assume(verdict.assumes, file_run.site)
        elif verdict.reason:
            self.reports.reading += file_run.command
            self._world.opaque(verdict.reason, file_run.site, "run scripts of the skill by their path in it")
            self.reports.reading -= file_run.command
        flows, where = self._world.flows, file_run.site.where
        before = flows.context, flows.fed, flows.exported
        flows.context, flows.fed = {flows.node(("given", where))}, flows.node(("given input", where))
        flows.exported = self._exported.get(where, {})
        for text in verdict.texts:
            self._written(file_run.language, text, file_run.site, file_run.args, file_run.child)
        flows.context, flows.fed, flows.exported = before

    def _written(self, language: str, written: Value, site: Site, args: tuple[Value, ...], child: Child | None) -> None:
        """Run a file of a known text, in a language or as its first line says."""
        site = site._replace(hosted=False)  # a program starts what a file says, even if the agent wrote the file
        for text in texts_of(written):
            head = text.parts[0] if text.parts and isinstance(text.parts[0], str) else ""
            named, plain = (language, True) if language else interpreter(head.encode("utf-8", "replace"))
            if plain:
                self._world.run_code(named, frozenset({text}), site, args=args, child=child)
            else:
                self._world.opaque("the first line of a file that is run gives its interpreter options", site)

    def settings(self) -> bool:
        """What the programs that are started load by themselves, if the skill wrote or brings it; False if there is nothing."""
        found = False
        file_runs = self.reports.file_runs
        for call, line, path in self.reports.tools.brought(file.path for file in self._skill.files):
            file = self._skill.file(path)
            if (
                file is None
                or file.stance is Stance.OPAQUE
                or file.extract
                or (line.setting is None and file.languages)
            ):
                continue  # its stance says more
            source = self._skill.read(path)
            if source is None or line.speaks(source.decode("utf-8", "replace")):
                self._world.opaque(f"`{path}` is loaded by `{call.shown}`: {line.meaning}", call.site, LOADED)
        for call, line, write in self.reports.tools.written(file_runs.all_writes(), self.reports.copies_skill):
            found = True
            told = call.site.origin is Origin.INSTRUCTED
            site = Site(write.where) if told and not write.instructed else call.site
            text = file_runs.text_of(write)
            language = _language_of(line, write.path)
            if language is not None and text and all(map(readable, text)):
                self._written(language, text, site, (), Child((), cwd=call.cwd))
                continue
            lines = file_runs.lines_of(write)
            known = fixed_text(lines) if lines else None
            if known is None or line.speaks(known):
                shown = text_end(write.path) or "a file"
                reason = f"`{shown}`, which the skill writes, is loaded by `{call.shown}`: {line.meaning}"
                self.reports.reading += call.command
                self._world.opaque(reason, site, LOADED)
                self.reports.reading -= call.command
        return found


def _language_of(line: Configuration, path: Text) -> str | None:
    """The language in which a program runs what it finds (empty: as its first line says); None if it is not analysed."""
    if line.setting is not None or line.program:
        return "" if line.program else None
    kind = by_name(text_end(path))
    return kind.languages[0] if kind is not None and kind.languages else None


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
