"""What the daemon needs of whoever decides; and the one that denies, for when there is no other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

from remit.guard.event import Event, Outcome, Verdict

Mine: TypeAlias = Callable[[str, str], bool]  # whether a session, by its host and name, is decided in this process


class Engine(Protocol):
    """A decider of many sessions. Two threads may ask it at once, never two for one session."""

    def decide(self, event: Event) -> Verdict:
        """The answer to one event. It never raises: what goes wrong is denied."""
        ...

    def slow(self, event: Event) -> bool:
        """Whether the answer may take more than a millisecond or two, so that others must not wait for it."""
        ...

    def consult(self, event: Event, verdict: Verdict) -> bool:
        """Ask whoever is to be asked about an event that was denied with an approval's name, in a thread of its own. True: somebody
        answered, and the event is decided again."""
        ...

    def close(self) -> None:
        """The daemon ends."""
        ...


class DenyAll:
    """Denies everything, with one reason, and ends the daemon: the next one tries again, when what was broken may be repaired."""

    def __init__(self, reason: str, end: Callable[[], None]) -> None:
        self.reason = reason
        self._end = end

    def decide(self, _event: Event) -> Verdict:
        """Deny."""
        self._end()
        return Verdict(Outcome.DENY, self.reason)

    def slow(self, _event: Event) -> bool:
        """Never."""
        return False

    def consult(self, _event: Event, _verdict: Verdict) -> bool:
        """Nobody is."""
        return False

    def close(self) -> None:
        """Nothing is held."""
