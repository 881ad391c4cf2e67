"""Stories: a trace as text, with each event and what it changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from remit.models.explore.search import Violation

_FIRST = "at first"


def story(violation: Violation) -> list[str]:
    """Return the lines, the first with the initial state."""
    start = violation.trace[0].state
    lines = [f"{_FIRST}: {_all(start)}"]
    before = start
    for number, step in enumerate(violation.trace[1:], 1):
        chosen = f" {told(step.choice)}" if step.choice not in ((), None) else ""
        lines.append(f"{number}. {step.action}{chosen}: {_changed(before, step.state)}")
        before = step.state
    return [*lines, _end(violation)]


def _end(violation: Violation) -> str:
    if violation.again is None:
        return f"here `{violation.invariant}` fails"
    steps = len(violation.trace) - 1
    so = f"and again from {violation.again + 1} on" if violation.again < steps else "and nothing more happens"
    return f"{so}, for ever: `{violation.invariant}` does not come about"


def told(value: Any) -> str:
    """Return a value in few words: a NamedTuple by its name and fields, other tuples by their elements."""
    if hasattr(value, "told"):
        return told(value.told())
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{told(key)}: {told(item)}' for key, item in value.items())}}}"
    if hasattr(value, "_fields"):
        return f"{type(value).__name__}({', '.join(told(item) for item in value)})"
    if isinstance(value, tuple):
        return f"({', '.join(told(item) for item in value)})"
    if isinstance(value, frozenset):
        return f"{{{', '.join(sorted(told(item) for item in value))}}}"
    if isinstance(value, bytes):
        return value.hex()[:8]
    return "nothing" if value is None else str(value)


def _all(state: Any) -> str:
    return ", ".join(f"{name} {told(value)}" for name, value in _fields(state))


def _changed(before: Any, after: Any) -> str:
    pairs = zip(_fields(before), _fields(after), strict=True)
    found = [f"{name} {told(new)}" for (name, old), (_, new) in pairs if old != new]
    return ", ".join(found) or "nothing changes"


def _fields(state: Any) -> list[tuple[str, Any]]:
    if hasattr(state, "_fields"):
        return list(zip(state._fields, state, strict=True))
    return [("state", state)]
