"""Rule 9: values are literals joined with holes; lists are a known prefix and a bag."""


def test_pieces_are_joined(python):
    assert python("a = 'vic'\nb = a + 'tim'\nopen(f'{b}.txt', 'w')\n").scopes("file.write") == {"./victim.txt"}


def test_both_branches_count(python):
    found = python("import sys\nm = 'r' if sys.argv else 'w'\nopen('x', m)\n")
    assert found.capabilities == {"file.read", "file.write"}


def test_fields_join_all_stores(python):
    source = "class C:\n    def __init__(self): self.p = 'a'\n    def set(self): self.p = 'b'\n    def go(self): open(self.p, 'w')\nc = C()\nc.set()\nc.go()\n"
    assert python(source).scopes("file.write") == {"./a", "./b"}


def test_appending_keeps_the_program(python):
    found = python(
        "import subprocess, sys\nargv = ['git']\nargv.append('status')\nargv += sys.argv[1:]\nsubprocess.run(argv)\n"
    )
    assert ("process.create", "git") in found.effects


def test_inserting_loses_it(python):
    found = python("import subprocess\nargv = ['git', 'status']\nargv.insert(0, 'rm')\nsubprocess.run(argv)\n")
    assert ("process.create", "rm") in found.effects


def test_a_loop_widens_and_ends(python):
    found = python("p = ''\nfor i in range(9):\n    p = p + 'x'\nopen(p, 'w')\n")
    assert "any" in found.scopes("file.write")


def test_numbers_are_digits(python):
    found = python("import sys\nopen(f'out-{int(sys.argv[1])}.txt', 'w')\n")
    assert found.scopes("file.write") == {"./out-*.txt"}


HERE = "import sys\nfrom pathlib import Path\nhere = Path(__file__).resolve()\n"


def test_the_folder_above_is_known_by_its_number(python):
    assert python(HERE + "(here.parents[1] / 'out').write_text('x')\n").scopes("file.write") == {"$SKILL/out"}


def test_a_folder_above_by_an_unknown_number_is_any(python):
    assert "any" in python(HERE + "(here.parents[int(sys.argv[1])] / 'out').write_text('x')\n").scopes("file.write")
    assert "any" in python(HERE + "(here.parents[-1] / 'out').write_text('x')\n").scopes("file.write")
    assert "any" in python(HERE + "for p in here.parents[:2]: (p / 'out').write_text('x')\n").scopes("file.write")


def test_every_folder_above_counts_in_a_loop(python):
    found = python(HERE + "for p in here.parents: (p / 'out').write_text('x')\n").scopes("file.write")
    assert found >= {"$SKILL/scripts/out", "$SKILL/out", "any"}


def test_what_nothing_reaches_may_be_anything_in_a_sum(python):
    found = python("import os\nparts = []\nname = 'a'\nfor part in parts:\n    name += part\nos.remove(name)\n")
    assert found.scopes("file.delete") >= {"./a", "any"}
