"""Real agents for tests. They are installed once, outside of the repository: $REMIT_HOSTS, else ~/.cache/remit-tests."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

import pytest

CLAUDE_CODE = "@anthropic-ai/claude-code@2.1.197"
CODEX = "@openai/codex@0.166.0"
INSTALL_SECONDS = 300


def installed(package: str, program: str) -> Path:
    """The program of an npm package, installed if it is not there. Tests are skipped where that cannot be."""
    if shutil.which("node") is None:
        pytest.skip(f"Node is not installed, so {package} cannot run")
    folder = Path(os.environ.get("REMIT_HOSTS") or Path.home() / ".cache/remit-tests") / package.replace("/", "+")
    found = folder / "node_modules/.bin" / program
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run in several processes
        if not (folder / "complete").exists():
            _install(folder, package)
            if not _runs(found):
                pytest.skip(f"{package} is installed but `{program} --version` does not run here")
            (folder / "complete").touch()
    return found


def _install(folder: Path, package: str) -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip(f"npm is not installed, so {package} cannot be")
    try:
        done = subprocess.run(
            [npm, "install", "--prefix", folder, "--no-audit", "--no-fund", package],
            capture_output=True, text=True, timeout=INSTALL_SECONDS, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        pytest.skip(f"npm did not install {package} in {INSTALL_SECONDS} seconds")
    if done.returncode:
        pytest.skip(f"npm cannot install {package}: {done.stderr.strip()[-200:]}")


def _runs(program: Path) -> bool:
    try:
        return subprocess.run([program, "--version"], capture_output=True, timeout=300, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False
