"""The log of what a person did to the guard's state, written before it counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.audit.entry import ANSWER, Entry, Kind, Outcome
from remit.audit.log import Log
from remit.guard.audit_key import audit_signer

if TYPE_CHECKING:
    from remit.guard.broker.persons import Person
    from remit.guard.places import Places

_LONGEST = 2000  # characters of a sentence


def log_person(places: Places, person: Person, said: str, what: str, *, yes: bool) -> None:
    """Append what a person said about something."""
    entry = Entry(
        kind=Kind.DECISION,
        host="remit",
        event="guard",
        op=ANSWER,
        policy=what,
        reason=f"{person}: {said}"[:_LONGEST],
        outcome=Outcome.PERSON_APPROVED if yes else Outcome.PERSON_DENIED,
    )
    with Log.open(places.folder, audit_signer) as log:
        log.append(entry, sync=True)
