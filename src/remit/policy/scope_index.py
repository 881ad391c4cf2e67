"""An index of rules by the beginning of their scopes, so that only a few need an exact comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

from remit.core.scope import NameScope, PathScope, Scope

_WILD = ("*", "?", "\\")
T = TypeVar("T")


class _Anchored(NamedTuple):
    """Indexes of items whose paths share an anchor, by their leading fixed components."""

    lengths: tuple[int, ...]
    by_parts: Mapping[tuple[str, ...], tuple[int, ...]]
    every: tuple[int, ...]


class Finder(Generic[T]):
    """An index of items by scope. It may return items that do not meet the scope, but never omits one that does."""

    __slots__ = ("_names", "_others", "_paths", "items")

    def __init__(self, items: Sequence[tuple[T, Sequence[Scope]]]) -> None:
        self.items = tuple(item for item, _ in items)
        paths: dict[str, dict[tuple[str, ...], list[int]]] = {}
        names: list[tuple[str, int]] = []
        others: dict[int, None] = {}
        for number, (_, scopes) in enumerate(items):
            for scope in scopes:
                if isinstance(scope, PathScope):
                    paths.setdefault(scope.anchor, {}).setdefault(_fixed(scope.parts), []).append(number)
                elif isinstance(scope, NameScope):
                    names.append((_start(scope.pattern), number))
                else:
                    others[number] = None
        self._others = tuple(others)
        self._names = tuple(names)
        self._paths = {anchor: _anchored(by_parts) for anchor, by_parts in paths.items()}

    def near(self, scope: Scope) -> Sequence[T]:
        """Return the items that may meet a scope, in order; all, if the scope has no fixed beginning."""
        if not self.items:
            return ()
        if isinstance(scope, PathScope):
            numbers = self._near_path(scope)
        elif isinstance(scope, NameScope) and "*" not in scope.pattern and "?" not in scope.pattern:
            numbers = {*self._others, *(number for start, number in self._names if scope.pattern.startswith(start))}
            for known in self._paths.values():  # a path that begins with a symbol may be a name in the end
                numbers.update(known.every)
        else:
            return self.items
        return self.items if numbers is None else [self.items[number] for number in sorted(numbers)]

    def _near_path(self, scope: PathScope) -> set[int] | None:
        whole = "/".join(scope.parts)
        if "*" in whole or "?" in whole:
            return None
        numbers = {*self._others, *(number for _, number in self._names)}
        for anchor, known in self._paths.items():
            if anchor != scope.anchor:  # the relation of the two is unknown
                numbers.update(known.every)
            else:
                for length in known.lengths:
                    numbers.update(known.by_parts.get(scope.parts[:length], ()))
        return numbers


def _anchored(by_parts: Mapping[tuple[str, ...], Sequence[int]]) -> _Anchored:
    every = sorted({number for numbers in by_parts.values() for number in numbers})
    frozen = {parts: tuple(numbers) for parts, numbers in by_parts.items()}
    return _Anchored(tuple(sorted({len(parts) for parts in by_parts})), frozen, tuple(every))


def _fixed(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the leading components, up to one with a wildcard or an escape."""
    for at, part in enumerate(parts):
        if any(char in part for char in _WILD):
            return parts[:at]
    return parts


def _start(pattern: str) -> str:
    """Return the leading characters, up to a wildcard or an escape."""
    for at, char in enumerate(pattern):
        if char in _WILD:
            return pattern[:at]
    return pattern
