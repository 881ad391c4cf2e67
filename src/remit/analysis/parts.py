"""Machines made of parts: a part names those that it uses as annotations, and `connect` hands them to it."""

from __future__ import annotations

from collections.abc import Iterable

_NAMED: dict[type, tuple[tuple[str, str], ...]] = {}


def connect(parts: Iterable[object]) -> None:
    """Give each part the others that it names (`lookup: Lookup`)."""
    all_parts = tuple(parts)
    known = {kind.__name__: part for part in all_parts for kind in type(part).__mro__}
    for part in all_parts:
        for name, kind in _named(type(part)):
            if kind in known:
                setattr(part, name, known[kind])


def _named(kind: type) -> tuple[tuple[str, str], ...]:
    if kind not in _NAMED:
        _NAMED[kind] = tuple(
            (name, str(said).rpartition(".")[2])
            for cls in kind.__mro__
            for name, said in getattr(cls, "__annotations__", {}).items()
        )
    return _NAMED[kind]
