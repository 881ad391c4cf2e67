"""Commands start with the packages of their own extra alone: what another extra brings is hidden from them."""

import contextlib
import importlib.metadata
import os
import re
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import remit

ROOT = Path(__file__).parents[2]
SOURCE = Path(remit.__file__).parents[1]
PROGRAM = """
import importlib.abc, sys
hidden = frozenset(sys.argv[1].split(","))

class Hiding(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in hidden:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Hiding())
from remit.cli.main import main
sys.exit(main(sys.argv[2:]))
"""


def plain(name):
    return re.sub(r"[-_.]+", "-", re.match(r"[\w.-]+", name)[0]).lower()


def hidden_from(extra):
    """The modules of all packages that `remit[extra]` does not install."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    todo = [*project["dependencies"], *project["optional-dependencies"][extra]]
    installed = set()
    while todo:
        name = plain(todo.pop())
        if name not in installed:
            installed.add(name)
            with contextlib.suppress(importlib.metadata.PackageNotFoundError):
                todo += [one for one in importlib.metadata.requires(name) or () if "extra ==" not in one]
    modules = importlib.metadata.packages_distributions()
    return {top for top, names in modules.items() if installed.isdisjoint(map(plain, names))} - {"remit"}


@pytest.fixture
def start(tmp_path):
    """Starts a command of Remit as if one extra were installed, and ends it."""
    running = []

    def start(extra, *words):
        hidden = hidden_from(extra)
        assert "numpy" in hidden
        (tmp_path / "state").mkdir(mode=0o700, exist_ok=True)
        env = {
            "PATH": os.environ["PATH"], "PYTHONPATH": str(SOURCE), "HOME": str(tmp_path), "REMIT_STATE": str(tmp_path / "state"),
        }  # fmt: skip
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, ",".join(sorted(hidden)), *words],
            cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        running.append(process)
        return process

    yield start
    for process in running:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=300)


@pytest.mark.parametrize(
    ("extra", "words", "says"),
    [
        ("console", ["console", "--port", "0"], "open http://127.0.0.1:"),
        ("gateway", ["gateway", "up", "--port", "0"], "web chat"),
        ("gateway", ["gateway", "audit"], "channel.no_operator"),
        ("gateway", ["gateway", "waiting"], "there is no gateway in"),
        ("gateway", ["node", "--help"], "remit node"),
    ],
)
def test_a_command_starts_with_its_own_extra_alone(start, extra, words, says):
    if words[1] == "audit":
        assert "were written" in start(extra, "gateway", "up", "--port", "0").stdout.readline()
    lines = []
    for line in start(extra, *words).stdout:
        lines.append(line)
        if says in line:
            return
    pytest.fail("".join(lines))
