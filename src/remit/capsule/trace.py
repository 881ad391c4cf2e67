"""The parser of strace logs. A line that cannot be parsed is a problem, and a log with a problem is incomplete.

The observed program chooses the names of files, so a line is read from left to right by the rules of strace (quotes,
brackets, escapes), and never searched for something that looks like its end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

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


class Call(NamedTuple):
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

    def line(self, line: str) -> Call | Exit | None:
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

    def rest(self) -> Iterator[Call]:
        """Yield calls that had begun when their process ended: whether they took effect is unknown."""
        for pid, (name, before) in self._begun.items():
            args, _ = _arguments(before + ")")
            yield Call(pid, name, args, None)
        self._begun.clear()

    def _call(self, pid: int, name: str, rest: str, line: str) -> Call | None:
        args, end = _arguments(rest)
        found = _RESULT.match(rest, end) if end >= 0 else None
        if found is None:
            self._lost(line)
            return None
        result = int(found[1]) if found[1] is not None else None
        return Call(pid, name, args, result, found[4] or "", unescape(found[2] or ""), int(found[3] or 0))

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
