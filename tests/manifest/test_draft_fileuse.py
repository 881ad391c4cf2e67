"""Which effects on files count: the user's files and results, not what programs keep for themselves."""

from pathlib import Path

import pytest

from each_row import each_row
from remit.core.effect import Effect
from remit.core.errors import DataError
from remit.core.location import Location
from remit.core.scope import ANY_SCOPE, Scope, ScopeKind, parse_scope
from remit.core.via import Cause, Via
from remit.manifest.draft.effect_clues import file_use, read_programs


def used(capability: str, scope: str, name: str, kind: str) -> tuple[str, int]:
    where: Scope = parse_scope(ScopeKind.PATH, scope) if scope != "any" else ANY_SCOPE
    return file_use(Effect(capability, where, Location("SKILL.md", 1), Via(Cause.COMMAND, name)), kind)


@each_row(
    ("capability", "scope", "name", "kind", "expected"),
    [
        ("file.read", "./a.csv", "cat", "command", ("file.read", 4)),
        ("file.read", "./a.py", "cat", "command", ("source.read", 4)),
        ("file.write", "./a.py", "builtins.open", "script", ("source.write", 4)),
        ("file.write", "./node_modules/**", "npm install", "command", ("file.write", 0)),
        ("file.write", "./node_modules/**", "npm install", "script", ("file.write", 0)),
        ("file.write", "./x", "git checkout", "command", ("file.write", 0)),
        ("file.write", "./x", "git worktree add", "command", ("file.write", 4)),
        ("file.read", ".", "grep", "command", ("source.read", 4)),
        ("file.read", "./boats", "rg", "command", ("source.read", 4)),
        ("file.read", "./references/tides", "rg", "command", ("file.read", 4)),
        ("file.read", "~/boats", "rg", "command", ("file.read", 4)),
        ("file.read", "./a.log", "grep", "command", ("file.read", 4)),
        ("file.write", "any", "sometool", "command", ("file.write", 0)),
        ("file.write", "any", "builtins.open", "script", ("file.write", 4)),
        ("file.read", "~/.config/x/token.json", "fs.readFileSync", "script", ("file.read", 0)),
        ("file.read", "$SKILL/data/table.json", "builtins.open", "script", ("file.read", 1)),
        ("file.write", "$SKILL/state/x.json", "builtins.open", "script", ("file.write", 4)),
        ("file.delete", "any", "rm", "command", ("file.delete", 4)),
    ],
)
def test_an_effect_counts_for_what_it_is(
    capability: str, scope: str, name: str, kind: str, expected: tuple[str, int]
) -> None:
    assert used(capability, scope, name, kind) == expected


@each_row("row", ["[keep]\nnpm | *\nnpm | ci", "[other]\nnpm | *", "npm | *", "[keep]\nnpm"])
def test_a_row_that_cannot_be_read_is_refused_with_its_place(tmp_path: Path, row: str) -> None:
    path = tmp_path / "housekeeping.table"
    path.write_text(row)
    with pytest.raises(DataError, match=r"housekeeping\.table:\d"):
        read_programs(path)
