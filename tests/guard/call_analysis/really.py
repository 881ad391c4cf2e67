"""Runs small programs for real, each in a process and a folder of its own, and says which files they wrote."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_RUNNER = """
import json, os, runpy, sys
for number, (folder, script, words) in enumerate(json.load(sys.stdin)):
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        continue
    try:
        os.chdir(folder)
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        sys.path[0] = folder
        sys.argv[:] = [script, *words]
        runpy.run_path(script, run_name="__main__")
    finally:
        os._exit(0)
"""


class Run(NamedTuple):
    """A program in a folder, and its words."""

    folder: Path
    script: str
    words: tuple[str, ...]


def written(runs: Sequence[Run]) -> list[set[str]]:
    """The files that are there after each run and were not there before."""
    before = [_files(run.folder) for run in runs]
    given = json.dumps([(str(run.folder), run.script, run.words) for run in runs])
    subprocess.run([sys.executable, "-c", _RUNNER], input=given, text=True, check=True, timeout=300)
    return [_files(run.folder) - known for run, known in zip(runs, before, strict=True)]


def _files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"}
