"""Wrappers that may start themselves must not multiply, and copies of a script are lowered once."""

from remit.analysis import program_loader
from remit.analysis.session import analyse
from remit.skill.load import load_skill

SCRIPT = """
import subprocess, sys

words = ["timeout", "gtimeout", "nice", "env"]
if len(sys.argv) > 2:
    words.insert(0, "nohup")
words.extend(["rm", sys.argv[1]])
words.reverse()
subprocess.run(words)
"""


def test_a_list_of_wrappers_in_unknown_order_is_read_once(tmp_path):
    (tmp_path / "SKILL.md").write_text("---\nname: t\ndescription: d\n---\n")
    (tmp_path / "run.py").write_text(SCRIPT)
    found = analyse(load_skill(tmp_path))
    assert {"file.delete", "process.create"} <= {effect.capability for effect in found.effects}
    assert not any("too deeply" in item.reason for item in found.opaque)


def test_a_long_sum_of_unknown_texts_costs_no_square(tmp_path):
    (tmp_path / "SKILL.md").write_text("---\nname: t\ndescription: d\n---\n")
    (tmp_path / "run.js").write_text(
        "const fs = require('fs');\nfs.unlinkSync('p/' + " + "process.argv[2] + " * 4000 + "'');\n"
    )
    found = analyse(load_skill(tmp_path))
    assert {effect.capability for effect in found.effects} == {"file.delete"}


def test_many_instructed_runs_of_one_script_are_joined_and_none_is_lost(tmp_path):
    lines = "".join(f"bash run.sh {verb} file{number}.txt\n" for number in range(5) for verb in ("cat", "rm", "touch"))
    (tmp_path / "SKILL.md").write_text(f"---\nname: t\ndescription: d\n---\n```bash\n{lines}```\n")
    (tmp_path / "run.sh").write_text('#!/bin/bash\n"$1" "$2"\n')
    found = analyse(load_skill(tmp_path))
    deleted = {effect.scope.render() for effect in found.effects if effect.capability == "file.delete"}
    assert {f"./file{number}.txt" for number in range(5)} <= deleted
    assert not found.opaque


def test_copies_of_a_script_are_lowered_once_and_say_the_same(tmp_path, monkeypatch):
    lowered = []
    first = program_loader.lower_python
    monkeypatch.setattr(
        program_loader, "lower_python", lambda *args, **more: lowered.append(args) or first(*args, **more)
    )
    script = "import os\nclass Files:\n    def drop(self, name):\n        def now():\n            os.remove(name)\n        now()\n"
    found = []
    for name in ("one", "two"):
        skill = tmp_path / name
        skill.mkdir()
        (skill / "SKILL.md").write_text("---\nname: t\ndescription: d\n---\n")
        (skill / "run.py").write_text(f"{script}Files().drop('{tmp_path.name}')\n")
        found.append(analyse(load_skill(skill)))
    assert found[0].effects == found[1].effects
    assert len(lowered) == 1
