"""Runs steps one after another inside the sandbox: a program, or Python code in a fork of this process.

Started as `driver.py STEPS.json STATUSES.json` under strace. An attempt to open `/probe-step/N` marks the begin of step N in the
log, `/probe-step/-` its end. The work folder is put back between two steps, and what a step left running is ended.
"""

import ctypes
import json
import os
import resource
import shutil
import signal
import stat
import sys
import time
from contextlib import suppress

SUBREAPER = 36  # of prctl(2)
LATE = 124
BYTES = 30_000_000


def mark(what):
    with suppress(OSError):  # it is never there
        os.close(os.open(f"/probe-step/{what}", os.O_RDONLY))


def state(folder):
    """What lies in a folder, by path."""
    found = {}
    for base, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = os.path.join(base, name)
            info = os.lstat(path)
            found[path] = (info.st_mode, info.st_ino, 0 if stat.S_ISDIR(info.st_mode) else info.st_mtime_ns)
    return found


def put_back(work, template, before, emptied):
    """The work folder as it was, and empty folders; returns the state of the work folder."""
    for folder in emptied:
        for entry in list(os.scandir(folder)):
            remove(entry.path)
    if before is not None and state(work) == before:
        return before
    for entry in list(os.scandir(work)):
        remove(entry.path)
    shutil.copytree(template, work, symlinks=True, dirs_exist_ok=True)
    return state(work)


def remove(path):
    if os.path.isdir(path) and not os.path.islink(path):
        for base, _, _ in os.walk(path):
            os.chmod(base, 0o700)
        shutil.rmtree(path, ignore_errors=True)
    else:
        os.unlink(path)


def child(step, work):
    """Becomes the program, or runs the code."""
    os.setsid()
    os.chdir(work)
    null = os.open("/dev/null", os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    resource.setrlimit(resource.RLIMIT_FSIZE, (BYTES, BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if "code" in step:
        os.chdir(work)
        mark("code")
        try:
            exec(compile(step["code"], "step", "exec"), {"__name__": "__main__"})
        except BaseException:
            os._exit(1)
        os._exit(0)
    os.execv(step["program"], step["argv"])


def processes():
    return {int(name) for name in os.listdir("/proc") if name.isdigit()}


def perform(step, work, seconds, known):
    pid = os.fork()
    if pid == 0:
        try:
            child(step, work)
        finally:
            os._exit(127)
    end, pause, status = time.monotonic() + seconds, 0.0005, None
    while status is None and time.monotonic() < end:
        done, code = os.waitpid(pid, os.WNOHANG)
        if done:
            status = os.waitstatus_to_exitcode(code)
        else:
            time.sleep(pause)
            pause = min(pause * 1.5, 0.02)
    mark("-")
    for other in processes() - known:
        with suppress(OSError):
            os.kill(other, signal.SIGKILL)
    with suppress(ChildProcessError):
        while os.waitpid(-1, 0)[0]:
            pass
    return LATE if status is None else status


def main():
    with open(sys.argv[1]) as file:
        batch = json.load(file)
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    sys.path[:0] = batch["path"]
    for name in batch["imports"]:
        try:
            __import__(name)
        except BaseException as error:
            print(f"{name}: {error}")
    before, known, statuses = None, processes(), []
    for number, step in enumerate(batch["steps"]):
        before = put_back(batch["work"], batch["template"], before, batch["emptied"])
        mark(number)
        late = statuses.count(LATE)  # what waits for input or requests does so with each option
        seconds = batch["seconds"] if late < 3 else 1.0 if late < 8 else 0.4
        statuses.append(perform(step, batch["work"], seconds, known))
    with open(sys.argv[2], "w") as file:
        json.dump(statuses, file)


main()
