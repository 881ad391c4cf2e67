"""From calls to acts: what a program did to which object, in the paths, programs and addresses of the machine it saw.

An act that did not succeed is an act too: a sandbox refuses what would succeed elsewhere.
"""

from __future__ import annotations

import posixpath
import re
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from remit.capsule.links import Links
from remit.capsule.packets import asked_names
from remit.capsule.trace import Call, Exit, behind, quoted, raw_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


class Kind(StrEnum):
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
    """How it ended."""

    DONE = "done"
    REFUSED = "refused"  # by the sandbox, or nobody knows
    ABSENT = "absent"  # there was no such thing


class Act(NamedTuple):
    """One act; `asked` is the path as the program wrote it, where a link led elsewhere; `by` is the program that acts."""

    kind: Kind
    object: str
    outcome: Outcome = Outcome.DONE
    asked: str = ""
    by: str = ""


_MISSING = frozenset({"ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG", "ESRCH", "ENXIO"})
_MADE = frozenset({"EEXIST", "EISDIR"})  # a folder that is there already needs not be made
_ADDRESS = re.compile(r'inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)"')
_PORT = re.compile(r"sin6?_port=htons\((\d+)\)")
_SOCKET_FILE = re.compile(r'sun_path=(@?)("(?:[^"\\]|\\.)*")')
_INODE = re.compile(r"\d+<(\w+:\[\d+\])>")
_NUMBER = re.compile(r"(-?\d+)(?: /\* (\d+) in strace's PID NS \*/)?")
_DATA = re.compile(r'"(?:[^"\\]|\\.)*"(?:\.\.\.)?')
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
NAME_SERVER = "127.0.0.1"  # of the sandbox; to any other a question is a connection like any other
_DNS = "53"
_PAYLOAD = re.compile(r'iov_base="(?:[^"\\]|\\.)*"')


