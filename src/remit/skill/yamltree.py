"""YAML as a tree of nodes, with limits.

The composer of libyaml's binding recurses in C: some ten thousand open brackets crash the process. The events of the
parser come from a state machine, so their nesting is measured first.
"""

from __future__ import annotations

from typing import Any

import yaml

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MAX_BYTES = 256 * 1024
_MAX_DEPTH = 200
_SHORT = 400  # a text of this length cannot nest deeper than the limit


class YamlError(Exception):
    """The text is not YAML, or exceeds a limit; `line` counts from 0."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


def compose(text: str) -> yaml.Node | None:
    """Return the root node; None for an empty text."""
    if len(text) > _MAX_BYTES:
        raise YamlError(f"it has more than {_MAX_BYTES} bytes")
    try:
        if len(text) > _SHORT:
            _measure(text)
        node: yaml.Node | None = yaml.compose(text, Loader=_LOADER)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "unreadable"
        raise YamlError(str(problem), mark.line if mark else 0) from None
    except (RecursionError, ValueError, OverflowError) as error:
        raise YamlError(f"unreadable ({type(error).__name__})") from None
    return node


def first_anchor(text: str) -> int | None:
    """Return the line (from 0) of the first anchor or alias in a text that can be composed; None if there is none."""
    if "&" not in text and "*" not in text:
        return None
    for event in yaml.parse(text, Loader=_LOADER):
        if getattr(event, "anchor", None):
            return int(event.start_mark.line)
    return None


def _measure(text: str) -> None:
    depth = 0
    for event in yaml.parse(text, Loader=_LOADER):
        if isinstance(event, (yaml.SequenceStartEvent, yaml.MappingStartEvent)):
            depth += 1
            if depth > _MAX_DEPTH:
                raise YamlError("it is nested too deeply", event.start_mark.line if event.start_mark else 0)
        elif isinstance(event, (yaml.SequenceEndEvent, yaml.MappingEndEvent)):
            depth -= 1
