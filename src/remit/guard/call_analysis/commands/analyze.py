"""The questions: what would this command do, what would this code do."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from remit.guard.call_analysis.commands.analysis_session import CommandAnalysis, SpentError
from remit.guard.call_analysis.commands.model import Doubt
from remit.guard.call_analysis.commands.understanding import understanding

if TYPE_CHECKING:
    from collections.abc import Callable

    from remit.guard.call_analysis.commands.cache import Cache
    from remit.guard.call_analysis.commands.model import Place, Understanding

SECONDS = 2.0
MAX_COMMAND = 100_000  # characters


def understand(command: str, place: Place, *, cache: Cache | None = None, seconds: float = SECONDS) -> Understanding:
    """What a shell command would do. Never raises: what cannot be followed is a doubt."""
    return _asked(("shell", command, place), command, cache, seconds, lambda session: session.command(command))


def understand_code(
    language: str, text: str, place: Place, *, cache: Cache | None = None, seconds: float = SECONDS
) -> Understanding:
    """The same for code that a tool runs without a shell: a cell of a notebook, a line of a REPL."""
    return _asked((language, text, place), text, cache, seconds, lambda session: session.code(language, text))


def _asked(
    key: tuple[str, str, Place],
    text: str,
    cache: Cache | None,
    seconds: float,
    run: Callable[[CommandAnalysis], None],
) -> Understanding:
    known = None if cache is None else cache.get(key)
    if known is not None:
        return known
    begun = time.time_ns()
    session = CommandAnalysis(key[2], seconds)
    extra: tuple[Doubt, ...] = ()
    shown = text[:200]
    if len(text) > MAX_COMMAND:
        extra = (Doubt(f"it has {len(text):,} characters, and more than {MAX_COMMAND:,} are not read", shown),)
    elif "\0" in text:
        extra = (Doubt("it holds a character that no shell takes", shown),)
    else:
        try:
            session.follow(run)
        except SpentError:
            extra = (Doubt("it takes too long to find out what this does", shown),)
        except Exception as error:  # noqa: BLE001  whatever goes wrong is a doubt, never an answer
            extra = (Doubt(f"it cannot be followed ({type(error).__name__})", shown),)
    found = understanding(session, text, extra)
    if cache is not None and not extra:
        found = cache.put(key, found, begun)
    return found
