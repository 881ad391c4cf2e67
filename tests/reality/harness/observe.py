"""From what was traced to events: a capability and the object on which it was exercised."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, NamedTuple

from remit.capsule.act import Kind, Outcome
from remit.capsule.acts import Acts
from remit.capsule.trace import Call, Reader

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from harness.sandbox import Place, Ran


class Event(NamedTuple):
    """One effect that was seen. `object` is an absolute path, a program, or `address:port`."""

    capability: str
    object: str
    raw: str = ""


# What the kernel saw, in the words of this check.
_NAMES = {
    Kind.READ: "file.read",
    Kind.LIST: "file.list",
    Kind.WRITE: "file.write",
    Kind.FOLDER: "file.write",
    Kind.DELETE: "file.delete",
    Kind.CHMOD: "file.chmod",
    Kind.START: "process.create",
    Kind.CONNECT: "net.connect",
    Kind.LISTEN: "net.listen",
}


def observed(ran: Ran, place: Place) -> list[Event]:
    """All events of a run, each once."""
    events = list(_from_strace(ran.trace, place)) if ran.trace else list(_from_audit(ran.audit)) if ran.audit else []
    listed = {event.object for event in events if event.capability == "file.list" or event.raw.startswith("mkdir")}
    unique: dict[tuple[str, str], Event] = {}
    for event in events:
        if event.capability == "file.read" and (event.object in listed or os.path.isdir(event.object)):
            event = event._replace(capability="file.list")  # noqa: PLW2901  a folder can be opened like a file
        unique.setdefault(event[:2], event)
    return list(unique.values())


# ── strace ──


def _from_strace(trace: Path, place: Place) -> Iterator[Event]:
    """As the capsule reads a log; what did not happen is no event, but for connections, which the sandbox refuses."""
    reader, acts = Reader(), Acts(str(place.work))
    lines = trace.read_text("latin-1").splitlines()
    calls = [call for call in (*map(reader.line, lines), *reader.rest()) if isinstance(call, Call)]
    assert not reader.problems, reader.unread
    started = False
    for call in calls:
        for act in acts.of((call,)):
            if act.kind is Kind.START and act.outcome is Outcome.DONE and not started:
                started = True  # the harness itself starts the program
            elif act.kind in _NAMES and (act.outcome is Outcome.DONE or act.kind is Kind.CONNECT):
                yield Event(_NAMES[act.kind], act.asked or act.object, f"{call.name}({', '.join(call.args)})")


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
