"""Admission of a skill's bundle against the user's trust root.

It runs `remit verify` in a separate process: its checkers and solvers are large and take seconds. The daemon stays
small, and asks once for each content.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

from remit.bundle.admission import Admission
from remit.bundle.codes import reason
from remit.bundle.trust import Clearance
from remit.bundle.trust_read import read_trust_root
from remit.manifest.model import Verification

if TYPE_CHECKING:
    from pathlib import Path

    from remit.guard.state_folder import StateFolder

TRUST_ROOT = "trust-root.json"  # in the state folder
_SECONDS = 15


class Trust(NamedTuple):
    """What the user's trust root says about readers and bundles. Without one, no reader is cleared and no skill is
    vouched for.
    """

    path: Path | None = None
    clearance: Clearance = Clearance()
    require_bundle: bool = False


def read_trust(places: StateFolder) -> Trust:
    """Read the current trust root."""
    path = places.folder / TRUST_ROOT
    if not path.exists():
        return Trust()
    root = read_trust_root(path)
    return Trust(path, root.clearance, root.require_bundle)


def admission_of(folder: Path, trust: Trust) -> Admission | None:
    """Return the result of admission; None if there is nothing to admit. If it fails, nothing is verified, and a
    required bundle is refused.
    """
    if trust.path is None or not (trust.require_bundle or (folder / "evidence").is_dir()):
        return None
    words = [sys.executable, "-I", "-m", "remit.cli", "verify", str(folder), "--trust-root", str(trust.path)]
    try:
        done = subprocess.run([*words, "--format", "json"], capture_output=True, timeout=_SECONDS, check=False)  # noqa: S603
        found = json.loads(done.stdout)
        return Admission(
            Verification(found["level"]),
            Verification(found["claimed"]),
            refused=found["refused"] is not False,
            reasons=tuple(reason(item["code"], item["detail"]) for item in found["reasons"]),
            steps=(),
        )
    except (OSError, subprocess.SubprocessError, ValueError, KeyError, TypeError):
        nothing = Verification.UNVERIFIED
        return Admission(nothing, nothing, refused=trust.require_bundle, reasons=(), steps=())
