"""Which word stands for a code span: tools of hosts, and places that are more than files."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from each_row import each_row
from remit.skill.prose.spans import Bundled, tool_word, word_for

if TYPE_CHECKING:
    from remit.skill.model import Skill

NONE = Bundled(cast("Skill", SimpleNamespace(files=(), main="SKILL.md")))


@each_row(
    ("text", "called", "word"),
    [
        ("AskUserQuestion", False, "~tool"),
        ("update_plan", False, "~tool"),
        ("spawn_agent", False, "~agent"),
        ("Task", True, "~agent"),
        ("Task", False, ""),
        ("question", False, ""),
        ("read_file", False, ""),
        ("Read", True, ""),
        ("render_map", True, "~tool"),
        ("render_map", False, ""),
        ("jq", True, ""),
    ],
)
def test_names_of_tools(text: str, word: str, *, called: bool) -> None:
    assert tool_word(text, called=called) == word


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("~/.bashrc", "~profile"),
        (".claude/settings.local.json", "~settings"),
        ("~/.claude/skills/", "~skills"),
        (".git/hooks/pre-commit", "~hooks"),
        ("/etc/cron.d/nightly", "~schedule"),
        ("docs/plan.md", "~data"),
        ("AGENTS.md", "~data"),
        ("out/{name}.json", "~data"),
    ],
)
def test_places_that_are_more_than_files(text: str, word: str) -> None:
    assert word_for(text, NONE) == word
