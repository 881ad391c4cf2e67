"""A local Ray cluster gives the same rows as processes of this machine, and survives what kills its workers."""

import contextlib
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest
from scan_world import committed, files, rows, scanned, write, zipped

from remit.core.errors import UsageError
from remit.scan import cluster
from remit.scan.cluster import Cluster
from remit.scan.look import Settings
from remit.scan.sources import wanted

ray = pytest.importorskip("ray")
SOURCE = str(Path(cluster.__file__).parents[2])


@pytest.fixture(scope="module")
def address():
    """One cluster of two workers for the module, in processes of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    place = tempfile.mkdtemp(prefix="ray-", dir="/tmp")  # names of its sockets must be short
    words = ["--head", f"--port={port}", "--num-cpus=2", "--include-dashboard=false", f"--temp-dir={place}", "--block"]
    own = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    env = {**os.environ, **own, "PYTHONPATH": SOURCE}
    command = [str(Path(sys.executable).with_name("ray")), "start", *words, "--object-store-memory=100000000"]
    head = subprocess.Popen(
        command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        deadline = time.monotonic() + 60
        while not list(Path(place).glob("session_*/sockets/raylet")) and time.monotonic() < deadline:
            time.sleep(0.1)
        with pytest.MonkeyPatch.context() as patch:
            for name, value in own.items():
                patch.setenv(name, value)
            yield f"127.0.0.1:{port}"
    finally:
        head.terminate()
        try:
            head.wait(20)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(head.pid, signal.SIGKILL)
            shutil.rmtree(place, ignore_errors=True)


@pytest.fixture(scope="module")
def registry(tmp_path_factory):
    place = tmp_path_factory.mktemp("ray")
    for number in range(40):
        write(place / "r" / f"s{number:02}", files(f"s{number:02}"))
    write(place / "r" / "bad", {"SKILL.md": "---\nname: bad\n---\n", "remit.json": "{"})
    (place / "r" / "bad" / "out").symlink_to("/etc/passwd")
    held = {f"in/{name}/{path}": text for name in ("a", "b") for path, text in files(name).items()}
    zipped(place / "z.zip", held)
    zipped(place / "evil.zip", {"../x": ""})
    committed(write(place / "g", held))
    return place


def sources(registry):
    return [registry / "r", registry / "z.zip", registry / "evil.zip", f"{registry / 'g'}#HEAD"]


def test_a_cluster_gives_the_same_rows(tmp_path, registry, address):
    scanned(tmp_path / "here.parquet", *sources(registry))
    summary = scanned(tmp_path / "there.parquet", *sources(registry), ray=address, cache=str(tmp_path / "cache"))
    assert summary.skills == 46
    assert summary.worker_memory > 0
    assert rows(tmp_path / "there.parquet") == rows(tmp_path / "here.parquet")


def test_processes_that_are_killed_cost_nothing(tmp_path, registry, address):
    """Both the actor of Ray and the process below it are killed while they work."""
    running = Cluster(Settings(), address, 2)
    pids = [pid for node in running.nodes for pid in ray.get(node.pids.remote())]

    def kill():
        time.sleep(0.2)
        os.kill(pids[0], signal.SIGKILL)
        os.kill(pids[3], signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    found = [answer.item.location for answer in running.run(list(wanted([str(registry / "r")])))]
    thread.join()
    running.close()
    assert len(found) == len(set(found)) == 41


def test_a_cluster_with_another_remit_is_refused(address, monkeypatch):
    monkeypatch.setattr(cluster, "toolchain", lambda: "another")
    with pytest.raises(UsageError, match="a machine of the cluster has"):
        Cluster(Settings(), address, 1)
