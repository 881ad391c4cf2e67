"""Shell programs that a call starts: with their real words, and within their budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import MODEL, Hole, Text, lit
from remit.analysis.engine.texts import texts_of
from remit.analysis.shell import run_shell
from remit.analysis.shellruns import ShellRuns, script_path, text_name
from remit.analysis.steering import steers
from remit.analysis.world import Child, Outcome, Site
from remit.core.location import Location

if TYPE_CHECKING:
    from remit.analysis.domain import Value
    from remit.analysis.repeats import ShellRun
    from remit.skill.held import Held

STEPS = 20_000


class LiveShells(ShellRuns):
    """As in a skill, but nobody else calls the functions of a script."""

    def code(self, code: Value, site: Site, args: tuple[Value, ...], child: Child | None) -> Outcome:
        """A text that is run as a shell program."""
        child = child or Child(())
        env = frozenset(child.env.items()) if child.env else None
        name = text_name(child)
        key = ("code", code, name, site.where, site.hosted, args, child.rest, child.cwd, env, child.stdin)
        return self._once(
            key,
            lambda: run_shell(
                self.world,
                frozenset(texts_of(code)),
                lambda _line: site,
                args=args,
                rest=child.rest,
                env=child.env,
                cwd=child.cwd,
                stdin=child.stdin,
                own=False,
                script=name,
                steps=STEPS,
            ),
        )

    def file(self, run: ShellRun, source: bytes) -> Outcome:
        """A script."""
        for name, value in (run.env or {}).items():
            reason = steers(name, value)
            if reason:
                self.world.opaque(reason, run.site, f"do not set `{name}`, or set it to a fixed, known value")
        path = (*run.site.path, run.site.where)
        return self._once(
            (run.surroundings, run.args, run.rest),
            lambda: run_shell(
                self.world,
                frozenset({Text((source.decode("utf-8", "surrogateescape"),))}),
                lambda line: Site(Location(run.file, line), run.site.origin, path),
                args=run.args,
                rest=run.rest,
                env=run.env,
                script=script_path(run.file),
                cwd=run.cwd,
                stdin=run.stdin,
                own=False,
                judged=True,
                steps=STEPS,
            ),
        )

    def recipe(self, held: Held, site: Site, cwd: Value) -> None:
        """A recipe of a makefile; what make fills in is not known."""
        run_shell(
            self.world,
            lit(held.text),
            lambda line: site._replace(
                where=Location(site.where.file, held.lines[min(line, len(held.lines)) - 1] if held.lines else held.line)
            ),
            args=(),
            cwd=cwd,
            placeholders={char: Hole(MODEL, exact=False) for char in held.holes},
            own=False,
            steps=STEPS,
        )
