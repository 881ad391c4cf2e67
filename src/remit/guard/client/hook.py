"""The Python hook client, started by `client.py`.

It sends its standard input to the daemon and prints the daemon's answer. Hosts continue when a hook crashes, is late or
exits with 1, so every exit without a whole answer prints one line on standard error and has status 2.

(1) Signals and the deadline end in a denial. (2) The state folder is ours alone. (3) The socket and its listener are ours.
(4) If the daemon is down, one of all waiting clients starts it. (5) The answer is whole and follows the protocol.

It is self-contained: it imports nothing else of Remit and only modules written in C, because every hook pays for
imports. `os` and `socket` take longer than all the rest. `client.c` does the same.
"""

import _signal
import _socket
import posix
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing `typing` would take longer than the question
    from typing import NoReturn

VERSION = "0.2.0"
SECONDS = 20.0
LARGEST = 16 * 1024 * 1024
WORDS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"
KEPT = (b"HOME", b"PATH", b"USER", b"LOGNAME", b"LANG", b"LC_ALL", b"TZ")  # environment variables for the daemon
AGAIN = "; `remit guard stop` ends the daemon, and the next call starts another"
LATE = "no answer in time" + AGAIN
DAEMON = __file__[: __file__.rfind("/client/")] + "/daemon/__main__.py"


def deny(reason: str) -> "NoReturn":
    """Exit with a denial, when there is no answer."""
    try:
        posix.write(2, ("remit: denied: " + reason + "\n").encode("utf-8", "replace"))
    finally:
        posix._exit(2)


def shown(path: bytes) -> str:
    """A path in a message."""
    return path.decode("utf-8", "replace")


def on_signal(number: int, _frame: object) -> "NoReturn":
    """Deny on a signal, whose exit status hosts would take for a broken hook (1)."""
    deny(LATE if number == _signal.SIGALRM else f"stopped by signal {number}")


def state_folder(named: bytes) -> bytes:
    """Return the state folder as `remit.guard.state_folder.state_folder` does: the one that the installer recorded, or
    the environment's.

    `~` means the home folder that the machine records for the user. A hook that an administrator installs for all users
    cannot contain a path, and the environment must not count, because the agent can set it; this also holds for a
    daemon that we start.
    """
    environ = posix.environ
    if named == b"~":
        import pwd

        home = pwd.getpwuid(posix.geteuid()).pw_dir.encode("utf-8", "surrogateescape")
        environ[b"HOME"] = home
        named = home + b"/.local/state/remit"
    base, home = environ.get(b"XDG_STATE_HOME", b""), environ.get(b"HOME", b"")
    named = named or environ.get(b"REMIT_STATE", b"")
    if named:
        folder = named
    elif base[:1] == b"/":
        folder = base + b"/remit"
    else:
        folder = home + b"/.local/state/remit"
    if folder[:1] != b"/" or (not named and base[:1] != b"/" and home[:1] != b"/"):
        deny("the state folder is not absolute")
    return folder


def check(path: bytes, kind: int) -> bool:
    """Check that a folder or socket is of the right kind and private to us. False if it does not exist (2) (3)."""
    try:
        state = posix.stat(path, follow_symlinks=False)
    except FileNotFoundError:
        return False
    if state.st_mode & 0o170000 != kind or state.st_uid != posix.geteuid() or state.st_mode & 0o077:
        deny(f"{shown(path)} is not ours alone: `chmod go-rwx` it, or move it away if it is not yours")
    return True


def connect(folder: bytes) -> "_socket.socket | None":
    """Return a connection to our own daemon; None if it is down."""
    path = folder + b"/guard.sock"
    if not check(folder, 0o040000) or not check(path, 0o140000):
        return None
    link = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        link.connect(path)
    except (FileNotFoundError, ConnectionRefusedError):
        link.close()
        return None
    listener = link.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)
    if int.from_bytes(listener[4:8], sys.byteorder) != posix.geteuid():
        deny("another user listens at the socket: move it away, and look who put it there")
    return link


def started(folder: bytes) -> _socket.socket:
    """Return a connection to a daemon that one of all waiting clients starts (4)."""
    import fcntl
    import time

    made = b""
    for part in folder.split(b"/")[1:] if not check(folder, 0o040000) else ():
        made += b"/" + part
        try:
            posix.mkdir(made, 0o700)
        except FileExistsError:
            pass
    check(folder, 0o040000)
    flags = posix.O_RDWR | posix.O_CREAT | posix.O_NOFOLLOW | posix.O_CLOEXEC
    lock = posix.open(folder + b"/start.lock", flags, 0o600)
    ours = False
    while True:
        link = connect(folder)
        if link:
            posix.close(lock)
            return link
        if ours:
            launch(folder)
            continue
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            ours = True
        except BlockingIOError:
            time.sleep(0.02)


