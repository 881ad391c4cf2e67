"""What stands behind an effect of a call: the simple command that causes it, and the place from which its text comes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import Text, Value

if TYPE_CHECKING:
    from remit.analysis.world import Site
    from remit.core.effect import Effect, Opaque
    from remit.core.location import Location
    from remit.core.scope import Scope

INLINE = "\0"  # begins the name of a text that stands in no file: no file has such a name


class EffectCauses:
    """Remembers which commands run, which scripts they start, and where texts without a file stand."""

    def __init__(self) -> None:
        self.running: list[str] = []  # simple commands, the outermost first
        self.starters: dict[str, str] = {}  # script → the simple command that runs it
        self.inline: dict[str, Site] = {}  # the name that a text without a file is given → where it stands
        self._caused: dict[tuple[str, Scope, Location], str] = {}
        self._opaque: dict[tuple[str, Location], str] = {}

    def of(self, site: Site) -> str:
        """The simple command that stands behind what happens just now; empty if that is the line itself."""
        if self.running:
            return self.running[0]
        for at in (site.where, *site.path):
            if at.file in self.starters:
                return self.starters[at.file]
        return next(iter(self.starters.values()), "") if not site.hosted else ""

    def started(self, file: str, site: Site) -> None:
        """A script is started."""
        self.starters.setdefault(file, self.of(site))

    def note(self, capability: str, scope: Scope, site: Site) -> None:
        """An effect is reported."""
        self._caused.setdefault((capability, scope, site.where), self.of(site))

    def note_opaque(self, reason: str, site: Site) -> None:
        """A place is reported that is not understood."""
        self._opaque.setdefault((reason, site.where), self.of(site))

    def behind(self, opaque: Opaque) -> str:
        """The simple command that stands behind such a place; empty if that is the line itself."""
        return self._opaque.get((opaque.reason, opaque.where), "")

    def starter(self, effect: Effect) -> str:
        """The simple command that stands behind an effect; empty if that is the line itself."""
        return self._caused.get((effect.capability, effect.scope, effect.where), "")

    def origin(self, where: Location) -> Location:
        """The place in a file, or in the call, from which a text comes."""
        seen = 0
        while (
            where.file in self.inline and self.inline[where.file].where.file != where.file and seen < len(self.inline)
        ):
            where = self.inline[where.file].where
            seen += 1
        return where


class CommandWords:
    """Commands in the order in which they are met, each once."""

    def __init__(self) -> None:
        self.words: dict[tuple[str, ...], None] = {}
        self.inner: dict[tuple[str, ...], None] = {}  # words of commands that scripts run

    def command(self, words: tuple[Value, ...], rest: Value, *, hosted: bool) -> None:
        """A simple command, of the call itself or of a script."""
        (self.words if hosted else self.inner)[self.plain(words, rest)] = None

    @staticmethod
    def plain(words: tuple[Value, ...], rest: Value) -> tuple[str, ...]:
        """Words as they are shown."""
        return tuple(map(_shown, words)) + (("<any>",) if rest else ())


def _shown(value: Value) -> str:
    item = next(iter(value)) if len(value) == 1 else None
    if not isinstance(item, Text):
        return "<any>"
    return "".join(part if isinstance(part, str) else f"<{part.origin}>" for part in item.parts)