class Acts:
    """Turns the calls of one run into acts; `problems` says what was seen and could not be followed."""

    def __init__(self, folder: str, links: Mapping[str, str] | None = None) -> None:
        self.problems: list[str] = []
        self._start = folder
        self._links = Links(links or {})
        self._folders: dict[int, str] = {}
        self._programs: dict[int, str] = {}
        self._peers: dict[str, str] = {}  # sockets that are connected to a name server
        self._bound: dict[str, str] = {}  # the addresses of sockets
        self._named: set[str] = set()  # those from which a name was read

    def of(self, items: Iterable[Call | Exit]) -> Iterator[Act]:
        """The acts of some calls."""
        for item in items:
            if isinstance(item, Call) and not item.error.startswith("ERESTART"):
                by = self._programs.get(item.pid, "")
                for act in self._call(item):
                    yield act._replace(by=by)

    def rest(self) -> Iterator[Act]:
        """What is known only at the end: name servers that were spoken to in words that were not understood."""
        if set(self._peers) - self._named:
            yield Act(Kind.LOOKUP, "", Outcome.REFUSED)

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
                yield Act(_BY_DESCRIPTOR[name], path, _outcome(call))
        elif name in _SIGNALS:
            yield from self._signal(call)
        elif name in ("ptrace", "process_vm_readv", "process_vm_writev"):
            yield Act(Kind.INSPECT, "", Outcome.REFUSED if call.error else Outcome.DONE)
        elif name == "io_uring_setup":
            self.problems.append("a program used io_uring, whose operations cannot be seen")
        elif name in ("connect", "bind", "listen", "sendto", "sendmsg", "sendmmsg"):
            yield from self._socket(call)
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
            self.problems.append("a program was started whose name is not known")
            return
        if not call.error:
            self._programs[call.pid] = paths[0]
        yield Act(Kind.START, paths[0], _outcome(call))

    def _signal(self, call: Call) -> Iterator[Act]:
        numbers = [_NUMBER.match(arg) for arg in call.args]
        found = numbers[1] if call.name == "tgkill" and len(numbers) > 1 else numbers[0] if numbers else None
        target = int(found[2] or 0) if found else 0
        if found and int(found[1]) > 0 and target == call.pid:
            return  # a process may signal itself
        if call.name in ("tkill", "tgkill") and self._programs.get(target) == self._programs.get(call.pid):
            return  # threads of one program
        yield Act(Kind.SIGNAL, posixpath.basename(self._programs.get(target, "")), _outcome(call))

    # ── files ──

    def _path(self, call: Call, at: int, *, follow: bool = True) -> str | None:
        """The path in an argument, resolved against the descriptor before it or the folder of the process."""
        text = quoted(call.args[at]) if at < len(call.args) else None
        if text is None:
            return None
        base = behind(call.args[at - 1]) if at else None
        full = posixpath.normpath(posixpath.join(base or self._folder(call.pid), text))
        return self._links.resolve(full, follow=follow)

    def _all_paths(self, call: Call, *, follow: bool = True) -> list[str]:
        """The paths among the arguments, in their order."""
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
            self.problems.append("a file was opened whose name is not known")
            return
        if "O_TMPFILE" in flags:
            yield Act(Kind.WRITE, posixpath.join(asked, "#unnamed"), _outcome(call))
            return
        for kind in _modes(flags):
            yield Act(kind, path, _outcome(call), asked if asked != path else "")

    def _paths(self, call: Call) -> Iterator[Act]:
        name, outcome = call.name, _outcome(call)
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
        outcome = _outcome(call)
        yield Act(Kind.DELETE, old, outcome)
        yield Act(Kind.WRITE, new, outcome)
        if "RENAME_EXCHANGE" in call.args[-1]:
            yield Act(Kind.DELETE, new, outcome)
            yield Act(Kind.WRITE, old, outcome)
        if outcome is Outcome.DONE:
            self._links.move(old, new)

    # ── network ──

    def _socket(self, call: Call) -> Iterator[Act]:
        found = _INODE.match(call.args[0]) if call.args else None
        inode = found[1] if found else ""
        if call.name.startswith("send"):
            yield from self._sent(call, inode)
            return
        words = "".join(call.args[1:2])
        host, port = next(_endpoints(words), ("", ""))
        if call.name == "connect":
            yield from self._connect(call, words, inode, host, port)
        elif call.name == "bind" and (local := _SOCKET_FILE.search(words)) and not local[1]:
            yield Act(Kind.WRITE, self._socket_file(call, local[2]), _outcome(call))
        elif call.name == "bind" and host:
            self._bound[inode] = f"{host}:{port}"
            if port != "0":
                yield Act(Kind.LISTEN, f"{host}:{port}", _outcome(call))
        elif call.name == "listen" and self._bound.get(inode, ":0").endswith(":0"):
            yield Act(Kind.LISTEN, self._bound.get(inode, "0.0.0.0:0"), _outcome(call))

    def _connect(self, call: Call, words: str, inode: str, host: str, port: str) -> Iterator[Act]:
        local = _SOCKET_FILE.search(words)
        if local and not local[1]:
            yield Act(Kind.WRITE, self._socket_file(call, local[2]), _outcome(call))
        elif local:
            yield Act(Kind.CONNECT, "localhost:0", _outcome(call))  # an abstract name of this network namespace
        elif (host, port) == (NAME_SERVER, _DNS):
            self._peers[inode] = host
        elif host and port != "0":
            yield Act(Kind.CONNECT, f"{host}:{port}", Outcome.REFUSED if call.error else Outcome.DONE)

    def _socket_file(self, call: Call, text: str) -> str:
        return self._links.resolve(posixpath.join(self._folder(call.pid), quoted(text) or ""))

    def _sent(self, call: Call, inode: str) -> Iterator[Act]:
        # what is sent is the program's own text: an address is only looked for where the call has one
        to = "".join(call.args[4:5]) if call.name == "sendto" else _PAYLOAD.sub("", "".join(call.args[1:2]))
        targets = list(_endpoints(to))
        if (NAME_SERVER, _DNS) in targets or (inode in self._peers and not targets):
            names = {name for data in _DATA.findall(call.args[1]) for name in asked_names(raw_bytes(data))}
            self._peers.setdefault(inode, NAME_SERVER)
            if names:
                self._named.add(inode)
            for name in sorted(names):
                yield Act(Kind.LOOKUP, name, Outcome.REFUSED)
        for host, port in targets:
            if (host, port) != (NAME_SERVER, _DNS):
                yield Act(Kind.CONNECT, f"{host}:{port}", Outcome.REFUSED if call.error else Outcome.DONE)


def _modes(flags: str) -> Iterator[Kind]:
    if "O_DIRECTORY" in flags:
        yield Kind.LIST
        return
    if any(word in flags for word in ("O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC")):
        yield Kind.WRITE
    if "O_RDONLY" in flags or ("O_RDWR" in flags and "O_TRUNC" not in flags and "O_CREAT" not in flags):
        yield Kind.READ


def _endpoints(words: str) -> Iterator[tuple[str, str]]:
    """The hosts and ports among some words, in their order."""
    for port, address in zip(_PORT.finditer(words), _ADDRESS.finditer(words), strict=False):
        host = address[1] or address[2]
        yield (host.removeprefix("::ffff:") if "." in host else host), port[1]


def _outcome(call: Call) -> Outcome:
    if not call.error:
        return Outcome.DONE  # one that did not return may have taken effect
    return Outcome.ABSENT if call.error in _MISSING else Outcome.REFUSED
