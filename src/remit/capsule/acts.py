"""The conversion of system calls to acts: what a program did to which object, as the program saw it.

Failed acts count too: a sandbox refuses what would succeed elsewhere.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping

from remit.capsule.act import Act, Kind, Outcome, outcome_of
from remit.capsule.sockets import Sockets
from remit.capsule.trace import Call, Exit, behind, quoted

_MOST = 40  # links on one way, as the kernel counts


class Links:
    """The targets of symbolic links, by absolute path."""

    def __init__(self, known: Mapping[str, str]) -> None:
        self._known = dict(known)

    def resolve(self, path: str, *, follow: bool = True) -> str:
        """Return the path with links on the way resolved; `follow` also resolves the last component."""
        path = posixpath.normpath(path)
        for _ in range(_MOST if self._known else 0):
            link = next((place for place in _prefixes(path) if place in self._known), None)
            if link is None or (link == path and not follow):
                break
            target = posixpath.join(posixpath.dirname(link), self._known[link])
            path = posixpath.normpath(target + path[len(link) :])
        return path

    def add(self, place: str, target: str) -> None:
        """Record a new link."""
        self._known[place] = target

    def remove(self, place: str) -> None:
        """Forget a link that was removed."""
        self._known.pop(place, None)

    def move(self, old: str, new: str) -> None:
        """Record that a path and everything below it moved."""
        self._known.pop(new, None)
        for place in [place for place in self._known if place == old or place.startswith(old + "/")]:
            self._known[new + place[len(old) :]] = self._known.pop(place)


def _prefixes(path: str) -> list[str]:
    """Return the prefixes of a path, the shortest first."""
    parts = path.split("/")
    return ["/".join(parts[:end]) for end in range(2, len(parts) + 1)]


_MADE = frozenset({"EEXIST", "EISDIR"})  # a folder that is there already needs not be made
_NUMBER = re.compile(r"(-?\d+)(?: /\* (\d+) in strace's PID NS \*/)?")
_FORKS = frozenset({"clone", "clone3", "fork", "vfork"})
_SIGNALS = frozenset({"kill", "tkill", "tgkill", "rt_sigqueueinfo", "pidfd_send_signal"})
_BY_DESCRIPTOR = {
    "fchmod": Kind.CHMOD,
    "fchown": Kind.CHMOD,
    "fsetxattr": Kind.CHMOD,
    "fremovexattr": Kind.CHMOD,
    "getdents": Kind.LIST,
    "getdents64": Kind.LIST,
}
_ONE_PATH = {
    "unlink": Kind.DELETE,
    "unlinkat": Kind.DELETE,
    "rmdir": Kind.DELETE,
    "mkdir": Kind.FOLDER,
    "mkdirat": Kind.FOLDER,
    "mknod": Kind.WRITE,
    "mknodat": Kind.WRITE,
    "truncate": Kind.WRITE,
    "chmod": Kind.CHMOD,
    "fchmodat": Kind.CHMOD,
    "fchmodat2": Kind.CHMOD,
    "chown": Kind.CHMOD,
    "lchown": Kind.CHMOD,
    "fchownat": Kind.CHMOD,
    "setxattr": Kind.CHMOD,
    "lsetxattr": Kind.CHMOD,
    "removexattr": Kind.CHMOD,
    "lremovexattr": Kind.CHMOD,
}
# Of a link itself, not of what it leads to.
_NOT_FOLLOWED = frozenset({"unlink", "unlinkat", "rmdir", "lchown", "lsetxattr", "lremovexattr", "mkdir", "mkdirat"})


class Acts:
    """A converter for the calls of one run; `problems` lists what could not be followed."""

    def __init__(self, folder: str, links: Mapping[str, str] | None = None) -> None:
        self.problems: list[str] = []
        self._start = folder
        self._links = Links(links or {})
        self._folders: dict[int, str] = {}
        self._programs: dict[int, str] = {}
        self._sockets = Sockets()

    def of(self, items: Iterable[Call | Exit]) -> Iterator[Act]:
        """Yield the acts of some calls."""
        for item in items:
            if isinstance(item, Call) and not item.error.startswith("ERESTART"):
                by = self._programs.get(item.pid, "")
                for act in self._call(item):
                    yield act._replace(by=by)

    def rest(self) -> Iterator[Act]:
        """Yield the acts that are only known at the end."""
        return self._sockets.rest()

    def _call(self, call: Call) -> Iterator[Act]:
        name = call.name
        if name in _FORKS:
            self._fork(call)
        elif name in ("chdir", "fchdir"):
            self._chdir(call)
        elif name in ("execve", "execveat"):
            yield from self._exec(call)
        elif name in ("open", "openat", "openat2", "creat"):
            yield from self._open(call)
        elif name in _BY_DESCRIPTOR:
            path = behind(call.args[0]) if call.args else None
            if path and path.startswith("/"):
                yield Act(_BY_DESCRIPTOR[name], path, outcome_of(call))
        elif name in _SIGNALS:
            yield from self._signal(call)
        elif name in ("ptrace", "process_vm_readv", "process_vm_writev"):
            yield Act(Kind.INSPECT, "", Outcome.REFUSED if call.error else Outcome.DONE)
        elif name == "io_uring_setup":
            self.problems.append("a program used io_uring, whose operations cannot be observed")
        elif name in ("connect", "bind", "listen", "sendto", "sendmsg", "sendmmsg"):
            yield from self._sockets.of(call, self._placed)
        else:
            yield from self._paths(call)

    # ── processes ──

    def _fork(self, call: Call) -> None:
        if any("CLONE_UNTRACED" in arg for arg in call.args):
            self.problems.append("a program made a process that cannot be watched")
        child = call.child or call.result or 0
        if child > 0:
            self._folders[child] = self._folder(call.pid)
            self._programs[child] = self._programs.get(call.pid, "")

    def _folder(self, pid: int) -> str:
        return self._folders.get(pid, self._start)

    def _chdir(self, call: Call) -> None:
        if call.error or not call.args:
            return
        path = behind(call.args[0]) if call.name == "fchdir" else self._path(call, 0)
        if path:
            self._folders[call.pid] = path

    def _exec(self, call: Call) -> Iterator[Act]:
        paths = self._all_paths(call)
        if not paths:
            self.problems.append("a program with an unknown name was started")
            return
        if not call.error:
            self._programs[call.pid] = paths[0]
        yield Act(Kind.START, paths[0], outcome_of(call))

    def _signal(self, call: Call) -> Iterator[Act]:
        numbers = [_NUMBER.match(arg) for arg in call.args]
        found = numbers[1] if call.name == "tgkill" and len(numbers) > 1 else numbers[0] if numbers else None
        target = int(found[2] or 0) if found else 0
        if found and int(found[1]) > 0 and target == call.pid:
            return  # a process may signal itself
        if call.name in ("tkill", "tgkill") and self._programs.get(target) == self._programs.get(call.pid):
            return  # threads of one program
        yield Act(Kind.SIGNAL, posixpath.basename(self._programs.get(target, "")), outcome_of(call))

    # ── files ──

    def _placed(self, call: Call, text: str) -> str:
        return self._links.resolve(posixpath.join(self._folder(call.pid), text))

    def _path(self, call: Call, at: int, *, follow: bool = True) -> str | None:
        """Return the path in an argument, resolved against the preceding descriptor or the working directory."""
        text = quoted(call.args[at]) if at < len(call.args) else None
        if text is None:
            return None
        base = behind(call.args[at - 1]) if at else None
        full = posixpath.normpath(posixpath.join(base or self._folder(call.pid), text))
        return self._links.resolve(full, follow=follow)

    def _all_paths(self, call: Call, *, follow: bool = True) -> list[str]:
        """Return the paths among the arguments, in order."""
        found = (self._path(call, at, follow=follow) for at in range(len(call.args)))
        paths = [path for path in found if path]
        if not paths and call.args and (path := behind(call.args[0])) and path.startswith("/"):
            return [path]  # AT_EMPTY_PATH: the descriptor itself
        return paths

    def _open(self, call: Call) -> Iterator[Act]:
        at = 0 if call.name in ("open", "creat") else 1
        asked = self._path(call, at)
        flags = "O_WRONLY|O_CREAT|O_TRUNC" if call.name == "creat" else "".join(call.args[at + 1 : at + 2])
        if "O_PATH" in flags:
            return
        path = call.path if call.path.startswith("/") else asked
        if path is None or asked is None:
            self.problems.append("a file with an unknown name was opened")
            return
        if "O_TMPFILE" in flags:
            yield Act(Kind.WRITE, posixpath.join(asked, "#unnamed"), outcome_of(call))
            return
        for kind in _modes(flags):
            yield Act(kind, path, outcome_of(call), asked if asked != path else "")

    def _paths(self, call: Call) -> Iterator[Act]:
        name, outcome = call.name, outcome_of(call)
        kind = _ONE_PATH.get(name)
        if kind is Kind.FOLDER and call.error in _MADE:
            return
        if kind is not None:
            paths = self._all_paths(call, follow=name not in _NOT_FOLLOWED and "NOFOLLOW" not in "".join(call.args))
            if paths:
                yield Act(kind, paths[0], outcome)
                if kind is Kind.DELETE and outcome is Outcome.DONE:
                    self._links.remove(paths[0])
        elif name in ("rename", "renameat", "renameat2"):
            yield from self._rename(call, self._all_paths(call, follow=False))
        elif name in ("link", "linkat"):
            for path in self._all_paths(call, follow=False)[-1:]:
                yield Act(Kind.WRITE, path, outcome)
        elif name in ("symlink", "symlinkat"):
            place = self._path(call, len(call.args) - 1, follow=False)
            if place:
                yield Act(Kind.WRITE, place, outcome)
                if outcome is Outcome.DONE:
                    self._links.add(place, quoted(call.args[0]) or "")

    def _rename(self, call: Call, paths: list[str]) -> Iterator[Act]:
        if len(paths) != 2:
            return
        old, new = paths
        outcome = outcome_of(call)
        yield Act(Kind.DELETE, old, outcome)
        yield Act(Kind.WRITE, new, outcome)
        if "RENAME_EXCHANGE" in call.args[-1]:
            yield Act(Kind.DELETE, new, outcome)
            yield Act(Kind.WRITE, old, outcome)
        if outcome is Outcome.DONE:
            self._links.move(old, new)


def _modes(flags: str) -> Iterator[Kind]:
    if "O_DIRECTORY" in flags:
        yield Kind.LIST
        return
    if any(word in flags for word in ("O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC")):
        yield Kind.WRITE
    if "O_RDONLY" in flags or ("O_RDWR" in flags and "O_TRUNC" not in flags and "O_CREAT" not in flags):
        yield Kind.READ
