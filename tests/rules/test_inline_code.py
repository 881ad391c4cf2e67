"""A text that an interpreter runs finds the folder, the words and the variables of the process that runs it."""

import pytest

FOLDERS = {
    "in a folder of a shell": ('cd /srv/other\npython3 -c \'open("a", "w")\'\n', "/srv/other/a"),
    "of another language": ('cd sub\nnode -e \'require("fs").writeFileSync("a", "")\'\n', "./sub/a"),
    "by a wrapper": ('env -C sub python3 -c \'open("a", "w")\'\n', "./sub/a"),
    "from a document in the shell": ("cd sub\npython3 - <<'E'\nopen('a', 'w')\nE\n", "./sub/a"),
    "that was written before": ('cd sub\necho \'open("a", "w")\' > g.py\npython3 g.py\n', "./sub/a"),
    "with words": ("python3 -c 'import sys; open(sys.argv[1], \"w\")' /srv/named\n", "/srv/named"),
    "with a temporary folder": ("TMPDIR=/srv/tmp python3 -c 'import tempfile; tempfile.mkdtemp()'\n", "/srv/tmp/tmp*"),
}


@pytest.mark.parametrize(("code", "scope"), FOLDERS.values(), ids=FOLDERS)
def test_a_text_that_is_run(shell, code, scope):
    assert scope in shell(code).scopes("file.write")


def test_a_text_in_a_folder_that_a_function_is_given(python):
    found = python("import subprocess\nsubprocess.run(['python3', '-c', 'open(\"a\", \"w\")'], cwd='sub')\n")
    assert found.scopes("file.write") == {"./sub/a"}


def test_a_folder_that_is_a_url(node):
    found = node("require('child_process').execSync('touch a', { cwd: new URL('file:///srv/other') });\n")
    assert found.scopes("file.write") == {"/srv/other/a"}


def test_changing_into_a_folder_once_is_not_anything(python):
    found = python("import os\nos.chdir('sub')\nopen('a', 'w')\n")
    assert found.scopes("file.write") == {"./a", "./sub/a", "./sub/**/a"}


TWICE = {
    "on one line": ("os.chdir('/srv'); os.chdir('b')", "/srv/b/a"),
    "by one function": ("def go(d): os.chdir(d)\ngo('/srv')\ngo('b')", "/srv/b/a"),
    "one in the other": ("os.chdir('b')\nos.chdir('c')", "./b/**/a"),
}


@pytest.mark.parametrize(("code", "scope"), TWICE.values(), ids=TWICE)
def test_changing_into_a_folder_from_another(python, code, scope):
    assert scope in python(f"import os\n{code}\nopen('a', 'w')\n").scopes("file.write")
