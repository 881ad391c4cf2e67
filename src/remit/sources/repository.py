"""Skills of a Git repository at a commit, read from its objects: nothing is checked out, so hooks, filters and
attributes of the repository have no influence.

(1) From a remote, one commit is fetched into an empty repository of ours, without file contents if the server can omit them.
(2) The tree is listed. A folder with a SKILL.md is a skill; its files are all below it, and what its links lead to in the same tree.
(3) A skill with a submodule, a name that Git itself refuses, a link out of the repository or content elsewhere (Git LFS) is refused
    alone.
(4) The contents of the others are fetched, if they are missing, and written from the objects.
"""

from __future__ import annotations

import io
import os
import posixpath
import stat
import subprocess
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import IO, NamedTuple

from remit.core.errors import InputError, LimitError
from remit.skill.walk import shown
from remit.sources.archives import Entry
from remit.sources.git import ask, command, environment, fetch, make_repository
from remit.sources.names import Names, is_git_folder
from remit.sources.unpack import Bounds, Landing, safe_parts

_FETCHED_BY = "https:http:ssh:git:file"
_REMOTE = "origin"
_PIECE = 1 << 20
_LINK, _SUBMODULE = "120000", "160000"
_LINK_BYTES = 4096
_PATH_BYTES = 1024  # bytes of a path, on average
_LINKS = 40  # as in the kernel
_LFS = b"version https://git-lfs.github.com/spec/"
_REPAIR = "repair the repository"


class TreeLine(NamedTuple):
    """A line of a tree."""

    mode: str
    object: str
    path: str


class Revision(NamedTuple):
    """The result of reading a repository."""

    commit: str
    refused: dict[str, str]  # skills that cannot be read from the commit, by path, with the reason


