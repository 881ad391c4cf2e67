"""Intents that the gateway serves itself: nothing leaves the machine, and no proofs are needed. An intent that is not in
the table is refused.

A path of the workspace is opened one name at a time relative to the open parent folder, without following links, so
nothing outside can be reached, even if a link is put there meanwhile. Skills are read but not run. Memory of callers and
messages between them are encrypted; each text is bound to its caller and key, or to sender and receiver.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.counting import counted
from remit.core.errors import InputError, LimitError, RemitError
from remit.executor.tables import Database, open_state
from remit.gateway.acts import ActAnswer, RefusedError, Status
from remit.gateway.handles import HANDLE_LIFETIME, Handle, Handles, Revoke
from remit.policy.dlp.classes import veiled

if TYPE_CHECKING:
    from pathlib import Path

    from remit.executor.credentials.verifier import Caller
    from remit.gateway.revocations import Revocations
    from remit.gateway.state import Vault
    from remit.gateway.workspace import Workspace


class SkillFolder:
    """A folder of enabled skills, and a workspace from which others can be imported."""

    def __init__(self, root: Path, workspace_root: Path, workspace: Workspace) -> None:
        self._root = root
        self._workspace_root = workspace_root
        self._workspace = workspace

    def listed(self) -> list[dict[str, Any]]:
        """Return the enabled skills; a skill that cannot be read has a `problem`."""
        from remit.skill.find import find_skills  # noqa: PLC0415  light imports

        try:
            folders = find_skills(self._root)
        except LimitError:
            raise
        except InputError:  # there is none
            return []
        return [_described(folder) for folder in folders]

    def described(self, name: str) -> dict[str, Any] | None:
        """Return the skill of this name, or None."""
        return next((one for one in self.listed() if one["skill"] == name), None)

    def imported(self, path: str) -> dict[str, Any] | None:
        """Return the skill in a folder of the workspace, or None."""
        return _described(self._workspace_root / path) if self._workspace.exists_inside(path) else None


def _described(folder: Path) -> dict[str, Any]:
    from remit.bundle.skill_copy import content_of  # noqa: PLC0415  light imports
    from remit.skill.load import load_skill  # noqa: PLC0415

    try:
        skill, digest = load_skill(folder), content_of(folder)
    except RemitError as error:
        return {"skill": folder.name, "problem": error.message}
    return {"skill": skill.name, "description": skill.front_matter.text("description")[:1000], "digest": digest}


_KEEP = "INSERT INTO note VALUES (?, ?, ?) ON CONFLICT (caller, key) DO UPDATE SET sealed = excluded.sealed"
MOST_NOTES, MOST_MESSAGES = 1_000, 256
_NOTES_FORM = """
CREATE TABLE IF NOT EXISTS note (caller TEXT NOT NULL, key TEXT NOT NULL, sealed BLOB NOT NULL, PRIMARY KEY (caller, key))
    STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS message (
    number INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL, sender TEXT NOT NULL, receiver TEXT NOT NULL,
    sealed BLOB NOT NULL
) STRICT
"""


class Message(NamedTuple):
    """A message between callers. The gateway sets the sender, which cannot be forged."""

    sender: str
    text: str


class Notes:
    """The store of notes and messages."""

    def __init__(self, place: Path | Database, vault: Vault) -> None:
        self._store = open_state(place, _NOTES_FORM)
        self._vault = vault

    def write(self, caller: str, key: str, text: str) -> None:
        """Store a text under a key of the caller."""
        sealed = self._vault.seal(text.encode(), _note(caller, key))
        with self._store.change() as link:
            count = link.execute("SELECT count(*) FROM note WHERE caller = ? AND key != ?", (caller, key)).fetchone()[0]
            if count >= MOST_NOTES:
                raise RefusedError("NOT_DONE", f"a caller remembers at most {MOST_NOTES} texts")
            link.execute(_KEEP, (caller, key, sealed))

    def read(self, caller: str, key: str) -> str:
        """Return the text under a key of the caller."""
        with self._store.look() as link:
            row = link.execute("SELECT sealed FROM note WHERE caller = ? AND key = ?", (caller, key)).fetchone()
        if row is None:
            raise RefusedError("NOT_FOUND")
        return self._vault.unseal(row[0], _note(caller, key)).decode()

    def keys(self, caller: str) -> list[str]:
        """Return the caller's keys."""
        with self._store.look() as link:
            rows = link.execute("SELECT key FROM note WHERE caller = ? ORDER BY key", (caller,)).fetchall()
        return [row[0] for row in rows]

    def delete(self, caller: str, key: str) -> bool:
        """Delete a text; return whether there was one."""
        with self._store.change() as link:
            return int(link.execute("DELETE FROM note WHERE caller = ? AND key = ?", (caller, key)).rowcount) == 1

    def send(self, session: str, message: Message, receiver: str) -> None:
        """Deliver a message to another caller of the same session."""
        sealed = self._vault.seal(message.text.encode(), _message(session, message.sender, receiver))
        with self._store.change() as link:
            where = "SELECT count(*) FROM message WHERE session = ? AND receiver = ?"
            if link.execute(where, (session, receiver)).fetchone()[0] >= MOST_MESSAGES:
                raise RefusedError("NOT_DONE", "the box of the receiver is full")
            link.execute(
                "INSERT INTO message (session, sender, receiver, sealed) VALUES (?, ?, ?, ?)",
                (session, message.sender, receiver, sealed),
            )

    def receive(self, session: str, receiver: str) -> list[Message]:
        """Remove and return the receiver's messages, the oldest first."""
        with self._store.change() as link:
            rows = link.execute(
                "DELETE FROM message WHERE session = ? AND receiver = ? RETURNING number, sender, sealed",
                (session, receiver),
            ).fetchall()
        return [
            Message(sender, self._vault.unseal(sealed, _message(session, sender, receiver)).decode())
            for _, sender, sealed in sorted(rows)
        ]

    def close(self) -> None:
        """Close the store."""
        self._store.close()


