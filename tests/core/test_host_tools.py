"""The table of host tools: what it refuses, and how a rule is taken apart."""

import pytest

from each_row import each_row
from remit.core.errors import DataError
from remit.core.hosttools import host_tools, load, rule_words, split_tool


def test_what_the_best_known_tools_hand_out():
    tools = host_tools()
    assert tools["Bash"].capabilities == ("shell.execute",)
    assert tools["Edit"].rule == "path"
    assert tools["apply_patch"].capabilities == ("file.write", "file.delete")
    assert tools["Skill"].argument == "skill"
    assert tools["TodoWrite"].capabilities == ()


def test_every_host_has_a_tool_that_runs_commands():
    hosts = {tool.host for tool in host_tools().values() if "shell.execute" in tool.capabilities}
    assert {"Claude Code", "Codex", "Gemini CLI", "Copilot", "OpenClaw", "several hosts"} <= hosts


def test_what_is_written_takes_a_rule_and_stands_for_one_capability():
    for tool in host_tools().values():
        if tool.written:
            assert tool.rule
            assert len(tool.capabilities) == 1


@each_row(
    ("row", "reason"),
    [
        ("Bash | shell.execute | command | yes | runs\nBash | shell.execute | command | - | runs", "defined twice"),
        ("Bash | shell.exec | command | - | runs", "`shell.exec` is not a capability"),
        ("Bash | shell.execute | words | - | runs", "`words` is not a kind of rule"),
        ("Bash | shell.execute | argument: | - | runs", "is not a kind of rule"),
        ("Bash | shell.execute | command | no | runs", "`written`"),
        ("Todo | - | - | yes | plans", "`written`"),
        ("- | shell.execute | command | - | runs", "a name and a meaning"),
        ("Bash | shell.execute | command | -", "5 cells"),
    ],
)
def test_a_wrong_line_is_refused_with_its_place(tmp_path, row, reason):
    file = tmp_path / "tools.table"
    file.write_text(f"[A host]\n{row}\n")
    with pytest.raises(DataError) as error:
        load(file)
    assert error.value.message.startswith("tools.table:")
    assert reason in error.value.message


@each_row(
    ("text", "parts"),
    [
        ("Bash", ("Bash", None)),
        ("Bash()", ("Bash", "")),
        ("Bash(git add:*)", ("Bash", "git add:*")),
        (" Bash ( echo (x) ) ", ("Bash", "echo (x)")),
        ("Bash(unfinished", ("Bash", "unfinished")),
        ("mcp__a__*", ("mcp__a__*", None)),
    ],
)
def test_a_tool_is_a_name_and_a_rule(text, parts):
    assert split_tool(text) == parts


@each_row(
    ("rule", "words"),
    [
        ("git:*", ["git", "*"]),
        ("git add *", ["git", "add", "*"]),
        ("npm test", ["npm", "test"]),
        ("", []),
        ("*", ["*"]),
    ],
)
def test_a_colon_and_a_star_at_the_end_are_any_further_words(rule, words):
    assert rule_words(rule) == words
