"""What takes long to make, and nobody changes: made once for all workers of a run."""

import fcntl
import os
import secrets
import shutil


def made_once(factory, name, make):
    """A folder of this name that `make` fills: the first worker that wants it makes it, while others wait."""
    shared = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent  # each worker has a folder of its own in it
    place, whole = shared / name, shared / f"{name}.whole"
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not whole.exists():
            shutil.rmtree(place, ignore_errors=True)  # of one who failed
            place.mkdir()
            make(place)
            whole.touch()
    return place


class Compiling:
    """`subprocess` for what compiles our helpers in C: the program of a command is kept, and copied for those who give it again."""

    def __init__(self, real, folder):
        self._real, self._folder, self._kept = real, folder, {}

    def __getattr__(self, name):
        return getattr(self._real, name)

    def run(self, command, **how):
        at = command.index("-o") + 1
        words = (*command[:at], *command[at + 1 :])
        if words in self._kept:
            # by a process of its own: a descriptor that is open for writing, and inherited by a child, would keep it from being run
            return self._real.run(["cp", "-p", self._kept[words], command[at]], capture_output=True, check=True)
        done = self._real.run(command, **how)
        if done.returncode == 0:
            kept = f"{self._folder}/compiled-{secrets.token_hex(8)}"  # threads and forks of this process keep others
            self._real.run(["cp", "-p", command[at], kept], check=True)
            self._kept[words] = kept
        return done
