"""What is found of a skill: effects with their scopes, opaque places and assumptions, and the result that is made of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.analysis.domain import Text
from remit.analysis.engine.texts import texts_of
from remit.analysis.hosted import Hosted
from remit.analysis.launches import Launch, Launches
from remit.analysis.ownwrites import REMEDY, OwnWrites
from remit.analysis.result import Effects
from remit.analysis.scoping import file_url_paths, scopes_of
from remit.analysis.told import Commands
from remit.analysis.world import HERE, Child
from remit.core.capability import vocabulary
from remit.core.effect import Effect, Opaque, Origin
from remit.core.scope import PathScope, ScopeKind, overlaps
from remit.core.sensitive import sensitive
from remit.skill.model import Stance

if TYPE_CHECKING:
    from remit.analysis.domain import Value
    from remit.analysis.world import Site
    from remit.core.location import Location
    from remit.core.scope import Scope
    from remit.skill.model import Skill
    from remit.skill.program import SourceProgram


class Reports:
    """The part of `World` to which the front ends report."""

    def __init__(self, skill: Skill, programs: tuple[SourceProgram, ...]) -> None:
        self.skill = skill
        self.programs = programs
        self._effects: dict[tuple[str, Scope, Location, Origin], Effect] = {}
        self._opaque: dict[tuple[str, Location], Opaque] = {}
        self._assumptions: set[str] = set()
        self._seen: set[tuple[object, ...]] = set()
        self._reading = 0  # commands whose words are being read just now
        self.launches = Launches()
        self.own_writes = OwnWrites(skill)
        self.commands = Commands()
        self._settings: dict[Location, Site] = {}
        self.hosted = Hosted(programs)

    def effect(
        self, capability: str, scope: Value, site: Site, why: str, *, cwd: Value = HERE, port: Value | None = None
    ) -> None:
        """Report an effect with each of its scopes, and what a sensitive place makes of it."""
        for name in self.hosted.names(capability, scope, site):
            self._effect(name, scope, site, why, cwd, port)

    def _effect(self, capability: str, scope: Value, site: Site, why: str, cwd: Value, port: Value | None) -> None:
        if capability == "file.write":  # two programs of one line may write the same file
            self.launches.writes(_without_streams(scope), cwd, site, why)
            for hook in texts_of(scope):
                if ".git/hooks/" in "".join(part for part in hook.parts if isinstance(part, str)):  # git runs it
                    self.launches.add(Launch("", hook, cwd, site, (), Child((), cwd=cwd), command=self._reading > 0))
        key = ("effect", capability, scope, cwd, port, site.where, site.origin, why)
        if key in self._seen:
            return
        self._seen.add(key)
        kind = vocabulary()[capability].scope_kind
        if kind is ScopeKind.PATH:
            scope = _without_streams(scope)
            if not scope:
                return
            self.own_writes.add(capability, scope, cwd, site, why)
        for found in scopes_of(capability, scope, cwd, port):
            self._add(capability, found, site, why)
            for extra in sensitive(capability, found):
                self._add(extra, found, site, f"{why} on a sensitive place")
        if capability == "web.fetch":
            files = file_url_paths(scope)
            if files and not _has_unknown_scheme(scope):
                self.effect("file.read", files, site, f"{why} with a file: URL", cwd=cwd)

    def _add(self, capability: str, scope: Scope, site: Site, why: str) -> None:
        key = (capability, scope, site.where, site.origin)
        known = self._effects.get(key)
        # of several reasons the first in order of letters is told, not the first that was found: that may change from run to run
        if known is None or why < known.why:
            self._effects[key] = Effect(capability, scope, site.where, why, site.origin, site.path)

    def opaque(self, reason: str, site: Site, remedy: str = "") -> None:
        """Report a place that is not understood.

        A command that the *agent* is told to run is named by its `shell.execute` or `source.execute`, and is judged again
        when the agent runs it; so what an unknown program would do is an assumption there, not an opaque place (ADR 5).
        """
        if self._reading and site.origin is Origin.INSTRUCTED:
            self.assume("instructed-commands", site)
            return
        self._opaque.setdefault((reason, site.where), Opaque(reason, site.where, remedy, site.origin))

    def assume(self, ident: str, site: Site) -> None:  # noqa: ARG002  (an assumption is said once, not for each place)
        """Note an assumption."""
        self._assumptions.add(ident)

    def named_by_file(self, site: Site) -> None:
        """Lines of a file become variables."""
        self._settings.setdefault(site.where, site)

    def _judge_settings(self) -> None:
        """A file of settings is the user's; of one that the skill brings nobody can say that it leaves its programs alone."""
        brought = [PathScope("skill", tuple(file.path.split("/"))) for file in self.skill.files]
        for where, site in self._settings.items():
            read = [e.scope for e in self._effects.values() if e.capability in _READS and e.where.file == where.file]
            own = [scope for scope in read if isinstance(scope, PathScope) and scope.anchor == "skill"]
            if any(overlaps(scope, file) for scope in own for file in brought):
                self.opaque("lines of a file that the skill brings become variables", site, _NAME_THEM)
            else:
                self.assume("settings-files", site)

    def told(self, words: tuple[Value, ...], rest: Value, site: Site, *, cwd: Value = HERE) -> None:
        """A command line of a document."""
        if site.hosted:
            self.commands.add(words, rest, cwd, site)

    def _judge_own_writes(self) -> None:
        for reason, site in self.own_writes.judge():  # not by `opaque`: who is told to do it changes nothing
            self._opaque.setdefault((reason, site.where), Opaque(reason, site.where, REMEDY, site.origin))

    def _result(self) -> Effects:
        counts = {stance: sum(1 for file in self.skill.files if file.stance is stance) for stance in Stance}
        return Effects(
            self.skill.name,
            str(self.skill.root),
            tuple(sorted(self._effects.values(), key=_effect_order)),
            tuple(sorted(self._opaque.values(), key=lambda item: (item.where, item.reason))),
            tuple(sorted(self._assumptions)),
            counts[Stance.ANALYSED],
            counts[Stance.INERT],
            counts[Stance.OPAQUE],
            self.commands.result(),
            self._digests(),
        )

    def _digests(self) -> tuple[tuple[str, str], ...]:
        """Of what was looked into, and of what effects stand in."""
        named = {where.file for effect in self._effects.values() for where in (effect.where, *effect.path)}
        return tuple(
            (file.path, f"sha256:{file.digest}")
            for file in self.skill.files
            if file.digest and (file.stance is Stance.ANALYSED or file.path in named)
        )


def _effect_order(effect: Effect) -> tuple[str, str, int, str]:
    return effect.capability, effect.where.file, effect.where.line, effect.scope.render()


_READS = frozenset({"file.read", "source.read"})
_NAME_THEM = "set variables by names that are written down"
_STREAMS = frozenset({"/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty", "-"})
_PROCESS = re.compile(r"/dev/fd/\d{7,}")  # the names that `shell.redirects` gives to the streams of `<(…)`


def _without_streams(value: Value) -> Value:
    return frozenset(atom for atom in value if not (isinstance(atom, Text) and (_is_stream(atom) or _is_url(atom))))


def _is_stream(text: Text) -> bool:
    return text.literal is not None and (text.literal in _STREAMS or bool(_PROCESS.fullmatch(text.literal)))


def _is_url(text: Text) -> bool:
    """A URL given to a function that takes either: its fetch is an effect of its own."""
    first = text.parts[0] if text.parts else ""
    return isinstance(first, str) and first.lower().startswith(("http://", "https://", "ftp://", "s3://", "gs://"))


def _has_unknown_scheme(value: Value) -> bool:
    return not any(isinstance(atom, Text) and atom.parts and isinstance(atom.parts[0], str) for atom in value)
