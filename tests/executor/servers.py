"""Real stores for tests: PostgreSQL and Redis from Debian, each in a folder of its own, as an ordinary user."""

import atexit
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import contextmanager
from functools import cache
from pathlib import Path

_NOBODY = 65534
_TEMPORARY = tempfile.gettempdir()  # tests set another one, into which the user of the server may not look
_QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.STDOUT, "cwd": "/"}


def postgres_folder():
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return found[-1].parent if found else None


def redis_program():
    return shutil.which("redis-server")


class Store:
    """A server that can be stopped the hard way and started again, with what it had written."""

    def __init__(self, command, ready, address, hard, **how):
        self._command, self._ready, self._hard, self._how = command, ready, hard, how
        self.address = address
        self._server = None

    def start(self):
        self._server = subprocess.Popen(self._command, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT, **self._how)
        _wait(self._ready, self._server)

    def crash(self):
        """As if the power failed: nothing is written that was not."""
        self._end(self._hard)

    def stop(self):
        self._end(signal.SIGINT)

    def _end(self, number):
        self._server.send_signal(number)
        self._server.wait(300)


@contextmanager
def postgres(**settings):
    """A server; gives its connection text. Settings as `-c name=value`."""
    with postgres_store(**settings) as store:
        yield store.address


@contextmanager
def postgres_store(**settings):
    with tempfile.TemporaryDirectory(prefix="remit-store-", dir=_TEMPORARY) as place:
        folder = Path(place)
        folder.chmod(0o777)  # the server runs as somebody else, who must get there
        with _running(_postgres(folder, settings)) as store:
            yield store


def _user():
    """PostgreSQL does not run as root."""
    return {"user": _NOBODY, "group": _NOBODY} if os.getuid() == 0 else {}


@cache
def _new_data():
    """What a server begins with: made once, because it takes seconds, and copied for each."""
    folder = Path(tempfile.mkdtemp(prefix="remit-store-", dir=_TEMPORARY))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    folder.chmod(0o777)
    data = folder / "data"
    data.mkdir()
    if _user():
        os.chown(data, _NOBODY, _NOBODY)
    command = [postgres_folder() / "initdb", "-D", data, "-A", "trust", "-U", "remit", "--no-sync", "--wal-segsize=1"]
    # neither a locale nor a variable that a test set while the first server was wanted decides whether there is one
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
    done = subprocess.run(command, env=environment, check=False, cwd="/", capture_output=True, text=True, **_user())
    assert done.returncode == 0, done.stdout + done.stderr
    return data


def _postgres(folder, settings):
    programs, data = postgres_folder(), folder / "data"
    subprocess.run(["cp", "-a", _new_data(), data], check=True)
    options = [
        f"-c{name}={value}"
        for name, value in {"listen_addresses": "", "unix_socket_directories": folder, **settings}.items()
    ]

    def ready():
        return subprocess.run([programs / "pg_isready", "-h", folder], check=False, **_QUIET).returncode == 0

    address = f"host={folder} user=remit dbname=postgres"
    return Store([programs / "postgres", "-D", data, *options], ready, address, signal.SIGQUIT, cwd="/", **_user())


@contextmanager
def redis(folder, **settings):
    """A server in a folder; gives its address."""
    with redis_store(folder, **settings) as store:
        yield store.address


@contextmanager
def redis_store(folder, **settings):
    path = folder / "redis.sock"
    lasting = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction", **settings}
    words = [word for name, value in lasting.items() for word in (f"--{name.replace('_', '-')}", value)]
    command = [redis_program(), "--port", "0", "--unixsocket", path, "--dir", folder, "--save", "", *words]
    with _running(Store(command, lambda: _listens(path), f"unix://{path}", signal.SIGKILL)) as store:
        yield store


def _listens(path):
    """Whether a Redis answers, and has read what it wrote before."""
    with socket.socket(socket.AF_UNIX) as link:
        link.settimeout(5)
        try:
            link.connect(str(path))
            link.sendall(b"PING\r\n")
            return link.recv(5) == b"+PONG"
        except OSError:
            return False


@contextmanager
def _running(store):
    store.start()
    try:
        yield store
    finally:
        store.stop()


def _wait(ready, server):
    until = time.monotonic() + 300
    while not ready():
        assert server.poll() is None, "the store did not start"
        assert time.monotonic() < until, "the store does not answer"
        time.sleep(0.02)
