"""The import contracts hold, and a violation is refused."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = tuple(
    "core skill audit analysis manifest sources policy proof findings checker scan telemetry capsule bundle authority executor guard gateway installation report models editor web cli api".split()
)
LINT = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]


@pytest.fixture
def house(tmp_path):
    """The rooms, empty, with the real contracts."""
    for room in ROOMS:
        (tmp_path / "remit" / room).mkdir(parents=True)
        (tmp_path / "remit" / room / "__init__.py").write_text('"""Room."""\n')
    (tmp_path / "remit/__init__.py").write_text("")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def lint(folder):
    env = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(folder), "COLUMNS": "200"}
    return subprocess.run(LINT, cwd=folder, env=env, capture_output=True, text=True, check=False)


def test_rooms_that_keep_to_the_table_pass(house):
    (house / "remit/skill/load.py").write_text("import remit.core\n")
    (house / "remit/cli/check.py").write_text("import remit.report, remit.analysis, remit.core\n")
    run = lint(house)
    assert run.returncode == 0, run.stdout + run.stderr


VIOLATIONS = [
    ("core", "import remit.skill"),
    ("core", "import yaml"),
    ("skill", "from remit import analysis"),
    ("analysis", "import remit.manifest"),
    ("manifest", "import remit.analysis"),
    ("analysis", "import remit.proof"),
    ("policy", "import remit.skill"),
    ("policy", "import remit.analysis"),
    ("policy", "import remit.proof"),
    ("proof", "import remit.skill"),
    ("proof", "import remit.analysis"),
    ("proof", "import remit.checker"),
    ("findings", "import remit.checker"),
    ("checker", "import remit.report"),
    ("checker", "import remit.scan"),
    ("capsule", "import remit.skill"),
    ("capsule", "import remit.analysis"),
    ("capsule", "import remit.proof"),
    ("capsule", "import remit.bundle"),
    ("audit", "import remit.skill"),
    ("audit", "import remit.policy"),
    ("bundle", "import remit.guard"),
    ("policy", "import remit.guard"),
    ("guard", "import remit.report"),
    ("guard", "import remit.cli"),
    ("guard", "import remit.proof"),
    ("audit", "import remit.guard"),
    ("report", "import remit.cli"),
    ("checker", "import remit.api"),
    ("cli", "import remit.api"),
    ("report", "import remit.models"),
    ("models", "import remit.cli"),
    ("models", "import remit.web"),
    ("web", "import remit.cli"),
    ("web", "import remit.editor"),
    ("editor", "import remit.web"),
    ("editor", "import remit.guard"),
    ("executor", "import remit.telemetry"),
    ("core", "import remit.telemetry"),
    ("telemetry", "import remit.guard"),
]


def test_planted_violations_are_refused(house):
    """All at once, each in a module of its own."""
    named = {f"planted_{number:02}": violation for number, violation in enumerate(VIOLATIONS)}
    for name, (room, line) in named.items():
        (house / "remit" / room / f"{name}.py").write_text(line + "\n")
    run = lint(house)
    assert run.returncode == 1, run.stdout
    assert [violation for name, violation in named.items() if f".{name} " not in run.stdout] == []


@pytest.mark.parametrize(("room", "line"), VIOLATIONS, ids=lambda word: f"{word}_nightly")
def test_a_planted_violation_is_refused(house, room, line):
    (house / "remit" / room / "planted.py").write_text(line + "\n")
    run = lint(house)
    assert run.returncode == 1, run.stdout
    assert f"remit.{room}.planted" in run.stdout


def test_every_room_is_under_contract():
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    layers = set(re.findall(r"remit\.(\w+)", text.split("layers = [")[1].split("]")[0]))
    rooms = {path.parent.name for path in (ROOT / "src/remit").glob("*/__init__.py")} | {"api"}
    assert rooms == layers == set(ROOMS)
