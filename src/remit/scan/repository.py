"""Skills of a Git repository at a commit, as the commit holds them: nothing is checked out, so that neither hooks, filters nor
attributes of the repository have a say.

The repository may be hostile. The program `git` is asked for a tree and for objects only, with no protocol allowed while it
reads, so that an object that is missing is missing, and not fetched by a command that the repository's settings name. From
elsewhere one commit is fetched into an empty repository of ours.
"""

from __future__ import annotations

import io
import os
import stat
import subprocess
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

from remit.core.errors import InputError, LimitError
from remit.scan.archives import Entry
from remit.scan.unpack import Landing, safe_parts
from remit.skill.walk import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from remit.scan.unpack import Bounds

_FETCHED_BY = "https:http:ssh:git:file"
_NOTHING = "none"  # the name of no protocol
_PIECE = 1 << 20
_LINK, _SUBMODULE = "120000", "160000"
_QUIET = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",  # a replacement is no part of the commit
    "GIT_OPTIONAL_LOCKS": "0",
}
_OPTIONS = ("--no-pager", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "credential.helper=")
_PASSED_ON = ("PATH", "HOME", "SSH_AUTH_SOCK", "http_proxy", "https_proxy", "no_proxy", "SSL_CERT_FILE", "TMPDIR")


class Listed(NamedTuple):
    """A line of a tree."""

    mode: str
    object: str
    path: str


def read_repository(where: str, revision: str, folder: str, scratch: str, bounds: Bounds) -> dict[str, str]:
    """Put the files of every skill at a commit into an empty folder; what of them the repository does not hold, by skill."""
    git = _fetched(where, revision, scratch) if not os.path.isdir(where) else _local(where)
    wanted = "FETCH_HEAD" if git == scratch else revision or "HEAD"
    commit = (
        _ask(git, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{wanted}^{{commit}}")
        .decode("ascii")
        .strip()
    )
    listed = [_line(line) for line in _tree(git, commit, bounds.entries).split(b"\0") if line]
    roots = {os.path.dirname(item.path) for item in listed if _is_main(item.path)}
    inside = [item for item in listed if _owners(item.path, roots)]
    _land(git, [item for item in inside if item.mode != _SUBMODULE], Landing(folder, bounds))
    return {
        root or ".": f"`{shown(item.path)}` is a submodule, whose content the repository does not hold"
        for item in inside
        if item.mode == _SUBMODULE
        for root in _owners(item.path, roots)
    }


def _tree(git: str, commit: str, most: int) -> bytes:
    """The lines of a tree, each with NUL at its end. A tree that holds another one many times is small, and has lines without end."""
    out, count = bytearray(), 0
    with subprocess.Popen(  # noqa: S603  a fixed program, and names that cannot be options
        _command(git, "ls-tree", "-r", "-z", "--full-tree", commit),
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=_environment(_NOTHING),
    ) as asked:  # fmt: skip
        assert asked.stdout is not None
        while piece := asked.stdout.read(_PIECE):
            out += piece
            count += piece.count(0)
            if count > most:
                asked.kill()
                raise LimitError(f"it holds more than {most} files", "split it")
    if asked.returncode:
        raise InputError("its tree cannot be read", "repair the repository")
    return bytes(out)


def _land(git: str, items: Sequence[Listed], landing: Landing) -> None:
    """Write files and links as the objects say."""
    with subprocess.Popen(  # noqa: S603  words of our own, and names that cannot be options
        _command(git, "cat-file", "--batch"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=_environment(_NOTHING)
    ) as asked:
        assert asked.stdin is not None
        assert asked.stdout is not None
        try:
            for item in items:
                if ".git" in [part.lower() for part in safe_parts(item.path)]:
                    raise InputError(
                        f"the tree holds `{shown(item.path)}`, which Git itself refuses", "repair the repository"
                    )
                asked.stdin.write(item.object.encode("ascii") + b"\n")
                asked.stdin.flush()
                content = _object(asked.stdout, item, landing.left)
                kind = stat.S_IFLNK if item.mode == _LINK else stat.S_IFREG
                landing.put(Entry(item.path, kind, item.mode == "100755", partial(io.BytesIO, content)))
            asked.stdin.close()
        finally:
            asked.kill()
    landing.close()


def _object(answers: IO[bytes], item: Listed, left: int) -> bytes:
    head = answers.readline().split()
    if len(head) != 3 or head[1] != b"blob":
        raise InputError(f"the repository does not hold the content of `{shown(item.path)}`", "fetch it completely")
    size = int(head[2])
    if size > left:
        raise LimitError("it holds more bytes than are allowed", "raise the limit with `--max-archive-bytes`")
    content = answers.read(size + 1)
    if len(content) != size + 1:
        raise InputError(f"the content of `{shown(item.path)}` cannot be read", "repair the repository")
    return content[:-1]


def _line(line: bytes) -> Listed:
    head, _, path = line.partition(b"\t")
    mode, _, name = head.decode("ascii").split()
    return Listed(mode, name, os.fsdecode(path))


def _is_main(path: str) -> bool:
    return os.path.basename(path).lower() == "skill.md"


def _owners(path: str, roots: Iterable[str]) -> list[str]:
    """The skills whose folder a file lies in."""
    out: list[str] = []
    while path:
        path = os.path.dirname(path)
        if path in roots:
            out.append(path)
    return out


def _local(where: str) -> str:
    """What Git keeps of a local repository: the folder itself if it is bare."""
    inner = os.path.join(where, ".git")
    return inner if os.path.exists(inner) else where


def _fetched(where: str, revision: str, scratch: str) -> str:
    """One commit from elsewhere, in a repository of our own."""
    if where.startswith("-"):
        raise InputError(f"`{shown(where)}` is no address of a repository", "give a URL")
    _run([*_base(), "init", "--quiet", "--bare", scratch], _NOTHING)
    fetch = ("fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--end-of-options", where)
    _run([*_command(scratch, *fetch), revision or "HEAD"], _FETCHED_BY)
    return scratch


def _ask(git: str, *words: str) -> bytes:
    return _run(_command(git, *words), _NOTHING)


def _run(command: list[str], protocols: str) -> bytes:
    try:
        done = subprocess.run(  # noqa: S603  as above
            command, env=_environment(protocols), stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
    except FileNotFoundError:
        raise InputError("the program `git` is not there", "install Git, or give a folder") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        reason = shown(said[0])[:200] if said else "there is no such commit"
        raise InputError(f"git says: {reason}", "look whether the repository and the revision are right")
    return done.stdout


def _command(git: str, *words: str) -> list[str]:
    return [*_base(), f"--git-dir={git}", *words]


def _base() -> list[str]:
    return ["git", *_OPTIONS]


def _environment(protocols: str) -> dict[str, str]:
    """Nothing that the caller's environment says to Git, but how to get there."""
    passed = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    return passed | _QUIET | {"GIT_ALLOW_PROTOCOL": protocols, "LC_ALL": "C"}


def name_of(where: str) -> str:
    """What a skill at the top of a repository is called if it does not say so."""
    return Path(where.rstrip("/").removesuffix("/.git")).name.removesuffix(".git")
