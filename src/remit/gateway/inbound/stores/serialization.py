"""Serialization of values.

What is read must have exactly the form that was written, so a manipulated store is refused.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from remit.core.errors import DataError

if TYPE_CHECKING:
    from enum import StrEnum

# what makes a value of what JSON gives; ValueError or TypeError if it is no such value
Form: TypeAlias = Callable[[Any], Any]


def written(value: Any) -> str:
    """Serialize a value, whatever untrusted text it contains. Fields are written by position."""
    return _ENCODER.encode(value)


def read(text: str, form: Form) -> Any:
    """Parse a value of a form; DataError if the text does not match."""
    try:
        return form(json.loads(text))
    except (ValueError, TypeError, RecursionError):
        raise DataError("the gateway's store holds something that it did not write", "restore it from a copy") from None


def key_of(parts: tuple[object, ...]) -> str:
    """Join parts into one key; the separator is escaped within parts."""
    return "\x1f".join(str(part).replace("\x1b", "\x1b\x1b").replace("\x1f", "\x1b_") for part in parts)


def key_bytes(key: str) -> bytes:
    """Return a key as bytes: an untrusted name may contain what a text column rejects."""
    return key.encode("utf-8", "surrogatepass")


def key_text(data: bytes) -> str:
    """Return the key in the bytes."""
    return data.decode("utf-8", "surrogatepass")


def _listed(value: Any) -> list[Any]:
    if not isinstance(value, frozenset):
        raise TypeError(f"{type(value).__name__} is nothing that is kept")
    return sorted(value)


_ENCODER = json.JSONEncoder(separators=(",", ":"), default=_listed)  # NamedTuples are written as lists


def _exactly(kind: type) -> Form:
    def made(value: Any) -> Any:
        if type(value) is not kind:
            raise TypeError
        return value

    return made


TEXT, NUMBER, TRUTH, _LIST = (_exactly(kind) for kind in (str, int, bool, list))


def word(kind: type[StrEnum]) -> Form:
    """A member of a StrEnum."""
    return lambda value: kind(TEXT(value))


def maybe(form: Form) -> Form:
    """A value, or None."""
    return lambda value: None if value is None else form(value)


def many(form: Form) -> Form:
    """A tuple of values."""
    return lambda value: tuple(map(form, _LIST(value)))


def some(form: Form) -> Form:
    """A set of values."""
    return lambda value: frozenset(map(form, _LIST(value)))


def record(kind: Callable[..., Any], *fields: Form, added: int = 0) -> Form:
    """A NamedTuple, by its fields.

    `added`: how many of the last fields have a default, because an older version did not write them.
    """

    def made(value: Any) -> Any:
        values = _LIST(value)
        if len(values) < len(fields) - added:
            raise TypeError
        known = fields[: len(values)] if added else fields
        return kind(*(form(one) for form, one in zip(known, values, strict=True)))

    return made
