"""Programs that run without what Windows lacks."""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
SOURCE = HERE.parents[1] / "src"
PYTHONPATH = f"{HERE / 'without_unix'}{os.pathsep}{SOURCE}"


def python(*words, folder=None, **more):
    """Python, run to its end."""
    return subprocess.run(
        [sys.executable, *map(str, words)], cwd=folder, env={**os.environ, "PYTHONPATH": PYTHONPATH, **more},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


def remit(*words, folder=None, **more):
    """The command, run to its end."""
    return python("-m", "remit.cli", *words, folder=folder, **more)