def read_repository(
    where: str, revision: str, folder: str, scratch: str, bounds: Bounds, *, inside: str = "", protocols: str = ""
) -> Revision:
    """Write the files of every skill at a commit into an empty folder; with `inside`, of those at or below that path."""
    fetched = None if os.path.isdir(where) else _Fetched(where, revision, scratch, bounds, protocols or _FETCHED_BY)
    repository = fetched.repository if fetched else _local(where)
    wanted = "FETCH_HEAD" if fetched else revision or "HEAD"
    commit = ask(repository, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{wanted}^{{commit}}")
    name = commit.decode("ascii").strip()
    tree = _Tree(_lines(repository, name, bounds.entries))
    roots = {os.path.dirname(path) for path in tree.items if _is_main(path)}
    meant = {root for root in roots if not inside or root == inside or root.startswith(f"{inside}/")}
    if fetched:
        fetched.complete(tree.links)
    tree.targets = dict(_link_targets(repository, tree.links))
    refused: dict[str, str] = {}
    chosen: set[str] = set()
    for root in sorted(meant):
        try:
            chosen |= tree.files(root, bounds)
        except InputError as error:
            refused[root or "."] = error.message
    items = [tree.items[path] for path in sorted(chosen)]
    if fetched:
        fetched.complete(items)
    for pointer in _land(repository, items, Landing(folder, bounds)):
        reason = f"the content of `{shown(pointer)}` is stored in Git LFS, which Remit does not fetch"
        refused |= {root or ".": reason for root in _owners(pointer, meant) if bounds.strict}
    return Revision(name, refused)


class _Fetched:
    """One remote commit, in a repository of our own."""

    def __init__(self, where: str, revision: str, scratch: str, bounds: Bounds, protocols: str) -> None:
        if where.startswith("-"):
            raise InputError(f"`{shown(where)}` is no address of a repository", "give a URL")
        self.repository = scratch
        self._protocols = protocols
        self._bounds = bounds
        make_repository(scratch, _REMOTE, where)
        words = ["--depth=1", "--end-of-options", _REMOTE, revision or "HEAD"]
        fetch(scratch, protocols, bounds, words)

    def complete(self, items: Collection[TreeLine]) -> None:
        """Fetch missing contents: a server may have omitted them from a commit."""
        if not items:
            return
        there = ask(self.repository, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)", "--unordered")
        missing = sorted({item.object for item in items} - set(there.decode("ascii").split()))
        if missing:
            words = ["--no-write-fetch-head", "--stdin", _REMOTE]
            fetch(self.repository, self._protocols, self._bounds, words, "\n".join(missing) + "\n")


def _lines(repository: str, commit: str, most: int) -> Iterator[TreeLine]:
    """Return the lines of a tree. A tree that contains another one many times is small, but its listing is huge."""
    out, count = bytearray(), 0
    with subprocess.Popen(  # noqa: S603  a fixed program, and names that cannot be options
        command(repository, "ls-tree", "-r", "-z", "--full-tree", commit),
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment(),
    ) as asked:  # fmt: skip
        assert asked.stdout is not None
        while piece := asked.stdout.read(_PIECE):
            out += piece
            count += piece.count(0)
            if count > most or len(out) > most * _PATH_BYTES:
                asked.kill()
                raise LimitError(f"it holds more than {most} files", "split it")
    if asked.returncode:
        raise InputError("its tree cannot be read", _REPAIR)
    yield from (_line(line) for line in bytes(out).split(b"\0") if line)


class _Tree:
    """The files of a commit by path, and the targets of its links."""

    def __init__(self, lines: Iterable[TreeLine]) -> None:
        self.items: dict[str, TreeLine] = {}
        for line in lines:
            if line.path in self.items:
                raise InputError(f"`{shown(line.path)}` comes twice in the tree", _REPAIR)
            self.items[line.path] = line
        self.links = [item for item in self.items.values() if item.mode == _LINK]
        self.targets: dict[str, str] = {}
        self._sorted = sorted(self.items)

    def files(self, root: str, bounds: Bounds) -> set[str]:
        """Return the files of a skill, and everything that its links lead to, transitively. InputError if the skill is
        refused.
        """
        todo = self._below(root)
        found: set[str] = set()
        names = Names() if bounds.strict else None
        while todo:
            path = todo.pop()
            if path in found:
                continue
            parts = _checked(self.items[path])
            if names is not None:
                names.add(parts)
            found.add(path)
            if path in self.targets:
                todo += self._linked(path)
        return found

    def _linked(self, path: str) -> list[str]:
        """Return what a link leads to: every link on the way, and the file or all files of the folder at its end."""
        way: list[str] = []
        here = path
        for _ in range(_LINKS):
            link = next((one for one in _prefixes(here) if one in self.targets), None)
            if link is None:
                return [*way, *([here] if here in self.items else self._below(here))]
            way.append(link)
            target = self.targets[link]
            here = posixpath.normpath(posixpath.join(posixpath.dirname(link), target) + here[len(link) :])
            if target.startswith("/") or here == ".." or here.startswith("../"):
                message = f"`{shown(path)}` is a link to `{shown(target)[:200]}`, outside of the repository"
                raise InputError(message, "replace the link by a copy of the file")
            here = "" if here == "." else here
        return way  # a loop: it leads to nothing

    def _below(self, folder: str) -> list[str]:
        if not folder:
            return list(self._sorted)
        after = chr(ord("/") + 1)
        return self._sorted[bisect_left(self._sorted, f"{folder}/") : bisect_left(self._sorted, f"{folder}{after}")]


def _checked(item: TreeLine) -> list[str]:
    """Return the parts of a path; InputError for one that no skill may have."""
    if item.mode == _SUBMODULE:
        message = f"`{shown(item.path)}` is a submodule, whose content the repository does not contain"
        raise InputError(message, "copy its files into the repository")
    parts = safe_parts(item.path)
    if any(map(is_git_folder, parts)):
        raise InputError(f"the tree holds `{shown(item.path)}`, which Git itself refuses", _REPAIR)
    return parts


def _prefixes(path: str) -> Iterator[str]:
    """Return the folders above a path from the top, and the path."""
    at = 0
    while (at := path.find("/", at + 1)) >= 0:
        yield path[:at]
    yield path


def _link_targets(repository: str, links: Sequence[TreeLine]) -> Iterator[tuple[str, str]]:
    for item, content in _contents(repository, links, lambda: _LINK_BYTES):
        yield item.path, os.fsdecode(content)


def _land(repository: str, items: Sequence[TreeLine], landing: Landing) -> list[str]:
    """Write files and links from the objects; return those that only point to content elsewhere."""
    pointers: list[str] = []
    for item, content in _contents(repository, items, lambda: landing.left):
        kind = stat.S_IFLNK if item.mode == _LINK else stat.S_IFREG
        if kind == stat.S_IFREG and content.startswith(_LFS):
            pointers.append(item.path)
        landing.put(Entry(item.path, kind, item.mode == "100755", partial(io.BytesIO, content)))
    landing.close()
    return pointers


def _contents(repository: str, items: Sequence[TreeLine], left: Callable[[], int]) -> Iterator[tuple[TreeLine, bytes]]:
    """Return the content of each item, from one process."""
    if not items:
        return
    with subprocess.Popen(  # noqa: S603  words of our own, and names that cannot be options
        command(repository, "cat-file", "--batch"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment()
    ) as asked:
        assert asked.stdin is not None
        assert asked.stdout is not None
        try:
            for item in items:
                asked.stdin.write(item.object.encode("ascii") + b"\n")
                asked.stdin.flush()
                yield item, _object(asked.stdout, item, left())
            asked.stdin.close()
        finally:
            asked.kill()


def _object(answers: IO[bytes], item: TreeLine, left: int) -> bytes:
    head = answers.readline().split()
    if len(head) != 3 or head[1] != b"blob":
        raise InputError(f"the repository does not contain the content of `{shown(item.path)}`", "fetch it completely")
    size = int(head[2])
    if size > left:
        message = f"`{shown(item.path)}` has {size} bytes, more than are allowed"
        raise LimitError(message, "raise the limit with `--max-archive-bytes`")
    content = answers.read(size + 1)
    if len(content) != size + 1:
        raise InputError(f"the content of `{shown(item.path)}` cannot be read", _REPAIR)
    return content[:-1]


def _line(line: bytes) -> TreeLine:
    head, _, path = line.partition(b"\t")
    mode, _, name = head.decode("ascii").split()
    return TreeLine(mode, name, os.fsdecode(path))


def _is_main(path: str) -> bool:
    return os.path.basename(path).lower() == "skill.md"


def _owners(path: str, roots: Iterable[str]) -> list[str]:
    """Return the skills whose folder contains a file."""
    out: list[str] = []
    while path:
        path = os.path.dirname(path)
        if path in roots:
            out.append(path)
    return out


def _local(where: str) -> str:
    """Return the Git data of a local repository: the folder itself if it is bare."""
    inner = os.path.join(where, ".git")
    return inner if os.path.exists(inner) else where


def name_of(where: str) -> str:
    """Return the default name of a skill at the top of a repository."""
    return os.path.basename(where.rstrip("/").removesuffix("/.git")).removesuffix(".git")
