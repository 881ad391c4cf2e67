"""A running set of walls: namespaces that bubblewrap makes once for a skill in a session, and that each of its commands enters.

Commands of one room share processes, a network of their own and the private copies of the home's caches, so that a server which one
command starts in the background can be reached and ended by the next. The room ends when the guard lets go of it and the last
command in it has ended.
"""

from __future__ import annotations

import json
import os
import secrets
import select
import shutil
import signal
import socket
import stat
import subprocess
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from remit.capsule.confinement import kernel_places
from remit.capsule.contract_places import lies_in
from remit.capsule.outlet import proxy_process
from remit.core.errors import GuardError
from remit.guard.walls.contract import Wall, git_folders, names, real_folders, rows
from remit.guard.walls.masks import Cover, CoveredPlaces, MaskMethod, masked_copy

OWN = "/run/remit"  # inside: what covers places
_SECONDS = 10.0
_GRACE = 3.0
_PATIENCE = 1.0  # of a session that ends, with processes that were asked to end
_REMEDY = (
    'switch walls off with `"walls": false` in settings.json of the guard\'s state folder, and run `remit guard doctor`'
)


class Programs(NamedTuple):
    """The programs that make walls."""

    bwrap: str
    wall: Path


class Holder(NamedTuple):
    """The first process of a room, as the kernel names it: number and time of its start."""

    pid: int
    start: str

    def alive(self) -> bool:
        """Whether it is still this process."""
        return started(self.pid) == self.start


class Note(NamedTuple):
    """What is recorded of a room, for the guard that follows one that was killed."""

    holder: Holder
    workspace: str
    skill: str
    session: tuple[str, str]  # host, and its name for the session


