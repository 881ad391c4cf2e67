"""A world that records what a command causes, for tests."""
# ruff: noqa: ARG002  # the signatures are those of the World protocol

from __future__ import annotations

import shlex
from pathlib import PurePosixPath

from remit.analysis.commands import load_commands, spawn
from remit.analysis.commands.programs import PROGRAM_LANGUAGES, run_program
from remit.analysis.domain import Hole, Text, Value, lit
from remit.analysis.flows import Flows
from remit.analysis.world import Child, Outcome, Site
from remit.core.location import Location

HERE_SITE = Site(Location("SKILL.md", 1))


def shown(value: Value) -> str:
    """A value as one line: holes in angle brackets, alternatives with a bar."""

    def part(piece):
        if isinstance(piece, str):
            return piece
        return f"<{piece.origin}{'' if piece.alphabet == 'any' else ':' + piece.alphabet}>"

    texts = ("".join(map(part, atom.parts)) if isinstance(atom, Text) else "<any>" for atom in value)
    return "|".join(sorted(texts))


class FakeWorld:
    def __init__(self, files=None, catalog=None):
        self.flows = Flows()
        self.files = files or {}
        self.catalog = catalog or load_commands()
        self.effects = []
        self.opaques = []
        self.assumed = []
        self.codes = []
        self.scripts = []
        self.depth = 0

    def effect(self, capability, scope, site, why, *, cwd=None):
        self.effects.append((capability, shown(scope)))

    def opaque(self, reason, site, remedy=""):
        self.opaques.append(reason)

    def link(self, path, target, site, *, cwd=None):
        pass

    def assume(self, ident, site):
        self.assumed.append(ident)

    def looks_for_settings(self, names, words, cwd, site):
        pass

    def spawn(self, child, site):
        self.depth += 1
        assert self.depth < 50, "commands start each other without end"
        return spawn(self, child, site, self.catalog)

    def run_code(self, language, code, site, *, args=(), child=None):
        if language in PROGRAM_LANGUAGES:
            run_program(self, language, code, site, child, args)
            return Outcome()
        self.codes.append((language, shown(code), tuple(shown(arg) for arg in args)))
        return Outcome(lit("printed by code"))

    def run_file(self, language, path, site, *, args=(), child=None):
        if language in PROGRAM_LANGUAGES and (known := self.skill_files(path)):
            return self.run_code(language, self.file_text(known[0]), site, args=args, child=child)
        self.scripts.append((language, shown(path), tuple(shown(arg) for arg in args)))
        return Outcome(lit("printed by script"))

    def skill_files(self, path, cwd=None):
        names = []
        for atom in path:
            if not isinstance(atom, Text) or atom.literal is None:
                return None
            name = str(PurePosixPath(atom.literal))
            if name not in self.files:
                return None
            names.append(name)
        return tuple(names)

    def wrote(self, path, content, site):
        pass

    def written(self, path):
        return frozenset()

    def knows(self, name):
        return True

    def matching(self, pattern, cwd):
        return None

    def is_folder(self, path):
        return False

    def run_own_program(self, name, child, site):
        return None

    def shell_functions(self, name):
        return ()

    def file_text(self, file, site=None):
        return lit(self.files[file])

    @property
    def capabilities(self):
        return {capability for capability, _ in self.effects}


HOLES = {
    "ARG": Hole("arg"),
    "ENV": Hole("env:X"),
    "FILE": Hole("file", "any", False),
    "NET": Hole("net", "any", False),
    "GLOB": Hole("file", "seg", False),
    "NUM": Hole("any", "num", False),
    "ANY": Hole("any", "any", False),
    "SKILL": Hole("skill"),
    "HOMEDIR": Hole("home"),
}


def word(text: str) -> Value:
    """A word in which `{ARG}`, `{FILE}`, `{GLOB}` … are holes."""
    from remit.analysis.domain import text as make

    parts, rest = [], text
    while rest:
        at, name = min(((rest.find(f"{{{n}}}"), n) for n in HOLES if f"{{{n}}}" in rest), default=(-1, ""))
        if at < 0:
            parts.append(rest)
            break
        parts += [rest[:at], HOLES[name]]
        rest = rest[at + len(name) + 2 :]
    return frozenset({make(*parts)})


def run(line: str, *, files=None, stdin=None, rest=None, env=None, shell=True, catalog=None) -> tuple[FakeWorld, str]:
    """Spawn a command line (split as a shell would) and return what happened and what it prints."""
    world = FakeWorld(files, catalog)
    child = Child(
        tuple(word(part) for part in shlex.split(line)),
        rest=word(rest) if rest else frozenset(),
        stdin=lit(stdin) if stdin is not None else frozenset(),
        env={key: word(value) for key, value in (env or {}).items()},
        shell=shell,
    )
    outcome = spawn(world, child, HERE_SITE, world.catalog)
    return world, shown(outcome.stdout)
