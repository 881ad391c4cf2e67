"""The process in which a skill is looked at: one question on standard input, one answer on standard output, and it ends.

A process of its own, because an analysis takes its time and cannot be stopped halfway: what became stale is killed.
"""

from __future__ import annotations

import contextlib
import json
import sys
from pathlib import Path

from remit.editor.overlay import look

_MEMORY = 4 << 30


def main() -> int:
    """Answer the one question."""
    line = sys.stdin.buffer.readline()
    if not line:
        return 0  # nobody has a question any more
    _limit_memory()
    asked = json.loads(line)
    found = look(Path(asked["folder"]), asked["texts"], [Path(path) for path in asked["summaries"]])
    sys.stdout.buffer.write(json.dumps([note.encode() for note in found]).encode("ascii"))
    sys.stdout.buffer.flush()
    return 0


def _limit_memory() -> None:
    """Bound the memory of this process; Windows has no way to."""
    if sys.platform != "win32":
        with contextlib.suppress(ImportError):
            import resource  # noqa: PLC0415

            resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


if __name__ == "__main__":
    sys.exit(main())
