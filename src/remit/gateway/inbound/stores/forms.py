"""Values of ours as text, and back. What is read must have exactly the form of its class: a store that was changed by hand is refused."""

from __future__ import annotations

import json
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from remit.core.errors import DataError


def written(value: Any) -> str:
    """A value as text. Fields are written by their place."""
    return json.dumps(_plain(value), ensure_ascii=False, separators=(",", ":"))


def read(text: str, form: Any) -> Any:
    """A value of a form; DataError if the text is another."""
    try:
        return _made(json.loads(text), form)
    except (ValueError, TypeError, KeyError, RecursionError):
        raise DataError("the gateway's store holds something that it did not write", "restore it from a copy") from None


def _plain(value: Any) -> Any:
    if isinstance(value, frozenset):
        return sorted(map(_plain, value))
    return [_plain(one) for one in value] if isinstance(value, tuple) else value


def _made(value: Any, form: Any) -> Any:
    origin = get_origin(form)
    if origin in (Union, UnionType):
        inner = [one for one in get_args(form) if one is not NoneType]
        return None if value is None else _made(value, inner[0])
    if origin in (tuple, frozenset):
        return origin(_made(one, get_args(form)[0]) for one in _checked(value, list))
    if isinstance(form, type) and issubclass(form, tuple):
        hints = _hints(form)
        return form(*(_made(one, hint) for one, hint in zip(_checked(value, list), hints, strict=True)))
    if isinstance(form, type) and issubclass(form, StrEnum):
        return form(value)
    return _checked(value, form)


def _checked(value: Any, form: type) -> Any:
    if type(value) is not form:
        raise TypeError
    return value


@cache
def _hints(form: type) -> tuple[Any, ...]:
    return tuple(get_type_hints(form).values())
