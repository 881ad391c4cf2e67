"""Starts a program: which one it is, which of its sub-commands is meant, and the evaluation of that block."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from remit.analysis.commands.argv import ENDS, ArgvReader, Reading
from remit.analysis.commands.catalog import Catalog, default_catalog
from remit.analysis.commands.evaluate import Call, Surroundings
from remit.analysis.commands.values import SOME, dash, from_user, tail, texts
from remit.analysis.domain import ANCHORS, Hole, Text, Value, lit
from remit.analysis.each import each
from remit.analysis.steering_variables import REMEDY, below_home, steers, steers_own
from remit.analysis.world import Child, Outcome, Site, World
from remit.core.effect import Origin
from remit.core.patterns import lazy_pattern
from remit.core.via import Cause, Via

if TYPE_CHECKING:
    from remit.analysis.commands.model import Command

# Command lines that differ in what is an option are read one by one up to this number.
_LIMIT = 24


def evaluate_block(world: World, catalog: Catalog, command: Command, child: Child, site: Site) -> Outcome:
    """Evaluate a command on the words of a child."""
    _steered(world, catalog, child, site, command)
    walk = _Walk(world, catalog, child, site)
    printed = [walk.evaluate(command, command.names[0], words, Reading()) for words in _variants(child.words[1:])]
    return Outcome(frozenset().union(*printed))


def _steered(world: World, catalog: Catalog, child: Child, site: Site, command: Command | None = None) -> None:
    """Count variables that change what a program does.

    Those that `[*]` and `[*/files]` in the data or the command itself name are followed, and proxies are counted where they are set. Others are
    opaque if steering.toml lists them (a shell judges those itself) or if they carry the program's own name and hold a place.
    """
    if not child.env:
        return
    walk = _Walk(world, catalog, child, site)
    names = ("*/files",) if child.shell else ("*/files", "*")
    blocks = [block for name in names if (block := catalog.get(name)) is not None]
    for block in blocks:
        walk.call(block, block.label, Reading()).steer()
    blocks += [command] if command is not None else []
    followed = [name for block in blocks for line in block.steering for name in line.names]
    for name, value in child.env.items():
        if name.lower().endswith("_proxy") or any(_is_listed(name, one) for one in followed):
            continue
        reason = None if child.shell else steers(name, value)
        if reason is None and command is not None:
            reason = steers_own(name, value, command.names)
        if reason:
            world.opaque(reason, site, REMEDY.format(name))


def _is_listed(name: str, listed: str) -> bool:
    return name == listed or (listed.endswith("*") and name.startswith(listed[:-1]))


def _variants(words: tuple[Value, ...]) -> Iterator[tuple[Value, ...]]:
    """The command lines that these words can be, split where a word may or may not be an option or end a command."""
    choices = [_choices(word) for word in words]
    return product(*choices) if prod(map(len, choices)) <= _LIMIT else iter((words,))


def _choices(word: Value) -> list[Value]:
    found = texts(word)
    if len(found) == 1:
        return [word]
    alone = [item for item in each(found) if dash(item) == "yes" or item.literal in ENDS]
    others: Value = found.difference(alone)
    return [*(frozenset({item}) for item in alone), *([others] if others else [])]


class _Walk(Surroundings):
    """One child on its way down the sub-commands."""

    __slots__ = ()

    def call(self, command: Command, label: str, reading: Reading) -> Call:
        return Call(self, command, reading, label, evaluate_block)

    def evaluate(self, command: Command, path: str, words: tuple[Value, ...], before: Reading) -> Value:
        has_subs = self.catalog.has_subs(path)
        reading = ArgvReader(command, words, self.child.rest, self.child.last, stops=has_subs).read()
        _carry(before, reading)
        if not has_subs or not (reading.operands or reading.rest):
            return self.call(command, path, reading).run().stdout
        word = reading.operands[0] if reading.operands else reading.rest
        printed = [self.sub(command, path, item, reading) for item in each(texts(word))]
        if None not in printed:
            return frozenset().union(*(value for value in printed if value is not None))
        # some word is no sub-command but an operand of the command itself
        whole = ArgvReader(command, words, self.child.rest, self.child.last).read()
        _carry(before, whole)
        return self.call(command, path, whole).run().stdout.union(*(value for value in printed if value is not None))

    def sub(self, command: Command, path: str, word: Text, reading: Reading) -> Value | None:
        """Evaluate the sub-command that a word names; None if it is an operand of the command itself."""
        name = word.literal
        found = self.catalog.get(f"{path} {name}") if name is not None else None
        if found is not None:
            return self.evaluate(found, f"{path} {name}", tuple(reading.operands[1:]), reading)
        if command.operands:
            if name is None:
                self.world.assume("option-like-arguments", self.site)
            return None
        self.call(command, path, Reading(sure=reading.sure, bound=reading.bound, actions=reading.actions)).run()
        if name is None:
            self.world.opaque(f"the sub-command of `{path}` is not known", self.site, "write the sub-command literally")
        else:
            remedy = "add a summary file with a block for the sub-command"
            self.world.opaque(f"`{path} {name}` has no summary", self.site, remedy)
        return SOME


def _carry(before: Reading, reading: Reading) -> None:
    """Options that stood before the sub-command count for it too."""
    reading.sure |= before.sure
    reading.maybe |= before.maybe
    reading.actions[:0] = before.actions
    reading.unknown[:0] = before.unknown
    reading.given = before.given | reading.given
    reading.wild |= before.wild
    reading.user = reading.user or before.user
    for name, values in before.bound.items():
        reading.bound.setdefault(name, [])[:0] = values


# Folders whose programs are the system's, so that a path into them means the command of that name.
_SYSTEM = lazy_pattern(r"/(?:(?:usr|opt|snap|nix|Applications|Library|home/linuxbrew)/(?:[^/]+/)*)?s?bin/([^/]+)")
# Programs of an environment that a package manager fills: the name says which one is meant.
_ENVIRONMENT = lazy_pattern(r"(?:.*/)?(?:[\w.-]*v?env[^/]*/(?:bin|Scripts)|node_modules/\.bin)/([^/]+)")
_APPLICATION = lazy_pattern(r"/Applications/(?:[^/]+/)*([^/]+)\.app/Contents/MacOS/[^/]+")

# `/plugin`: the root of a file system holds no programs.
_HOST_COMMAND = lazy_pattern(r"/[\w:.-]+")

_NAMED_BY_CALLER = Via(Cause.START, words="runs a program that the caller names")
_UNKNOWN = Via(Cause.START, words="runs a program")
_MISSING = Via(Cause.START, words="runs a program whose name may be empty")


def spawn(world: World, child: Child, site: Site, catalog: Catalog | None = None) -> Outcome:
    """Report what starting this child causes, and say what it prints (without its last newline)."""
    summaries = catalog or default_catalog()
    printed: list[Value] = []
    for program in each(texts(child.words[0])):
        one = child._replace(words=(frozenset({program}), *child.words[1:]))
        printed.append(_start(world, summaries, program, one, site).stdout)
    return Outcome(frozenset().union(*printed))


def _start(world: World, catalog: Catalog, program: Text, child: Child, site: Site) -> Outcome:
    path = program.literal
    if path == "":
        return Outcome(frozenset())  # there is no program without a name
    if (path is None or "/" in path) and world.skill_files(child.words[0], child.cwd):
        _steered(world, catalog, child, site)
        return world.run_file("", child.words[0], site, args=child.words[1:], child=child)
    name = _command_name(program)
    if path is not None and site.hosted and site.origin is Origin.INSTRUCTED and _HOST_COMMAND.fullmatch(path):
        if (command := catalog.get(path)) is not None:
            return evaluate_block(world, catalog, command, child, site)
        world.opaque(f"`{path}` is a command of the agent's host", site)
        return Outcome(SOME)
    if name is not None:
        return _named(world, catalog, name, child, site)
    first, *others = program.parts or ("",)
    if isinstance(first, Hole) and from_user(first) and all(isinstance(part, str) for part in others):
        world.effect("process.create", child.words[0], site, _NAMED_BY_CALLER, cwd=child.cwd)
        return Outcome(SOME)
    world.effect("process.create", child.words[0], site, _UNKNOWN, cwd=child.cwd)
    if _is_path(program):
        return world.run_file("", child.words[0], site, args=child.words[1:], child=child)
    world.opaque("the program that is run is not known", site, "name the program literally")
    return Outcome(SOME)


def _is_path(program: Text) -> bool:
    """Whether a program is named by a path: a literal slash, or a folder that has a name."""
    first = program.parts[0] if program.parts else ""
    return any(isinstance(part, str) and "/" in part for part in program.parts) and not (
        isinstance(first, Hole) and first.origin not in ANCHORS and not from_user(first)
    )


def _command_name(program: Text) -> str | None:
    """The command that a program word means: a bare name, or a path into a folder of installed programs."""
    path = program.literal
    if path is not None and "/" not in path:
        return path
    installed = _installed(program)
    if installed is not None:
        return installed
    if path is not None:
        found = _SYSTEM.fullmatch(path) or _ENVIRONMENT.fullmatch(path)
        if found is None and (app := _APPLICATION.fullmatch(path)) is not None:
            return app.group(1).lower().replace(" ", "-")
        return found.group(1) if found else None
    first = program.parts[0]
    if not isinstance(first, Hole):
        return None
    found = _ENVIRONMENT.fullmatch(tail(program)) if first.origin in ANCHORS or from_user(first) else None
    return found.group(1) if found else None


def _installed(program: Text) -> str | None:
    """The name of a program in a folder of the user's home that package managers fill."""
    last = program.parts[-1]
    if not isinstance(last, str) or "/" not in last:
        return None
    folder, _, name = last.rpartition("/")
    return name if name and below_home(Text((*program.parts[:-1], folder))) is not None else None


def _named(world: World, catalog: Catalog, name: str, child: Child, site: Site) -> Outcome:
    command = catalog.get(name)
    quiet = command is not None and (
        "quiet" in command.marks
        or (child.shell and "builtin" in command.marks and child.words[0] == lit(name))
        # an instructed `python x.py` is named by its script; what a script starts is a process, whatever that runs
        or ("interpreter" in command.marks and site.origin is Origin.INSTRUCTED)
    )
    if not quiet:
        via = Via(Cause.START, name, words="runs {}") if name != "undefined" else _MISSING
        world.effect("process.create", child.words[0], site, via, cwd=child.cwd)
    if command is None:
        # what is installed under this name may be another program than that of the skill's own package
        world.run_own_program(name, child, site)
        world.opaque(f"command `{name}` has no summary", site, "add a summary file with a block for it")
        return Outcome(SOME)
    return evaluate_block(world, catalog, command, child, site)
