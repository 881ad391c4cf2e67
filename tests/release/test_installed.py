"""The wheel where somebody installed it: an empty home, the core alone, and what is said where an extra is missing."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from releases import ROOT

LIMIT = 30_000_000  # bytes on disk of the core, without the bytecode that installers and runs add
# by extra: a command that needs it, started as a user would
COMMANDS = {
    "prove": "prove skill --key author.key",
    "guard": "keys new other.key",
    "mcp": "guard mcp -- cat",
    "authority": "up --folder up",
    "gateway": "gateway up --folder gateway",
    "console": "console --port 0",
    "lsp": "lsp",
    "scan": "scan skill --out results.parquet",
    "models": "models check pairing --engine tlc",
}
# extras that no command of their own needs: where they are missing is said by what is in the settings
BY_SETTINGS = {"sigstore", "redis", "postgres", "ray", "telemetry"}


@pytest.fixture
def installed(environment, tmp_path):
    shutil.copytree(ROOT / "examples/summarise-fetched-html/skill", tmp_path / "skill")
    (tmp_path / "author.key").touch(mode=0o600)

    def run(*words):
        env = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "LC_ALL": "C.UTF-8"}
        command = [environment[0] / "bin/remit", *words]
        return subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=300, check=False)

    return run


def blocks(folder):
    found = [path for path in [folder, *folder.rglob("*")] if "__pycache__" not in path.parts]
    return sum(path.lstat().st_blocks * 512 for path in found)


def test_the_core_checks_a_skill_and_is_small(installed, environment):
    done = installed("check", "skill")
    assert (done.returncode, done.stderr) == (0, "")
    assert "inside remit.json" in done.stdout
    size = blocks(environment[1])
    assert size < LIMIT, f"{size / 1e6:.1f} MB"


def test_the_core_answers_from_python(installed, environment, tmp_path):
    code = "import remit; print(remit.check('skill').verdict, remit.diff('skill', 'skill').verdict, len(remit.draft('skill').text) > 9)"
    env = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        [environment[0] / "bin/python", "-c", code], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )
    assert done.stdout == "contained same True\n", done.stderr


def test_what_lies_beside_the_package_is_where_shells_and_man_look(environment):
    share = environment[0] / "share"
    assert (share / "man/man1/remit.1").read_text("utf-8").startswith(".TH REMIT 1")
    assert (share / "bash-completion/completions/remit").exists()
    assert (share / "remit/skills/remit/SKILL.md").exists()


def test_the_core_installs_the_guard(installed):
    assert installed("guard", "install", "claude-code").returncode == 0


@pytest.mark.parametrize("extra", COMMANDS)
def test_without_its_extra_a_command_teaches_and_says_what_to_install(installed, extra):
    words = COMMANDS[extra].split()
    taught = installed(*words[: 2 if words[0] in ("guard", "gateway", "models", "keys") else 1], "--help")
    assert (taught.returncode, taught.stderr) == (0, "")
    assert taught.stdout.startswith(f"usage: remit {words[0]}")
    done = installed(*words)
    assert done.returncode == 2, done
    assert "is not installed" in done.stderr
    assert "pip install 'remit[" in done.stderr


def test_every_extra_has_a_command_or_a_reason():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert {*COMMANDS, *BY_SETTINGS, "all"} == project["optional-dependencies"].keys()


def indexes():
    """Where pip is told to look, as uv wants to be told."""
    done = subprocess.run([sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=True)
    found = {}
    for line in done.stdout.splitlines():
        name, _, value = line.partition("=")
        if variable := {
            "index-url": "UV_DEFAULT_INDEX",
            "extra-index-url": "UV_INDEX",
            "find-links": "UV_FIND_LINKS",
        }.get(name.rpartition(".")[2]):
            found[variable] = value.strip("'")
    return found


def test_uv_runs_the_wheel_from_nothing_nightly(wheel, tmp_path):
    env = {**os.environ, **indexes(), "HOME": str(tmp_path), "UV_CACHE_DIR": str(tmp_path / "cache")}
    env.pop("PYTHONPATH", None)
    uv = Path(sys.executable).with_name("uv")
    command = [uv, "tool", "run", "-q", "--from", wheel, "remit", "check", ROOT / "examples/sales-report"]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=600, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "no concerns" in done.stdout


def test_pip_installs_the_wheel_from_nothing_nightly(wheel, tmp_path):
    env = {**os.environ, "HOME": str(tmp_path)}
    env.pop("PYTHONPATH", None)
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], env=env, check=True)
    subprocess.run([tmp_path / "venv/bin/pip", "install", "-q", wheel], env=env, check=True, timeout=600)
    command = [tmp_path / "venv/bin/remit", "check", ROOT / "examples/sales-report"]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, "")
