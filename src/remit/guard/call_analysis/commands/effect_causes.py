"""The cause of each effect of a call: the simple command behind it, and the location of its text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import Text, Value

if TYPE_CHECKING:
    from remit.analysis.world import Site
    from remit.core.effect import Effect, Opaque
    from remit.core.location import Location
    from remit.core.scope import Scope

INLINE = "\0"  # starts the name of a text that is in no file: no file has such a name


class EffectCauses:
    """The commands that run, the scripts that they start, and the locations of texts without a file."""

    def __init__(self) -> None:
        self.running: list[str] = []  # simple commands, the outermost first
        self.starters: dict[str, str] = {}  # script → the simple command that runs it
        self.inline: dict[str, Site] = {}  # name given to a text without a file → its location
        self._caused: dict[tuple[str, Scope, Location], str] = {}
        self._opaque: dict[tuple[str, Location], str] = {}

    def of(self, site: Site) -> str:
        """Return the simple command behind what is happening now; empty if that is the command line itself."""
        if self.running:
            return self.running[0]
        for at in (site.where, *site.path):
            if at.file in self.starters:
                return self.starters[at.file]
        return next(iter(self.starters.values()), "") if not site.hosted else ""

    def started(self, file: str, site: Site) -> None:
        """Record that a script is started."""
        self.starters.setdefault(file, self.of(site))

    def note(self, capability: str, scope: Scope, site: Site) -> None:
        """Record the cause of an effect."""
        self._caused.setdefault((capability, scope, site.where), self.of(site))

    def note_opaque(self, reason: str, site: Site) -> None:
        """Record the cause of an opaque location."""
        self._opaque.setdefault((reason, site.where), self.of(site))

    def behind(self, opaque: Opaque) -> str:
        """Return the simple command behind an opaque location; empty if that is the command line itself."""
        return self._opaque.get((opaque.reason, opaque.where), "")

    def starter(self, effect: Effect) -> str:
        """Return the simple command behind an effect; empty if that is the command line itself."""
        return self._caused.get((effect.capability, effect.scope, effect.where), "")

    def origin(self, where: Location) -> Location:
        """Return the location in a file, or in the call, from which a text comes."""
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
        """Add a simple command, of the call itself or of a script."""
        (self.words if hosted else self.inner)[self.plain(words, rest)] = None

    @staticmethod
    def plain(words: tuple[Value, ...], rest: Value) -> tuple[str, ...]:
        """Return words as they are shown."""
        return tuple(map(_shown, words)) + (("<any>",) if rest else ())


def _shown(value: Value) -> str:
    item = next(iter(value)) if len(value) == 1 else None
    if not isinstance(item, Text):
        return "<any>"
    return "".join(part if isinstance(part, str) else f"<{part.origin}>" for part in item.parts)
