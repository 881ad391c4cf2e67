"""Runs each command that works on every operating system, on examples: exit status 1 if one does something else than it should.

It needs Remit and the core alone, so that it runs where tests do not.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HOSTILE, PLAIN = "hostile-backup", "sales-report"
# words, exit status, and what is printed
COMMANDS = [
    (("--version",), 0, "remit"),
    (("check", PLAIN), 0, "no concerns"),
    (("check", HOSTILE), 1, "DO NOT INSTALL"),
    (("check", PLAIN, HOSTILE, "-j", "2", "--no-cache"), 1, "2 skills"),
    (("init", PLAIN), 0, ""),
    (("check", PLAIN), 0, "inside remit.json"),
    (("diff", PLAIN, PLAIN), 0, ""),
    (("diff", PLAIN, HOSTILE), 1, ""),
    (("lock", PLAIN), 0, "1 skill locked"),
    (("lock", PLAIN, "--check"), 0, ""),
    (("explain", "web.post"), 0, "web.post"),
    (("schema", "manifest"), 0, "permissions"),
    (("schema", "prove"), 0, "containment"),
    (("completion", "bash"), 0, "remit"),
    (("verify", PLAIN, "--trust-root", "none.json"), 2, ""),
]
ELSEWHERE = (("guard", "status"), 2, "needs Linux")


def tried(folder: Path, words: tuple[str, ...], status: int, printed: str) -> bool:
    home = {name: str(folder / "home") for name in ("HOME", "USERPROFILE", "XDG_CACHE_HOME", "XDG_STATE_HOME")}
    done = subprocess.run(
        [sys.executable, "-P", "-m", "remit.cli", *words], cwd=folder, env={**os.environ, **home, "PYTHONUTF8": "1"},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, encoding="utf-8", timeout=600, check=False,
    )  # fmt: skip
    fine = done.returncode == status and printed in done.stdout + done.stderr
    print("ok    " if fine else "FAILED", "remit", *words, flush=True)
    if not fine:
        print(json.dumps([done.returncode, done.stdout[-2_000:], done.stderr[-2_000:]], indent=1))
    return fine


def main() -> int:
    elsewhere = sys.platform != "linux" or not hasattr(os, "fork")
    with tempfile.TemporaryDirectory(prefix="remit-commands-") as name:
        folder = Path(name).resolve()
        for example in (HOSTILE, PLAIN):
            shutil.copytree(ROOT / "examples" / example, folder / example)
        failed = [one for one in [*COMMANDS, *[ELSEWHERE] * elsewhere] if not tried(folder, *one)]
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
