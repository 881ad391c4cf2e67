"""The process in which a skill is looked at: one question on standard input, one answer on standard output, and it ends.

A process of its own, because an analysis takes its time and cannot be stopped halfway: what became stale is killed.
"""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path

from remit.editor.overlay import look

_MEMORY = 4 << 30


def main() -> int:
    """Answer the one question."""
    line = sys.stdin.buffer.readline()
    if not line:
        return 0  # nobody has a question any more
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    asked = json.loads(line)
    found = look(Path(asked["folder"]), asked["texts"], [Path(path) for path in asked["summaries"]])
    sys.stdout.buffer.write(json.dumps([note.encode() for note in found]).encode("ascii"))
    sys.stdout.buffer.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
