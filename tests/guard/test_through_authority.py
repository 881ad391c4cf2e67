"""Every effect through the authorities: what is written into the settings, and what the adapter refuses."""

import json

import pytest

from each_row import each_row
from remit.cli.main import main
from remit.core.errors import GuardError
from remit.guard.event import Kind
from remit.guard.hosts.claude_code import ClaudeCode
from remit.guard.hosts.toolmap import AUTHORITY_TOOL, effect_tools, wants
from remit.guard.install.claude_checks import ask_gateway
from remit.guard.install.claude_code import MARK, ClaudeCodeInstaller, is_through, missing_tools, our_hooks, our_server
from remit.guard.install.model import Site
from remit.guard.install.settings_file import apply

OURS = ClaudeCodeInstaller()
WORDS = ("/usr/bin/python3", "-I", "-m", "remit.cli", "gateway", "mcp", "--credential", "/c", "--folder", "/f")
PERMISSIONS = {"permissions": {"deny": ["Read(.env)", "Bash"], "allow": ["Bash(ls:*)"]}}
SERVERS = {"numStartups": 3, "mcpServers": {"files": {"command": "npx"}}}


@pytest.fixture
def site(tmp_path):
    for name in ("home/.claude", "project"):
        (tmp_path / name).mkdir(parents=True)
    return Site(tmp_path / "home", tmp_path / "project", tmp_path / "state", tmp_path / "etc", authority=WORDS)


def files(site):
    return site.home / ".claude/settings.json", site.home / ".claude.json"


def read(path):
    return json.loads(path.read_text())


def install(site, **changed):
    changes = OURS.install(site._replace(**changed), managed=False)
    apply(changes)
    return changes


def uninstall(site):
    apply(OURS.uninstall(site._replace(authority=()), managed=False))


@pytest.mark.parametrize("settings", [None, "{}", json.dumps(PERMISSIONS), json.dumps(PERMISSIONS, indent=4) + "\n\n"])
@pytest.mark.parametrize("servers", [None, "{}", json.dumps(SERVERS), json.dumps(SERVERS, indent=2)])
def test_uninstalling_restores_both_files_byte_by_byte(site, settings, servers):
    before = dict(zip(files(site), (settings, servers), strict=True))
    for path, text in before.items():
        if text is not None:
            path.write_text(text)
    install(site)
    value = read(files(site)[0])
    assert missing_tools(value) == ()
    assert AUTHORITY_TOOL in value["permissions"]["allow"]
    assert our_server(read(files(site)[1])) == list(WORDS)
    assert install(site) == ()
    uninstall(site)
    assert {path: path.read_text() if path.exists() else None for path in before} == before
    assert OURS.uninstall(site, managed=False) == ()
    assert sorted(path.name for path in site.home.rglob("*.before-remit")) == []


def test_installing_without_the_flag_returns_to_normal(site):
    files(site)[0].write_text(json.dumps(PERMISSIONS))
    files(site)[1].write_text(json.dumps(SERVERS))
    install(site)
    install(site, authority=())
    value = read(files(site)[0])
    assert value["permissions"] == PERMISSIONS["permissions"]
    assert len(our_hooks(value)) > 5
    assert ".authority" not in json.dumps(value)
    assert files(site)[1].read_text() == json.dumps(SERVERS)


def test_what_a_person_denies_before_or_after_is_not_taken_for_ours(site):
    install(site, authority=())
    value = read(files(site)[0]) | {"permissions": {"deny": ["Bash"]}}  # after the guard came, before the mode
    files(site)[0].write_text(json.dumps(value))
    install(site)
    value = read(files(site)[0])
    assert value["permissions"]["deny"].count("Bash") == 1
    value["permissions"]["deny"] += ["Read(./private/**)", "Write"]  # while the mode is on
    files(site)[0].write_text(json.dumps(value))
    uninstall(site)
    assert read(files(site)[0]) == {"permissions": {"deny": ["Bash", "Read(./private/**)", "Write"]}}


def test_what_the_host_wrote_meanwhile_stays(site):
    files(site)[1].write_text(json.dumps(SERVERS))
    install(site)
    files(site)[1].write_text(json.dumps(read(files(site)[1]) | {"numStartups": 4}))
    uninstall(site)
    assert read(files(site)[1]) == SERVERS | {"numStartups": 4}


def test_managed_settings_have_a_file_of_servers_and_no_other_servers_are_started(site):
    apply(OURS.install(site, managed=True))
    assert is_through(read(site.managed / "managed-settings.json"))
    assert our_server(read(site.managed / "managed-mcp.json")) == list(WORDS)
    assert not any(path.exists() for path in files(site))
    apply(OURS.uninstall(site._replace(authority=()), managed=True))
    assert list(site.managed.iterdir()) == []


