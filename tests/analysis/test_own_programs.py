"""Commands that the skill's own packages install: what they run is a file of the skill."""

import json

import pytest

from remit.analysis.session import analyse
from remit.skill.load import load_skill

READS = 'const fs = require("fs");\nfs.readFileSync("/srv/kept.txt");\n'
PYTHON = 'def main():\n    open("/srv/kept.txt").read()\n'


def found(folder, body, **files):
    root = folder / "small"
    (root / "tool").mkdir(parents=True)
    (root / "SKILL.md").write_text(f"---\nname: small\ndescription: A small helper.\n---\n\n```bash\n{body}\n```\n")
    for name, text in files.items():
        path = root / ".".join(name.replace("__", "/").rsplit("_", 1))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return analyse(load_skill(root))


def run_from(effects, file):
    return any(where.file == "SKILL.md" and used == file for where, used in effects.uses)


def package(**fields):
    return json.dumps({"name": "@people/shelf-tool", "version": "1.0.0", **fields})


@pytest.mark.parametrize(
    ("command", "programs"),
    [
        ("shelf list", {"shelf": "./tool/cli.js"}),
        ("npx shelf list", {"shelf": "./tool/cli.js"}),
        ("npx @people/shelf-tool list", {"shelf": "tool/cli.js"}),
        ("npx -y @people/shelf-tool@1.0.0 list", "tool/cli.js"),
    ],
)
def test_a_command_of_the_own_package_runs_its_file(tmp_path, command, programs):
    effects = found(tmp_path, command, package_json=package(bin=programs), tool__cli_js=READS)
    assert run_from(effects, "tool/cli.js")
    assert not any("no summary" in item.reason for item in effects.opaque)


def test_an_entry_point_of_the_own_project_is_called(tmp_path):
    project = '[project]\nname = "shelf"\nversion = "1"\n[project.scripts]\nshelf = "tool.cli:main"\n'
    effects = found(tmp_path, "shelf list", pyproject_toml=project, tool__cli_py=PYTHON)
    assert not any("no summary" in item.reason for item in effects.opaque)
    assert any(effect.capability == "file.read" and effect.where.file == "tool/cli.py" for effect in effects.effects)


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"node_modules__shelf__package_json": package(bin={"shelf": "cli.js"}), "node_modules__shelf__cli_js": READS},
        {"package_json": package(bin={"shelf": "./built/cli.js"}), "tool__cli_js": READS},
        {"package_json": package(bin={"other": "./tool/cli.js", "third": "./tool/cli.js"}), "tool__cli_js": READS},
        {"package_json": package(bin={"shelf": "../../elsewhere/cli.js"}), "tool__cli_js": READS},
        {"package_json": "[" * 50_000, "tool__cli_js": READS},
        {"pyproject_toml": '[project.scripts]\nshelf = "import os; os.remove"\n'},
    ],
)
def test_a_command_of_nobody_is_not_understood(tmp_path, files):
    effects = found(tmp_path, "sh run.sh", run_sh="npx @people/shelf-tool list\nshelf list\n", **files)
    assert sum("no summary" in item.reason for item in effects.opaque) == 2
    assert not run_from(effects, "tool/cli.js")


def test_a_script_may_reach_another_program_of_the_name(tmp_path):
    """What `npx` fetches, or stands in the PATH, need not be what the skill has."""
    files = {"package_json": package(bin={"shelf": "tool/cli.js"}), "tool__cli_js": READS}
    effects = found(tmp_path, "sh run.sh", run_sh="npx shelf list\nshelf list\n", **files)
    assert sum("no summary" in item.reason for item in effects.opaque) == 2
    assert ("run.sh", "tool/cli.js") in {(where.file, used) for where, used in effects.uses}


def test_a_known_command_keeps_its_summary(tmp_path):
    effects = found(
        tmp_path, "curl https://example.com/x", package_json=package(bin={"curl": "./tool/cli.js"}), tool__cli_js=READS
    )
    assert any(effect.capability == "web.fetch" for effect in effects.effects)
    assert not run_from(effects, "tool/cli.js")
