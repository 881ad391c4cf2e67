"""Starts a program: finds out which one it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.commands.catalog import Catalog, default_catalog
from remit.analysis.commands.dispatch import evaluate_block, steered
from remit.analysis.commands.values import SOME, from_user, tail, texts
from remit.analysis.domain import ANCHORS, Hole, Text, lit
from remit.analysis.each import each
from remit.analysis.steering import below_home
from remit.analysis.world import Child, Outcome, Site, World
from remit.core.effect import Origin
from remit.core.patterns import lazy_pattern
from remit.core.via import Cause, Via

if TYPE_CHECKING:
    from remit.analysis.domain import Value

# Folders whose programs are the system's, so that a path into them means the command of that name.
_SYSTEM = lazy_pattern(r"/(?:(?:usr|opt|snap|nix|Applications|Library|home/linuxbrew)/(?:[^/]+/)*)?s?bin/([^/]+)")
# Programs of an environment that a package manager fills: the name says which one is meant.
_ENVIRONMENT = lazy_pattern(r"(?:.*/)?(?:[\w.-]*v?env[^/]*/(?:bin|Scripts)|node_modules/\.bin)/([^/]+)")
_APPLICATION = lazy_pattern(r"/Applications/(?:[^/]+/)*([^/]+)\.app/Contents/MacOS/[^/]+")

_NAMED_BY_CALLER = Via(Cause.START, words="runs a program that the caller names")
_UNKNOWN = Via(Cause.START, words="runs a program")
_MISSING = Via(Cause.START, words="runs a program whose name may be missing")


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
        steered(world, catalog, child, site)
        return world.run_file("", child.words[0], site, args=child.words[1:], child=child)
    name = _command_name(program)
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
        world.opaque(f"command `{name}` has no summary", site, "add a summary file with a block for it")
        return Outcome(SOME)
    return evaluate_block(world, catalog, command, child, site)
