"""Mutants of work queues (`gateway/inbound/stores/operations.py`), for all models that use one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def always_first(real: Callable[..., Any]) -> Callable[..., Any]:
    """Whoever joins is told to be the first."""

    def join(line: str, name: str) -> Any:
        yield from real(line, name)
        return True

    return join


def leaves_alone(real: Callable[..., Any]) -> Callable[..., Any]:
    """Who leaves names nobody that comes next."""

    def leave(line: str, name: str) -> Any:
        yield from real(line, name)

    return leave
