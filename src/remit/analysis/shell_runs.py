"""Shell programs that other programs start: each is read once for each cause, and remembered with what it prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from typing import NamedTuple

from remit.analysis.domain import BOTTOM, SKILL, SOME_TEXT, Hole, Text, Value, lit
from remit.analysis.engine.texts import texts_of
from remit.analysis.shell import run_shell
from remit.analysis.shell.data_flow import Streams
from remit.analysis.steering_variables import steers
from remit.analysis.world import Child, Outcome, Site, World
from remit.core.location import Location

MAX_NESTING = 24  # programs that start programs
ONE_BY_ONE = 5  # runs of one script


class ShellRun(NamedTuple):
    """One way to run a shell script of the skill."""

    file: str
    site: Site
    args: tuple[Value, ...]
    rest: Value
    cwd: Value
    env: Mapping[str, Value] | None
    stdin: Value

    @property
    def surroundings(self) -> Hashable:
        """What runs that are joined have in common."""
        env = frozenset(self.env.items()) if self.env else None
        return self.file, len(self.args), bool(self.rest), self.cwd, env, self.stdin


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
        name = text_name(child)
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
                rest=child.rest,
                env=child.env,
                cwd=child.cwd,
                stdin=child.stdin,
                own=False,
                script=name,
                streams=Streams(base, None, flows.fed, output),
            )

        outcome = self._once(key, run)
        flows.context.add(output)
        return outcome

    def file(self, run: ShellRun, source: bytes) -> Outcome:
        """A file of the skill."""
        for name, value in (run.env or {}).items():
            self.judge(name, value, run.site)
        path = (*run.site.path, run.site.where)

        def walk() -> Outcome:
            return run_shell(
                self.world,
                frozenset({Text((source.decode("utf-8", "surrogateescape"),))}),
                lambda line: Site(Location(run.file, line), run.site.origin, path),
                args=run.args,
                rest=run.rest,
                env=run.env,
                script=script_path(run.file),
                cwd=run.cwd,
                stdin=run.stdin,
                own=self._own,
                judged=True,
                streams=script_streams(self.world, run.file),
            )

        return self._once((run.surroundings, run.args, run.rest), walk)

    def judge(self, name: str, value: Value, site: Site) -> None:
        """A variable that a program is started with."""
        reason = steers(name, value)
        if reason:
            self.world.opaque(reason, site, f"do not set `{name}`, or set it to a fixed, known value")

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


def text_name(child: Child) -> Value:
    """`$0` of a text that a shell runs: the word after the text of `sh -c`, or the shell itself."""
    return lit("sh") | frozenset(texts_of(child.words[0] if child.words else BOTTOM))


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
    return one._replace(args=args, rest=one.rest | other.rest)
