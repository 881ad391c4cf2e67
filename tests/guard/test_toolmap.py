"""The tool maps: what calls would do, and what is not passed over."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from each_row import each_row
from remit.core.errors import DataError
from remit.core.hosttools import host_tools
from remit.guard.event import Event, Kind
from remit.guard.hosts.registry import HOSTS, find_host
from remit.guard.hosts.toolmap import FOLDER, Role, Want, load, tool_map, wants


def asked(tool, /, **args):
    return wants(Event("claude-code", Kind.BEFORE, "PreToolUse", "s", "/w", tool=tool, args=args))


def test_a_command_is_handed_on_to_be_understood():
    assert asked("Bash", command="ls -l", description="x") == (
        Want("shell.execute", Role.COMMAND, "bash", command="ls -l"),
    )
    assert asked("PowerShell", command="dir")[0].target == "powershell"


def test_what_is_written_is_told_with_its_place():
    assert asked("Write", file_path="a.txt", content="x") == (Want("file.write", Role.PATH, "a.txt", content="x"),)
    assert asked("Edit", file_path="a", old_string="x", new_string="y")[0].content == "y"
    edits = [{"old_string": "a", "new_string": "one"}, {"old_string": "b", "new_string": "two"}]
    assert asked("MultiEdit", file_path="a", edits=edits)[0].content == "one\ntwo"
    assert asked("NotebookEdit", notebook_path="a", new_source="1")[0].target == "a"


def test_addresses_skills_and_delegations():
    assert asked("WebFetch", url="https://example.com/a", prompt="p")[0] == Want(
        "web.fetch", Role.URL, "https://example.com/a", content="p"
    )
    assert asked("Skill", skill="pdf", args="x") == (Want("context.load", Role.SKILL, "pdf", content="x"),)
    assert asked("SlashCommand", command="/pdf all pages") == (
        Want("context.load", Role.SKILL, "pdf", content="all pages"),
    )
    assert asked("Agent", prompt="do it") == (
        Want("subagent.delegate", Role.AGENT, "general-purpose", content="do it"),
    )
    assert asked("SendMessage", to="a", message={"type": "x"})[0].content == '{"type": "x"}'


def test_the_folder_of_a_search():
    assert asked("Grep", pattern="x") == (Want("file.read", Role.TREE, "."),)
    assert asked("Grep", pattern="x", path="/etc")[0].target == "/etc"
    for pattern, path, found in [
        ("*.py", None, "."),
        ("src/**/*.py", None, "./src"),
        ("src/a.py", "/w", "/w/src"),
        ("/etc/*", "/w", "/etc"),
        ("/*", "/w", "/"),
        ("../../x*", "/w", "/w/../.."),
        ("~/.ssh/*", None, "~/.ssh"),
        ("{src,tests}/**/*.{js,ts}", None, "."),
    ]:
        args = {"pattern": pattern} | ({"path": path} if path else {})
        assert asked("Glob", **args)[0].target == found, pattern
    for pattern in ("a*/../../etc/*", "{/etc,a}/*", "{a,/etc}/*", "{a,~}/*", "{..,a}/*", "@(a|/etc)/*"):
        assert asked("Glob", pattern=pattern)[0].problem, pattern


def test_what_does_nothing_to_the_world_wants_nothing():
    for tool in ("TodoWrite", "ExitPlanMode", "AskUserQuestion", "BashOutput", "TaskList"):
        assert asked(tool, anything=1) == ()


def test_a_flag_that_widens_is_a_want_of_its_own():
    assert Want("policy.expand", Role.ANY) in asked("Bash", command="ls", dangerouslyDisableSandbox=True)
    assert len(asked("Bash", command="ls", dangerouslyDisableSandbox=False)) == 1
    assert Want("policy.expand", Role.ANY) in asked("Agent", prompt="x", mode="bypassPermissions")
    assert len(asked("Agent", prompt="x", mode="plan")) == 1
    assert asked("ExitWorktree", action="keep") == ()
    assert asked("ExitWorktree", action="remove") == (Want("file.delete", Role.ANY),)


def test_a_tool_that_nobody_knows_is_called_by_its_name():
    assert asked("Launch", rocket=1) == (Want("tool.invoke", Role.TOOL, "Launch"),)
    assert asked("mcp__github__create_issue", title="x") == (
        Want("tool.invoke", Role.TOOL, "mcp__github__create_issue", content="x"),
    )
    other = Event("no-such-host", Kind.BEFORE, "x", "s", "/w", tool="Bash", args={"command": "ls"})
    assert wants(other) == (Want("tool.invoke", Role.TOOL, "Bash"),)


WRONG = [
    ("Bash", {}),
    ("Bash", {"command": None}),
    ("Bash", {"command": ["ls"]}),
    ("Bash", {"command": " "}),
    ("Bash", {"command": "ls\0"}),
    ("Bash", {"Command": "ls"}),
    ("Read", {"file_path": 3}),
    ("Read", {"file_path": ""}),
    ("Read", {"file_path": "a" * 5000}),
    ("Write", {"file_path": "a"}),
    ("Write", {"content": "a"}),
    ("MultiEdit", {"file_path": "a", "edits": "x"}),
    ("MultiEdit", {"file_path": "a", "edits": [{"new_string": "x"}, {}]}),
    ("MultiEdit", {"file_path": "a", "edits": ["x"]}),
    ("Grep", {"path": 3}),
    ("Glob", {"pattern": "*", "path": ["a"]}),
    ("Skill", {"name": "pdf"}),
    ("SlashCommand", {"command": "/"}),
    ("Monitor", {"description": "x"}),
    ("Monitor", {"ws": "wss://x"}),
    ("TaskStop", {}),
    ("SendUserFile", {"files": []}),
    ("Agent", {"subagent_type": "x"}),
    ("", {}),
]


@each_row(("tool", "args"), WRONG)
def test_what_is_missing_or_of_another_type_cannot_be_granted(tool, args):
    assert any(want.problem for want in asked(tool, **args))


def test_an_event_that_nobody_knows_cannot_be_granted():
    (want,) = wants(Event("claude-code", Kind.BEFORE, "Levitate", "s", "/w"))
    assert "Levitate" in want.problem


def test_events_around_calls_want_nothing_and_a_loaded_skill_is_a_want():
    assert wants(Event("claude-code", Kind.STOP, "Stop", "s", "/w")) == ()
    skill = Event("claude-code", Kind.SKILL, "UserPromptExpansion", "s", "/w", skill="pdf")
    assert wants(skill) == (Want("context.load", Role.SKILL, "pdf"),)
    assert wants(skill._replace(skill=""))[0].problem


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(st.data())
def test_no_argument_makes_it_crash_or_pass_a_tool_over(data):
    known = tool_map("claude-code")
    tool = data.draw(st.sampled_from(sorted(known.exact)))
    lines = known.lines(tool)
    names = sorted({line.target.steps[0] for line in lines if line.target and line.target.steps})
    args = data.draw(st.dictionaries(st.sampled_from(names), VALUES) if names else st.just({}))
    found = asked(tool, **args)
    assert found or any(line.role is Role.NOTHING for line in lines)
    for want in found:
        assert want.capability
        assert want.problem or want.role not in {Role.ARGV, Role.GLOB, Role.SLASH, Role.FLAG, Role.NOTHING}


def test_the_tools_of_the_host_that_preapprovals_name_are_all_known_and_do_the_same():
    known = tool_map("claude-code").exact
    for tool in host_tools().values():
        if tool.host == "Claude Code":
            assert tool.name in known
            done = {line.capability for line in known[tool.name]} - {"", "policy.expand"}
            assert done == set(tool.capabilities), tool.name


@each_row(
    ("row", "reason"),
    [
        ("Bash | shell.exec | command | command | - | runs", "`shell.exec` is not a capability"),
        ("Bash | shell.execute | order | command | - | runs", "`order` is not a role"),
        ("Bash | shell.execute | command | - | - | runs", "needs a field"),
        ("Bash | shell.execute | command | a b | - | runs", "`a b` is not a field"),
        ("Bash | shell.execute | command | = | - | runs", "`=` is not a field"),
        ("Bash | shell.execute | command | a[].b[] | - | runs", "is not a field"),
        ("Bash | shell.execute | command | command | $ | runs", "is not a list of fields"),
        ("Bash | shell.execute | any | command | - | runs", "takes no field"),
        ("Bash | shell.execute | nothing | - | - | runs", "only what does nothing"),
        ("Bash | - | command | command | - | runs", "only what does nothing"),
        ("*Bash | shell.execute | command | command | - | runs", "`*` is allowed only at the end"),
        ("Bash | shell.execute | command | command | - | -", "a name and a meaning"),
        ("Bash | shell.execute | command | c | - | runs\nBash | shell.execute | command | c | x | runs", "twice"),
        ("Bash | shell.execute | command | command | runs", "6 cells"),
    ],
)
def test_a_wrong_line_is_refused_with_its_place(tmp_path, row, reason):
    file = tmp_path / "a-host.table"
    file.write_text(f"[x]\n{row}\n")
    with pytest.raises(DataError) as error:
        load(file)
    assert re.match(r"a-host\.table:[23]: ", error.value.message)
    assert reason in error.value.message


def test_the_longest_beginning_of_a_name_counts(tmp_path):
    file = tmp_path / "a-host.table"
    file.write_text(
        "[x]\na* | tool.invoke | tool | - | - | x\nabc* | - | nothing | - | - | x\nab* | pay | any | - | - | x\n"
    )
    found = load(file)
    assert [found.lines(tool)[0].capability for tool in ("abcd", "abd", "ax")] == ["", "pay", "tool.invoke"]
    assert found.lines("x") == ()
    assert all(len(one) >= len(other) for (one, _), (other, _) in pairwise(found.patterns))


def test_every_host_has_a_table_and_every_table_a_host():
    assert {path.stem for path in FOLDER.glob("*.table")} == {host.name for host in HOSTS}
    for host in HOSTS:
        assert tool_map(host.name).exact or tool_map(host.name).patterns
        assert find_host(host.name) is host
    assert find_host("no-such-host") is None
