"""Temporary patches: one function of ours is replaced, and always restored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.errors import InputError

if TYPE_CHECKING:
    from types import ModuleType


class Patch(NamedTuple):
    """A function of a module, and a function that makes its mutant."""

    module: ModuleType
    name: str
    spoil: Callable[[Any], Any]

    @property
    def shown(self) -> str:
        """The patched name."""
        return f"{self.module.__name__.removeprefix('remit.')}.{self.name}"


@contextmanager
def spoiled(patch: Patch | None) -> Iterator[None]:
    """Apply a patch, if any, within the context."""
    if patch is None:
        yield
        return
    held = vars(patch.module)
    real = held.get(patch.name)
    if real is None:
        raise InputError(f"`{patch.shown}` is not there", "let the mutant spoil a function that the code has")
    made = patch.spoil(real)
    if made is real:
        raise InputError(f"`{patch.shown}` is not changed", "let the mutant change something")
    held[patch.name] = made
    try:
        yield
    finally:
        held[patch.name] = real


@contextmanager
def all_spoiled(patches: Iterable[Patch]) -> Iterator[None]:
    """Apply several patches within the context."""
    with ExitStack() as stack:
        for patch in patches:
            stack.enter_context(spoiled(patch))
        yield
