"""Runs a script in a scratch folder and says what it really did, by the interpreter's own audit events.

Used as a program: it reads `case folder, arguments` as JSON lines and prints the capabilities seen, one line each. Every
script runs in a forked child of one warm interpreter, so hundreds of them take seconds. Nothing leaves the scratch folder:
connections and writes elsewhere are refused after they were noted.
"""

import contextlib
import json
import os
import shlex
import shutil
import signal
import sys
import tempfile

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
EVENTS = {
    "os.remove": ["file.delete"], "os.rmdir": ["file.delete"], "shutil.rmtree": ["file.delete"], "os.rename": ["file.delete", "file.write"],
    "os.chmod": ["file.chmod"], "os.mkdir": ["file.write"], "os.truncate": ["file.write"], "os.link": ["file.write"],
    "os.symlink": ["file.write"], "os.utime": ["file.write"], "os.listdir": ["file.read"], "os.scandir": ["file.read"],
    "subprocess.Popen": ["process.create"], "os.system": ["shell.execute", "process.create"], "os.exec": ["process.create"],
    "os.posix_spawn": ["process.create"], "os.spawn": ["process.create"], "os.fork": ["process.create"],
    "os.forkpty": ["process.create"], "pty.spawn": ["process.create"],
    "socket.connect": ["net.connect"], "socket.getaddrinfo": ["net.connect"], "socket.bind": ["net.listen"],
    "socket.sendto": ["net.connect"], "os.kill": ["process.kill"], "os.putenv": ["env.write"],
    "sqlite3.connect": ["file.write", "file.read"], "webbrowser.open": ["web.fetch"],
}  # fmt: skip
FORBIDDEN = frozenset({"socket.connect", "socket.getaddrinfo", "socket.sendto", "os.kill", "webbrowser.open"})


def main():
    for line in sys.stdin:
        folder, arguments, quick = json.loads(line)
        print(json.dumps(observe(folder, arguments, quick)), flush=True)


def observe(folder, arguments, seconds):
    scratch = tempfile.mkdtemp(prefix="truth-")  # not a context manager: its clean-up would also run in the child
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _child(folder, arguments, scratch, writer, seconds)
    os.close(writer)
    with os.fdopen(reader, encoding="utf-8", errors="replace") as log:
        seen = log.read().split("\n")
    os.waitpid(child, 0)
    seen += [] if "victim.txt" in os.listdir(scratch) else ["file.delete"]
    shutil.rmtree(scratch, ignore_errors=True)
    return sorted(set(filter(None, seen)))


def _child(folder, arguments, scratch, log, seconds):
    os.setsid()
    signal.alarm(seconds)
    os.chdir(scratch)
    os.environ["HOME"] = scratch
    for name in ("victim.txt", "data.txt"):
        with open(name, "w", encoding="utf-8") as out:
            out.write("x\n")
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    os.set_inheritable(log, False)
    script = f"{folder}/scripts/main.py"
    sys.argv = [script, *shlex.split(arguments)]
    sys.path[0] = os.path.dirname(script)
    sys.dont_write_bytecode = True
    import runpy

    _watch(log, scratch)
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit:
        pass
    except BaseException as error:
        os.write(log, f"error {type(error).__name__}: {str(error)[:200]!r}\n".encode())
    finally:
        with contextlib.suppress(BaseException):
            import atexit

            atexit._run_exitfuncs()
        os._exit(0)


def _watch(log, scratch):
    write = os.write

    def note(event, args):
        if event == "open":
            path, mode, flags = args
            found = _opened(path, mode, flags)
        else:
            found = EVENTS.get(event, ())
        if found:
            write(log, ("\n".join(found) + "\n").encode())
        if event in FORBIDDEN:
            raise PermissionError(event)
        if (
            event == "open"
            and "file.write" in found
            and not os.path.realpath(os.fspath(path)).startswith((scratch, "/dev/"))
        ):
            raise PermissionError(path)

    sys.addaudithook(note)


def _opened(path, mode, flags):
    if not isinstance(path, str | bytes | os.PathLike):
        return ()
    if isinstance(mode, str):
        writes = any(char in mode for char in "wax+")
        return (
            ("file.write",)
            if writes and "r" not in mode and "+" not in mode
            else ("file.read", "file.write")
            if writes
            else ("file.read",)
        )
    return ("file.write", "file.read") if flags & WRITES else ("file.read",)


if __name__ == "__main__":
    main()
