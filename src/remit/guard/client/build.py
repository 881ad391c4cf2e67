"""Compilation of the client into the state folder, if there is a compiler, and the command line of the hook."""

from __future__ import annotations

import secrets
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from remit.core.errors import GuardError
from remit.version import VERSION

if TYPE_CHECKING:
    from remit.guard.state_folder import StateFolder

_HERE = Path(__file__).resolve().parent
SOURCE = _HERE / "client.c"
SCRIPT = _HERE / "client.py"
_DAEMON = _HERE.parent / "daemon" / "__main__.py"
_COMPILERS = ("cc", "gcc", "clang")
_PATH = "/usr/local/bin:/usr/bin:/bin"  # fixed, because the environment's PATH may lead into a workspace
_FLAGS = ("-std=c11", "-O2", "-Wall", "-Wextra", "-Werror")
_SECONDS = 120


def find_compiler() -> str | None:
    """Return the system's compiler, if there is one."""
    return next(filter(None, (shutil.which(name, path=_PATH) for name in _COMPILERS)), None)


def build_client(places: StateFolder, daemon: Path = _DAEMON) -> Path | None:
    """Compile the client into the state folder; None without a compiler: then the Python client is used."""
    compiler = find_compiler()
    if compiler is None:
        return None
    draft = places.folder / f".client.{secrets.token_hex(8)}"
    names = {"REMIT_PYTHON": sys.executable, "REMIT_DAEMON": str(daemon), "REMIT_VERSION": VERSION}
    flags = [*_FLAGS, *(f"-D{name}={_literal(value)}" for name, value in names.items())]
    try:
        _compile([compiler, *flags, "-o", str(draft), str(SOURCE)])
        draft.chmod(0o700)
        draft.replace(places.client)
    finally:
        draft.unlink(missing_ok=True)
    return places.client


def hook_command(host: str, event: str, seconds: float, state: str, compiled: Path | None = None) -> tuple[str, ...]:
    """Return the hook's command: the compiled client, or the Python one, by absolute paths whatever the environment
    says.

    It contains the state folder, because files of a workspace can set the host's environment too.
    """
    program = (sys.executable, "-I", "-S", str(SCRIPT)) if compiled is None else (str(compiled),)
    return (*program, host, event, f"{seconds:g}", state)


def _literal(text: str) -> str:
    """Return a C string literal."""
    if any(not 32 <= ord(letter) < 127 for letter in text):
        raise GuardError(f"`{text}` cannot be written into the compiled client", "use the Python client")
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _compile(command: Sequence[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired) as error:
        raise GuardError(f"the client cannot be compiled: {error}", "use the Python client") from None
    if done.returncode:
        raise GuardError(f"the client cannot be compiled: {done.stderr.strip()[:500]}", "use the Python client")
