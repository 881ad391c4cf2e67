"""The parser of strace logs, and the acts in them: what a program did to which object, as the program saw it.

The observed program chooses the names of files, so a line is read from left to right by the rules of strace (quotes,
brackets, escapes), and never searched for something that looks like its end. A line that cannot be parsed is a problem,
and a log with a problem is incomplete. Failed acts count too: a sandbox refuses what would succeed elsewhere.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from remit.core.scope.hosts import normal_host

# Calls that start, change or reach something. `?` marks those that some machines do not have.
TRACED = (
    "?open,openat,?openat2,?creat,?unlink,unlinkat,?rmdir,?rename,?renameat,?renameat2,?mkdir,mkdirat,?mknod,mknodat,"
    "?link,linkat,?symlink,symlinkat,truncate,?chmod,fchmod,fchmodat,?fchmodat2,?chown,?lchown,fchown,fchownat,"
    "setxattr,lsetxattr,fsetxattr,removexattr,lremovexattr,fremovexattr,?getdents,getdents64,execve,execveat,"
    "connect,bind,listen,sendto,sendmsg,sendmmsg,chdir,fchdir,clone,?clone3,?fork,?vfork,"
    "kill,tkill,tgkill,rt_sigqueueinfo,?pidfd_send_signal,ptrace,process_vm_readv,process_vm_writev,?io_uring_setup"
)
# One log for all processes, in the order of what happened; descriptors with their paths; numbers of processes as
# strace itself knows them. The filter in the kernel also stops a child that was made so that nobody can trace it.
OPTIONS = ("-f", "--seccomp-bpf", "-y", "--decode-pids=pidns", "-s", "1024", "--quiet=attach,personality")


class SystemCall(NamedTuple):
    """One call. `result` is None if it did not return; `path` is the file behind the descriptor that it returned."""

    pid: int
    name: str
    args: tuple[str, ...]
    result: int | None
    error: str = ""
    path: str = ""
    child: int = 0  # the process that it made, as strace numbers it


class Exit(NamedTuple):
    """The end of a process."""

    pid: int


_LINE = re.compile(r"(\d+) +(?:(\w+)\(|<\.\.\. (\w+) resumed>|(\+\+\+|---) )", re.ASCII)
_TOKEN = re.compile(
    r'"(?:[^"\\]|\\.)*"(?:\.\.\.)?|(?<=[0-9D])<(?:[^<>\\]|\\.)*>|/\*.*?\*/|[\[\]{}(),]|[^"<\[\]{}(),/]+|.', re.DOTALL
)
_RESULT = re.compile(
    r"\s*= (?:(-?\d+)|0x[0-9a-f]+|\?)(?:<((?:[^<>\\]|\\.)*)>(?:\(deleted\))?)?(?: /\* (\d+) in strace's PID NS \*/)?(?: (E\w+))?"
)
_UNFINISHED = " <unfinished ...>"
_OPEN, _CLOSE = "([{", ")]}"
_ESCAPE = re.compile(r"\\(x[0-9a-f]{2}|[0-7]{1,3}|.)", re.DOTALL)
_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "v": "\v", "f": "\f", "a": "\a", "b": "\b"}


class Reader:
    """Parses lines as they come; `problems` lists what was lost."""

    def __init__(self) -> None:
        self.problems: list[str] = []
        self.unread = ""  # the first line that was not understood
        self._begun: dict[int, tuple[str, str]] = {}

    def line(self, line: str) -> SystemCall | Exit | None:
        """Return the event that a line completes, or None."""
        found = _LINE.match(line)
        if found is None:
            self._lost(line)
            return None
        pid, name, resumed, mark = int(found[1]), found[2], found[3], found[4]
        if mark:
            return Exit(pid) if mark == "+++" else None
        rest = line[found.end() :]
        if resumed:
            began, before = self._begun.pop(pid, ("", ""))
            if began != resumed:
                self._lost(line)
                return None
            name, rest = began, before + rest.removeprefix(_UNFINISHED)
        elif rest.endswith(_UNFINISHED):
            self._begun[pid] = (name, rest.removesuffix(_UNFINISHED))
            return None
        return self._call(pid, name, rest, line)

    def rest(self) -> Iterator[SystemCall]:
        """Yield calls that had begun when their process ended: whether they took effect is unknown."""
        for pid, (name, before) in self._begun.items():
            args, _ = _arguments(before + ")")
            yield SystemCall(pid, name, args, None)
        self._begun.clear()

    def _call(self, pid: int, name: str, rest: str, line: str) -> SystemCall | None:
        args, end = _arguments(rest)
        found = _RESULT.match(rest, end) if end >= 0 else None
        if found is None:
            self._lost(line)
            return None
        result = int(found[1]) if found[1] is not None else None
        return SystemCall(pid, name, args, result, found[4] or "", unescape(found[2] or ""), int(found[3] or 0))

    def _lost(self, line: str) -> None:
        self.unread = self.unread or line
        self.problems.append("a line of the log is not understood")


def _arguments(text: str) -> tuple[tuple[str, ...], int]:
    """Return the arguments of a call, and the index of its closing bracket; -1 if there is none."""
    out: list[str] = []
    piece: list[str] = []
    depth = 0
    for token in _TOKEN.finditer(text):
        word = token[0]
        if depth == 0 and word in (",", ")"):
            out.append("".join(piece).strip())
            piece.clear()
            if word == ")":
                return tuple(out), token.end()
            continue
        depth += (word in _OPEN) - (word in _CLOSE)
        piece.append(word)
    return tuple(out), -1


def unescape(text: str) -> str:
    """Return a text of the log as the program wrote it; invalid UTF-8 is kept as surrogates."""
    if "\\" not in text:
        return text

    def one(found: re.Match[str]) -> str:
        code = found[1]
        if code[0] == "x" and len(code) == 3:
            return chr(int(code[1:], 16))
        return chr(int(code, 8) & 255) if code[0].isdigit() else _PLAIN.get(code, code)

    return _ESCAPE.sub(one, text).encode("latin-1", "replace").decode("utf-8", "surrogateescape")


def quoted(argument: str) -> str | None:
    """Return the text of a string argument; None if it is something else, or was cut."""
    if len(argument) < 2 or argument[0] != '"' or argument[-1] != '"':
        return None
    return unescape(argument[1:-1])


def raw_bytes(argument: str) -> bytes:
    """Return the bytes of a string argument, as far as they were logged."""
    inner = argument.removesuffix("...").strip('"')
    return unescape(inner).encode("utf-8", "surrogateescape")


def behind(argument: str) -> str | None:
    """Return the path behind a descriptor or `AT_FDCWD`; None if the argument is neither."""
    found = _DESCRIPTOR.match(argument)
    return unescape(found[1]) if found else None


_DESCRIPTOR = re.compile(r"(?:AT_FDCWD|\d+)<((?:[^<>\\]|\\.)*)>")


class ActKind(StrEnum):
    """What is done to the object."""

    READ = "read"
    WRITE = "write"
    FOLDER = "folder"  # a folder is made
    DELETE = "delete"
    CHMOD = "chmod"
    LIST = "list"  # a folder is read
    START = "start"  # the object is a program
    CONNECT = "connect"  # the object is `address:port`
    LISTEN = "listen"
    LOOKUP = "lookup"  # the object is a name; empty if it could not be read
    SIGNAL = "signal"  # the object is the program that gets it, empty if that is not known
    INSPECT = "inspect"  # of another process, through its memory


class Outcome(StrEnum):
    """How an act ended."""

    DONE = "done"
    REFUSED = "refused"  # by the sandbox, or unknown
    ABSENT = "absent"  # there was no such thing


class Act(NamedTuple):
    """One act; `asked` is the path as the program wrote it, where a link led elsewhere; `by` is the program that acts."""

    kind: ActKind
    object: str
    outcome: Outcome = Outcome.DONE
    asked: str = ""
    by: str = ""


_MISSING = frozenset({"ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG", "ESRCH", "ENXIO"})


def outcome_of(call: SystemCall) -> Outcome:
    """Return how a call ended."""
    if not call.error:
        return Outcome.DONE  # a call that did not return may have taken effect
    return Outcome.ABSENT if call.error in _MISSING else Outcome.REFUSED


_HEADER = 12
_LONGEST = 63  # bytes of a label; more is a pointer, which no question needs


def asked_name(packet: bytes) -> str:
    """Return the host that a packet asks for, or an empty string; over TCP, two bytes of length come first."""
    return _question(packet) or _question(packet[2:]) or ""


def _question(data: bytes) -> str | None:
    if len(data) <= _HEADER or data[2] & 0x80 or data[4:6] != b"\x00\x01":
        return None  # an answer, or not one question
    labels: list[bytes] = []
    at = _HEADER
    while at < len(data) and data[at]:
        size = data[at]
        if size > _LONGEST or at + 1 + size > len(data):
            return None
        labels.append(data[at + 1 : at + 1 + size])
        at += 1 + size
    if at >= len(data) or not labels:
        return None
    return normal_host(b".".join(labels).decode("latin-1"))


_ADDRESS = re.compile(r'inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)"')
_PORT = re.compile(r"sin6?_port=htons\((\d+)\)")
_SOCKET_FILE = re.compile(r'sun_path=(@?)("(?:[^"\\]|\\.)*")')
_INODE = re.compile(r"\d+<(\w+:\[\d+\])>")
NAME_SERVER = "127.0.0.1"  # of the sandbox; to any other a question is a connection like any other
_DNS = "53"
_PAYLOAD = re.compile(r'iov_base=("(?:[^"\\]|\\.)*"(?:\.\.\.)?)')


Place: TypeAlias = Callable[[SystemCall, str], str]


class Sockets:
    """The sockets of one run, by the kernel's numbers."""

    def __init__(self) -> None:
        self._peers: dict[str, str] = {}  # sockets that are connected to a name server
        self._bound: dict[str, str] = {}  # the addresses of sockets
        self._named: set[str] = set()  # those from which a name was read

    def rest(self) -> Iterator[Act]:
        """Yield acts that are only known at the end: queries to name servers that could not be parsed."""
        if set(self._peers) - self._named:
            yield Act(ActKind.LOOKUP, "", Outcome.REFUSED)

    def of(self, call: SystemCall, place: Place) -> Iterator[Act]:
        """Yield the acts of a call on a socket; `place` resolves the name of a socket that is a file."""
        found = _INODE.match(call.args[0]) if call.args else None
        inode = found[1] if found else ""
        if call.name.startswith("send"):
            yield from self._sent(call, inode)
            return
        words = "".join(call.args[1:2])
        host, port = next(_endpoints(words), ("", ""))
        if call.name == "connect":
            yield from self._connect(call, words, inode, (host, port), place)
        elif call.name == "bind" and (local := _SOCKET_FILE.search(words)):
            self._bound[inode] = "a name of this machine"
            if not local[1]:
                yield Act(ActKind.WRITE, place(call, quoted(local[2]) or ""), outcome_of(call))
        elif call.name == "bind" and host:
            self._bound[inode] = f"{host}:{port}"
            if port != "0":
                yield Act(ActKind.LISTEN, f"{host}:{port}", outcome_of(call))
        elif call.name == "listen" and self._bound.get(inode, ":0").endswith(":0"):
            yield Act(ActKind.LISTEN, self._bound.get(inode, "0.0.0.0:0"), outcome_of(call))

    def _connect(self, call: SystemCall, words: str, inode: str, to: tuple[str, str], place: Place) -> Iterator[Act]:
        host, port = to
        local = _SOCKET_FILE.search(words)
        if local and not local[1]:
            yield Act(ActKind.WRITE, place(call, quoted(local[2]) or ""), outcome_of(call))
        elif local:
            yield Act(ActKind.CONNECT, "localhost:0", outcome_of(call))  # an abstract name of this network namespace
        elif (host, port) == (NAME_SERVER, _DNS):
            self._peers[inode] = host
        elif host and port != "0":
            yield Act(ActKind.CONNECT, f"{host}:{port}", Outcome.REFUSED if call.error else Outcome.DONE)

    def _sent(self, call: SystemCall, inode: str) -> Iterator[Act]:
        words = "".join(call.args[1:2])
        if call.name == "sendto":
            payloads, to = [words], "".join(call.args[4:5])
        else:
            payloads, to = [found[1] for found in _PAYLOAD.finditer(words)], _PAYLOAD.sub("", words)
        targets = list(_endpoints(to))
        if (NAME_SERVER, _DNS) in targets or (inode in self._peers and not targets):
            self._named.add(inode)
            for data in payloads:  # a question that cannot be read is one for any host
                yield Act(ActKind.LOOKUP, asked_name(raw_bytes(data)), Outcome.REFUSED)
        for host, port in targets:
            if (host, port) != (NAME_SERVER, _DNS):
                yield Act(ActKind.CONNECT, f"{host}:{port}", Outcome.REFUSED if call.error else Outcome.DONE)


