"""`skills.lock`: summaries of skills, as a file that can be stored, reviewed and checked.

The same skills give the same bytes: no times, no absolute paths, everything sorted. The file ends in a digest over its
content, which reveals a manual edit. It is no signature: an edit that also updates the digest shows in review, not
here.
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
_AGAIN = "write it again with `remit lock`"


class Locked(NamedTuple):
    """One skill in a lock: its path, relative to the folder of the lock, and its summary."""

    path: str
    summary: Summary


class Lock(NamedTuple):
    """A lock file."""

    roots: tuple[str, ...]  # the locked paths, which are searched for new skills
    skills: tuple[Locked, ...]  # sorted by path
    remit: str = VERSION  # the version that wrote it: another version may see more, or less, in the same skill
    intact: bool = True  # whether the digest in the file matches its content


def compact(summary: Summary) -> Summary:
    """Return a summary as a lock stores it: without long texts."""
    return decode(encode(summary, texts=False))


def render(lock: Lock) -> str:
    """Return the text of a lock file: one line for each thing that can change, so that text tools show what did."""
    value = _value(lock)
    value["digest"] = digest(value)
    return _pretty(value, "") + "\n"


def _value(lock: Lock) -> dict[str, Any]:
    skills = {
        locked.path: encode(locked.summary, texts=False) for locked in sorted(lock.skills, key=lambda item: item.path)
    }
    return {"lock": FORM, "remit": lock.remit, "roots": sorted(lock.roots), "skills": skills}


def _pretty(value: Any, pad: str) -> str:
    """Render objects and lists with more than words with one line for each part."""
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
    """Parse a lock; LockError if it is invalid. A manual edit is not an error but a value: `intact`."""
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
    """Return an object with unique keys: two readers of one lock must not understand different things."""
    out = dict(pairs)
    if len(out) != len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key `{next(name for name in names if names.count(name) > 1)}` occurs twice")
    return out
