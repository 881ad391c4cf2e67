"""What the front matter says that a skill needs, and what follows from what is required."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from each_row import each_row
from remit.core.capability import vocabulary
from remit.core.errors import DataError
from remit.manifest.draft.clues import Clue, implications, read_implications, with_implied
from remit.manifest.draft.text_clues import declared_clues
from remit.manifest.model import Evidence
from remit.skill.document import parse
from remit.skill.prose.lexicon import ENOUGH

if TYPE_CHECKING:
    from pathlib import Path


def declared(front: str) -> set[str]:
    document = parse("SKILL.md", f"---\nname: weather\n{front}\n---\nText\n".encode())
    return {clue.capability for clue in declared_clues(document)}


@each_row(
    ("front", "expected"),
    [
        ('metadata: {"host": {"requires": {"bins": ["curl"]}}}', {"shell.execute"}),
        ('metadata: \'{"host": {"requires": {"anyBins": ["rg", "grep"]}}}\'', {"shell.execute"}),
        ("requires:\n  bins:\n    - jq", {"shell.execute"}),
        ('metadata: {"host": {"install": [{"kind": "brew", "formula": "jq"}]}}', {"package.install"}),
        ('metadata: {"host": {"requires": {"env": ["CITY_NAME"]}}}', {"env.read"}),
        ('metadata: {"host": {"primaryEnv": "CITY_API_KEY"}}', {"env.read", "secret.read"}),
    ],
)
def test_fields_that_name_what_a_skill_needs(front: str, expected: set[str]) -> None:
    assert declared(front) == expected


@each_row(
    "front",
    [
        'metadata: {"host": {"emoji": "x", "requires": {"bins": []}}}',
        "metadata: '{ this is no JSON'",
        "metadata:\n  author: install",
        "install: true",
        "install: see below",
        "env: false",
    ],
)
def test_fields_that_ask_for_nothing(front: str) -> None:
    assert declared(front) == set()


def test_deep_nesting_ends() -> None:
    assert declared("metadata: " + '{"a": ' * 20 + '{"bins": ["x"]}' + "}" * 20) == set()


def _one(capability: str) -> dict[str, tuple[Clue, ...]]:
    return {capability: (Clue(capability, ENOUGH, "sentence", Evidence("SKILL.md", 3, "words", "rule")),)}


def test_what_a_capability_cannot_do_without_is_required_too() -> None:
    found = with_implied(_one("process.create"))
    assert set(found) == {"process.create", "source.execute", "shell.execute"}
    assert found["shell.execute"][0].evidence.rule.startswith("source.execute: ")
    assert found["shell.execute"][0].evidence.line == 3


def test_nothing_follows_from_reading_files() -> None:
    assert set(with_implied(_one("file.read"))) == {"file.read"}


def test_own_clues_are_kept() -> None:
    both = {**_one("commit.read"), **_one("shell.execute")}
    assert with_implied(both) == both


def test_every_row_is_true_of_known_names() -> None:
    assert all(first in vocabulary() and second in vocabulary() and why for first, second, why in implications())


@each_row(
    ("row", "message"),
    [
        ("commit.look | shell.execute | x", r"t\.table:2: `commit.look` is not a capability"),
        ("shell.execute | shell.execute | x", r"t\.table:2: the row says nothing new"),
        ("commit.read | shell.execute", r"t\.table:2: a row has 3 cells"),
    ],
)
def test_bad_rows_are_refused_with_their_place(tmp_path: Path, row: str, message: str) -> None:
    table = tmp_path / "t.table"
    table.write_text(f"[implies]\n{row}\n", "utf-8")
    with pytest.raises(DataError, match=message):
        read_implications(table)


def test_a_row_that_stands_twice_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "t.table"
    table.write_text("[implies]\ncommit.read | shell.execute | x\ncommit.read | shell.execute | y\n", "utf-8")
    with pytest.raises(DataError, match=r"t\.table:3: the row says nothing new"):
        read_implications(table)
