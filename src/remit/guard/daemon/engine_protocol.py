"""The interface between daemon and engine, and an engine that denies everything, for when no other can be made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

from remit.guard.event import Event, Outcome, Verdict

Mine: TypeAlias = Callable[[str, str], bool]  # whether a session, by its host and name, is decided in this process


class Engine(Protocol):
    """An engine for many sessions. Two threads may call it at once, but never for the same session."""

    def decide(self, event: Event) -> Verdict:
        """Return the answer to one event. It never raises: any failure is a denial."""
        ...

    def slow(self, event: Event) -> bool:
        """Whether the answer may take more than a millisecond or two, so that others must not wait for it."""
        ...

    def consult(self, event: Event, verdict: Verdict) -> bool:
        """Ask the broker, in a thread of its own, about an event that was denied with an approval's name. True: it was
        answered, and the event is decided again.
        """
        ...

    def close(self) -> None:
        """Release everything: the daemon ends."""
        ...


class DenyAll:
    """Denies everything with one reason, and ends the daemon: the next daemon tries again, in case the cause is
    repaired.
    """

    def __init__(self, reason: str, end: Callable[[], None]) -> None:
        self.reason = reason
        self._end = end

    def decide(self, _event: Event) -> Verdict:
        """Deny the event."""
        self._end()
        return Verdict(Outcome.DENY, self.reason)

    def slow(self, _event: Event) -> bool:
        """Return False."""
        return False

    def consult(self, _event: Event, _verdict: Verdict) -> bool:
        """Return False: the broker is not asked."""
        return False

    def close(self) -> None:
        """Do nothing: no resources are held."""
