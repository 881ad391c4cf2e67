"""Skills of a Git revision, written to a folder: blobs unchanged, and nothing of the repository is run.

`git archive` and `git checkout` obey attributes and filters of the repository; here trees are listed and blobs are
copied.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import IO, NamedTuple, cast

from remit.core.errors import UsageError

_PLAIN, _EXECUTABLE, _LINK = "100644", "100755", "120000"
_MOST = 1 << 30  # bytes of one revision
_NO = {"GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_REPLACE_OBJECTS": "1"}


class _Blob(NamedTuple):
    mode: str
    name: str
    path: str


def toplevel(path: Path) -> Path:
    """Return the repository around a path."""
    here = path if path.is_dir() else path.parent
    try:
        return Path(_git(here if here.exists() else Path(), "rev-parse", "--show-toplevel").decode().rstrip("\n"))
    except UsageError:
        raise UsageError(f"`{path}` is in no Git repository", "compare with a folder or a lock file instead") from None


def extract(repository: Path, revision: str, paths: list[str], into: Path) -> None:
    """Write the files of a revision at or below some paths."""
    try:
        commit = _git(repository, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    except UsageError:
        message = f"`{revision}` is no revision of the repository `{repository}`"
        raise UsageError(message, "fetch it first (in CI: a checkout with its history)") from None
    listed = _git(repository, "ls-tree", "-r", "-z", "--full-tree", commit.decode().strip(), "--", *_below(paths))
    _write([_blob(line) for line in listed.decode("utf-8", "surrogateescape").split("\0") if line], repository, into)


def _below(paths: list[str]) -> list[str]:
    return [] if "." in paths else paths


def _blob(line: str) -> _Blob:
    head, _, path = line.partition("\t")
    mode, _, name = head.split(" ")
    return _Blob(mode, name, path)


def _write(blobs: list[_Blob], repository: Path, into: Path) -> None:
    """Write blobs in sequence from one process; anything but a file or a link (a submodule) is left out."""
    wanted = [blob for blob in blobs if blob.mode in (_PLAIN, _EXECUTABLE, _LINK)]
    left = _MOST
    with subprocess.Popen(  # noqa: S603  (as below)
        [_program(), "cat-file", "--batch"],
        cwd=repository,
        env=os.environ | _NO,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        asked, answered = cast("IO[bytes]", process.stdin), cast("IO[bytes]", process.stdout)
        for blob in wanted:
            asked.write(f"{blob.name}\n".encode())
            asked.flush()
            size = _size(answered.readline(), blob)
            left -= size
            if left < 0:
                process.kill()
                raise UsageError(f"the revision holds more than {_MOST} bytes", "name the folders of skills alone")
            _put(blob, answered.read(size), into / blob.path)
            answered.read(1)
        asked.close()


def _size(answer: bytes, blob: _Blob) -> int:
    *_, kind, size = answer.split() or (b"", b"", b"0")
    if kind != b"blob":
        raise UsageError(f"`{blob.path}` is not in this clone", "fetch the revision with its files")
    return int(size)


def _put(blob: _Blob, data: bytes, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if blob.mode == _LINK:
        path.symlink_to(os.fsdecode(data))
        return
    path.write_bytes(data)
    if blob.mode == _EXECUTABLE:
        path.chmod(0o755)


def _git(folder: Path, *words: str) -> bytes:
    try:
        return subprocess.run(  # noqa: S603  a revision is looked up with --end-of-options, paths stand after --
            [_program(), *words], cwd=folder, env=os.environ | _NO, capture_output=True, check=True
        ).stdout
    except subprocess.CalledProcessError as error:
        raise UsageError(f"git: {error.stderr.decode(errors='replace').strip()}", "look at the repository") from None


def _program() -> str:
    found = shutil.which("git")
    if found is None:
        raise UsageError("there is no `git` on this machine", "install it, or compare with a folder or a lock file")
    return found
