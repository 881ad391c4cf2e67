"""What a call says: its commands word by word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import Text

if TYPE_CHECKING:
    from remit.analysis.domain import Value


class CommandWords:
    """Commands in the order in which they are met, each once."""

    def __init__(self) -> None:
        self.words: dict[tuple[str, ...], None] = {}
        self.inner: dict[tuple[str, ...], None] = {}  # words of commands that scripts run

    def command(self, words: tuple[Value, ...], rest: Value, *, hosted: bool) -> None:
        """A simple command, of the call itself or of a script."""
        (self.words if hosted else self.inner)[self.plain(words, rest)] = None

    @staticmethod
    def plain(words: tuple[Value, ...], rest: Value) -> tuple[str, ...]:
        """Words as they are shown."""
        return tuple(map(_shown, words)) + (("<any>",) if rest else ())


def _shown(value: Value) -> str:
    item = next(iter(value)) if len(value) == 1 else None
    if not isinstance(item, Text):
        return "<any>"
    return "".join(part if isinstance(part, str) else f"<{part.origin}>" for part in item.parts)
