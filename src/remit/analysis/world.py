"""What the front ends share: how an effect is reported, and how one program starts another.

`World` is where the parts of the analysis meet: the Python and JavaScript evaluator, the shell interpreter and the command
reader see nothing of each other.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from remit.analysis.domain import BOTTOM, CWD, Hole, Text, Value
from remit.core.effect import Origin

if TYPE_CHECKING:
    from remit.analysis.flows import Flows
    from remit.analysis.session import Parts
    from remit.analysis.shell.syntax import Function
    from remit.core.location import Location
    from remit.core.via import Via

HERE: Value = frozenset({Text((Hole(CWD),))})


class Site(NamedTuple):
    """Where an effect is caused, by whom, and the calls that lead there."""

    where: Location
    origin: Origin = Origin.SCRIPT
    path: tuple[Location, ...] = ()
    hosted: bool = False  # a line of a document or hook, which the shell of the agent's host runs


class Child(NamedTuple):
    """A process about to start.

    `words` are the arguments in order, the program first; each is a value (a set of possible texts). `rest` is what any
    number of further words may be, in any order and after the known ones (`BOTTOM`: there are none). A word that may
    expand to several or none (an unquoted variable, a glob) belongs in `rest` with everything after it, unless its
    text is known. `stdin` is the text that is fed to it (`BOTTOM`: inherited, nothing known).
    """

    words: tuple[Value, ...]
    rest: Value = BOTTOM
    cwd: Value = HERE
    env: Mapping[str, Value] | None = None  # what the skill has set for it; `*` is what is not known of a name
    stdin: Value = BOTTOM
    shell: bool = False  # the words were read by a shell (a redirection or builtin is possible there)
    ends: tuple[Value, Value, Value] | None = None  # `rest`, what is before its last word, and that word, if known

    @property
    def last(self) -> tuple[Value, Value]:
        """The word that certainly comes last, after what is before it in `rest`; `BOTTOM` if it is not known."""
        return self.ends[1:] if self.ends and self.ends[0] == self.rest else (BOTTOM, BOTTOM)


class Outcome(NamedTuple):
    """What a child gives back: its standard output as text (`BOTTOM`: it prints nothing)."""

    stdout: Value = BOTTOM


class World(ABC):
    """One analysis of one skill: what the front ends report goes to its parts."""

    flows: Flows
    parts: Parts

    def effect(
        self, capability: str, scope: Value, site: Site, via: Via, *, cwd: Value = HERE, port: Value | None = None
    ) -> None:
        """Report an effect. `scope` is the text that names its object (path, URL or host, variable, program);
        the vocabulary says which kind the capability takes, and relative paths are resolved against `cwd`.
        `port` is the argument that names the port of a host apart."""
        self.parts.reports.effect(capability, scope, site, via, cwd=cwd, port=port)

    def link(self, path: Value, target: Value, site: Site, *, cwd: Value = HERE) -> None:
        """Note that a path leads to a target from now on: what happens there or below happens at the target."""
        self.parts.reports.links.add(path, target, site, cwd)

    def opaque(self, reason: str, site: Site, remedy: str = "") -> None:
        """Report a place that is not understood."""
        self.parts.reports.opaque(reason, site, remedy)

    def assume(self, ident: str, site: Site) -> None:
        """Note that the result rests on the assumption `ident` of core/data/assumptions.toml."""
        self.parts.reports.assume(ident, site)

    def named_by_file(self, site: Site) -> None:
        """Variables are set whose names and values are lines of a file."""
        self.parts.reports.named_by_file(site)

    def note_command(self, words: tuple[Value, ...], rest: Value, site: Site, *, cwd: Value = HERE) -> None:
        """A command line stands in a document, or is started by a script."""
        if words:
            self.parts.reports.commands.add(words, rest, cwd, site)

    def looks_for_settings(self, names: Iterable[str], words: Iterable[str], cwd: Value, site: Site) -> None:
        """A program of these names is started with these sub-commands and options, and loads the settings it finds from `cwd`."""
        self.parts.reports.looks_for_settings(names, words, cwd, site)

    def spawn(self, child: Child, site: Site) -> Outcome:
        """Start a program: a command with a summary, a script of the skill, or something opaque."""
        return self.parts.starts.spawn(child, site)

    def run_code(
        self, language: str, code: Value, site: Site, *, args: tuple[Value, ...] = (), child: Child | None = None
    ) -> Outcome:
        """Run text as code (`python`, `js`, `ts`, `shell`, `awk` …). `args` are what the program sees as its arguments
        (`$1 …`, `sys.argv[1:]`). Holes in the text are injections unless their alphabet forbids it."""
        return self.parts.starts.code(language, code, site, args, child)

    def run_file(
        self, language: str, path: Value, site: Site, *, args: tuple[Value, ...] = (), child: Child | None = None
    ) -> Outcome:
        """Run a file in a language (`""`: by its own shebang or ending). A file of the skill is analysed in that language and
        its effects are inherited; `<arg>` and `<env>` are `source.execute` with that scope; anything else is opaque."""
        return self.parts.starts.file(language, path, site, args, child)

    def run_skill_file(
        self, language: str, file: str, site: Site, args: tuple[Value, ...], child: Child | None
    ) -> Outcome:
        """Run a file of the skill, in a language or, without one, in its own."""
        return self.parts.starts.skill_file(language, file, site, args, child)

    @abstractmethod
    def skill_files(self, path: Value, cwd: Value = HERE) -> tuple[str, ...] | None:
        """The files of the skill that this path can name, as paths relative to the skill; None if it may be another file."""

    @abstractmethod
    def file_text(self, file: str, site: Site | None = None) -> Value:
        """The content of a skill file as text, and where it is run as code, if it is."""

    def wrote(self, path: Value, content: Value, site: Site, *, added: bool = False) -> None:
        """The text that is written to a file whose `file.write` is reported at this site, or added to what is there."""
        self.parts.reports.file_runs.wrote(path, content, site, added=added)

    def written(self, path: Value) -> Value:
        """The texts that were seen to be written to a file of this path (`BOTTOM`: none)."""
        return self.parts.reports.file_runs.written(path)

    def knows(self, name: str) -> bool:
        """Whether there is a summary of a command."""
        return self.parts.catalog.get(name) is not None

    def run_own_program(self, name: str, child: Child, site: Site) -> None:  # noqa: B027
        """Run the program of this name that a package of the skill installs, if there is one."""

    @abstractmethod
    def shell_functions(self, name: str) -> tuple[Function, ...]:
        """The functions of this name in the shell files of the skill."""

    def matching(self, pattern: str, cwd: Value) -> tuple[str, ...] | None:  # noqa: ARG002
        """The file names that a pattern of a shell becomes (`*` and `?` are active, a backslash escapes); None if nobody knows, as of
        the folders of whoever uses the skill."""
        return None

    def is_folder(self, path: Text) -> bool:  # noqa: ARG002
        """Whether a folder surely exists and can be entered, so that `cd` does not fail; likewise."""
        return False
