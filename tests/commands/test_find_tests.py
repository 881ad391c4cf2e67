"""Which files `find` acts on by its tests: never fewer than the real program does, and no more than the tests leave where they say so."""

import subprocess

from one_command import analysed

from each_row import each_row
from remit.core.capability import ScopeKind
from remit.core.scope import overlaps, parse_scope

FILES = (
    "a.pyc",
    "b.py",
    "src/c.pyc",
    "src/d.txt",
    "src/deep/e.pyc",
    "build/f.o",
    "build/g.pyc",
    "keep/keep.pyc/h",
    "[x]",
)
# an expression, and files that it must not be said to delete
NARROW = [
    ("find . -name '*.pyc' -type f -delete", {"b.py", "src/d.txt"}),
    ("find src -name '*.py[co]' -exec rm -f {} +", {"a.pyc", "src/d.txt"}),
    ("find . -type f -name a.pyc -o -name e.pyc -delete", {"a.pyc", "b.py"}),
    ("find . '(' -name a.pyc -o -name 'e*' ')' -type f -delete", {"b.py", "src/d.txt"}),
    ("find . -name '*.pyc' -not -path './src/*' -type f -delete", {"b.py"}),
    ("find . -path './build/*' -delete", {"a.pyc", "src/c.pyc"}),
    ("find . -type f -name '*.txt' -print -o -name '*.o' -exec rm -f {} ';'", {"src/d.txt", "a.pyc"}),
    ("find -name f.o -delete", {"build/g.pyc"}),
    ("find src -name '*.pyc' -print0 | xargs -0 rm -f", {"a.pyc", "src/d.txt"}),
    ("find src -name '*.pyc' -print0 | while IFS= read -r -d '' f; do rm -f \"$f\"; done", {"a.pyc", "src/d.txt"}),
]
WIDE = [
    "find . -delete -name '*.pyc'",
    "find . ! -name '*.pyc' -type f -delete",
    "find . -not -name '*.pyc' -type f -delete",
    "find . ! '(' -name a.pyc ')' -type f -delete",
    "find . -name a.pyc -o -type f -delete",
    "find . '(' -name a.pyc -o -type f ')' -delete",
    "find . -name a.pyc , -type f -delete",
    "find -L . -name '*' -type f -delete",
    "find . -exec true + -name a.pyc ';' -type f -delete",
    "find . -iname A.PYC -delete",
    "find . -name '\\[x]' -delete",
    "find . -name '*.pyc' -exec true {} ';' -o -type f -exec rm -f {} ';'",
    'find . -name "$1" -delete',
    "printf 'src\\0' > starts; find -files0-from starts -type f -delete",
    "printf 'src\\0' > starts; find -files0-from starts -type f -exec rm -f {} +",
    "printf 'src\\0' > starts; find -files0-from starts -type f -print0 | xargs -0 rm -f",
]


def tree(folder):
    for name in FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x")
    return folder


def deleted_and_said(tmp_path, command):
    (tmp_path / "skill").mkdir()
    effects = analysed(tmp_path / "skill", command).effects
    scopes = [one.scope for one in effects if one.capability == "file.delete"]
    said = {
        name
        for name in FILES
        if any(overlaps(one, parse_scope(ScopeKind.PATH, "./" + name.replace("[", "\\["))) for one in scopes)
    }
    folder = tree(tmp_path / "tree")
    subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, check=False)
    return {name for name in FILES if not (folder / name).exists()}, said


@each_row(("command", "spared"), NARROW)
def test_tests_that_must_have_held_narrow_an_action(tmp_path, command, spared):
    deleted, said = deleted_and_said(tmp_path, command)
    assert deleted
    assert deleted <= said
    assert said.isdisjoint(spared)


@each_row("command", WIDE)
def test_tests_that_need_not_have_held_narrow_nothing(tmp_path, command):
    deleted, said = deleted_and_said(tmp_path, command)
    assert deleted <= said
    assert said == set(FILES)