def _note(caller: str, key: str) -> dict[str, Any]:
    return {"what": "note", "caller": caller, "key": key}


def _message(session: str, sender: str, receiver: str) -> dict[str, Any]:
    return {"what": "message", "session": session, "sender": sender, "receiver": receiver}


_ID = re.compile(r"[0-9a-f]{32}")
UNTRUSTED: Mapping[str, str] = MappingProxyType({"trust": "untrusted"})  # for texts that others may have written


class Local(NamedTuple):
    """The gateway's own stores. Intents of a missing workspace or skill folder are refused."""

    handles: Handles
    revocations: Revocations
    notes: Notes
    workspace: Workspace | None = None
    skills: SkillFolder | None = None


def serve(local: Local, caller: Caller, intent: str, inputs: Mapping[str, Any], now: int) -> ActAnswer:
    """Perform a local intent and return the answer; RefusedError if it is not served."""
    if intent not in _SERVED:
        raise RefusedError("INTENT_NOT_SERVED")
    return _SERVED[intent](local, caller, inputs, now)


def _ok(summary: str, data: dict[str, Any] | None = None, *handles: str) -> ActAnswer:
    return ActAnswer(Status.OK, summary, data or {}, handles)


def _read_secret(local: Local, caller: Caller, inputs: Mapping[str, Any], now: int) -> ActAnswer:
    """Return a handle, never the value. It expires with the caller's own rights."""
    found = local.handles.secret(inputs["name"])
    if found is None:
        raise RefusedError("NOT_FOUND")
    until = min(now + HANDLE_LIFETIME, caller.until)
    handle = Handle(caller.session, caller.name, found.sensitivity, found.sinks, until)
    name = local.handles.mint(found.value, handle, now)
    return _ok(f"a handle for `{inputs['name']}`", {"handle": name, **_told(handle, now)}, name)


def _describe(local: Local, caller: Caller, inputs: Mapping[str, Any], now: int) -> ActAnswer:
    found = local.handles.describe(inputs["handle"], caller.session, caller.name)
    return _ok("a handle", _told(found, now))


def _told(handle: Handle, now: int) -> dict[str, Any]:
    state = "revoked" if handle.revoked else "expired" if now >= handle.until else "live"
    return {
        "sensitivity": str(handle.sensitivity), "sinks": sorted(handle.sinks), "state": state,
        "seconds": max(0, handle.until - now),
    }  # fmt: skip


