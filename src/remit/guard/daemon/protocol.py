r"""The protocol between client and daemon: one line and bytes each way, then the connection closes.

    remit1 HOST EVENT LENGTH VERSION PARENT\n  and LENGTH bytes: the standard input of the hook, as it came
    remit1 EXIT OUT ERR\n               and OUT + ERR bytes: what the hook prints, and its exit status
    remit1 version VERSION\n            the daemon is another version, and exits in favour of one of the client's

A client that accepts any VERSION may omit it. PARENT, the `traceparent` of the host, is optional too: it only places
spans. The format is exact: an additional space, a leading zero, or an answer longer than announced is an error, and an
error is a denial. EXIT is 0 or 2: hosts take any other status for a broken hook and continue.
"""

from __future__ import annotations

import json
import re
import socket
import struct
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from remit.core import telemetry
from remit.core.errors import GuardError, RemitError

if TYPE_CHECKING:
    from remit.guard.event import Event, Host, Verdict


PROTOCOL = "remit1"
ANSWERED, DENIED = 0, 2
LARGEST = 16 * 1024 * 1024  # bytes of a question, and of each text of an answer
LONGEST_LINE = 320
OWN = "remit"  # the host name for questions of Remit's own programs
IN_CAPSULE = ".capsule"  # after the name of an event: its host is in a capsule, and a program outside relays its hooks
_CREDENTIALS = struct.Struct("3i")  # process, user, group: `struct ucred`

_WORD = r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}"
_SIZE = r"(?:0|[1-9][0-9]{0,7})"
_PARENT = r"00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}"
_QUESTION = re.compile(rf"{PROTOCOL} ({_WORD}) ({_WORD}) ({_SIZE})(?: ({_WORD})(?: ({_PARENT}))?)?\n".encode())
_ANSWER = re.compile(rf"{PROTOCOL} ([02]) ({_SIZE}) ({_SIZE})\n".encode())
_OTHER_VERSION = re.compile(rf"{PROTOCOL} version ({_WORD})\n".encode())


class Question(NamedTuple):
    """The first line of a question."""

    host: str
    event: str
    length: int
    version: str = ""  # of the client; empty: any
    parent: str = ""  # the host's position in a trace


class HookAnswer(NamedTuple):
    """What a hook prints, and its exit status."""

    exit: int
    stdout: bytes = b""
    stderr: bytes = b""


class OtherVersion(NamedTuple):
    """The daemon has another version than the client."""

    version: str


def question_line(question: Question) -> bytes:
    """Return the first line of a question."""
    words = [
        PROTOCOL,
        question.host,
        question.event,
        str(question.length),
        *filter(None, (question.version, question.parent)),
    ]
    line = (" ".join(words) + "\n").encode("ascii", "replace")
    if read_question_line(line) != question:
        raise GuardError(f"`{question.host} {question.event}` cannot be asked", "names are letters, digits and `._-`")
    return line


def read_question_line(line: bytes) -> Question:
    """Parse the first line of a question, including its line feed."""
    match = _QUESTION.fullmatch(line)
    if match is None:
        raise GuardError("the request does not follow the protocol", "use the client of this version")
    host, event, length, version, parent = (found.decode() if found else "" for found in match.groups())
    return Question(host, event, _size(length), version, parent)


def answer_bytes(answer: HookAnswer) -> bytes:
    """Return a whole answer."""
    if answer.exit not in (ANSWERED, DENIED) or max(len(answer.stdout), len(answer.stderr)) > LARGEST:
        raise GuardError("the answer is too large or has a status that hosts ignore", "exit 0 or 2, at most 16 MiB")
    line = f"{PROTOCOL} {answer.exit} {len(answer.stdout)} {len(answer.stderr)}\n"
    return line.encode() + answer.stdout + answer.stderr


def other_version_bytes(version: str) -> bytes:
    """Return the daemon's answer to a client of another version."""
    return f"{PROTOCOL} version {version}\n".encode()


def read_answer(data: bytes) -> HookAnswer | OtherVersion:
    """Parse a whole answer: everything until the daemon closed."""
    end = data.find(b"\n", 0, LONGEST_LINE) + 1
    line, body = data[:end], data[end:]
    other = _OTHER_VERSION.fullmatch(line)
    if other is not None and not body:
        return OtherVersion(other[1].decode())
    match = _ANSWER.fullmatch(line)
    if match is None:
        raise GuardError("the answer is not of the protocol", "stop the daemon, and look who listens at its socket")
    out, err = _size(match[2]), _size(match[3])
    if len(body) != out + err:
        raise GuardError("the answer is shorter or longer than it says", "check whether the daemon was killed")
    return HookAnswer(int(match[1]), body[:out], body[out:])


