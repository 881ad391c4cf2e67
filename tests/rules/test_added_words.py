"""Commands that are run with words which somebody else adds: a browser its address, git its tokens, patch its targets."""

import pytest

ADDED = {
    "a browser by its command line": (
        "import webbrowser\nwebbrowser.get('rm %s').open('a.txt')\n",
        "file.delete",
        "any",
    ),
    "a monitor of git": (
        "import subprocess\nsubprocess.run(['git', '-c', 'core.fsmonitor=rm -f', 'status'])\n",
        "file.delete",
        "./*",
    ),
    "what patch changes": ("import os\nos.system('patch -p1 < a.diff')\n", "file.read", "./**"),
}


@pytest.mark.parametrize(("code", "capability", "scope"), ADDED.values(), ids=ADDED)
def test_words_that_are_added_count(python, code, capability, scope):
    assert scope in python(code).scopes(capability)


def test_a_browser_by_its_name_is_no_command_line(python):
    found = python("import webbrowser\nwebbrowser.get('firefox').open('https://a.example')\n")
    assert not found.opaque
    assert not found.scopes("file.write")


def test_a_prompt_that_reads_a_stream_runs_unknown_code(node):
    found = node("const repl = require('repl');\nrepl.start({ input: require('fs').createReadStream('a.txt') });\n")
    assert found.opaque
