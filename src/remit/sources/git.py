"""Runs the program `git` so that neither a repository nor the user's settings influence what it runs.

No hooks, no prompts, no pager, no file system monitor, no credential helper, no replaced objects, none of the caller's
`GIT_…` variables. Reading objects allows no protocol at all: a missing object stays missing, and is not fetched by a
command that a repository names.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from remit.core.errors import InputError, LimitError
from remit.skill.walk import shown

if TYPE_CHECKING:
    from remit.sources.unpack import Bounds

NOTHING = "none"  # no valid protocol
_LAST = 4096  # bytes of git's output that are read
_OPTIONS = ("--no-pager", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "credential.helper=")
_VARIABLES = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",  # a replacement is no part of the commit
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_SSH_COMMAND": "ssh -oBatchMode=yes -oForwardAgent=no -oClearAllForwardings=yes -oPermitLocalCommand=no",
    "LC_ALL": "C",
}
_PASSED_ON = (
    "PATH", "HOME", "SSH_AUTH_SOCK", "http_proxy", "https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY", "SSL_CERT_FILE", "TMPDIR",
)  # fmt: skip
_NO_LOGIN = re.compile(r"could not read (?:Username|Password)|Authentication failed|Permission denied|Host key ver")


def command(repository: str, *words: str) -> list[str]:
    """Return the words of a command on a repository."""
    return ["git", *_OPTIONS, f"--git-dir={repository}", *words]


def make_repository(folder: str, remote: str, url: str) -> None:
    """Make an empty repository of our own, with one remote."""
    _said(["git", *_OPTIONS, "init", "--quiet", "--bare", "--template=", folder])
    ask(folder, "config", f"remote.{remote}.url", url)


def environment(protocols: str = NOTHING) -> dict[str, str]:
    """Return an environment without the caller's Git settings, except how to connect. `protocols` are separated by
    colons.
    """
    passed = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    return passed | _VARIABLES | {"GIT_ALLOW_PROTOCOL": protocols}


def ask(repository: str, *words: str) -> bytes:
    """Return the output of a command that reads a repository and fetches nothing."""
    return _said(command(repository, *words))


def _said(words: list[str]) -> bytes:
    try:
        done = subprocess.run(  # noqa: S603  words of our own, and names that cannot be options
            words, env=environment(), stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
    except FileNotFoundError:
        raise _no_git() from None
    if done.returncode:
        raise _failed(done.stderr.decode("utf-8", "replace"))
    return done.stdout


def fetch(repository: str, protocols: str, bounds: Bounds, words: list[str], ids: str = "") -> None:
    """Fetch into a repository of our own, with limits of time and size. `ids` are objects requested by name."""
    fetching = ("-c", "fetch.unpackLimit=1", "-c", "gc.auto=0", "-c", "fetch.negotiationAlgorithm=noop", "fetch")
    quiet = ("--quiet", "--no-tags", "--no-recurse-submodules", "--filter=blob:none")
    log = f"{repository}/said"
    with open(log, "w+b") as said:
        try:
            with _largest_file(bounds.bytes):  # one fetch is one file (`unpackLimit`)
                process = subprocess.Popen(  # noqa: S603  as above
                    [*command(repository, *fetching), *quiet, *words],
                    env=environment(protocols),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=said,
                    start_new_session=True,
                )
        except FileNotFoundError:
            raise _no_git() from None
        try:
            process.communicate(ids.encode("ascii"), timeout=bounds.seconds or None)
        except subprocess.TimeoutExpired:
            raise LimitError(f"fetching took more than {bounds.seconds} seconds", "try again later") from None
        finally:
            _end(process)
        if process.returncode:
            if _is_full(repository, bounds.bytes):
                message = f"the repository sends more than {bounds.bytes} bytes"
                raise LimitError(message, "fetch it yourself, and give the folder")
            said.seek(max(0, os.fstat(said.fileno()).st_size - _LAST))
            raise _failed(said.read().decode("utf-8", "replace"))


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a running process, with all that it started."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@contextmanager
def _largest_file(size: int) -> Iterator[None]:
    """Limit the file size of the child process; it is killed by a signal if it exceeds that."""
    try:
        import resource  # noqa: PLC0415  Windows does not have it
    except ImportError:
        message = "repositories are fetched on Linux and macOS only, because nothing limits their size here"
        raise InputError(message, "clone it yourself, and give the folder") from None
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    limits = [size] + [one for one in before if one != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_FSIZE, (min(limits), before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def _is_full(repository: str, size: int) -> bool:
    """Whether a fetched file has reached the size limit."""
    with os.scandir(f"{repository}/objects/pack") as files:
        return any(file.stat(follow_symlinks=False).st_size >= size for file in files)


def _no_git() -> InputError:
    return InputError("the program `git` is not installed", "install Git, or give a folder or an archive")


def _failed(said: str) -> InputError:
    """Return the line of git's output that says why it failed."""
    if _NO_LOGIN.search(said):
        message = "the repository does not exist, or requires a login, which Remit does not ask for"
        return InputError(message, "check the address, or clone it yourself and give the folder")
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    reasons = [line for line in lines if line.startswith(("fatal:", "error:", "ERROR:"))] or lines
    reason = shown(reasons[0])[:200] if reasons else "there is no such commit"
    return InputError(f"git says: {reason}", "check the repository and the revision")
