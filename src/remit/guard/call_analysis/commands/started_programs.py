"""Programs that a call starts, with their command lines, folders and variables on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import BOTTOM, MODEL, SOME_TEXT, Hole, Value, lit
from remit.analysis.engine.command_lines import NO_FILE, Start
from remit.analysis.engine.texts import texts_of
from remit.analysis.shell import run_shell
from remit.analysis.world import Child, Outcome, Site
from remit.core.effect import Origin
from remit.core.location import Location
from remit.guard.call_analysis.commands.effect_causes import INLINE
from remit.skill.makefile import recipes

if TYPE_CHECKING:
    from remit.guard.call_analysis.commands.analysis_session import CommandAnalysis
    from remit.skill.config_commands import ConfigProgram


class StartedPrograms:
    """Records how programs are started, and runs the recipes of makefiles."""

    def __init__(self, session: CommandAnalysis) -> None:
        self._session = session

    def text_site(self, child: Child, site: Site) -> Site:
        """Text without a file imports from the folder in which it runs."""
        folders = [item.literal for item in texts_of(self._session.ground.value(child.cwd))]
        if len(folders) != 1 or folders[0] is None:
            self._session.opaque("it is not known in which folder a program runs, and it imports from there", site)
        folder = self._session.disk.real(folders[0] or self._session.disk.cwd)
        self._session.imports.beside(folder.lstrip("/"), site)
        file = f"{folder.lstrip('/')}/{INLINE}{len(self._session.causes.inline)}"
        self._session.causes.inline[file] = site
        return site._replace(where=Location(file, site.where.line))

    def started(self, file: str, language: str, args: tuple[Value, ...], child: Child | None, site: Site) -> None:
        """Record that the evaluator starts a program: its words, its folder and its variables."""
        child = child or Child((), cwd=lit(self._session.disk.cwd))
        self._session.causes.started(file, site)
        words = [item.literal for value in (*args, child.rest) for item in texts_of(self._session.ground.value(value))]
        if None in words:
            self._session.opaque("a program is started with words that are not known", site)
        cwd = self._session.ground.value(child.cwd)
        env = {name: tuple(texts_of(self._session.ground.value(value))) for name, value in (child.env or {}).items()}
        self._session.ground.program(words, env, (item.literal for item in texts_of(cwd) if item.literal))
        self._placed(file, language, args, child)
        self._session.parts.engine.environments.launched(child._replace(words=(BOTTOM, *args), cwd=cwd))

    def _placed(self, file: str, language: str, args: tuple[Value, ...], child: Child) -> None:
        """Return the positions of a program's words; a program that another one loads has none of its own."""
        if not child.words:
            self._session.host.loaded(file)
            return
        inline = INLINE in file
        own = frozenset(texts_of(self._session.ground.value(child.words[0]))) or lit("/" + file)
        name = NO_FILE[language] if inline else own
        words = tuple(map(self._session.ground.value, args))
        if inline and language == "js":  # `node -e` counts no name, `node -` does
            words = tuple(left | right for left, right in zip((*words, BOTTOM), (name, *words), strict=True))
        else:
            words = (name, *words)
        self._session.host.started(Start(file, language, words), child.rest)

    def make(self, file: str, site: Site, child: Child | None) -> Outcome:
        """Any recipe of a makefile may run: which one depends on times and dependencies."""
        cwd = child.cwd if child else lit(self._session.disk.cwd)
        if child is not None and child.env:
            self._session.opaque("a variable is put into recipes of make", site)
        self._session.changes = True  # each line runs in a shell of its own, so a `cd` does not carry over to the next
        for held in recipes(self._session.skill.read(file) or b""):
            at = Site(Location(file, held.line), Origin.SCRIPT, (*site.path, site.where))
            if held.opaque:
                self._session.opaque(held.opaque, at)
            else:
                self._recipe(held, at, cwd)
        return Outcome(SOME_TEXT)

    def _recipe(self, held: ConfigProgram, site: Site, cwd: Value) -> None:
        """The values that make fills in are unknown."""
        lines = held.lines or (held.line,)
        run_shell(
            self._session,
            lit(held.text),
            lambda line: site._replace(where=Location(site.where.file, lines[min(line, len(lines)) - 1])),
            args=(),
            child=Child((), cwd=cwd),
            placeholders={char: Hole(MODEL, exact=False) for char in held.holes},
            own=False,
        )