def _size(text: bytes | str) -> int:
    size = int(text)
    if size > LARGEST:
        raise GuardError(f"a text of {size} bytes is too large", f"at most {LARGEST}")
    return size


def peer_user(link: socket.socket) -> int:
    """Return the user at the other end, according to the kernel."""
    return _peer(link)[1]


def peer_is_confined(link: socket.socket) -> bool:
    """Whether the other end is in user or process namespaces of its own: ours cannot be entered from there."""
    try:
        return any(_namespace(str(_peer(link)[0]), name) != _own_namespace(name) for name in ("user", "pid"))
    except OSError:
        return False  # it may not be inspected, or has ended: its first command will show


def _namespace(process: str, name: str) -> Path:
    return Path("/proc", process, "ns", name).readlink()


@cache
def _own_namespace(name: str) -> Path:
    return _namespace("self", name)


def _peer(link: socket.socket) -> tuple[int, int]:
    """Return process and user at the other end."""
    try:
        data = link.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
        process, user, _ = _CREDENTIALS.unpack(data)
    except (OSError, AttributeError, struct.error):
        return -1, -1  # nobody
    return process, user


Hosts = Callable[[str], "Host | None"]
_LONGEST_REASON = 2000
_PLAIN_START = re.compile(rb"\{[^\0]")  # UTF-8, as nearly all hosts send: neither a byte order mark nor zero bytes


def read_event(hosts: Hosts, question: Question, body: bytes, *, confined: bool = False) -> tuple[Host, Event]:
    """Parse a hook's input, with the adapter that answers it. `confined`: the client is in namespaces of its own."""
    host = hosts(question.host)
    if host is None:
        raise GuardError(f"the host `{question.host}` is not known", "remit guard status lists the hosts")
    name = question.event.removesuffix(IN_CAPSULE)
    event = host.read(name, read_object(body))
    if confined or name != question.event:
        event = event._replace(confined=True)
    return host, event._replace(parent=question.parent) if question.parent and telemetry.heard() else event


def read_object(body: bytes) -> dict[str, Any]:
    """Parse a hook's input as a JSON object."""
    try:
        encoding = "utf-8" if _PLAIN_START.match(body) else json.detect_encoding(body)
        found = _READER.decode(body.decode(encoding, "surrogatepass"))
    except (ValueError, RecursionError) as error:
        raise GuardError(f"the input of the hook is not JSON: {error}", "look at what the host sends") from None
    if not isinstance(found, dict):
        raise GuardError("the input of the hook is not an object", "look at what the host sends")
    return found


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"`{text}` is no number")


_READER = json.JSONDecoder(parse_constant=_no_number)  # one shared decoder: `json.loads` would make one each time


def answer_event(host: Host, event: Event, verdict: Verdict) -> HookAnswer:
    """Return what the hook prints."""
    reply = host.reply(event, verdict)
    answer = HookAnswer(reply.exit, _text(reply.stdout), _text(reply.stderr))
    if answer.exit not in (ANSWERED, DENIED) or max(len(answer.stdout), len(answer.stderr)) > LARGEST:
        raise GuardError(f"the adapter of `{event.host}` gave an answer that hosts ignore", "report it")
    return answer


def answer_object(found: Mapping[str, Any]) -> HookAnswer:
    """Return the answer to one of Remit's own programs."""
    return HookAnswer(ANSWERED, json.dumps(found, separators=(",", ":"), allow_nan=False).encode("ascii"))


def denial(error: BaseException | str) -> HookAnswer:
    """Return the answer for a failure: one line with the reason."""
    if isinstance(error, RemitError):
        text = f"{error.message} ({error.remedy})" if error.remedy else error.message
    elif isinstance(error, BaseException):
        text = f"{type(error).__name__}: {error}"
    else:
        text = error
    line = " ".join(text.split())[:_LONGEST_REASON]
    return HookAnswer(DENIED, b"", _text(f"remit: denied: {line}\n"))


def _text(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")  # a lone surrogate from a host must not prevent the answer
