"""Dispatch of intents without an outside effect. An intent that is not in the table is refused."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.counting import counted
from remit.gateway.acts import Answer, RefusedError, Status
from remit.gateway.handles import HANDLE_LIFETIME, Handle, Handles, Revoke
from remit.policy.dlp.classes import veiled

if TYPE_CHECKING:
    from remit.executor.credentials.verifier import Caller
    from remit.gateway.local.notes import Notes
    from remit.gateway.local.workspace import SkillFolder, Workspace
    from remit.gateway.revocations import Revocations


_ID = re.compile(r"[0-9a-f]{32}")
UNTRUSTED: Mapping[str, str] = MappingProxyType({"trust": "untrusted"})  # for texts that others may have written


class Local(NamedTuple):
    """The gateway's own stores. Intents of a missing workspace or skill folder are refused."""

    handles: Handles
    revocations: Revocations
    notes: Notes
    workspace: Workspace | None = None
    skills: SkillFolder | None = None


def serve(local: Local, caller: Caller, intent: str, inputs: Mapping[str, Any], now: int) -> Answer:
    """Perform a local intent and return the answer; RefusedError if it is not served."""
    if intent not in _SERVED:
        raise RefusedError("INTENT_NOT_SERVED")
    return _SERVED[intent](local, caller, inputs, now)


def _ok(summary: str, data: dict[str, Any] | None = None, *handles: str) -> Answer:
    return Answer(Status.OK, summary, data or {}, handles)


def _read_secret(local: Local, caller: Caller, inputs: Mapping[str, Any], now: int) -> Answer:
    """Return a handle, never the value. It expires with the caller's own rights."""
    found = local.handles.secret(inputs["name"])
    if found is None:
        raise RefusedError("NOT_FOUND")
    until = min(now + HANDLE_LIFETIME, caller.until)
    handle = Handle(caller.session, caller.name, found.sensitivity, found.sinks, until)
    name = local.handles.mint(found.value, handle, now)
    return _ok(f"a handle for `{inputs['name']}`", {"handle": name, **_told(handle, now)}, name)


def _describe(local: Local, caller: Caller, inputs: Mapping[str, Any], now: int) -> Answer:
    found = local.handles.describe(inputs["handle"], caller.session, caller.name)
    return _ok("a handle", _told(found, now))


def _told(handle: Handle, now: int) -> dict[str, Any]:
    state = "revoked" if handle.revoked else "expired" if now >= handle.until else "live"
    return {
        "sensitivity": str(handle.sensitivity), "sinks": sorted(handle.sinks), "state": state,
        "seconds": max(0, handle.until - now),
    }  # fmt: skip


def _revoke_handle(local: Local, caller: Caller, inputs: Mapping[str, Any], now: int) -> Answer:
    local.handles.revoke(inputs["handle"], Revoke(caller.session, caller.name), now)
    return _ok("the handle is revoked")


def _revoke_session(local: Local, caller: Caller, _: Mapping[str, Any], now: int) -> Answer:
    """End the session. Credentials are revoked before values are deleted: a crash in between leaves only values that no
    caller can use.
    """
    local.revocations.end_session(caller.session, now)
    gone = local.handles.end_session(caller.session, now)
    return _ok("the session is over", {"handles": gone})


def _revoke_delegation(local: Local, caller: Caller, inputs: Mapping[str, Any], now: int) -> Answer:
    """Revoke a delegation that the caller issued, or the caller's own."""
    name = inputs["delegation"]
    if not _ID.fullmatch(name):
        raise RefusedError("NOT_FOUND")
    issuer = caller.own[0] if name == caller.own[1] else caller.name
    local.revocations.revoke(issuer, name, now)
    return _ok("the delegation is revoked")


def _list_files(local: Local, _: Caller, inputs: Mapping[str, Any], __: int) -> Answer:
    names = _workspace(local).names(inputs.get("path", "."))
    return _ok(counted(len(names), "name"), {"names": names})


def _read_file(local: Local, _: Caller, inputs: Mapping[str, Any], __: int) -> Answer:
    """Return a text without the keys and card numbers in it."""
    text = _workspace(local).read(inputs["path"])
    shown = veiled(text)
    return _ok(counted(len(shown), "character"), {"text": shown, "redacted": shown != text})


def _workspace(local: Local) -> Workspace:
    if local.workspace is None:
        raise RefusedError("INTENT_NOT_SERVED")
    return local.workspace


def _list_skills(local: Local, _: Caller, __: Mapping[str, Any], ___: int) -> Answer:
    found = _skills(local).listed()
    return _ok(counted(len(found), "skill"), {"skills": found})


def _describe_skill(local: Local, _: Caller, inputs: Mapping[str, Any], __: int) -> Answer:
    return _found(_skills(local).described(inputs["skill"]))


def _import_skill(local: Local, _: Caller, inputs: Mapping[str, Any], __: int) -> Answer:
    return _found(_skills(local).imported(inputs["path"]))


def _skills(local: Local) -> SkillFolder:
    if local.skills is None:
        raise RefusedError("INTENT_NOT_SERVED")
    return local.skills


def _found(skill: dict[str, Any] | None) -> Answer:
    if skill is None:
        raise RefusedError("NOT_FOUND")
    return _ok(f"the skill `{skill['skill']}`", skill)


def _remembered(local: Local, caller: Caller, inputs: Mapping[str, Any], _: int) -> Answer:
    """Return a remembered text without keys and card numbers, marked untrusted: the agent may have copied it from
    others.
    """
    return _ok("what was remembered", {"text": veiled(local.notes.read(caller.name, inputs["key"])), **UNTRUSTED})


def _keys(local: Local, caller: Caller, _: Mapping[str, Any], __: int) -> Answer:
    return _ok("what is remembered", {"keys": local.notes.keys(caller.name)})


def _received(local: Local, caller: Caller, _: Mapping[str, Any], __: int) -> Answer:
    found = local.notes.receive(caller.session, caller.name)
    told = [{"sender": one.sender, "text": veiled(one.text), **UNTRUSTED} for one in found]
    return _ok(counted(len(found), "message"), {"messages": told})


_SERVED: Mapping[str, Callable[[Local, Caller, Mapping[str, Any], int], Answer]] = {
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
