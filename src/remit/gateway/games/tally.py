"""What was tried in a game, how often, and what an adversary won."""

from __future__ import annotations

from typing import NamedTuple


class Tried(NamedTuple):
    """One kind of attempt. `won` must be 0. A positive control is one that had to succeed, and lost if it did not."""

    game: str
    what: str
    times: int
    won: int
    note: str = ""
    codes: tuple[str, ...] = ()  # with which attempts were refused


class Tally:
    """Counts attempts of one game, in the order in which they are first tried."""

    def __init__(self, game: str) -> None:
        self._game = game
        self._times: dict[str, int] = {}
        self._won: dict[str, int] = {}
        self._notes: dict[str, str] = {}
        self._codes: dict[str, set[str]] = {}

    def add(self, what: str, *, won: bool, note: str = "", code: str = "") -> None:
        """One attempt; the note of the first win stays."""
        self._times[what] = self._times.get(what, 0) + 1
        self._won[what] = self._won.get(what, 0) + won
        self._codes.setdefault(what, set()).update((code,) if code else ())
        if note and (won or what not in self._notes):
            self._notes[what] = note if self._won[what] in (0, 1) else self._notes[what]

    def tried(self) -> tuple[Tried, ...]:
        """All of it."""
        return tuple(
            Tried(self._game, what, times, self._won[what], self._notes.get(what, ""), tuple(sorted(self._codes[what])))
            for what, times in self._times.items()
        )
