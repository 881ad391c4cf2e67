"""Managed settings for one process: /etc/claude-code is a folder of the test's, in a mount namespace; this machine keeps its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Mapping

PLACE = "claude-code"


def managed(folder: Path, settings: Mapping[str, Any]) -> list[str]:
    """Words to put before a command, so that it finds these managed settings. Skips where that cannot be."""
    folder.mkdir()
    (folder / "managed-settings.json").write_text(json.dumps(settings))
    return managed_folder(folder)


def managed_folder(folder: Path, home: Path | None = None) -> list[str]:
    """The same for a folder of managed settings that is there. `home`: the one that the user database has for us."""
    bwrap = shutil.which("bwrap") or pytest.skip("bubblewrap is not installed, so managed settings cannot be tried")
    words = [bwrap, "--bind", "/", "/", "--dev-bind", "/dev", "/dev", "--tmpfs", "/etc"]
    for entry in Path("/etc").iterdir():
        if entry.is_symlink():
            words += ["--symlink", str(entry.readlink()), str(entry)]
        elif entry.name != PLACE and os.access(entry, os.R_OK):
            words += ["--ro-bind", str(entry), str(entry)]
    words += ["--ro-bind", str(folder), f"/etc/{PLACE}"]
    if home is not None:
        users = folder.with_name("users")
        users.write_text(f"somebody:x:{os.geteuid()}:{os.getegid()}::{home}:/bin/sh\n")
        words += ["--ro-bind", str(users), "/etc/passwd"]
    if subprocess.run([*words, "true"], capture_output=True, check=False).returncode:
        pytest.skip("namespaces cannot be made here, so managed settings cannot be tried")
    return words


def only_ours(claude, answers):
    """The stand-in as a managed hook, and no hook of anybody else."""
    return managed(claude.scratch / "managed", claude.stand_in(answers) | {"allowManagedHooksOnly": True})
