"""`skills.lock`: what is remembered of some skills, as a file that can be kept, reviewed and checked.

The same skills give the same bytes: no times, no absolute paths, everything sorted. The file ends in a digest over its
content, which shows an edit by hand. It is no signature: whoever writes a new digest as well is seen in review, not here.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.digest import digest
from remit.core.errors import LockError, RemitError
from remit.manifest.drift.codec import decode, encode
from remit.version import VERSION

if TYPE_CHECKING:
    from remit.manifest.drift.model import Summary

NAME = "skills.lock"
FORM = 1  # of the file
MAX_BYTES = 256 * 1024 * 1024
_AGAIN = "write it anew with `remit lock`"


class Locked(NamedTuple):
    """One skill in a lock: where it lies, relative to the folder of the lock, and what is remembered of it."""

    path: str
    summary: Summary


class Lock(NamedTuple):
    """A lock file."""

    roots: tuple[str, ...]  # the paths that were locked: whoever checks looks there for skills that are new
    skills: tuple[Locked, ...]  # sorted by path
    remit: str = VERSION  # who wrote it: another version may see more, or less, in the same skill
    intact: bool = True  # whether the digest in the file is that of its content


def compact(summary: Summary) -> Summary:
    """A summary as a lock keeps it: without long texts."""
    return decode(encode(summary, texts=False))


def render(lock: Lock) -> str:
    """The text of a lock file: one line for each thing that can change, so that tools for texts show what did."""
    value = _value(lock)
    value["digest"] = digest(value)
    return _pretty(value, "") + "\n"


def _value(lock: Lock) -> dict[str, Any]:
    skills = {
        locked.path: encode(locked.summary, texts=False) for locked in sorted(lock.skills, key=lambda item: item.path)
    }
    return {"lock": FORM, "remit": lock.remit, "roots": sorted(lock.roots), "skills": skills}


def _pretty(value: Any, pad: str) -> str:
    """Objects and lists that hold more than words have a line for each part."""
    if isinstance(value, dict) and any(isinstance(part, dict | list) for part in value.values()):
        lines = [f"{pad}  {_flat(name)}: {_pretty(part, pad + '  ')}" for name, part in value.items()]
        return "{\n" + ",\n".join(lines) + f"\n{pad}}}"
    if isinstance(value, dict | list) and len(value) > 1 and pad:
        pairs = [f"{_flat(name)}: {_flat(part)}" for name, part in value.items()] if isinstance(value, dict) else []
        lines = [f"{pad}  {text}" for text in (pairs or map(_flat, value))]
        opened, closed = ("{", "}") if pairs else ("[", "]")
        return f"{opened}\n" + ",\n".join(lines) + f"\n{pad}{closed}"
    return _flat(value)


_flat = json.JSONEncoder(
    ensure_ascii=True
).encode  # ASCII: nothing in a skill's names can steer a terminal or hide in review


def parse(data: bytes, file: str) -> Lock:
    """The lock in some bytes; LockError if it is none. That it was edited is a value, not a failure: `intact`."""
    try:
        value = json.loads(data.decode("utf-8"), object_pairs_hook=_once)
        if value.get("lock") != FORM:
            raise ValueError(f"it is not of form {FORM}")  # noqa: TRY301  every wrong form is said below
        if unknown := sorted(set(value) - {"lock", "remit", "roots", "skills", "digest"}):
            raise ValueError(f"`{unknown[0]}` is not a field")  # noqa: TRY301
        said = value.pop("digest", "")
        lock = Lock(
            tuple(map(str, value["roots"])),
            tuple(Locked(path, decode(item)) for path, item in value["skills"].items()),
            str(value["remit"]),
            said == digest(value),
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise LockError(f"{file}: not a lock: {_reason(error)}", _AGAIN) from None
    except RemitError as error:
        raise LockError(f"{file}: not a lock: {error.message}", _AGAIN) from None
    return lock._replace(skills=tuple(sorted(lock.skills)))


def _reason(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"line {error.lineno}, column {error.colno}: {error.msg.lower()}"
    return f"{error} is missing" if isinstance(error, KeyError) else str(error)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, whose keys stand once: two readers of one lock must not understand two things."""
    out = dict(pairs)
    if len(out) != len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key `{next(name for name in names if names.count(name) > 1)}` occurs twice")
    return out
