"""The level of a skill that brings a bundle: `remit verify` is asked, in a process of its own, against the trust root of the user.

The checkers and solvers that admission needs are large and take seconds; the daemon stays small, and asks once for each content.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

from remit.manifest.model import Verification

if TYPE_CHECKING:
    from pathlib import Path

    from remit.guard.places import Places

TRUST_ROOT = "trust-root.json"  # in the state folder
_SECONDS = 15


def admitted_level(folder: Path, places: Places) -> Verification:
    """What admission finds. Without a trust root, and whatever goes wrong, it is `unverified`."""
    root = places.folder / TRUST_ROOT
    if not root.is_file():
        return Verification.UNVERIFIED
    words = [
        sys.executable,
        "-I",
        "-m",
        "remit.cli",
        "verify",
        str(folder),
        "--trust-root",
        str(root),
        "--format",
        "json",
    ]
    try:
        done = subprocess.run(words, capture_output=True, timeout=_SECONDS, check=False)  # noqa: S603  our own program
        found = json.loads(done.stdout)
        refused, level = found["refused"], Verification(found["level"])
    except (OSError, subprocess.SubprocessError, ValueError, KeyError, TypeError):
        return Verification.UNVERIFIED
    return Verification.UNVERIFIED if refused is not False else level
