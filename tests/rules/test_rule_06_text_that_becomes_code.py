"""Rule 6: text that becomes code is parsed in its language; a hole in it is an injection."""

import pytest


@pytest.mark.parametrize(
    "source",
    [
        "exec('import os\\nos.remove(\"v\")')",
        'eval(\'__import__("os").remove("v")\')',
        "import subprocess\nsubprocess.run('rm -f v', shell=True)",
        "import os\nos.system('sh -c \"rm -f v\"')",
        "import timeit\ntimeit.timeit('os.remove(\"v\")', 'import os', number=1)",
    ],
)
def test_constant_code_is_analysed(python, source):
    found = python(source + "\n")
    assert "file.delete" in found.capabilities or found.opaque


def test_computed_code_is_opaque(python):
    assert python("import base64\nexec(base64.b85decode(open('x').read()))\n").opaque


def test_a_hole_in_a_command_is_any_command(python):
    found = python("import os, sys\nos.system('touch ' + sys.argv[1])\n")
    assert "any" in found.scopes("shell.execute")


def test_a_quoted_hole_is_one_word(python):
    found = python("import os, sys, shlex\nos.system('touch ' + shlex.quote(sys.argv[1]))\n")
    assert "any" not in found.scopes("shell.execute")
    assert "file.write" in found.capabilities


def test_a_file_url_reads_a_file(python):
    found = python("from urllib.request import urlopen\nurlopen('file:///etc/hostname')\n")
    assert "/etc/hostname" in found.scopes("file.read")


def test_a_library_that_only_speaks_http_opens_no_file_url(python):
    found = python("import json, requests\nrequests.get(json.load(open('settings.json'))['url'])\n")
    assert found.scopes("file.read") == {"./settings.json"}
    found = python("import json, urllib.request as u\nu.urlopen(json.load(open('settings.json'))['url'])\n")
    assert found.scopes("file.read") > {"./settings.json"}


def test_code_that_a_variable_is_put_into_names_the_variable(shell):
    found = shell('python3 -c "print(${COUNT})"\n')
    assert found.scopes("source.execute") == {"<env:COUNT>"}


@pytest.mark.parametrize(
    "code",
    ["x='a[$(touch made)]'\n(( x ))", "x='a[$(touch made)]'\n[[ $x -eq 1 ]]", "x='a[$(touch made)]'\ntest -v \"$x\""],
)
def test_arithmetic_is_a_code_position(shell, code):
    found = shell(code + "\n")
    assert found.opaque or "file.write" in found.capabilities


def test_a_pipe_into_an_interpreter_runs_the_text(shell):
    assert "file.delete" in shell("echo 'rm -f v' | sh\n").capabilities


def test_a_here_document_runs_in_its_language(shell):
    assert shell("python3 - <<'EOF'\nimport os\nos.remove('v')\nEOF\n").scopes("file.delete") == {"./v"}
