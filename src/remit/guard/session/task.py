"""The task of a session: entries outside of which nothing runs, whatever else is permitted. It only narrows.

The task is part of the session's document, which the daemon writes too; a writer must have seen the newest revision.
"""

from __future__ import annotations

from collections.abc import Sequence

from remit.core.errors import GuardError, RemitError, UsageError
from remit.guard.store import SessionSummary, Store, list_sessions, load_session, read_entries, save_session
from remit.manifest.render import entry_value

_TRIES = 20


def session_here(store: Store, workspace: str, name: str | None) -> SessionSummary:
    """Return the session of a name, or the newest one in a workspace."""
    for one in list_sessions(store):
        if name is not None and one.session != name:
            continue
        kept = load_session(store, one.host, one.session)
        if name is not None or (kept is not None and kept.value.get("workspace") == workspace):
            return one
    raise UsageError("there is no such session", "begin one, or name it with --session: `remit audit log` shows them")


def read_task(store: Store, session: SessionSummary) -> list[str]:
    """Return the task, one line per entry; empty if there is none."""
    kept = load_session(store, session.host, session.session)
    out = []
    for value in kept.value.get("task", ()) if kept else ():
        scope = value.get("scope", "any")
        out.append(f"{value['capability']} {scope if isinstance(scope, str) else ' '.join(scope)}")
    return out


def write_task(store: Store, session: SessionSummary, allowed: Sequence[str], *, now: int) -> None:
    """Set the task; without entries it is removed."""
    entries = [_entry(text) for text in allowed]
    for _ in range(_TRIES):
        kept = load_session(store, session.host, session.session)
        if kept is None:
            break
        value = kept.value | {"task": entries}
        if save_session(store, session.host, session.session, value, revision=kept.revision, now=now) is not None:
            return
    raise GuardError("the session changes all the time", "try again")


def _entry(text: str) -> dict[str, object]:
    capability, *scopes = text.split()
    value = {"capability": capability, "effect": "allow"} | ({"scope": scopes} if scopes else {})
    try:
        (entry,) = read_entries([value])
    except RemitError as error:
        raise UsageError(f"`{text}` is no entry: {error.without_place}", "write `capability scope…`") from None
    return entry_value(entry)
