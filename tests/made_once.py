"""What takes long to make, and nobody changes: made once for all workers of a run."""

import fcntl
import os
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
