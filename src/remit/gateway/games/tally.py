"""Counts of the attempts in a game and of the adversary's wins."""

from __future__ import annotations

from typing import NamedTuple


class Tried(NamedTuple):
    """One kind of attempt; `won` must be 0. A positive control must succeed, and counts as won if it did not."""

    game: str
    what: str
    times: int
    won: int
    note: str = ""
    codes: tuple[str, ...] = ()  # codes of the refusals


class Tally:
    """Counts the attempts of one game, in the order of the first tries."""

    def __init__(self, game: str) -> None:
        self._game = game
        self._times: dict[str, int] = {}
        self._won: dict[str, int] = {}
        self._notes: dict[str, str] = {}
        self._codes: dict[str, set[str]] = {}

    def add(self, what: str, *, won: bool, note: str = "", code: str = "") -> None:
        """Count one attempt; the note of the first win is kept."""
        self._times[what] = self._times.get(what, 0) + 1
        self._won[what] = self._won.get(what, 0) + won
        self._codes.setdefault(what, set()).update((code,) if code else ())
        if note and (won or what not in self._notes):
            self._notes[what] = note if self._won[what] in (0, 1) else self._notes[what]

    def tried(self) -> tuple[Tried, ...]:
        """Return all counts."""
        return tuple(
            Tried(self._game, what, times, self._won[what], self._notes.get(what, ""), tuple(sorted(self._codes[what])))
            for what, times in self._times.items()
        )
