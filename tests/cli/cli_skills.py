"""Small skills on disk, and the command run in this process or its own."""

import os
import subprocess
import sys
from pathlib import Path

from remit.cli.main import main

READER = "import sys\nprint(open(sys.argv[1]).read())\n"
CLEANER = "import os, sys\nos.remove(sys.argv[1])\n"
UNKNOWN = 'import frobnicate\nfrobnicate.go(open("x"))\n'  # nobody describes it


def skill(root: Path, name: str, script: str = READER, *, manifest: str | None = None) -> Path:
    folder = root / name
    (folder / "scripts").mkdir(parents=True)
    (folder / "SKILL.md").write_text(f"---\nname: {name}\ndescription: A small skill\n---\n# {name}\n")
    (folder / "scripts" / "run.py").write_text(script)
    if manifest is not None:
        (folder / "remit.json").write_text(manifest)
    return folder


def run(capfd, *argv: object) -> tuple[int, str, str]:
    """The status and what was printed, in this process (workers are forked from it)."""
    try:
        status = main([str(word) for word in argv])
    except SystemExit as error:
        status = int(error.code or 0)
    out, err = capfd.readouterr()
    return status, out, err


def spawn(*argv: object, cwd: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "remit.cli", *map(str, argv)],
        capture_output=True, text=True, timeout=300, check=False, cwd=cwd, env={**os.environ, **env},
    )  # fmt: skip
