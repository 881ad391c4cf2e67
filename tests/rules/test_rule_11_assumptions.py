"""Rule 11: assumptions are a closed list with ids, each with the layer that enforces it."""

import re
import tomllib
from importlib import resources

from each_row import each_row

ROOT = resources.files("remit.analysis") / "data"
LISTED = tomllib.loads((resources.files("remit.core") / "data" / "assumptions.toml").read_text(encoding="utf-8"))


def test_each_assumption_has_a_text_and_a_layer():
    for ident, entry in LISTED.items():
        assert entry["text"], ident
        assert entry["layer"], ident


def test_every_assumption_that_is_used_is_listed():
    used: set[str] = set()
    for folder in ("python", "node"):
        for file in (ROOT / folder).iterdir():
            if file.name.endswith(".sum"):
                used.update(re.findall(r"assumes ([\w-]+)", file.read_text(encoding="utf-8")))
    assert used <= set(LISTED)


@each_row(
    ("name", "code"),
    [
        ("a.py", "import requests\nrequests.get('https://example.com/')\n"),
        ("a.js", "fetch('https://example.com/')\n"),
        ("a.sh", "curl -L https://example.com/\n"),
    ],
)
def test_an_assumption_is_printed(tmp_path, name, code):
    from skills import HEAD

    from remit.analysis.session import analyse
    from remit.skill.load import load_skill

    folder = tmp_path / "skill"
    (folder / "scripts").mkdir(parents=True)
    (folder / "SKILL.md").write_text(HEAD)
    (folder / "scripts" / name).write_text(code)
    assert "redirects" in analyse(load_skill(folder)).assumptions
