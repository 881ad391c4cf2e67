"""From what was traced to events: a capability and the object on which it was exercised."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from harness.sandbox import Place, Ran


class Event(NamedTuple):
    """One effect that was seen. `object` is an absolute path, a program, or `address:port`."""

    capability: str
    object: str
    raw: str = ""


CALL = re.compile(r"^(\w+)\((.*)\)\s+= (-?\d+|\?)(?:<((?:[^>\\]|\\.)*)>)?(.*)$")
ARGUMENT = re.compile(
    r'"((?:[^"\\]|\\.)*)"(?:\.\.\.)?|AT_FDCWD<([^>]*)>|(\d+)<([^>]*)>|\[((?:"(?:[^"\\]|\\.)*"(?:, )?)*)\]'
)
ESCAPE = re.compile(r"\\(x[0-9a-f]{2}|[0-7]{1,3}|.)")
_BY_DESCRIPTOR = {"ftruncate": "file.write", "fchmod": "file.chmod", "getdents64": "file.list"}
_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "v": "\v", "f": "\f", "a": "\a", "b": "\b"}


def _unescape(text: str) -> str:
    def one(found: re.Match[str]) -> str:
        code = found.group(1)
        if code[0] == "x":
            return chr(int(code[1:], 16))
        return chr(int(code, 8)) if code[0].isdigit() else _PLAIN.get(code, code)

    return ESCAPE.sub(one, text).encode("latin-1", "replace").decode("utf-8", "surrogateescape")


def observed(ran: Ran, place: Place) -> list[Event]:
    """All events of a run, each once."""
    events = list(_from_strace(ran.traces, place)) if ran.traces else list(_from_audit(ran.audit)) if ran.audit else []
    listed = {event.object for event in events if event.capability == "file.list" or event.raw.startswith("mkdir")}
    unique: dict[tuple[str, str], Event] = {}
    for event in events:
        if event.capability == "file.read" and (event.object in listed or os.path.isdir(event.object)):
            event = event._replace(capability="file.list")  # noqa: PLW2901  a folder can be opened like a file
        unique.setdefault(event[:2], event)
    return list(unique.values())


# ── strace ──


def _from_strace(traces: Iterable[Path], place: Place) -> Iterator[Event]:
    """Each process has its own file; a child begins in the folder in which its parent was when it was made."""
    folders: dict[int, str] = {}
    for number, path in enumerate(traces):
        pid = int(path.suffix[1:])
        cwd = folders.get(pid, str(place.work))
        first = number == 0
        for line in path.read_text("latin-1").splitlines():
            found = CALL.match(line)
            if not found or (found.group(3).startswith("-") and "EINPROGRESS" not in line):
                continue
            name, words, result = found.group(1), found.group(2), found.group(3)
            if name in ("clone", "clone3", "fork", "vfork"):
                folders[int(result)] = cwd
            elif name == "chdir":
                cwd = os.path.normpath(os.path.join(cwd, _strings(words)[0]))
            elif name == "fchdir":
                cwd = next((m.group(4) for m in ARGUMENT.finditer(words) if m.group(4)), cwd)
            elif name in ("execve", "execveat") and first:
                first = False  # the harness itself starts the program
            else:
                yield from _call(name, words, cwd, line)


def _strings(words: str) -> list[str]:
    return [_unescape(m.group(1)) for m in ARGUMENT.finditer(words) if m.group(1) is not None]


def _paths(words: str, cwd: str) -> list[str]:
    """The paths among the arguments, each resolved against the descriptor before it."""
    out, base = [], cwd
    for found in ARGUMENT.finditer(words):
        if found.group(1) is not None:
            out.append(os.path.normpath(os.path.join(base, _unescape(found.group(1)))))
            base = cwd
        elif found.group(2) is not None or found.group(4) is not None:
            base = _unescape(found.group(2) if found.group(2) is not None else found.group(4))
    return out


def _call(name: str, words: str, cwd: str, raw: str) -> Iterator[Event]:
    if name in ("connect", "bind"):
        yield from _socket(name, words, raw)
        return
    if name in _BY_DESCRIPTOR:
        found = re.match(r"\d+<([^>]*)>", words)
        if found and found.group(1).startswith("/"):
            yield Event(_BY_DESCRIPTOR[name], _unescape(found.group(1)), raw)
        return
    paths = _paths(words, cwd)
    if not paths:
        return
    if name in ("open", "openat", "openat2", "creat"):
        yield from _opened(paths[0], words if name != "creat" else "O_WRONLY", raw)
    elif name in ("unlink", "unlinkat", "rmdir"):
        yield Event("file.delete", paths[0], raw)
    elif name in ("rename", "renameat", "renameat2"):
        yield Event("file.delete", paths[0], raw)
        yield Event("file.write", paths[-1], raw)
    elif name in ("mkdir", "mkdirat", "mknod", "mknodat", "truncate"):
        yield Event("file.write", paths[0], raw)
    elif name in ("link", "linkat", "symlink", "symlinkat"):
        yield Event("file.write", paths[-1], raw)
    elif name in ("chmod", "fchmodat", "fchmodat2"):
        yield Event("file.chmod", paths[0], raw)
    elif name in ("execve", "execveat"):
        yield Event("process.create", paths[0], raw)


def _opened(path: str, words: str, raw: str) -> Iterator[Event]:
    if "O_PATH" in words:
        return
    if "O_DIRECTORY" in words:
        yield Event("file.list", path, raw)
        return
    if "O_WRONLY" in words or "O_RDWR" in words or "O_CREAT" in words:
        yield Event("file.write", path, raw)
    if "O_RDONLY" in words or ("O_RDWR" in words and "O_TRUNC" not in words and "O_CREAT" not in words):
        yield Event("file.read", path, raw)


def _socket(name: str, words: str, raw: str) -> Iterator[Event]:
    port = re.search(r"sin6?_port=htons\((\d+)\)", words)
    address = re.search(r'inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)"', words)
    if port and address:
        shown = f"{address.group(1) or address.group(2)}:{port.group(1)}"
        if port.group(1) != "0":
            yield Event("net.connect" if name == "connect" else "net.listen", shown, raw)
    elif "sun_path" in words and name == "connect":
        yield Event("net.connect", "unix:" + words, raw)


# ── the audit hook ──


def _from_audit(log: Path) -> Iterator[Event]:
    for line in log.read_text("utf-8").splitlines():
        name, cwd, args = json.loads(line)
        path = os.path.normpath(os.path.join(cwd, args[0])) if args and isinstance(args[0], str) else ""
        if not path and name not in ("socket.connect", "socket.bind"):
            continue
        if name == "open":
            flags = args[2] if isinstance(args[2], int) else 0
            if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
                yield Event("file.write", path, line)
            else:
                yield Event("file.read", path, line)
        elif name in ("os.remove", "os.rmdir", "shutil.rmtree"):
            yield Event("file.delete", path, line)
        elif name in ("os.mkdir", "os.truncate"):
            yield Event("file.write", path, line)
        elif name in ("os.rename", "os.link", "os.symlink"):
            new = os.path.normpath(os.path.join(cwd, str(args[1])))
            if name == "os.rename":
                yield Event("file.delete", path, line)
            yield Event("file.write", new, line)
        elif name == "os.chmod":
            yield Event("file.chmod", path, line)
        elif name in ("os.listdir", "os.scandir"):
            yield Event("file.list", path, line)
        elif name in ("subprocess.Popen", "os.exec", "os.posix_spawn"):
            yield Event("process.create", args[0], line)
