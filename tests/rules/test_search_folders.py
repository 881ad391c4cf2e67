"""Folders in `PATH` and in lists of modules: known are those of the system, of the skill and of what the user installed.

A project may lie below a home, so a folder there is not known by that alone.
"""

import pytest

UNKNOWN = [
    'PATH="$PWD/bin:$PATH" git status',
    "PATH=/root/project/bin:$PATH git status",
    "PATH=/home/u/project/bin:$PATH git status",
    "PATH=/Users/u/project/bin:$PATH git status",
    'PATH="$HOME/project/bin:$PATH" git status',
    "PATH=/root:$PATH git status",
    "PATH=/home/u/.local/bin/../../project:$PATH git status",
    "PATH=/usr/lib/../../srv/project:$PATH git status",
    'PATH="$(dirname "$0")/../../other:$PATH" git status',
    "LD_PRELOAD=/home/u/project/a.so ls",
    "LD_LIBRARY_PATH=/root/project ls",
    "PYTHONPATH=/home/u/project python3 -c 'import json'",
    'export PYTHONPATH="$HOME/project"; python3 -m json.tool a.json',
    "NODE_PATH=/root/project node -e 1",
]
KNOWN = [
    'export PATH="$HOME/.local/bin:$PATH"; git status',
    "export PATH=/home/u/.local/bin:$PATH; git status",
    "export PATH=/root/.cargo/bin:/usr/local/go/bin:$PATH; git status",
    "PATH=~/.nvm/versions/node/v20.1.0/bin:$PATH node --version",
    'PATH="$(dirname "$0")/../bin:$PATH" git status',
    "/root/.local/bin/rg word .",
    "~/bin/rg word .",
]


@pytest.mark.parametrize("line", UNKNOWN)
def test_a_folder_that_a_project_may_fill_is_not_known(shell, line):
    assert any("is set" in reason for reason in shell(line).opaque)


@pytest.mark.parametrize("line", KNOWN)
def test_folders_of_the_system_the_skill_and_installed_programs_are_known(shell, line):
    assert not shell(line).opaque
