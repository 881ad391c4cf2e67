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
