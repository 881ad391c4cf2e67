"""What tests of clients and daemons share."""

import contextlib
import hashlib
import json
import os
import signal
import time
from pathlib import Path

from remit.guard.store import open_store, trust_file


def trust_defaults(places, workspace, asked=("file.delete", "./**")):
    """The user's own baseline, trusted: a capability on a scope is asked about, whoever acts."""
    capability, scope = asked
    entry = {"capability": capability, "scope": scope, "effect": "confirm"}
    path = workspace / "remit-defaults.json"
    path.write_text(json.dumps({"session_defaults": {"permissions": [entry]}}))
    store = open_store(places.database)
    trust_file(store, str(path), f"sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}", now=1)
    store.close()


def kill_daemon(places):
    """Kill -9 whoever holds the lock of a state folder. Its workers end with it, a moment later: who asks one of them then is denied."""
    with contextlib.suppress(OSError, ValueError):
        pid = int(places.daemon_lock.read_text())
        all_of_it = [pid, *workers_of(pid)]
        os.kill(pid, signal.SIGKILL)
        wait_for(lambda: not any(map(alive, all_of_it)))


def alive(pid):
    """Whether a process runs; one that nobody waits for is dead."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_for(condition, seconds=300):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)


def is_denial(done):
    """Blocked, with one line that says why and nothing that a host could take for an answer."""
    lines = done.stderr.decode().splitlines()
    return done.returncode == 2 and not done.stdout and len(lines) == 1 and lines[0].startswith("remit: denied: ")


def workers_of(pid):
    """The processes that decide for a daemon, in the order in which they began."""
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return sorted(map(int, found))