class Sandbox:
    """One set of walls."""

    def __init__(
        self, wall: Wall, found: CoveredPlaces, programs: Programs, folder: Path, session: tuple[str, str]
    ) -> None:
        self.wall = wall
        self.session = session
        self.folder = folder / secrets.token_hex(8)
        self.folder.mkdir(mode=0o700, parents=True)
        for name in ("nothing", "copies"):
            (self.folder / name).mkdir(mode=0o755)
        (self.folder / "empty").touch(mode=0o444)
        self.refusals = self.folder / "refused"
        self.refusals.touch(mode=0o600)
        self._programs = programs
        self._linkless = False
        self.call = ""  # the last one that was let in
        self._lock = threading.Lock()
        self._note(Holder(os.getpid(), started(os.getpid())))  # until it stands, it is ours
        copied = tuple(self._copied())
        try:
            made = self._made(found, copied)
        except GuardError:  # a kernel without private copies: caches are read-only
            made = self._made(found, ())
        self._process, self._listener, self.holder = made
        self._note(self.holder)
        self._proxy: subprocess.Popen[bytes] | None = None
        threading.Thread(target=self._attend, daemon=True).start()

    def _made(
        self, found: CoveredPlaces, copied: tuple[tuple[str, str, str], ...]
    ) -> tuple[subprocess.Popen[bytes], socket.socket, Holder]:
        ours, theirs = socket.socketpair()
        told, telling = os.pipe()
        said = self.folder / "said"
        with ours, theirs, os.fdopen(told, "rb") as info, said.open("wb") as errors:
            try:
                words = [
                    *(
                        str(self._programs.wall),
                        "make",
                        *(_escaped(path) for one in copied for path in one),
                        "--",
                        self._programs.bwrap,
                    ),
                    *("--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"),
                    *("--disable-userns", "--as-pid-1", "--info-fd", str(telling)),
                    *_mounts(self.wall, found, self.folder, [path for path, _, _ in copied]),
                    *("--ro-bind", str(self._programs.wall), f"{OWN}/wall", "--remount-ro", "/run"),
                    *("--", f"{OWN}/wall", "hold", str(theirs.fileno())),
                ]
                process = subprocess.Popen(  # noqa: S603  (bubblewrap, with what the guard prepared)
                    words,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=errors,
                    env={"LC_ALL": "C"},
                    cwd="/",
                    pass_fds=(theirs.fileno(), telling),
                    start_new_session=True,
                )
            finally:
                os.close(telling)
                theirs.close()
            ours.settimeout(_SECONDS)
            with suppress(OSError):
                _, descriptors, _, _ = socket.recv_fds(ours, 1, 1)
                if descriptors:
                    pid = int(json.load(info)["child-pid"])
                    return process, socket.socket(fileno=descriptors[0]), Holder(pid, started(pid))
            process.kill()
            process.communicate()
        reason = said.read_text("utf-8", "replace").strip()[-300:]
        raise GuardError(f"walls cannot be made here: {reason or 'no reason was given'}", _REMEDY)

    def _copied(self) -> Iterator[tuple[str, str, str]]:
        """Folders of the home with a private copy: the folder, what is written, and what the kernel needs for it."""
        home = self.wall.site.home
        for number, (name, why) in enumerate(rows("private copies")):
            path = os.path.join(home, name)
            if why == "made" and not os.path.lexists(path):
                with suppress(OSError):
                    os.makedirs(path, mode=0o700, exist_ok=True)
            if not os.path.isdir(path) or os.path.islink(path) or lies_in(self.wall.site.workspace, path):
                continue
            for inner in ("upper", "work"):
                (self.folder / f"{inner}{number}").mkdir(mode=0o700)
            yield path, str(self.folder / f"upper{number}"), str(self.folder / f"work{number}")

    def _note(self, holder: Holder) -> None:
        """Write down who holds the room, and whose it is: whole or not at all, other guards read it."""
        draft = self.folder / "note.part"
        draft.write_text(json.dumps(Note(holder, self.wall.site.workspace, self.wall.skill, self.session)), "utf-8")
        draft.replace(self.folder / "note")

    def cover(self, covers: Iterable[Cover]) -> None:
        """Cover what is not covered yet: files come into being, and one that is replaced loses its cover."""
        mounted = self._mounted()
        words: list[str] = []
        for one in covers:
            if self._linkless if one.how is MaskMethod.NO_LINKS else one.path in mounted:
                continue
            words += (str(one.how), one.path)
            if one.how is MaskMethod.COPY:
                copy = self.folder / "copies" / secrets.token_hex(8)
                copy.write_bytes(masked_copy(one.path))
                words.append(f"{OWN}/copies/{copy.name}")
        if not words:
            return
        done = subprocess.run(  # noqa: S603  (our own program)
            [str(self._programs.wall), "mask", str(self.holder.pid), self.holder.start],
            input=os.fsencode("".join(f"{word}\0" for word in words)),
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
        if done.returncode:
            raise GuardError(
                f"secrets cannot be covered: {done.stderr.decode('utf-8', 'replace').strip()[-300:]}", _REMEDY
            )
        self._linkless = True

    def _mounted(self) -> frozenset[str]:
        with open(f"/proc/{self.holder.pid}/mountinfo", encoding="utf-8", errors="surrogateescape") as file:
            return frozenset(_plain(line.split(" ", 5)[4]) for line in file)

    def _attend(self) -> None:
        """Start the egress proxy when the first connection comes."""
        with suppress(OSError, ValueError):  # the room ended before anything connected
            select.select([self._listener], [], [])
            with self._lock, open(self.folder / "connections", "ab") as record, open(self.refusals, "ab") as refusals:
                rules = [list(rule) for rule in self.wall.egress]
                self._proxy = proxy_process(
                    self._listener, rules, record.fileno(), refusals.fileno(), f"skill `{self.wall.skill}`"
                )

    def close(self) -> None:
        """Let go: the room ends when the last command in it has ended."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        with self._lock:
            self._listener.close()
            for process in filter(None, (self._proxy, self._process)):
                assert process.stdin is not None
                with suppress(OSError):
                    process.stdin.close()
        if not self._ended(_GRACE):  # a command goes on: whoever waits for it need not be whoever lets go
            threading.Thread(target=self._ended, args=(None,), daemon=True).start()

    def _ended(self, seconds: float | None) -> bool:
        """Wait for the room to end, and remove its folder then."""
        try:
            for process in filter(None, (self._proxy, self._process)):
                process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        remove(self.folder)
        return True


def started(pid: int) -> str:
    """Return when a process started, in the kernel's unit; empty if there is none, or only a zombie."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except OSError:
        return ""
    return fields[19] if fields[0] not in "ZX" else ""


def note_of(folder: Path) -> Note | None:
    """The room that stands with a folder; None if it is gone."""
    try:
        holder, workspace, skill, session = json.loads((folder / "note").read_text("utf-8"))
    except (OSError, ValueError):
        return None
    note = Note(Holder(*holder), workspace, skill, tuple(session))
    return note if note.holder.alive() else None


def end_processes(holder: Holder) -> tuple[str, ...]:
    """End all processes in a room: they are asked to, and a moment later made to. Returns their commands."""
    left = {pid: command for pid in _inside(holder) if (command := _command(pid))}
    for pid in left:
        with suppress(OSError):
            os.kill(pid, signal.SIGTERM)
    patience = time.monotonic() + _PATIENCE
    while left and time.monotonic() < patience and any(map(_command, left)):
        time.sleep(0.02)
    with suppress(OSError):  # with the first process all others end
        handle = os.pidfd_open(holder.pid)
        try:
            if holder.alive():
                signal.pidfd_send_signal(handle, signal.SIGKILL)
                select.select([handle], [], [], _PATIENCE)
        finally:
            os.close(handle)
    return tuple(left.values())


def _inside(holder: Holder) -> Iterator[int]:
    """The processes in a room but for the first and those that observe, as this side of the walls numbers them."""
    with suppress(OSError):
        own = os.stat(f"/proc/{holder.pid}/ns/pid").st_ino
        program = os.stat(f"/proc/{holder.pid}/exe").st_ino
        for name in filter(str.isdigit, os.listdir("/proc")):
            with suppress(OSError):
                same = os.stat(f"/proc/{name}/ns/pid").st_ino == own
                if same and os.stat(f"/proc/{name}/exe").st_ino != program:
                    yield int(name)


def _command(pid: int) -> str:
    """The words of a process; empty if it is gone."""
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return ""
    return os.fsdecode(words).replace("\0", " ").strip()[:200]


def remove(folder: Path) -> None:
    """Remove the folder of a room; the kernel leaves folders that no one may enter."""
    for path in folder.glob("work*/work"):
        with suppress(OSError):
            path.chmod(stat.S_IRWXU)
    shutil.rmtree(folder, ignore_errors=True)


def _mounts(wall: Wall, found: CoveredPlaces, folder: Path, copied: Iterable[str]) -> Iterator[str]:  # noqa: C901, PLR0912  one case for each kind of mount
    """Options of bubblewrap: what is seen where. Later ones lie over earlier ones."""
    site = wall.site
    yield from ("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc")
    for path in ("/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus"):
        if os.path.exists(path):  # root may write there without any right
            yield from ("--ro-bind", path, path)
    for path in kernel_places():
        if os.path.exists(path):
            yield from ("--tmpfs", path) if os.path.isdir(path) else ("--ro-bind", os.devnull, path)
    yield from ("--tmpfs", "/run")
    for path in names("run"):
        yield from ("--ro-bind-try", path, path)
    for path in wall.login.sockets if wall.login else ():
        yield from ("--ro-bind", path, path)
    for path in real_folders(site.temps):
        yield from ("--bind", path, path)
    if any(lies_in(site.home, path) for path in site.temps):
        yield from ("--ro-bind", site.home, site.home)
    for path in found.hidden:
        yield from ("--tmpfs", path)
    for path in copied:
        yield from ("--bind", path, path)
    for path in (*wall.shown, *map(os.path.dirname, site.search)):
        if any(lies_in(path, one) for one in found.hidden) and os.path.exists(path):
            yield from ("--ro-bind", path, path)
    for path in (site.workspace, *git_folders(site.workspace), *wall.writable):
        yield from ("--bind", path, path)
    yield from ("--tmpfs", site.state, "--remount-ro", site.state)
    for name in ("nothing", "copies", "empty"):
        yield from ("--ro-bind", str(folder / name), f"{OWN}/{name}")


def _escaped(path: str) -> str:
    """A path as the kernel reads it among options."""
    return path.replace("\\", "\\\\").replace(":", "\\:").replace(",", "\\,")


def _plain(text: str) -> str:
    """A path that the kernel wrote with escapes."""
    for escape, letter in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        text = text.replace(escape, letter)
    return text
