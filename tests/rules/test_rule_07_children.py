"""Rule 7: a child has program, argv, environment and current folder."""

import pytest


def test_a_script_of_the_skill_is_inherited(skill):
    found = skill(
        {"scripts/run.sh": "#!/bin/sh\npython3 scripts/a.py\n", "scripts/a.py": "import os\nos.remove('v')\n"}
    )
    assert "file.delete" in found.capabilities
    assert not found.opaque


def test_an_unknown_command_is_named_and_opaque(shell):
    found = shell("frobnicate-the-thing x\n")
    assert ("process.create", "frobnicate-the-thing") in found.effects
    assert found.opaque


def test_a_glob_may_be_an_option(shell):
    found = shell("tar cf x.tar *\n")
    assert "any" in found.scopes("process.create") | found.scopes("shell.execute")


CUT_BY_SHELL = ['"${1##*/}"', '"${1%.txt}"', '"$(dirname "$1")/x"', '"$(basename "$1")"', '"${1%%.*}.pdf"']
CUT_BY_PYTHON = ["Path(p).stem", "str(Path(p).with_suffix('.x'))", "os.path.dirname(p)", "p.split(',')[0]", "p.strip()"]


@pytest.mark.parametrize("word", CUT_BY_SHELL)
def test_a_piece_of_an_argument_is_no_option_of_the_skill(shell, word):
    assert shell(f"sort {word}\n").capabilities == {"process.create", "file.read"}


@pytest.mark.parametrize("word", CUT_BY_PYTHON)
def test_a_piece_of_an_argument_is_no_option_in_python_either(python, word):
    found = python(
        f"import os, sys, subprocess\nfrom pathlib import Path\np = sys.argv[1]\nsubprocess.run(['sort', {word}])\n"
    )
    assert found.capabilities == {"process.create", "file.read"}


MADE_BY_SHELL = [
    """$(echo "$1" | sed 's/^/--compress-program=/')""",
    '"$(echo "$1" | tr a-z A-Z)"',
    '"${1/x/--output=y}"',
]


@pytest.mark.parametrize("word", MADE_BY_SHELL)
def test_words_of_the_skill_in_an_argument_may_be_an_option(shell, word):
    assert "file.write" in shell(f"sort {word}\n").capabilities


def test_a_steering_variable_makes_children_opaque(shell):
    assert shell("export LD_PRELOAD=./evil.so\nls\n").opaque


def test_a_program_named_by_an_argument_is_an_effect_with_that_scope(shell):
    found = shell('"$1" --version\n')
    assert ("process.create", "<arg>") in found.effects
    assert not found.opaque


def test_a_downloaded_file_that_is_run_is_opaque(shell):
    assert shell("curl -so /tmp/x https://example.com/x\nbash /tmp/x\n").opaque


def test_a_path_is_not_the_program_of_that_name(shell):
    found = shell("./git status\n")
    assert "commit.read" not in found.capabilities