@pytest.mark.parametrize("servers", ['{"mcpServers": {"remit": {"command": "mine"}}}', '{"mcpServers": []}', "// mine"])
def test_a_file_of_servers_that_we_would_spoil_is_refused(site, servers):
    files(site)[1].write_text(servers)
    with pytest.raises(GuardError) as error:
        install(site)
    assert error.value.remedy
    assert files(site)[1].read_text() == servers
    assert not files(site)[0].exists()
    install(site, authority=())  # without the mode it is none of ours
    assert files(site)[1].read_text() == servers


@pytest.mark.parametrize("permissions", [[], {"deny": "Bash"}, {"allow": {}}])
def test_permissions_that_we_would_spoil_are_refused(site, permissions):
    files(site)[0].write_text(json.dumps({"permissions": permissions}))
    with pytest.raises(GuardError) as error:
        install(site)
    assert error.value.remedy


def test_tools_with_effects_are_those_of_the_table():
    tools = effect_tools("claude-code")
    assert {"Bash", "Write", "Edit", "NotebookEdit", "WebFetch", "WebSearch", "Workflow", "CronCreate"} <= set(tools)
    assert not {"Read", "Grep", "Glob", "Agent", "Skill", "TodoWrite", "AskUserQuestion", "WaitForMcpServers"} & set(
        tools
    )


def told(tool, event="PreToolUse.authority.cli"):
    payload = {"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": {"command": "ls", "file_path": "x"}}
    return ClaudeCode().read(event, payload)


@each_row("tool", ["Bash", "Write", "mcp__files__write", "mcp__remit__other", "AToolOfTomorrow", ""])
def test_the_hook_refuses_what_settings_do_not_name(tool):
    event = told(tool)
    assert (event.kind, event.asks, event.authority) == (Kind.BEFORE, True, True)
    (want,) = wants(event)
    assert AUTHORITY_TOOL in want.problem
    assert not any("policy servers" in one.problem for one in wants(told(tool, "PreToolUse.cli")))


@each_row("tool", [AUTHORITY_TOOL, "Read", "TodoWrite"])
def test_the_hook_lets_act_and_what_has_no_effect_go_on(tool):
    assert not any(want.problem for want in wants(told(tool)))


def test_a_project_cannot_take_the_mode_away_by_the_environment():
    assert told("Bash", "PreToolUse.authority.").authority
    assert told("Bash", "PreToolUse.authority.authority.cli").authority
    assert not told("Bash", "PreToolUse.authority.authority.cli").asks  # no host is called so: nobody is there


@each_row(("words", "said"), [
    (("/nowhere/python",), "does not start"),
    (("/bin/sh", "-c", "echo broken >&2; exit 3"), "broken"),
    (("/bin/sh", "-c", "read a; echo '{}'; echo nonsense"), "no answer that can be read"),
    (("/bin/sh", "-c", "exec sleep 60"), "late"),
])  # fmt: skip
def test_a_gateway_without_an_answer_is_told(words, said, monkeypatch):
    monkeypatch.setattr("remit.guard.install.claude_checks._SECONDS", 0.5)
    with pytest.raises(GuardError, match=said):
        ask_gateway(words)


@pytest.mark.parametrize(("words", "said"), [
    (["--through-authority"], "needs the agent's credential"),
    (["--credential", "x"], "goes with --through-authority"),
    (["--through-authority", "--credential", "nowhere"], "nowhere"),
    (["--through-authority", "--credential", "FILE"], "is not a credential"),
    (["--through-authority", "--credential", "${HOME}/c", "--at", "tls:a:1"], "--at and --tls go together"),
    (["--through-authority", "--credential", "${HOME}/c", "--folder", "none"], "there is no installation"),
])  # fmt: skip
def test_what_is_missing_is_said_with_a_remedy_and_nothing_is_written(words, said, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("REMIT_STATE", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "FILE").write_text("no credential")
    (tmp_path / "FILE").chmod(0o600)
    assert main(["guard", "install", "claude-code", *words]) == 2
    told_of = capsys.readouterr().err
    assert said in told_of
    assert len(told_of.strip().splitlines()) > 1
    assert not (tmp_path / ".claude").exists()


def test_other_hosts_have_no_such_mode(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert main(["guard", "install", "codex", "--through-authority", "--credential", "x"]) == 2
    assert "claude-code" in capsys.readouterr().err


def test_the_mark_is_no_rule_about_a_tool_that_exists():
    assert MARK not in effect_tools("claude-code")
