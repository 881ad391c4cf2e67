"""Installing into Claude Code's settings: nothing of the user's is lost, and uninstalling leaves no trace."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from each_row import each_row
from remit.core.errors import GuardError, UsageError
from remit.guard.client.build import SCRIPT
from remit.guard.hosts.registry import HOSTS
from remit.guard.install.claude_code import EVENTS, ClaudeCodeInstaller, our_command, our_hooks
from remit.guard.install.model import CLIENT_SECONDS, HOST_SECONDS, Change, Site, event_of
from remit.guard.install.registry import INSTALLERS, find_installer
from remit.guard.install.settings_file import apply, backup_of, parse, render

OURS = ClaudeCodeInstaller()
THEIRS = {
    "model": "opus",
    "hooks": {
        "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "mine.sh"}]}],
        "Notification": [{"hooks": [{"type": "command", "command": "beep"}]}],
    },
    "permissions": {"allow": ["Bash(ls:*)"]},
    "note": "größe",
}


@pytest.fixture
def site(tmp_path):
    for name in ("home", "project"):
        (tmp_path / name).mkdir()
    return Site(tmp_path / "home", tmp_path / "project", tmp_path / "it's state", tmp_path / "etc/claude-code")


def settings(site):
    return site.home / ".claude/settings.json"


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def install(site, *, managed=False):
    changes = OURS.install(site, managed=managed)
    apply(changes)
    return changes


def test_the_guard_is_asked_at_every_event_and_nothing_of_the_user_is_lost(site):
    write(settings(site), json.dumps(THEIRS, indent=4, ensure_ascii=False))
    install(site)
    found = json.loads(settings(site).read_text())
    assert list(found)[:4] == list(THEIRS)
    assert "\n    " in settings(site).read_text()
    assert "größe" in settings(site).read_text()
    assert found["hooks"]["PreToolUse"][0] == THEIRS["hooks"]["PreToolUse"][0]
    assert found["hooks"]["Notification"] == THEIRS["hooks"]["Notification"]
    assert set(our_hooks(found)) == set(EVENTS)
    assert found["disableSkillShellExecution"] is True
    assert json.loads(backup_of(settings(site)).read_text()) == THEIRS


def test_installing_again_changes_nothing(site):
    assert install(site)
    assert OURS.install(site, managed=False) == ()


def test_another_version_is_replaced_not_joined(site):
    old = f"/old/python -I -S /old/remit/guard/client/client.py claude-code PreToolUse {CLIENT_SECONDS}"
    write(settings(site), json.dumps({"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": old}]}]}}))
    install(site)
    (hook,) = our_hooks(json.loads(settings(site).read_text()))["PreToolUse"]
    assert str(SCRIPT) in hook["command"]


@pytest.mark.parametrize("text", [json.dumps(THEIRS, indent=4), json.dumps(THEIRS), '{"model":\t"x"}\n\n', "{}", ""])
def test_uninstalling_restores_every_byte(site, text):
    write(settings(site), text)
    install(site)
    apply(OURS.uninstall(site, managed=False))
    assert settings(site).read_text() == text
    assert not backup_of(settings(site)).exists()
    assert OURS.uninstall(site, managed=False) == ()


def test_uninstalling_removes_a_file_that_was_not_there(site):
    install(site)
    apply(OURS.uninstall(site, managed=False))
    assert not settings(site).exists()


def test_what_the_user_changed_meanwhile_stays(site):
    write(settings(site), json.dumps(THEIRS))
    install(site)
    changed = json.loads(settings(site).read_text()) | {"model": "sonnet", "disableSkillShellExecution": False}
    settings(site).write_text(json.dumps(changed))
    apply(OURS.uninstall(site, managed=False))
    assert json.loads(settings(site).read_text()) == THEIRS | {"model": "sonnet", "disableSkillShellExecution": False}


def test_managed_settings_allow_no_hooks_but_ours(site):
    (change,) = install(site, managed=True)
    found = json.loads(change.path.read_text())
    assert found["allowManagedHooksOnly"] is True
    assert found["disableSkillShellExecution"] is True
    assert change.path.stat().st_mode & 0o777 == 0o644
    assert not settings(site).exists()
    assert str(site.state) not in json.dumps(found)
    assert " '~'" in found["hooks"]["PreToolUse"][0]["hooks"][0]["command"]  # not where the environment says
    apply(OURS.uninstall(site, managed=True))
    assert not change.path.exists()


@pytest.mark.parametrize(
    "text", ["// mine\n{}", "{,}", '{"a": 1,}', "[]", '{"hooks": []}', '{"hooks": {"Stop": {}}}', '{"a": 1, "a": 2}',
             '{"disableAllHooks": true}', "{" * 100_000],
)  # fmt: skip
def test_settings_that_we_would_spoil_are_refused_and_left_alone(site, text):
    write(settings(site), text)
    with pytest.raises(GuardError) as error:
        OURS.install(site, managed=False)
    assert error.value.remedy
    assert settings(site).read_text() == text


def test_a_link_stays_a_link(site, tmp_path):
    write(tmp_path / "dotfiles/settings.json", "{}")
    settings(site).parent.mkdir()
    settings(site).symlink_to(tmp_path / "dotfiles/settings.json")
    install(site)
    assert settings(site).is_symlink()
    assert "hooks" in json.loads((tmp_path / "dotfiles/settings.json").read_text())


def test_a_file_that_changes_under_our_hands_is_left_alone(site):
    write(settings(site), "{}")
    changes = OURS.install(site, managed=False)
    settings(site).write_text('{"new": 1}')
    with pytest.raises(GuardError, match="changed by another process"):
        apply(changes)
    assert settings(site).read_text() == '{"new": 1}'


def test_a_failing_write_leaves_the_old_file(site, monkeypatch):
    write(settings(site), "{}")
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left")))
    with pytest.raises(GuardError, match="no space left"):
        install(site)
    assert [path.name for path in settings(site).parent.iterdir()] == ["settings.json"]
    assert settings(site).read_text() == "{}"


def test_the_command_survives_a_shell_and_names_who_can_be_asked(site):
    command = our_command("PreToolUse", site, managed=False)
    shown = f"{shlex.quote(sys.executable)} -c 'import sys; print(sys.argv[1:])'"
    replaced = command.replace(shlex.quote(sys.executable), shown, 1)
    for entry, word in [
        ("cli", "PreToolUse.cli"),
        ("", "PreToolUse.unknown"),
        ("a b; touch x", "PreToolUse.a b; touch x"),
    ]:
        environ = {"CLAUDE_CODE_ENTRYPOINT": entry} if entry else {}
        done = subprocess.run(["/bin/sh", "-c", replaced], env=environ, capture_output=True, text=True, check=True)
        expected = ["-I", "-S", str(SCRIPT), "claude-code", word, str(CLIENT_SECONDS), str(site.state)]
        assert done.stdout.strip() == str(expected)
    assert (event_of(command, "claude-code") or "").startswith("PreToolUse.")


@pytest.mark.parametrize(
    "client", ["import sys; sys.exit(1)", "import os; os.kill(os.getpid(), 9)", "raise OSError", None]
)
def test_a_client_that_crashes_or_is_gone_denies(site, monkeypatch, tmp_path, client):
    if client is None:
        monkeypatch.setattr(sys, "executable", "/nowhere/python")
    else:
        write(tmp_path / "guard/client/client.py", client)
        monkeypatch.setattr("remit.guard.client.build.SCRIPT", tmp_path / "guard/client/client.py")
    command = our_command("PreToolUse", site, managed=False)
    assert subprocess.run(command, shell=True, capture_output=True, check=False).returncode == 2


@each_row("command", ["", "true", "'", "echo guard/client/client.py", 3, None, "x/guard/client/client.py codex PreToolUse",
                                     "x/guard/client/client.py claude-code"])  # fmt: skip
def test_other_commands_are_not_taken_for_ours(command):
    assert event_of(command, "claude-code") is None


@pytest.mark.parametrize(
    "spoil",
    [
        lambda hooks: hooks.pop("PreToolUse"),
        lambda hooks: hooks["PreToolUse"][0].update(matcher="Read"),
        lambda hooks: hooks["PreToolUse"][0]["hooks"][0].update(type="prompt"),
        lambda hooks: hooks.update(PreToolUse=hooks["Stop"]),
        lambda hooks: hooks["PreToolUse"][0]["hooks"][0].update(command="true"),
    ],
)
def test_status_sees_when_something_is_missing(site, spoil):
    install(site)
    managed, user = OURS.status(site)
    assert (user.events, user.missing) == (EVENTS, ())
    assert managed.missing == EVENTS
    value = json.loads(settings(site).read_text())
    spoil(value["hooks"])
    settings(site).write_text(json.dumps(value))
    assert OURS.status(site)[1].missing == ("PreToolUse",)


def test_status_of_a_file_that_the_host_cannot_read(site):
    write(settings(site), "// mine\n{}")
    assert "not plain JSON" in OURS.status(site)[1].problem


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=6), VALUES, max_size=5))
def test_what_is_rendered_is_what_was_read(value):
    found = parse(render(value, None), Path("settings.json"))
    assert found == value
    assert list(found) == list(value)


def test_new_files_of_a_user_are_the_users_alone(site):
    change = Change(site.home / "deep/er/x.json", None, b"{}")
    apply([change])
    assert change.path.stat().st_mode & 0o777 == 0o600


def test_our_client_denies_before_the_host_goes_on_without_it():
    assert HOST_SECONDS > CLIENT_SECONDS


def test_installers_are_those_of_hosts():
    assert {installer.name for installer in INSTALLERS} <= {host.name for host in HOSTS}
    with pytest.raises(UsageError):
        find_installer("no-such-host")
