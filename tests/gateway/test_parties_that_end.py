"""A party that was killed and is not gone yet still listens: it does not count as one that runs (a storm of kills found one that did)."""

import os
import socket
import subprocess
import threading
from types import SimpleNamespace

from each_row import each_row
from remit.gateway.deployment import processes
from remit.gateway.deployment.plan import Party


def listening(path, answer):
    """A socket that takes connections, and says something or nothing."""
    sock = socket.socket(socket.AF_UNIX)
    sock.bind(str(path))
    sock.listen(8)

    def serve():
        try:
            while True:
                link, _ = sock.accept()
                with link:
                    link.recv(4096)
                    link.sendall(answer)
        except OSError:
            return

    threading.Thread(target=serve, daemon=True).start()
    return sock


@each_row(
    ("answer", "ready"),
    [
        (b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n", True),
        (b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n", False),
        (b"", False),
        (b"hello\r\n", False),
    ],
)
def test_who_says_nothing_does_not_run(answer, ready, tmp_path):
    sock = listening(tmp_path / "s", answer)
    try:
        assert processes.health(f"unix:{tmp_path}/s") is ready
    finally:
        sock.shutdown(socket.SHUT_RDWR)
        sock.close()


def test_nobody_there(tmp_path):
    assert not processes.health(f"unix:{tmp_path}/none")


def test_a_party_runs_the_code_of_who_starts_it(tmp_path, monkeypatch):
    """Parties of a source tree ran the code that was installed, and a change of it was not tested."""
    started = []

    def popen(command, **_):
        started.append(command)
        return SimpleNamespace(pid=os.getpid())

    for folder in ("log", "run", "remit"):
        (tmp_path / folder).mkdir()
    (tmp_path / "remit/__init__.py").touch()
    with monkeypatch.context() as patched:
        patched.setattr(processes.subprocess, "Popen", popen)
        processes._spawn(tmp_path, Party("p0", {"files": {}}))
    interpreter = started[0][: started[0].index("-m")]
    found = subprocess.run(
        [*interpreter, "-c", "import remit; print(remit.__file__)"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)}, cwd=tmp_path / "run", capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert found.stdout.strip() == str(tmp_path / "remit/__init__.py")