def _revoke_handle(local: Local, caller: Caller, inputs: Mapping[str, Any], now: int) -> ActAnswer:
    local.handles.revoke(inputs["handle"], Revoke(caller.session, caller.name), now)
    return _ok("the handle is revoked")


def _revoke_session(local: Local, caller: Caller, _: Mapping[str, Any], now: int) -> ActAnswer:
    """End the session. Credentials are revoked before values are deleted: a crash in between leaves only values that no
    caller can use.
    """
    local.revocations.end_session(caller.session, now)
    gone = local.handles.end_session(caller.session, now)
    return _ok("the session is over", {"handles": gone})


def _revoke_delegation(local: Local, caller: Caller, inputs: Mapping[str, Any], now: int) -> ActAnswer:
    """Revoke a delegation that the caller issued, or the caller's own."""
    name = inputs["delegation"]
    if not _ID.fullmatch(name):
        raise RefusedError("NOT_FOUND")
    issuer = caller.own[0] if name == caller.own[1] else caller.name
    local.revocations.revoke(issuer, name, now)
    return _ok("the delegation is revoked")


def _list_files(local: Local, _: Caller, inputs: Mapping[str, Any], __: int) -> ActAnswer:
    names = _workspace(local).names(inputs.get("path", "."))
    return _ok(counted(len(names), "name"), {"names": names})


def _read_file(local: Local, _: Caller, inputs: Mapping[str, Any], __: int) -> ActAnswer:
    """Return a text without the keys and card numbers in it."""
    text = _workspace(local).read(inputs["path"])
    shown = veiled(text)
    return _ok(counted(len(shown), "character"), {"text": shown, "redacted": shown != text})


def _workspace(local: Local) -> Workspace:
    if local.workspace is None:
        raise RefusedError("INTENT_NOT_SERVED")
    return local.workspace


def _list_skills(local: Local, _: Caller, __: Mapping[str, Any], ___: int) -> ActAnswer:
    found = _skills(local).listed()
    return _ok(counted(len(found), "skill"), {"skills": found})


def _describe_skill(local: Local, _: Caller, inputs: Mapping[str, Any], __: int) -> ActAnswer:
    return _found(_skills(local).described(inputs["skill"]))


def _import_skill(local: Local, _: Caller, inputs: Mapping[str, Any], __: int) -> ActAnswer:
    return _found(_skills(local).imported(inputs["path"]))


def _skills(local: Local) -> SkillFolder:
    if local.skills is None:
        raise RefusedError("INTENT_NOT_SERVED")
    return local.skills


def _found(skill: dict[str, Any] | None) -> ActAnswer:
    if skill is None:
        raise RefusedError("NOT_FOUND")
    return _ok(f"the skill `{skill['skill']}`", skill)


def _remembered(local: Local, caller: Caller, inputs: Mapping[str, Any], _: int) -> ActAnswer:
    """Return a remembered text without keys and card numbers, marked untrusted: the agent may have copied it from
    others.
    """
    return _ok("what was remembered", {"text": veiled(local.notes.read(caller.name, inputs["key"])), **UNTRUSTED})


def _keys(local: Local, caller: Caller, _: Mapping[str, Any], __: int) -> ActAnswer:
    return _ok("what is remembered", {"keys": local.notes.keys(caller.name)})


def _received(local: Local, caller: Caller, _: Mapping[str, Any], __: int) -> ActAnswer:
    found = local.notes.receive(caller.session, caller.name)
    told = [{"sender": one.sender, "text": veiled(one.text), **UNTRUSTED} for one in found]
    return _ok(counted(len(found), "message"), {"messages": told})


_SERVED: Mapping[str, Callable[[Local, Caller, Mapping[str, Any], int], ActAnswer]] = {
    "ReadSecret": _read_secret,
    "DescribeHandle": _describe,
    "RevokeHandle": _revoke_handle,
    "RevokeSession": _revoke_session,
    "RevokeDelegation": _revoke_delegation,
    "ListWorkspaceFiles": _list_files,
    "ReadWorkspaceFile": _read_file,
    "ImportSkill": _import_skill,
    "DescribeSkill": _describe_skill,
    "ListEnabledSkills": _list_skills,
    "ReceiveInterAgentMessage": _received,
    "MemoryRead": _remembered,
    "MemoryList": _keys,
}
SERVED = frozenset(_SERVED)
