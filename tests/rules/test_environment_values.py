"""What a skill puts into its environment is what programs and libraries take from there."""

import pytest


@pytest.mark.parametrize("set_it", ["export TMPDIR=$PWD/keep", "TMPDIR=./keep"])
def test_temporary_files_lie_where_the_skill_says(shell, set_it):
    found = shell(f"{set_it}\nf=$(mktemp)\nrm $f\n")
    assert "./keep/*" in found.scopes("file.write")
    assert "./keep/*" in found.scopes("file.delete")


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("EDITOR", "import click\nclick.edit('hi')"),
        ("VISUAL", "import typer\ntyper.edit('hi')"),
        ("PAGER", "import click\nclick.echo_via_pager('hi')"),
        ("BROWSER", "import webbrowser\nwebbrowser.open('x')"),
    ],
)
def test_a_library_runs_the_program_that_the_skill_names(python, name, call):
    found = python(f"import os\nos.environ[{name!r}] = 'touch made.txt'\n{call}\n")
    assert "./made.txt" in found.scopes("file.write")


def test_the_program_that_the_user_names_is_the_user_s(python):
    found = python("import click\nclick.edit('hi')\n")
    assert found.effects == {("process.create", "<env:EDITOR>")}


def test_a_file_that_a_variable_names(node):
    found = node(
        "process.env.GITHUB_ENV = 'made.txt';\nconst core = require('@actions/core');\ncore.exportVariable('A', 'b');\n"
    )
    assert "./made.txt" in found.scopes("file.write")


STEERED = {
    "git, by the environment": "os.environ['GIT_TRACE'] = 'a.log'\nsubprocess.run(['git', '--version'])",
    "git, by an argument": "subprocess.run(['git', 'add', 'a'], env={**os.environ, 'GIT_INDEX_FILE': 'b'})",
    "a variable named after the program": "subprocess.run(['docker', 'ps'], env={**os.environ, 'DOCKER_ODD_FOLDER': '/srv/x'})",
    "in a shell": "os.system('export CARGO_ODD_LOG=$PWD/a.log; cargo --version')",
}


@pytest.mark.parametrize("code", STEERED.values(), ids=STEERED)
def test_a_variable_that_steers_a_program_is_opaque_without_a_shell_too(python, code):
    assert any("is set" in place for place in python(f"import os, subprocess\n{code}\n").opaque)


def test_a_variable_that_changes_nothing_is_none(python):
    found = python(
        "import os, subprocess\nsubprocess.run(['git', 'status'], env={**os.environ, 'GIT_PAGER': 'cat', 'GIT_MERGE_AUTOEDIT': 'no', 'LC_ALL': 'C'})\n"
    )
    assert not found.opaque


PLACES = {
    "an address, for a library": ("os.environ['OPENAI_BASE_URL'] = 'https://elsewhere.example/v1'", "net.connect", "elsewhere.example:443"),
    "a folder, for a library": ("os.environ.setdefault('TRITON_CACHE_DIR', '/srv/cache')", "file.write", "/srv/cache/**"),
    "all of them at once": ("os.environ = {**os.environ, 'MLFLOW_TRACKING_URI': 'http://elsewhere.example'}", "net.connect", "elsewhere.example:80"),
}  # fmt: skip


@pytest.mark.parametrize(("code", "capability", "scope"), PLACES.values(), ids=PLACES)
def test_a_place_in_the_environment_is_used(python, code, capability, scope):
    assert scope in python(f"import os\n{code}\n").scopes(capability)


def test_a_place_in_the_environment_of_node_is_used(node):
    assert "elsewhere.example:443" in node("process.env.HTTPS_PROXY = 'https://elsewhere.example'\n").scopes(
        "net.connect"
    )


def test_a_word_in_the_environment_is_no_place(python):
    found = python("import os\nos.environ['WANDB_MODE'] = 'disabled'\nos.environ['A_TOKEN'] = '/not/a/file'\n")
    assert not found.scopes("file.read")
    assert not found.scopes("net.connect")


def test_the_environment_of_a_thread_is_read_in_it(node):
    found = node(
        "const { Worker } = require('worker_threads');\n"
        "new Worker(\"require('fs').rmSync(process.env.OUT)\", { eval: true, env: { OUT: '/srv/o' } });\n"
    )
    assert "/srv/o" in found.scopes("file.delete")


WRITTEN = {
    "by a child": "import subprocess\nsubprocess.run(['node', 'x.js'], env={'NODE_V8_COVERAGE': 'cov'})\n",
    "by a shell": "import os\nos.system('LLVM_PROFILE_FILE=cov ls')\n",
    "by any program": "import subprocess\nsubprocess.run(['ls'], env={'LD_DEBUG': 'libs', 'LD_DEBUG_OUTPUT': 'cov'})\n",
}


@pytest.mark.parametrize("code", WRITTEN.values(), ids=WRITTEN)
def test_a_variable_by_which_programs_write_files(python, code):
    assert "./cov*" in python(code).scopes("file.write")
