"""Values of a hook's JSON, whose types are not guaranteed, and parts of the answers to it."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from remit.guard.event import Event, Reply, Verdict

_NOTHING: Mapping[str, Any] = MappingProxyType({})


def text(value: Any) -> str:
    """Return a text; anything else becomes empty, as if missing."""
    return value if isinstance(value, str) else ""


def mapping(value: Any) -> Mapping[str, Any]:
    """Return an object; anything else becomes empty, so that every argument is missing."""
    return value if isinstance(value, dict) else _NOTHING


def leaves(value: Any) -> Iterator[str]:
    """Return all texts inside a value, in order: the output of a tool, whatever the form of its result."""
    todo = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, dict):
            todo.extend(reversed(item.values()))
        elif isinstance(item, list):
            todo.extend(reversed(item))


def first(payload: Mapping[str, Any], *names: str) -> str:
    """Return the first of these fields that is a non-empty text."""
    return next((found for name in names if (found := text(payload.get(name)))), "")


def arguments(value: Any) -> Mapping[str, Any]:
    """Return the arguments of a call, which some hosts encode as the text of an object."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return {}
    return mapping(value)


def named(name: str, payload: Mapping[str, Any]) -> str:
    """Return the event that the hook's command line names. If the payload names another, it is an unknown event."""
    said = payload.get("hook_event_name", name)
    return name if said == name else f"{name}/{text(said)}"


def below(cwd: str, folder: Any) -> str:
    """Return the folder in which a call runs, if it names one of its own."""
    return posixpath.join(cwd, folder) if isinstance(folder, str) and folder else cwd


def reason_of(verdict: Verdict) -> str:
    """Return the reason of a refusal. Never empty: some hosts take that for a broken hook, and continue."""
    reason = verdict.reason.strip() or "the guard gave no reason"
    return f"{reason} (approval {verdict.approval})" if verdict.approval else reason


def answer(value: Mapping[str, Any]) -> Reply:
    """Return an answer for a host that reads JSON."""
    return Reply(json.dumps(value))


def specific(event: Event, **fields: Any) -> dict[str, Any]:
    """Return the part of an answer that is about one event, as several hosts nest it."""
    return {"hookSpecificOutput": {"hookEventName": event.name, **fields}}


PATCH: Final = "remit_patch"  # the name in tables; the model's own arguments never use it
_WRITTEN = ("*** Add File:", "*** Update File:", "*** Move to:")
_DELETED = ("*** Delete File:",)


def with_files(args: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return the arguments of a patch with the files that it touches: hosts report its text, but the guard judges paths.

    A text that names no file gets none, and is not understood.
    """
    value = args.get(name)
    lines = [line.strip() for line in value.splitlines()] if isinstance(value, str) else []
    # a line that only looks like a header (hosts differ in strictness) adds a file too many, never one too few
    files = {"written": _after(lines, _WRITTEN), "deleted": _after(lines, _DELETED)}
    moved = any(line.startswith("*** Move to:") for line in lines)
    files["deleted"] += _after(lines, ("*** Update File:",)) if moved else []
    return {**args, PATCH: files}


def without_files(args: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments as the host knows them."""
    return {name: value for name, value in args.items() if name != PATCH}


def _after(lines: list[str], heads: tuple[str, ...]) -> list[str]:
    return [line.removeprefix(head).strip() for line in lines for head in heads if line.startswith(head)]
