"""The tables of what is asked about in written texts: each row is met by a text, and a wrong row is refused with its line."""

import pytest
from planted_texts import DANGERS, ORDINARY, SENDS, WEAK

from remit.core.errors import DataError
from remit.guard.planted import dangers, weakening
from remit.guard.planted.doing import Doing, doing, scripts_of, sort_of
from remit.guard.planted.patches import changes

# Rows that no text of the other cases meets: what each is about.
MORE = {
    "a skill": ("a.py", 'open(".claude/skills/x/SKILL.md", "w").write("x")\n'),
    "settings of a host": ("a.py", 'import os\nopen(os.path.expanduser("~/.codex/config.toml"), "w").write("x")\n'),
    "deleted keys": ("a.sh", "rm ~/.ssh/id_rsa\n"),
    "a mode elsewhere": ("a.sh", "chmod 700 /srv/data\n"),
    "keys that nobody can name": ("a.sh", "pass show mail\n"),
    "files that nobody can name": ("a.py", "import json, os\nos.remove(json.loads(input())['x'])\n"),
    "keys pressed": ("a.py", "from pynput import keyboard\nkeyboard.Listener(on_press=print).start()\n"),
}


def test_every_danger_is_met():
    met = set()
    for name, text in (*SENDS.values(), *DANGERS.values(), *MORE.values()):
        met |= {hit.danger.where for hit in dangers.hits(Doing(), doing(name, text))}
    assert {row.where for row in dangers.dangers()} == met


def test_every_weakening_is_met():
    met = {
        row.where
        for row in weakening.rows()
        for _, text in WEAK.values()
        for line in text.splitlines()
        if row.words.search(line)
    }
    assert {row.where for row in weakening.rows()} == met


@pytest.mark.parametrize("text", [text for _, text in ORDINARY.values()])
def test_ordinary_lines_are_not_weak(text):
    assert not list(weakening.weak_lines("", text))


def test_a_danger_that_was_there_is_not_new():
    name, text = DANGERS["crontab"]
    assert not list(dangers.hits(doing(name, text), doing(name, text + "ls\n")))
    both = text + DANGERS["a user"][1]
    assert [hit.line for hit in dangers.hits(doing(name, text), doing(name, both))] == [2]


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("[a]\nfile.red | file.read | x", "`file.red` is neither"),
        ("[a]\nfile.read(near) | file.read | x", "`near` is no scope"),
        ("[a]\nfile.read | nothing | x", "`nothing` is neither"),
        ("[a]\nfile.read | x", "a row has 3 cells"),
        ("[groups]\nout | web.pots | x", "`web.pots` is neither"),
    ],
)
def test_a_wrong_danger_is_refused_with_its_line(tmp_path, row, says):
    path = tmp_path / "x.table"
    path.write_text(row + "\n")
    with pytest.raises(DataError, match=r"x\.table:2") as refused:
        dangers.load(path)
    assert says in refused.value.message


@pytest.mark.parametrize("row", ["no bar", "a | b", "it is | - | (", "it is | ( | x"])
def test_a_wrong_weakening_is_refused_with_its_line(tmp_path, row):
    path = tmp_path / "x.table"
    path.write_text(f"# comment\n{row}\n")
    with pytest.raises(DataError, match=r"x\.table:2"):
        weakening.load(path)


def test_what_a_text_is():
    assert sort_of("a.py", "x").program
    assert not sort_of("a.py", "x").prose
    assert sort_of("a.md", "x").prose
    assert not sort_of("a.md", "x").program
    assert sort_of("run", "#!/bin/sh\nls").program
    assert not sort_of("a.go", "x").understood
    assert sort_of("a.json", "{}").settings
    assert sort_of("x.html", "<html>").program


def test_scripts_of_a_page_stand_on_their_lines():
    page = (
        "<html>\n<script>\nlet a;\n</script>\n<script type='application/json'>{}</script>\n<p>\n<script>b()</script>\n"
    )
    lines = scripts_of(page).split("\n")
    assert "let a" in lines[2]
    assert "b()" in lines[6]
    assert "{}" not in "".join(lines)


def test_a_patch_is_applied():
    patch = "*** Begin Patch\n*** Update File: a.py\n*** Move to: b.py\n@@ def f\n one\n-two\n+three\n@@\n-gone\n+new\n*** Add File: c.py\n+x\n*** Delete File: d.py\n*** End Patch"
    moved, added = changes(patch)
    assert (moved.path, moved.moved) == ("a.py", "b.py")
    assert moved.applied("zero\none\ntwo\n") == "zero\none\nthree\n\nnew"
    assert added.applied("").strip() == "x"
    assert changes("nothing") == ()
