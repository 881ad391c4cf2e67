"""Real stores for tests: PostgreSQL and Redis from Debian, each in a folder of its own, as an ordinary user."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

_NOBODY = 65534


def postgres_folder():
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return found[-1].parent if found else None


def redis_program():
    return shutil.which("redis-server")


@contextmanager
def postgres(**settings):
    """A server; gives its connection text. Settings as `-c name=value`."""
    with tempfile.TemporaryDirectory(
        prefix="remit-store-"
    ) as place:  # the server runs as somebody else, who must get there
        folder = Path(place)
        folder.chmod(0o777)
        yield from _postgres(folder, settings)


def _postgres(folder, settings):
    programs, data = postgres_folder(), folder / "data"
    user = {"user": _NOBODY, "group": _NOBODY} if os.getuid() == 0 else {}
    data.mkdir()
    if user:
        os.chown(data, _NOBODY, _NOBODY)
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.STDOUT, "cwd": "/"}
    subprocess.run(
        [programs / "initdb", "-D", data, "-A", "trust", "-U", "remit", "--no-sync"], check=True, **quiet, **user
    )
    options = [
        f"-c{name}={value}"
        for name, value in {"listen_addresses": "", "unix_socket_directories": folder, **settings}.items()
    ]
    server = subprocess.Popen([programs / "postgres", "-D", data, *options], **quiet, **user)
    try:
        _wait(
            lambda: subprocess.run([programs / "pg_isready", "-h", folder], check=False, **quiet).returncode == 0,
            server,
        )
        yield f"host={folder} user=remit dbname=postgres"
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(20)


@contextmanager
def redis(folder, **settings):
    """A server in a folder; gives its address."""
    path = folder / "redis.sock"
    lasting = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction", **settings}
    words = [word for name, value in lasting.items() for word in (f"--{name.replace('_', '-')}", value)]
    command = [redis_program(), "--port", "0", "--unixsocket", path, "--dir", folder, "--save", "", *words]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT)
    try:
        _wait(path.exists, server)
        yield f"unix://{path}"
    finally:
        server.terminate()
        server.wait(20)


def _wait(ready, server):
    until = time.monotonic() + 30
    while not ready():
        assert server.poll() is None, "the store did not start"
        assert time.monotonic() < until, "the store does not answer"
        time.sleep(0.02)
