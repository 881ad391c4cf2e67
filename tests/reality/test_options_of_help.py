"""An option that takes nothing, as the tool itself says, takes nothing in its summary: it would swallow a file, a host or a command."""

import re
import shutil
import subprocess

import pytest

from remit.analysis.commands.catalog import default_catalog

TOOLS = (
    "cat cp mv rm ln ls dd df du mkdir mktemp rmdir install touch chmod chown head tail sort uniq cut paste tr wc tee split csplit join comm shuf seq base64 sha256sum md5sum stat "
    "env nice nohup timeout stdbuf xargs find grep sed tar gzip xz diff cmp wget curl date id uname nl od fold fmt tac truncate shred readlink realpath basename dirname"
).split()
# What such a line says in another way than the rest, or what means something else in two versions of a tool
KNOWN = {("wget", "--max-redirect"), ("wget", "--hsts-file"), ("stat", "-c")}  # written without their value
_LINE = re.compile(r"^\s{1,14}((?:-[A-Za-z0-9]|--[\w-]+)(?:,\s+(?:-[A-Za-z0-9]\b|--[\w-]+))*)(\s{2,}\S.*|\s*)$")


def bare(tool):
    """The options of a tool that its help shows without a value."""
    done = subprocess.run([tool, "--help"], capture_output=True, text=True, timeout=20, check=False)
    for line in (done.stdout + done.stderr).splitlines():
        if found := _LINE.match(line):
            yield from re.findall(r"--?[\w-]+", found[1])


@pytest.mark.parametrize("tool", [tool for tool in TOOLS if shutil.which(tool)])
def test_an_option_without_a_value_swallows_nothing(tool):
    command = default_catalog().get(tool)
    assert command is not None
    swallowing = {
        name
        for name in bare(tool)
        if (option := command.options.get(name)) and option.values and not option.optional and (tool, name) not in KNOWN
    }
    assert swallowing == set()


def test_the_help_is_read():
    assert {"-r", "--recursive"} <= set(bare("cp"))
    assert "--suffix" not in set(bare("cp"))
