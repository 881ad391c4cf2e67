"""What happens at or below a link happens at its target, however the link came there."""

import pytest

MADE = {
    "ln": "ln -s keep cur",
    "link": "link keep cur",
    "cp -s": 'cp -s "$PWD/keep" cur',
    "cp --link": "cp -r --link keep cur",
    "mount": "mount --bind keep cur",
    "mount by options": "mount --bind --source keep --target cur",
    "a link that is moved": "ln -s keep one\nmv one cur",
    "a link that is copied": "ln -s keep one\ncp -P one cur",
    "a link that is moved twice": "ln -s keep one\nmv one two\nmv two cur",
    "a chain": "ln -s two cur\nln -s three two\nln -s four three\nln -s five four\nln -s six five\nln -s keep six",
}


@pytest.mark.parametrize("made", MADE.values(), ids=MADE)
def test_a_write_below_a_link_is_one_at_its_target(shell, made):
    found = shell(f"{made}\ntouch cur/n.txt\n")
    assert {"./keep/n.txt", "./keep/**"} & found.scopes("file.write")


def test_a_folder_that_holds_a_link_is_moved(shell):
    found = shell('mkdir d\nln -s "$PWD/keep" d/cur\nmv d e\ntouch e/cur/n.txt\n')
    assert "./keep/n.txt" in found.scopes("file.write")


def test_a_relative_link_leads_elsewhere_once_it_is_moved(shell):
    found = shell("ln -s keep cur\nmkdir sub\nmv cur sub/cur\ntouch sub/cur/n.txt\n")
    assert "./sub/keep/n.txt" in found.scopes("file.write")


def test_python_moves_a_link(python):
    found = python("import os\nos.symlink('keep', 'one')\nos.rename('one', 'cur')\nopen('cur/n.txt', 'w')\n")
    assert "./keep/n.txt" in found.scopes("file.write")


def test_what_is_moved_without_a_link_is_not_written_behind_one(shell):
    found = shell("mkdir one\nmv one cur\ntouch cur/n.txt\n")
    assert not {"./one/n.txt", "./keep/n.txt"} & found.scopes("file.write")


def test_links_in_a_circle_end(shell):
    found = shell("ln -s b/x a\nln -s a/y b\ntouch a/n.txt\n")
    assert len(found.scopes("file.write")) < 40


def test_more_links_than_can_be_followed_are_opaque(shell):
    found = shell("".join(f"ln -s d{number} l{number}\n" for number in range(200)) + "touch l1/x\n")
    assert any("more links" in place for place in found.opaque)


ONE_LINE = {
    "in a shell": "import os\nos.system('ln -s /srv/other e; mv e f; touch f/a')\n",
    "by one function": (
        "import os\ndef do(f, *a): return f(*a)\ndo(os.symlink, '/srv/other', 'e')\n"
        "do(os.rename, 'e', 'f')\ndo(open, 'f/a', 'w')\n"
    ),
}


@pytest.mark.parametrize("code", ONE_LINE.values(), ids=ONE_LINE)
def test_a_link_that_is_moved_where_it_is_made(python, code):
    assert "/srv/other/a" in python(code).scopes("file.write")


def test_the_folder_above_a_link_is_that_of_its_target(python):
    found = python("import os\nos.symlink('/srv/other/in', 'l')\nopen('l/../a', 'w')\n")
    assert "any" in found.scopes("file.write")
    assert "any" not in python("open('l/../a', 'w')\n").scopes("file.write")


def test_a_script_that_is_written_behind_a_link(python):
    found = python(
        "import os\nos.system('ln -s d cur; echo touch a > cur/g.sh')\nos.system('echo touch b > d/g.sh; sh cur/g.sh')\n"
    )
    assert {"./a", "./b"} <= found.scopes("file.write")


def test_a_script_in_a_folder_that_is_moved(python):
    found = python("import os\nos.system('echo touch a > d/g.sh; mv e d')\nos.system('sh d/g.sh')\n")
    assert found.opaque
