"""Values of a hook's JSON, whose types nobody vouches for."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_NOTHING: Mapping[str, Any] = MappingProxyType({})


def text(value: Any) -> str:
    """A text; what is none is empty, as if it had not been told."""
    return value if isinstance(value, str) else ""


def mapping(value: Any) -> Mapping[str, Any]:
    """An object; what is none is empty, so that every argument is missing."""
    return value if isinstance(value, dict) else _NOTHING


def leaves(value: Any) -> Iterator[str]:
    """All texts inside of a value, in order: what a tool printed, whatever the form of its result."""
    todo = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, dict):
            todo.extend(reversed(item.values()))
        elif isinstance(item, list):
            todo.extend(reversed(item))