def _endpoints(words: str) -> Iterator[tuple[str, str]]:
    """Yield the hosts and ports among some words, in order."""
    for port, address in zip(_PORT.finditer(words), _ADDRESS.finditer(words), strict=False):
        host = address[1] or address[2]
        yield (host.removeprefix("::ffff:") if "." in host else host), port[1]


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


def _calls(kinds: Mapping[ActKind, str]) -> dict[str, ActKind]:
    return {name: kind for kind, names in kinds.items() for name in names.split()}


_BY_DESCRIPTOR = _calls({ActKind.CHMOD: "fchmod fchown fsetxattr fremovexattr", ActKind.LIST: "getdents getdents64"})
_ONE_PATH = _calls(
    {
        ActKind.DELETE: "unlink unlinkat rmdir",
        ActKind.FOLDER: "mkdir mkdirat",
        ActKind.WRITE: "mknod mknodat truncate",
        ActKind.CHMOD: "chmod fchmodat fchmodat2 chown lchown fchownat setxattr lsetxattr removexattr lremovexattr",
    }
)
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

    def of(self, items: Iterable[SystemCall | Exit]) -> Iterator[Act]:
        """Yield the acts of some calls."""
        for item in items:
            if isinstance(item, SystemCall) and not item.error.startswith("ERESTART"):
                by = self._programs.get(item.pid, "")
                for act in self._call(item):
                    yield act._replace(by=by)

    def rest(self) -> Iterator[Act]:
        """Yield the acts that are only known at the end."""
        return self._sockets.rest()

    def _call(self, call: SystemCall) -> Iterator[Act]:
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
            yield Act(ActKind.INSPECT, "", Outcome.REFUSED if call.error else Outcome.DONE)
        elif name == "io_uring_setup":
            self.problems.append("a program used io_uring, whose operations cannot be observed")
        elif name in ("connect", "bind", "listen", "sendto", "sendmsg", "sendmmsg"):
            yield from self._sockets.of(call, self._placed)
        else:
            yield from self._paths(call)

    # ── processes ──

    def _fork(self, call: SystemCall) -> None:
        if any("CLONE_UNTRACED" in arg for arg in call.args):
            self.problems.append("a program made a process that cannot be watched")
        child = call.child or call.result or 0
        if child > 0:
            self._folders[child] = self._folder(call.pid)
            self._programs[child] = self._programs.get(call.pid, "")

    def _folder(self, pid: int) -> str:
        return self._folders.get(pid, self._start)

    def _chdir(self, call: SystemCall) -> None:
        if call.error or not call.args:
            return
        path = behind(call.args[0]) if call.name == "fchdir" else self._path(call, 0)
        if path:
            self._folders[call.pid] = path

    def _exec(self, call: SystemCall) -> Iterator[Act]:
        paths = self._all_paths(call)
        if not paths:
            self.problems.append("a program with an unknown name was started")
            return
        if not call.error:
            self._programs[call.pid] = paths[0]
        yield Act(ActKind.START, paths[0], outcome_of(call))

    def _signal(self, call: SystemCall) -> Iterator[Act]:
        numbers = [_NUMBER.match(arg) for arg in call.args]
        found = numbers[1] if call.name == "tgkill" and len(numbers) > 1 else numbers[0] if numbers else None
        target = int(found[2] or 0) if found else 0
        if found and int(found[1]) > 0 and target == call.pid:
            return  # a process may signal itself
        if call.name in ("tkill", "tgkill") and self._programs.get(target) == self._programs.get(call.pid):
            return  # threads of one program
        yield Act(ActKind.SIGNAL, posixpath.basename(self._programs.get(target, "")), outcome_of(call))

    # ── files ──

    def _placed(self, call: SystemCall, text: str) -> str:
        return self._links.resolve(posixpath.join(self._folder(call.pid), text))

    def _path(self, call: SystemCall, at: int, *, follow: bool = True) -> str | None:
        """Return the path in an argument, resolved against the preceding descriptor or the working directory."""
        text = quoted(call.args[at]) if at < len(call.args) else None
        if text is None:
            return None
        base = behind(call.args[at - 1]) if at else None
        full = posixpath.normpath(posixpath.join(base or self._folder(call.pid), text))
        return self._links.resolve(full, follow=follow)

    def _all_paths(self, call: SystemCall, *, follow: bool = True) -> list[str]:
        """Return the paths among the arguments, in order."""
        found = (self._path(call, at, follow=follow) for at in range(len(call.args)))
        paths = [path for path in found if path]
        if not paths and call.args and (path := behind(call.args[0])) and path.startswith("/"):
            return [path]  # AT_EMPTY_PATH: the descriptor itself
        return paths

    def _open(self, call: SystemCall) -> Iterator[Act]:
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
            yield Act(ActKind.WRITE, posixpath.join(asked, "#unnamed"), outcome_of(call))
            return
        for kind in _modes(flags):
            yield Act(kind, path, outcome_of(call), asked if asked != path else "")

    def _paths(self, call: SystemCall) -> Iterator[Act]:
        name, outcome = call.name, outcome_of(call)
        kind = _ONE_PATH.get(name)
        if kind is ActKind.FOLDER and call.error in _MADE:
            return
        if kind is not None:
            paths = self._all_paths(call, follow=name not in _NOT_FOLLOWED and "NOFOLLOW" not in "".join(call.args))
            if paths:
                yield Act(kind, paths[0], outcome)
                if kind is ActKind.DELETE and outcome is Outcome.DONE:
                    self._links.remove(paths[0])
        elif name in ("rename", "renameat", "renameat2"):
            yield from self._rename(call, self._all_paths(call, follow=False))
        elif name in ("link", "linkat"):
            for path in self._all_paths(call, follow=False)[-1:]:
                yield Act(ActKind.WRITE, path, outcome)
        elif name in ("symlink", "symlinkat"):
            place = self._path(call, len(call.args) - 1, follow=False)
            if place:
                yield Act(ActKind.WRITE, place, outcome)
                if outcome is Outcome.DONE:
                    self._links.add(place, quoted(call.args[0]) or "")

    def _rename(self, call: SystemCall, paths: list[str]) -> Iterator[Act]:
        if len(paths) != 2:
            return
        old, new = paths
        outcome = outcome_of(call)
        yield Act(ActKind.DELETE, old, outcome)
        yield Act(ActKind.WRITE, new, outcome)
        if "RENAME_EXCHANGE" in call.args[-1]:
            yield Act(ActKind.DELETE, new, outcome)
            yield Act(ActKind.WRITE, old, outcome)
        if outcome is Outcome.DONE:
            self._links.move(old, new)


def _modes(flags: str) -> Iterator[ActKind]:
    if "O_DIRECTORY" in flags:
        yield ActKind.LIST
        return
    if any(word in flags for word in ("O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC")):
        yield ActKind.WRITE
    if "O_RDONLY" in flags or ("O_RDWR" in flags and "O_TRUNC" not in flags and "O_CREAT" not in flags):
        yield ActKind.READ
