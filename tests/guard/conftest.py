"""A state folder with a short path, both clients, and daemons that end with their test."""

import json
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from guarding import kill_daemon

import remit
from remit.guard.client import build
from remit.guard.client.build import SCRIPT, build_client
from remit.guard.state_folder import StateFolder, prepared

HERE = Path(__file__).resolve().parent
SOURCE = Path(remit.__file__).resolve().parent.parent
CLIENTS = ["python", *(["compiled"] if shutil.which("cc", path=build._PATH) else [])]


@pytest.fixture(scope="session")
def programs():
    """The clients, in a folder where they find a daemon that acts as it is told."""
    with tempfile.TemporaryDirectory(prefix="rg") as name:
        tree = Path(name)
        client, daemon = tree / "remit/guard/client/client.py", tree / "remit/guard/daemon/__main__.py"
        for path in (client, daemon):
            path.parent.mkdir(parents=True)
        shutil.copy(SCRIPT, client)
        shutil.copy(SCRIPT.with_name("hook.py"), client.with_name("hook.py"))
        paths = [str(SOURCE), str(HERE)]
        daemon.write_text(f"import sys\nsys.path[:0] = {paths}\nfrom acted import main\nmain(sys.argv)\n")
        found = {"python": [sys.executable, "-I", "-S", str(client)], "daemon": [sys.executable, "-I", str(daemon)]}
        if "compiled" in CLIENTS:
            found["compiled"] = [str(build_client(prepared(tree / "state"), daemon))]
        yield found


@pytest.fixture
def state():
    """A state folder; whoever lives there at the end is killed."""
    with tempfile.TemporaryDirectory(prefix="rg") as name:
        places = StateFolder(Path(name) / "state")
        yield places
        kill_daemon(places)


@pytest.fixture(params=CLIENTS)
def client(request, programs, state):
    """One of the clients, as a function."""

    def ask(payload, event="Ask", host="acted", seconds=30, folder=state.folder, **options):
        data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        command = [*programs[request.param], host, event, str(seconds), str(folder)]
        return subprocess.run(command, input=data, capture_output=True, check=False, timeout=300, **options)

    ask.command = programs[request.param]
    return ask


@pytest.fixture
def daemon(programs, state):
    """Starts a daemon, with settings, and waits until it listens."""
    running = []

    def start(**settings):
        prepared(state.folder)
        words = [f"{name}={value}" for name, value in settings.items()]
        command = [*programs["daemon"], str(state.folder), *words]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        running.append(process)
        assert process.stdout.read(1) == b"+", process.stderr.read()
        return process

    yield start
    for process in running:
        process.kill()
        process.communicate()


@pytest.fixture
def listener(state):
    """Somebody else at the place of the socket, who answers every question with the same bytes."""
    prepared(state.folder)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(state.socket))
        state.socket.chmod(0o600)
        server.listen(64)
        yield server
        server.shutdown(socket.SHUT_RDWR)  # whoever accepts there ends, and closes what it holds


@pytest.fixture
def world():
    """A proxy for servers, with a daemon that decides by names; the person agrees to every server."""
    from mcp_wiring import World, start_decider

    with tempfile.TemporaryDirectory(prefix="rm") as name:
        world = World(Path(name) / "s")
        process = start_decider(world.state)
        world.agree()
        yield world
        process.kill()
        process.communicate()


@pytest.fixture(autouse=True)
def deciding_alone(request, monkeypatch):
    """Decisions are tested as they are where no walls stand; `tests/guard/walls` is about those that do."""
    if HERE / "walls" not in request.path.parents:
        monkeypatch.setattr("remit.guard.walls.service.REWRITES", frozenset())
