"""What calls of Codex, Gemini, Copilot, opencode and OpenClaw would do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded_hosts import TOLD

from each_row import each_row
from remit.guard.event import Event, Kind
from remit.guard.hosts.payload import PATCH, with_files, without_files
from remit.guard.hosts.registry import find_host
from remit.guard.hosts.toolmap import Role, Want, tool_map, wants

# the tools that the real hosts offered to the scripted model
OFFERED = {
    "codex": "Bash view_image apply_patch create_goal get_goal update_goal request_user_input spawn_agent write_stdin web_search",
    "gemini": "activate_skill enter_plan_mode glob google_web_search grep_search invoke_agent list_background_processes list_directory "
    "read_background_output read_file replace run_shell_command update_topic web_fetch write_file write_todos",
    "copilot": "bash create edit fetch_copilot_cli_documentation glob grep list_agents list_bash read_agent read_bash "
    "session_store_sql skill sql stop_bash task view write_agent",
    "opencode": "bash edit glob grep read skill task todowrite webfetch write",
    "openclaw": "apply_patch edit exec ls openclaw process read sessions_yield tool_call tool_describe tool_search write",
}


def asked(host, tool, /, **args):
    return wants(Event(host, Kind.BEFORE, "x", "s", "/w", tool=tool, args=args))


@each_row("host", OFFERED)
def test_every_tool_that_the_real_host_offers_is_known(host):
    assert [tool for tool in OFFERED[host].split() if not tool_map(host).lines(tool)] == []


@each_row("host", OFFERED)
def test_a_tool_that_no_line_names_is_called_by_its_name(host):
    assert asked(host, "frobnicate", path="/etc/passwd") == (Want("tool.invoke", Role.TOOL, "frobnicate"),)


@pytest.mark.parametrize("host", OFFERED)
def test_what_was_recorded_would_do(host, snapshot):
    adapter = find_host(host)
    events = [adapter.read(name, payload) for name, payload in TOLD[host]]
    assert {f"{event.name} {event.tool}": wants(event) for event in events if event.tool} == snapshot


@pytest.mark.parametrize("host", OFFERED)
@given(data=st.data())
def test_no_argument_makes_a_call_be_passed_over(host, data):
    known = tool_map(host)
    tool = data.draw(st.sampled_from(sorted(known.exact)))
    lines = known.lines(tool)
    names = sorted({line.target.steps[0] for line in lines if line.target and line.target.steps})
    values = st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.lists(st.text(max_size=5), max_size=2)
    found = asked(host, tool, **(data.draw(st.dictionaries(st.sampled_from(names), values)) if names else {}))
    assert found or any(line.role is Role.NOTHING for line in lines)
    assert all(want.capability for want in found)


@each_row(
    ("host", "tool", "args"),
    [
        ("codex", "Bash", {}),
        ("codex", "Bash", {"command": ["ls"]}),
        ("codex", "apply_patch", with_files({"command": "no patch at all"}, "command")),
        ("codex", "apply_patch", {}),
        ("gemini", "read_file", {"path": "/etc/passwd"}),
        ("copilot", "view", {"path": None}),
        ("opencode", "write", {"filePath": "a"}),
        ("openclaw", "exec", {"command": ""}),
    ],
)
def test_arguments_that_are_not_understood_cannot_be_granted(host, tool, args):
    assert any(want.problem for want in asked(host, tool, **args))


@each_row(
    ("args", "capability"),
    [
        ({"action": "write", "data": "rm -rf ~\n"}, "shell.execute"),
        ({"action": "send-keys", "keys": ["Enter"]}, "shell.execute"),
        ({"action": "kill", "sessionId": "1"}, "process.kill"),
    ],
)
def test_what_is_written_to_a_running_command_is_judged(args, capability):
    assert [want.capability for want in asked("openclaw", "process", **args)] == [capability]


def test_looking_at_running_commands_does_nothing():
    assert asked("openclaw", "process", action="poll", sessionId="1") == ()


def test_a_command_outside_of_the_sandbox_is_more_than_a_command():
    found = asked("openclaw", "exec", command="ls", elevated=True, env={"LD_PRELOAD": "x"})
    assert {want.capability for want in found} == {"shell.execute", "policy.expand", "env.write"}


def patch(*lines):
    return with_files(
        {"input": "\n".join(["*** Begin Patch", *lines, "*** End Patch"]), PATCH: "the model's own"}, "input"
    )


@each_row(
    ("lines", "written", "deleted"),
    [
        (("*** Add File: a b.txt", "+x"), ["a b.txt"], []),
        (("*** Update File: a", "@@", "-x", "+y"), ["a"], []),
        (("*** Update File: a", "*** Move to: b"), ["a", "b"], ["a"]),
        (("*** Delete File: a",), [], ["a"]),
        (("  *** Delete File:   a  ",), [], ["a"]),
        (("*** Add File: a", "+*** Delete File: not a head"), ["a"], []),
        (("*** Add File: a\r", "+x", "*** Add File: b"), ["a", "b"], []),
    ],
)
def test_the_files_of_a_patch(lines, written, deleted):
    assert patch(*lines)[PATCH] == {"written": written, "deleted": deleted}


def test_the_host_never_sees_our_field():
    assert PATCH not in without_files(patch("*** Add File: a"))
