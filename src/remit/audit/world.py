"""Pictures of a workspace: its observable state, and the differences between two pictures.

A picture has every path below the workspace, with kind, mode and digest; links are not followed and special files not
opened. What cannot be read is listed, never ignored. Given an older picture, only files that were touched since are
read.
"""

from __future__ import annotations

import hashlib
import os
import stat
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from remit.core.errors import AuditError

_CHUNK = 1 << 20
_TICK = 2_000_000_000  # nanoseconds: time stamps are coarse, so a file may change twice and show one time
_PARTS = {"picture", "root", "taken", "items", "refs", "unread"}
_OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Item(NamedTuple):
    """One path of a workspace."""

    kind: str  # file, folder, link, other
    mode: int
    digest: str  # of a file's content or a link's target; empty if there is none, or it cannot be read
    stamp: tuple[int, int, int, int]  # size, inode, change times: while they are the same, so is the content


class Picture(NamedTuple):
    """The state of a workspace at one moment."""

    root: str
    items: Mapping[str, Item]  # by path, relative to the root
    refs: Mapping[str, str]  # the refs of git, and their targets
    unread: Mapping[str, str]  # paths that cannot be read, with the reason
    taken: int  # when, in nanoseconds since 1970


class Difference(NamedTuple):
    """One difference between two pictures."""

    op: str  # create, change, touch (the content is the same), delete, chmod, ref
    target: str  # a path relative to the root, or the name of a ref
    folder: bool = False


def picture(root: Path, before: Picture | None = None) -> Picture:
    """Take a picture. `before` is an older picture of the same workspace, which avoids reading unchanged files."""
    if not root.is_dir():
        raise AuditError(f"`{root}` is not a folder", "name the workspace")
    items: dict[str, Item] = {}
    unread: dict[str, str] = {}
    taken = time.time_ns()
    known = before.items if before else {}
    settled = before.taken - _TICK if before else 0
    todo = [""]
    while todo:
        folder = todo.pop()
        try:
            with os.scandir(os.path.join(root, folder)) as entries:  # noqa: PTH118  one object less for each path
                found = [(f"{folder}/{entry.name}" if folder else entry.name, entry.path) for entry in entries]
        except OSError as error:
            unread[folder or "."] = (error.strerror or "error").lower()
            continue
        for path, full in found:
            try:
                items[path] = item_at(full, known.get(path), settled)
            except OSError as error:
                unread[path] = (error.strerror or "error").lower()
                continue
            if items[path].kind == "folder":
                todo.append(path)
    return Picture(str(root), items, _refs(root, items, unread), unread, taken)


def item_at(path: str, known: Item | None = None, settled: int = 0) -> Item:
    """Return what is at a path; `known` content is not read again, unless it was touched or changed after `settled`."""
    state = os.lstat(path)
    mode = stat.S_IMODE(state.st_mode)
    if stat.S_ISDIR(state.st_mode):
        return Item("folder", mode, "", (0, state.st_ino, 0, 0))
    stamp = (state.st_size, state.st_ino, state.st_mtime_ns, state.st_ctime_ns)
    if stat.S_ISLNK(state.st_mode):
        return Item("link", mode, hashlib.sha256(os.fsencode(os.readlink(path))).hexdigest(), stamp)  # noqa: PTH115  as above
    if not stat.S_ISREG(state.st_mode):
        return Item("other", mode, "", (0, state.st_ino, 0, 0))
    if known is not None and known.kind == "file" and known.stamp == stamp and state.st_ctime_ns < settled:
        return Item("file", mode, known.digest, stamp)
    return Item("file", mode, _digest(path), stamp)


def _digest(path: str) -> str:
    handle = os.open(path, _OPEN)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(0, "it became another kind of file meanwhile")
        found = hashlib.sha256()
        while chunk := os.read(handle, _CHUNK):
            found.update(chunk)
    finally:
        os.close(handle)
    return found.hexdigest()


def _refs(root: Path, items: Mapping[str, Item], unread: dict[str, str]) -> dict[str, str]:
    """Return the refs of git: files below .git/refs, packed refs, and HEAD. No program is run."""
    out: dict[str, str] = {}
    for path in (".git/packed-refs", *sorted(items)):
        if path not in items or items[path].kind != "file":
            continue
        loose = path == ".git/HEAD" or path.startswith(".git/refs/")
        if not loose and path != ".git/packed-refs":
            continue
        try:
            text = (root / path).read_bytes().decode("utf-8", "backslashreplace")
        except OSError as error:
            unread[path] = (error.strerror or "error").lower()
            continue
        if loose:
            out[path[5:]] = text.strip()
        else:
            rows = [line.split(" ", 1) for line in text.splitlines() if line[:1] not in ("#", "^", "")]
            out |= {row[1]: row[0] for row in rows if len(row) == 2}
    return out


def differences(before: Picture, after: Picture) -> tuple[Difference, ...]:
    """Return the changes from one picture to the next, by path; then those of git refs."""
    out: list[Difference] = []
    for path in sorted(before.items.keys() | after.items.keys()):
        old, new = before.items.get(path), after.items.get(path)
        if path in before.unread or path in after.unread:
            continue
        if old is None or new is None:
            item = old or new
            assert item is not None
            out.append(Difference("create" if old is None else "delete", path, item.kind == "folder"))
            continue
        folder = new.kind == "folder"
        if (old.kind, old.digest) != (new.kind, new.digest):
            out.append(Difference("change", path, folder))
        elif old.stamp != new.stamp:
            out.append(Difference("touch", path, folder))
        if old.mode != new.mode and old.kind == new.kind:
            out.append(Difference("chmod", path, folder))
    names = sorted(before.refs.keys() | after.refs.keys())
    out += [Difference("ref", name) for name in names if before.refs.get(name) != after.refs.get(name)]
    return tuple(out)


def as_json(found: Picture) -> dict[str, object]:
    """Return a picture as JSON."""
    items = {path: [item.kind, item.mode, item.digest, list(item.stamp)] for path, item in found.items.items()}
    names = {"refs": dict(found.refs), "unread": dict(found.unread)}
    return {"picture": 1, "root": found.root, "taken": found.taken, "items": items, **names}


def read_picture(value: object) -> Picture:
    """Parse a picture from JSON; anything invalid is refused."""
    try:
        if not isinstance(value, dict) or value.keys() != _PARTS:
            raise _malformed()
        items = {_text(path): _read_item(*item) for path, item in value["items"].items()}
        refs, unread = ({_text(k): _text(v) for k, v in value[name].items()} for name in ("refs", "unread"))
        if value["picture"] != 1 or not isinstance(value["taken"], int):
            raise _malformed()
        return Picture(_text(value["root"]), items, refs, unread, value["taken"])
    except (TypeError, ValueError, AttributeError):
        raise _malformed() from None


def _read_item(kind: object, mode: object, digest: object, stamp: object) -> Item:
    if kind not in ("file", "folder", "link", "other") or not isinstance(mode, int) or not isinstance(stamp, list):
        raise _malformed()
    size, inode, changed, altered = (int(number) for number in stamp)
    return Item(str(kind), mode, _text(digest), (size, inode, changed, altered))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise _malformed()
    return value


def _malformed() -> AuditError:
    return AuditError("the file is not a picture of a workspace", "write one with `remit audit picture FOLDER`")
