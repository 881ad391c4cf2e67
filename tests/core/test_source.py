"""Source code by its name: only what surely is."""

import pytest

from each_row import each_row
from remit.core import parse_scope
from remit.core.errors import DataError
from remit.core.source import as_source, globs, is_source, load


@each_row("path", ["./a.py", "./src/**/*.ts", "<arg>/x.go", "~/.x.sh", "./Makefile", "./*.R", "/a/?.rs", "./.py"])
def test_source(path):
    assert is_source(parse_scope("path", path))


@each_row(
    "path",
    ["any", "./a.txt", "./**", "./src/**", "./*", "./*.py*", "./a.p?", "./a.py/b", "<arg>", ".", "./makefiles", "./py"],
)
def test_what_may_be_something_else_is_not(path):
    assert not is_source(parse_scope("path", path))


def test_scopes_of_other_kinds_are_not():
    assert not is_source(parse_scope("host", "example.py"))
    assert not is_source(parse_scope("name", "a.py"))


def test_only_actions_that_source_has():
    path = parse_scope("path", "./a.py")
    assert as_source("file.read", path) == "source.read"
    assert as_source("file.delete", path) == "source.delete"
    assert as_source("file.chmod", path) is None
    assert as_source("secret.read", path) is None


def test_every_line_is_a_name_of_its_own():
    for glob in globs():
        text = glob.replace("*", "./dir/name")
        assert is_source(parse_scope("path", text))


@each_row(
    ("line", "reason"),
    [
        ("*.py | x\n*.py | x", "listed twice"),
        ("* | x", "every name"),
        ("*.[ch] | x", "class"),
        ("a/b | x", "slash"),
        ("*.py", "2 cells"),
    ],
)
def test_a_wrong_table_is_refused_with_its_line(tmp_path, line, reason):
    path = tmp_path / "globs.table"
    path.write_text(f"[languages]\n{line}\n")
    with pytest.raises(DataError, match=r"globs\.table:\d") as error:
        load(path)
    assert reason in error.value.message