def launch(folder: bytes) -> None:
    """Start a daemon that outlives us and inherits nothing, and wait until it listens."""
    ready, end = posix.pipe()
    child = posix.fork()
    if not child:
        try:
            posix.setsid()
            if posix.fork():
                posix._exit(0)
            posix.chdir("/")
            flags = posix.O_WRONLY | posix.O_CREAT | posix.O_TRUNC | posix.O_NOFOLLOW
            errors = posix.open(folder + b"/guard.err", flags, 0o600)
            nothing = posix.open("/dev/null", posix.O_RDONLY)
            for number, handle in enumerate((nothing, end, errors)):
                posix.dup2(handle, number)
            posix.closerange(3, 4096)
            environ = {name: posix.environ[name] for name in KEPT if name in posix.environ}
            posix.execve(sys.executable, (sys.executable, "-I", DAEMON, folder), environ)
        finally:
            posix._exit(2)
    posix.close(end)
    posix.waitpid(child, 0)
    if posix.read(ready, 1) != b"+":
        deny(f"the daemon does not start; see {shown(folder)}/guard.err")
    posix.close(ready)


def read_all(handle: int, most: int) -> bytes:
    """Read a file or socket to its end."""
    parts: list[bytes] = []
    size = 0
    while True:
        part = posix.read(handle, 1 << 20)
        if not part:
            return b"".join(parts)
        parts.append(part)
        size += len(part)
        if size > most:
            deny("a text is too large: hand over less than 16 MB at once")


def write_all(handle: int, data: bytes) -> None:
    """Write everything, in as many pieces as needed."""
    while data:
        data = data[posix.write(handle, data) :]


def ask(link: _socket.socket, question: bytes) -> bytes:
    """Return the daemon's whole response."""
    try:
        link.sendall(question)
    except (BrokenPipeError, ConnectionResetError):
        pass  # it may have answered before it read everything
    return read_all(link.fileno(), 2 * LARGEST + 256)


def size(word: bytes) -> int:
    """Parse a length in its canonical form (5)."""
    if not word.isdigit() or len(word) > 8 or (len(word) > 1 and word[:1] == b"0") or int(word) > LARGEST:
        deny("the answer is not of the protocol" + AGAIN)
    return int(word)


def finish(answer: bytes) -> "NoReturn":
    """Print a whole answer, and exit with its status (5)."""
    line, found, body = answer.partition(b"\n")
    words = line.split(b" ")
    if not found or len(words) != 4 or words[0] != b"remit1" or words[1] not in (b"0", b"2"):
        deny(("the daemon gave no answer" if not answer else "the answer is not of the protocol") + AGAIN)
    out, err = size(words[2]), size(words[3])
    if len(body) != out + err:
        deny("the answer is cut short" + AGAIN)
    write_all(1, body[:out])
    write_all(2, body[out:])
    posix._exit(int(words[1]))


def parent() -> bytes:
    """Return the host's trace parent, if it has the one form that the daemon accepts. It decides nothing."""
    told = posix.environ.get(b"TRACEPARENT", b"")
    parts = told.split(b"-") if len(told) == 55 else []
    if (
        [len(part) for part in parts] != [2, 32, 16, 2]
        or parts[0] != b"00"
        or b"".join(parts).strip(b"0123456789abcdef")
    ):
        return b""
    return b" " + told


def main(argv: list[str]) -> "NoReturn":
    """Ask the daemon, and exit."""
    for name in ("SIGALRM", "SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGXCPU"):
        _signal.signal(getattr(_signal, name), on_signal)
    _signal.pthread_sigmask(_signal.SIG_SETMASK, ())  # a host may have blocked signals, and the deadline is one
    words = [word.encode("utf-8", "surrogateescape") for word in argv[1:]]
    seconds = float(words[2]) if len(words) > 2 else SECONDS
    if not 2 <= len(words) <= 4 or not 0 < seconds <= 3600:
        deny("run it as client.py HOST EVENT [SECONDS [STATE]]")
    for word in words[:2]:
        if not 0 < len(word) <= 64 or word.strip(WORDS) or word[:1] in b"._-":
            deny("a host or event has a strange name")
    _signal.setitimer(_signal.ITIMER_REAL, seconds)
    folder = state_folder(words[3] if len(words) > 3 else b"")
    text = read_all(0, LARGEST)
    line = b"remit1 %s %s %d %s%s\n" % (words[0], words[1], len(text), VERSION.encode(), parent())
    answer = ask(connect(folder) or started(folder), line + text)
    if answer[:15] == b"remit1 version ":  # it is another version, and exits in favour of ours
        answer = ask(started(folder), line + text)
    finish(answer)
