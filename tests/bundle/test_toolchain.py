"""The identity of the analyser: complete, and the same wherever it is installed."""

import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import remit
from remit.bundle.toolchain import analyser


def test_versions_are_those_that_are_installed():
    found = analyser().parsers
    assert found == {name: metadata.version(name) for name in found}


def _elsewhere(place: Path) -> str:
    code = "from remit.bundle.toolchain import analyser; from remit.core.digest import digest; print(digest(analyser().value()))"
    return subprocess.run([sys.executable, "-c", code], cwd=place, capture_output=True, text=True, check=True).stdout


def test_the_identity_is_of_what_is_installed_not_of_where(tmp_path, monkeypatch):
    copy = tmp_path / "deep/er"
    shutil.copytree(Path(remit.__file__).parent, copy / "remit", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setenv("PYTHONPATH", str(Path(remit.__file__).parents[1]))
    here = _elsewhere(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(copy))
    assert _elsewhere(tmp_path) == here
    for changed in (
        "core/scope/parse.py",
        "analysis/data/hatches.txt",
        "core/data/capabilities.table",
        "bundle/admit.py",
    ):
        path = copy / "remit" / changed
        before = path.read_bytes()
        path.write_bytes(before + b"\n")
        assert _elsewhere(tmp_path) != here, changed
        path.write_bytes(before)
    assert _elsewhere(tmp_path) == here
