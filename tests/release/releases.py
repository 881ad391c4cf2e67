"""What the tests of releases share: the release of the commit that is checked out, built once, and an environment with its wheel and the core alone."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from functools import cache
from importlib.metadata import distribution
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = {**os.environ, "PYTHONPATH": str(ROOT / "src")}


def tool(out, *words, root=ROOT, umask=0o022, **env):
    """tools/release.py of a clone."""
    command = [sys.executable, str(root / "tools/release.py"), words[0], str(out), *words[1:]]
    return subprocess.run(
        command, cwd=root, env={**SOURCE, "PYTHONPATH": str(root / "src"), **env}, umask=umask, capture_output=True, text=True, timeout=300, check=False
    )  # fmt: skip


def committed(folder=""):
    """The files of the commit."""
    done = subprocess.run(
        ["git", "-C", ROOT, "ls-tree", "-r", "--name-only", "HEAD", *([folder] if folder else [])], capture_output=True, text=True, check=True
    )  # fmt: skip
    return set(done.stdout.splitlines())


@cache
def core_packages():
    lines = (ROOT / "requirements-core.lock").read_text("utf-8")
    build = {"editables", "hatchling", "packaging", "pathspec", "pluggy", "tomlkit", "trove-classifiers"}
    return set(re.findall(r"^([a-z0-9-]+)==", lines, re.MULTILINE)) - build


def site_packages(place):
    """Where an environment has its packages."""
    return Path(sysconfig.get_path("purelib", "venv", {"base": str(place), "platbase": str(place)}))


def core_environment(place, wheel):
    """An environment with the wheel and what the core needs, taken from this one, so that no index is asked."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True)
    site = site_packages(place)
    ours = Path(sysconfig.get_path("purelib"))
    for name in sorted(core_packages()):
        for top in sorted({file.parts[0] for file in distribution(name).files or ()} - {".."}):
            if (ours / top).is_dir():
                shutil.copytree(
                    ours / top, site / top, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True
                )
            else:
                shutil.copy(ours / top, site / top)
    install_wheel(place, wheel)


def install_wheel(place, wheel):
    """The wheel alone, without what it needs."""
    uv = Path(sys.executable).with_name("uv")
    command = [uv, "pip", "install", "-q", "--offline", "--no-deps", "--python", place / "bin/python", wheel]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
