"""What is found does not hang on the order in which Python goes through sets: the same skill gives the same answer in every run."""

import json
import os
import subprocess
import sys

import pytest

# each has an effect or an opaque place for which there are several reasons
_SKILLS = {
    "one command, two reasons": {"SKILL.md": "```bash\ngit add -A && git commit -m x && gh pr create --fill\n```\n"},
    "one line, two classes": {
        "SKILL.md": "See scripts/a.py\n",
        "scripts/a.py": (
            "import sys\nfrom azure.identity import DefaultAzureCredential as A\nfrom azure.identity.aio import DefaultAzureCredential as B\n"
            "(A if len(sys.argv) > 1 else B)()\n"
        ),
    },
    "many files that may be written over": {
        "SKILL.md": "Read a.md, b.md, c.md and run scripts/w.py\n",
        **{f"{name}.md": "text\n" for name in "abc"},
        "scripts/w.py": (
            "import pathlib, sys\nhere = pathlib.Path(__file__).parent.parent\n(here / sys.argv[1]).write_text('x')\n"
        ),
    },
}


@pytest.mark.parametrize("files", _SKILLS.values(), ids=_SKILLS)
def test_the_answer_is_the_same_whatever_the_order_of_sets(tmp_path, files):
    for name, text in files.items():
        path = tmp_path / "skill" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        head = "---\nname: skill\ndescription: d\n---\n" if name == "SKILL.md" else ""
        path.write_text(head + text)
    command = [sys.executable, "-m", "remit.cli", "check", str(tmp_path / "skill"), "--format", "json", "--no-cache"]
    answers = {
        subprocess.run(command, capture_output=True, check=False, env={**os.environ, "PYTHONHASHSEED": seed}).stdout
        for seed in ("1", "2", "3", "4")
    }
    (answer,) = answers
    assert json.loads(answer)["effects"]
