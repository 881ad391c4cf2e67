"""Sensitive places: each line of the table is found, spelling does not help, and ordinary files stay ordinary."""

import pytest

from each_row import each_row
from remit.core import ANY_SCOPE, DataError, parse_scope
from remit.core.scope import NameScope, PathScope
from remit.core.sensitive import load, may_touch, places, sensitive

ACTIONS = ("file.read", "file.write", "file.delete")


@each_row("place", places().rows, ids=lambda place: "/".join(place.parts))
def test_every_line_of_the_table_decides_something(place):
    """A path inside the place gets what its line says: no line is hidden by one above it."""
    parts = tuple(part.replace("*", "q") if part != "**" else "q" for part in place.parts)
    scope = PathScope(place.anchor or "~", parts)
    assert tuple(sensitive(action, scope) for action in ACTIONS) == place.means
    assert tuple(may_touch(action, scope) for action in ACTIONS) == place.means


@each_row(
    ("capability", "path", "expected"),
    [
        ("file.read", "~/.ssh/id_rsa", ("secret.read",)),
        ("file.read", "~/.ssh/**", ("secret.read",)),
        ("file.read", "/home/me/.ssh/x", ("secret.read",)),
        ("file.read", "<arg>/.aws/credentials", ("secret.read",)),
        ("file.read", "./.ENV", ("secret.read",)),
        ("file.read", "./.env.local", ("secret.read",)),
        ("file.read", "./.env.Example", ()),
        ("file.read", "./.e\\x{200c}nv", ("secret.read",)),
        ("file.read", "./.env. ", ("secret.read",)),
        ("file.read", "~/LIBRARY/keychains/login.keychain-db", ("secret.read",)),
        ("file.chmod", "~/.bashrc", ("profile.write",)),
        ("file.write", "/etc/cron.daily/x", ("schedule.create",)),
        ("source.write", "./.git/hooks/pre-commit", ("hook.install",)),
        ("file.read", "./.git/hooks/pre-commit", ()),
        ("file.write", "~/.claude/settings.local.json", ("policy.expand", "hook.install")),
        ("file.write", "./CLAUDE.md", ("memory.write",)),
        ("file.write", "~/.claude/skills/x/SKILL.md", ("skill.install",)),
        ("file.write", "./environment", ()),
        ("file.read", "./src/env.py", ()),
        ("file.read", "./etc/shadow", ()),
        ("file.read", "~/.ssh.md", ()),
        ("file.read", "./**", ()),
        ("file.read", "<arg>", ()),
        ("source.execute", "~/.bashrc", ()),
        ("commit.read", "~/.bashrc", ()),
    ],
)
def test_what_a_path_means(capability, path, expected):
    assert sensitive(capability, parse_scope("path", path)) == expected


@each_row(
    ("capability", "path", "expected"),
    [
        ("file.read", "./.s*/id_rsb", ("secret.read",)),
        ("file.read", "./out*/data?", ()),
        ("file.read", "./.env.example", ()),
        ("file.read", "./.env.ex*", ("secret.read",)),
        ("file.read", "./a/b", ()),
        ("file.write", "./out/**/*.md", ("memory.write", "skill.install")),
        ("file.delete", "/etc/*", ("profile.write", "schedule.delete", "secret.delete")),
        ("web.fetch", "./**", ()),
    ],
)
def test_what_a_path_may_mean(capability, path, expected):
    found = may_touch(capability, parse_scope("path", path))
    assert set(expected) <= set(found)
    assert found == tuple(sorted(found))
    if not expected:
        assert not found


def test_anything_may_mean_everything():
    read = ("memory.read", "profile.read", "schedule.read", "secret.read")
    assert may_touch("file.read", ANY_SCOPE) == read == may_touch("file.read", PathScope("<arg>"))
    assert sensitive("file.read", ANY_SCOPE) == ()
    assert sensitive("file.read", NameScope("x")) == () == may_touch("file.read", NameScope("x"))


@each_row(
    ("line", "message"),
    [
        ("**/x | secret.read | - | - | x\n**/X | - | - | - | y", "t.table:3: `**/X` is listed twice"),
        ("**/x | secret.fly | - | - | x", "t.table:2: `secret.fly` is not a capability on paths"),
        ("**/x | env.read | - | - | x", "t.table:2: `env.read` is not a capability on paths"),
        ("~/x | - | - | - | x", "t.table:2: `~/x` begins neither"),
        ("./x | - | - | - | x", "t.table:2: `./x` begins neither"),
        ("any | - | - | - | x", "t.table:2: `any` begins neither"),
        ("**/../x | - | - | - | x", "t.table:2: `**/../x` goes up"),
        ("**/x | - | - | x", "t.table:2: a row has 5 cells"),
    ],
)
def test_a_wrong_table_is_refused_with_its_line(tmp_path, line, message):
    table = tmp_path / "t.table"
    table.write_text(f"[places]\n{line}\n", "utf-8")
    with pytest.raises(DataError) as caught:
        load(table)
    assert caught.value.message.startswith(message)
    assert caught.value.remedy
