"""From what was traced to events: a capability and the object on which it was exercised."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, NamedTuple

from remit.capsule.trace import ActKind, Acts, Outcome, Reader, SystemCall

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from harness.sandbox import Place, Ran


class Event(NamedTuple):
    """One effect that was seen. `object` is an absolute path, a program, or `address:port`."""

    capability: str
    object: str
    raw: str = ""


# What the kernel saw, in the words of this check.
_NAMES = {
    ActKind.READ: "file.read",
    ActKind.LIST: "file.list",
    ActKind.WRITE: "file.write",
    ActKind.FOLDER: "file.write",
    ActKind.DELETE: "file.delete",
    ActKind.CHMOD: "file.chmod",
    ActKind.START: "process.create",
    ActKind.CONNECT: "net.connect",
    ActKind.LISTEN: "net.listen",
}


MARK = "/probe-step/"  # attempts to open such a file divide a log into steps


def observed(ran: Ran, place: Place) -> list[Event]:
    """All events of a run, each once."""
    if ran.trace:
        return each_once(event for _, event in _after_start(traced_events(ran.trace, place)))
    return each_once(_from_audit(ran.audit) if ran.audit else ())


def each_once(found: Iterable[Event]) -> list[Event]:
    """Events without repetition; a folder that was opened like a file was listed."""
    events = list(found)
    listed = {event.object for event in events if event.capability == "file.list" or event.raw.startswith("mkdir")}
    unique: dict[tuple[str, str], Event] = {}
    for event in events:
        if event.capability == "file.read" and (event.object in listed or os.path.isdir(event.object)):
            event = event._replace(capability="file.list")  # noqa: PLW2901
        unique.setdefault(event[:2], event)
    return list(unique.values())


# ── strace ──


def traced_events(trace: Path, place: Place, *, whole: bool = True) -> Iterator[tuple[SystemCall, Event | None]]:
    """As the capsule reads a log: each call, with the event that it is. What did not happen is no event, but for
    connections, which the sandbox refuses. The log of a run that was ended need not be `whole`."""
    reader, acts = Reader(), Acts(str(place.work))
    lines = (line for line in trace.read_text("latin-1").splitlines() if not _nothing(line))
    calls = [call for call in (*map(reader.line, lines), *reader.rest()) if isinstance(call, SystemCall)]
    assert not (whole and reader.problems), reader.unread
    for call in calls:
        seen = False
        for act in acts.of((call,)):
            if act.kind in _NAMES and (act.outcome is Outcome.DONE or act.kind is ActKind.CONNECT):
                seen = True
                yield call, Event(_NAMES[act.kind], act.asked or act.object, f"{call.name}({', '.join(call.args)})")
        if not seen:
            yield call, None


def _nothing(line: str) -> bool:
    """A look-up of a file that is not there: most of a log."""
    return line.endswith("= -1 ENOENT (No such file or directory)") and "resumed>" not in line and MARK not in line


def _after_start(found: Iterable[tuple[SystemCall, Event | None]]) -> Iterator[tuple[SystemCall, Event]]:
    """The events without the first program: the harness itself starts it."""
    started = False
    for call, event in found:
        if event and event.capability == "process.create" and not started:
            started = True
        elif event:
            yield call, event


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
