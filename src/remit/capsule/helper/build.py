"""The compiler of C helpers: each version of a source is compiled once, into a folder of the caller alone."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import secrets
import shutil
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from remit.capsule.confinement import SEARCHED
from remit.core.errors import CapsuleError

if TYPE_CHECKING:
    from remit.policy.permit import Permit

SOURCE = Path(__file__).resolve().with_name("init.c")
_COMPILERS = ("cc", "gcc", "clang")
_FLAGS = ("-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-s")
_INCLUDED = re.compile(rb'^#include "([^"]+)"', re.MULTILINE)
_SECONDS = 120
_REMEDY = "run: sudo apt-get install -y gcc libc6-dev"


def helper(permit: Permit, folder: Path) -> bytes:
    """Return the compiled helper; without it and without a compiler, an error: no command runs unconfined."""
    del permit  # who acts holds one
    return _kept(compiled(SOURCE, folder)) or b""


def compiled(source: Path, folder: Path) -> Path:
    """Return the program compiled from a source of ours. A file that other users can write to is not used."""
    name = f"{source.stem}-{hashlib.sha256(b''.join(_parts(source))).hexdigest()[:16]}-{platform.machine()}"
    path = folder / name
    if _kept(path) is None:
        _build(source, path)
    if _kept(path) is None:
        raise CapsuleError(f"`{path}` is not what was compiled", "remove it, and look who writes there")
    return path


def _parts(source: Path) -> Iterator[bytes]:
    """Yield a source, and our files that it includes."""
    text = source.read_bytes()
    yield text
    for name in _INCLUDED.findall(text):
        yield from _parts(source.parent / os.fsdecode(name))


def _kept(path: Path) -> bytes | None:
    """Return an earlier compilation; None for a file that other users can write to."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    with os.fdopen(handle, "rb") as file:
        state = os.fstat(handle)
        own = stat.S_ISREG(state.st_mode) and state.st_uid == os.getuid() and not state.st_mode & 0o022
        return file.read() if own else None


def _build(source: Path, path: Path) -> None:
    compiler = next(filter(None, (shutil.which(name, path=":".join(SEARCHED)) for name in _COMPILERS)), None)
    if compiler is None:
        raise CapsuleError("there is no C compiler for the capsule's helper, so nothing was run", _REMEDY)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        done = subprocess.run(  # noqa: S603  (a compiler of the system, on our own source)
            [compiler, *_FLAGS, "-o", str(draft), str(source)],
            capture_output=True,
            timeout=_SECONDS,
            check=False,
            env={"PATH": ":".join(SEARCHED), "LC_ALL": "C"},
        )
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip()[:500]
            raise CapsuleError(f"the helper that closes a capsule cannot be compiled: {said}", _REMEDY)
        draft.chmod(0o500)
        draft.replace(path)
    except (OSError, subprocess.SubprocessError) as error:
        raise CapsuleError(f"the helper that closes a capsule cannot be compiled: {error}", _REMEDY) from None
    finally:
        draft.unlink(missing_ok=True)
