"""The manual page: it holds the whole command line, and man has nothing to say against it."""

import os
import re
import shutil
import subprocess

import pytest

from remit.cli.arguments import parser
from remit.cli.command_tree import command_tree
from remit.cli.manual import manual_page

TREE = command_tree(parser())
PAGE = manual_page(TREE)


def rendered(text):
    if shutil.which("man") is None:
        pytest.skip("there is no man")
    env = {
        "PATH": os.environ["PATH"],
        "MANWIDTH": "200",
        "LC_ALL": "C.UTF-8",
        "MAN_KEEP_FORMATTING": "",
        "TERM": "dumb",
    }
    done = subprocess.run(
        ["man", "--warnings", "-E", "UTF-8", "-l", "-"], input=text, env=env, capture_output=True, text=True, timeout=300, check=False
    )  # fmt: skip
    return done.stdout, done.stderr


def test_man_shows_every_command_option_and_example():
    out, err = rendered(PAGE)
    assert err == ""
    flat = re.sub(r"[ \t]+", " ", out)
    for command in TREE.walk():
        assert " ".join(command.path) in flat
        for option in command.options:
            if "--help" not in option.names:
                assert ", ".join(option.names) in flat
        for line in command.text.splitlines():
            assert " ".join(line.split()) in flat, line


def test_a_page_with_a_mistake_is_noticed():
    assert rendered(PAGE.replace(".SH NAME", ".SH NAME\n.nonsense"))[1] != ""
