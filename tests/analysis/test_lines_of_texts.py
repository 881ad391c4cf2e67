"""A text that is run as code and stands in its file as it is: what it does is reported at its own lines."""

from remit.analysis.session import analyse
from remit.skill.load import load_skill

SKILL = """---
name: a
description: b
---
Run:

```bash
python3 - <<'PY'
import os

os.remove("one.txt")
PY
bash -s <<'SH'
echo begun
rm two.txt
SH
python3 -c "
import os
os.remove('three.txt')
"
bash <<EOF
cd $HOME
rm four.txt
EOF
```
"""
TWICE = """import os

exec('''
a = 1
os.remove("five.txt")
''')
exec('''
a = 1
os.remove("five.txt")
''')
"""


def deletions(tmp_path, script=""):
    (tmp_path / "SKILL.md").write_text(SKILL)
    (tmp_path / "a.py").write_text(script)
    found = analyse(load_skill(tmp_path)).effects
    return {
        (effect.scope.render().rpartition("/")[2], effect.where.file, effect.where.line)
        for effect in found
        if effect.capability == "file.delete"
    }


def test_effects_of_a_text_are_reported_at_its_lines(tmp_path):
    found = deletions(tmp_path)
    assert {("one.txt", "SKILL.md", 11), ("two.txt", "SKILL.md", 15), ("three.txt", "SKILL.md", 19)} <= found


def test_a_text_that_is_put_together_is_reported_where_it_runs(tmp_path):
    assert ("four.txt", "SKILL.md", 21) in deletions(tmp_path)


def test_a_text_that_stands_there_twice_is_reported_where_it_runs(tmp_path):
    found = {item for item in deletions(tmp_path, TWICE) if item[0] == "five.txt"}
    assert found == {("five.txt", "a.py", 3), ("five.txt", "a.py", 7)}
