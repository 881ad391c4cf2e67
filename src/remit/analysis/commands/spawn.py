"""Starts a program: finds out which one, and evaluates its summary."""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING

from remit.analysis.commands.argv import ArgvReader, Reading
from remit.analysis.commands.catalog import Catalog, default_catalog
from remit.analysis.commands.evaluate import Call
from remit.analysis.commands.values import SOME, dash, from_user, head, tail, texts
from remit.analysis.domain import ANCHORS, HOME, Hole, Text, Value, lit
from remit.analysis.world import Child, Outcome, Site, World

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.analysis.commands.model import Command

# Folders whose programs are the system's, so that a path into them means the command of that name.
_SYSTEM = re.compile(r"/(?:usr/(?:local/)?|opt/homebrew/|opt/local/)?s?bin/([^/]+)")
# Programs of an environment that a package manager fills: the name says which one is meant.
_ENVIRONMENT = re.compile(r"(?:.*/)?(?:\.?v?env[^/]*/(?:bin|Scripts)|node_modules/\.bin)/([^/]+)")
_HOME_TOOLS = re.compile(
    r"/(?:\.local|\.cargo|\.bun|\.deno|\.nvm/[^ ]*|go|bin|\.npm-global|[a-z]*conda3?|\.pyenv/shims)/?(?:bin/)?([^/]+)"
)
_LIMIT = 24


def spawn(world: World, child: Child, site: Site, catalog: Catalog | None = None) -> Outcome:
    """Report what starting this child causes, and say what it prints."""
    summaries = catalog or default_catalog()
    printed: list[Value] = []
    for program in sorted(texts(child.words[0]), key=repr):
        one = child._replace(words=(frozenset({program}), *child.words[1:]))
        printed.append(_start(world, summaries, program, one, site).stdout)
    return Outcome(frozenset().union(*printed))


def _start(world: World, catalog: Catalog, program: Text, child: Child, site: Site) -> Outcome:
    name = _command_name(program)
    path = program.literal
    if path is None or "/" in path:
        files = world.skill_files(child.words[0], child.cwd)
        if files:
            return world.run_file("", child.words[0], site, args=child.words[1:], child=child)
    if name is not None:
        return _named(world, catalog, name, child, site)
    first = program.parts[0] if program.parts else ""
    if len(program.parts) == 1 and isinstance(first, Hole) and from_user(first):
        world.effect("process.create", child.words[0], site, "runs a program that the caller names", cwd=child.cwd)
        return Outcome(SOME)
    world.effect("process.create", child.words[0], site, "runs a program", cwd=child.cwd)
    shown = f"`{path}` is not a file of the skill and" if path is not None else "the program"
    world.opaque(f"{shown} is not known", site, "name the program literally, or bundle the script")
    return Outcome(SOME)


def _command_name(program: Text) -> str | None:
    """The command that a program word means: a bare name, or a path into a folder of installed programs."""
    path = program.literal
    if path is not None:
        if "/" not in path or path.startswith("python-m/"):
            return path
        found = _SYSTEM.fullmatch(path) or _ENVIRONMENT.fullmatch(path)
        return found.group(1) if found else None
    first = program.parts[0]
    if not isinstance(first, Hole):
        return None
    if first.origin == HOME and len(program.parts) == 2:
        found = _HOME_TOOLS.fullmatch(tail(program)) or _ENVIRONMENT.fullmatch(tail(program))
        return found.group(1) if found else None
    found = _ENVIRONMENT.fullmatch(tail(program)) if first.origin in ANCHORS or from_user(first) else None
    return found.group(1) if found else None


def _named(world: World, catalog: Catalog, name: str, child: Child, site: Site) -> Outcome:
    command = catalog.get(name)
    if command is None:
        world.effect("process.create", child.words[0], site, f"runs `{name}`", cwd=child.cwd)
        world.opaque(f"command `{name}` has no summary", site, "add a summary file with a block for it")
        return Outcome(SOME)
    if "quiet" not in command.marks and not (child.shell and "builtin" in command.marks):
        shown = lit(name.removeprefix("python-m/")) if name.startswith("python-m/") else child.words[0]
        world.effect("process.create", shown, site, f"runs `{name}`", cwd=child.cwd)
    printed = [
        _evaluate(world, catalog, command, words, child, site, Reading()).stdout for words in _variants(child.words[1:])
    ]
    return Outcome(frozenset().union(*printed))


def _variants(words: tuple[Value, ...]) -> Iterator[tuple[Value, ...]]:
    """The command lines that these words can be, split where a word may or may not be an option."""
    choices = [_choices(word) for word in words]
    count = 1
    for choice in choices:
        count *= len(choice)
    if count > _LIMIT:
        yield words
        return
    yield from product(*choices)


def _choices(word: Value) -> list[Value]:
    found = texts(word)
    if len(found) == 1:
        return [word]
    options = sorted((item for item in found if dash(item) == "yes"), key=repr)
    others = found.difference(options)
    return [*(frozenset({item}) for item in options), *([others] if others else [])]


def _evaluate(
    world: World,
    catalog: Catalog,
    command: Command,
    words: tuple[Value, ...],
    child: Child,
    site: Site,
    before: Reading,
) -> Outcome:
    """Evaluate a command, or walk down to its sub-command."""
    has_subs = catalog.has_subs(command)
    reading = ArgvReader(command, words, child.rest, stops=has_subs).read()
    _carry(before, reading)
    if not has_subs or not (reading.operands or reading.rest):
        return Call(world, catalog, child, site, command, reading).run()
    word = reading.operands[0] if reading.operands else reading.rest
    printed = [
        _sub(world, catalog, command, item, reading, child, site).stdout for item in sorted(texts(word), key=repr)
    ]
    return Outcome(frozenset().union(*printed))


def _carry(before: Reading, reading: Reading) -> None:
    """Options that stood before the sub-command count for it too."""
    reading.sure |= before.sure
    reading.maybe |= before.maybe
    reading.actions[:0] = before.actions
    reading.unknown[:0] = before.unknown
    reading.wild |= before.wild
    reading.user = reading.user or before.user
    for name, values in before.bound.items():
        reading.bound.setdefault(name, [])[:0] = values


def _sub(
    world: World, catalog: Catalog, command: Command, word: Text, reading: Reading, child: Child, site: Site
) -> Outcome:
    name = word.literal
    found = catalog.sub(command, name) if name is not None else None
    if found is None and head(word) != "" and name is not None:
        found = catalog.sub(command, "*")
        if found is not None:
            return _evaluate(world, catalog, found, tuple(reading.operands), child, site, reading)
    if found is not None:
        return _evaluate(world, catalog, found, tuple(reading.operands[1:]), child, site, reading)
    Call(world, catalog, child, site, command, Reading(actions=reading.actions, bound=reading.bound)).run()
    if name is None:
        world.opaque(f"the sub-command of `{command.label}` is not known", site, "write the sub-command literally")
    else:
        world.opaque(
            f"`{command.label} {name}` has no summary", site, "add a summary file with a block for the sub-command"
        )
    return Outcome(SOME)
