"""`remit guard`: what users see when the guard is installed, looked at and removed."""

import json
import os
import re
import sys

import pytest
from cli_skills import run

from remit.cli.arguments import parser

CLIENT = """\
import json, sys
try:
    json.load(sys.stdin)
except Exception:
    print("no event", file=sys.stderr)
    sys.exit(2)
print("{}")
"""


@pytest.fixture
def shown(tmp_path, monkeypatch, work):
    """Runs the command on a machine of its own, and scrubs what differs each time."""
    client = tmp_path / "lib/guard/client/client.py"
    client.parent.mkdir(parents=True)
    client.write_text(CLIENT)
    monkeypatch.setattr("remit.guard.client.build.SCRIPT", client)
    monkeypatch.setattr("remit.guard.client.build._COMPILERS", ())  # the Python client serves
    monkeypatch.setattr(sys, "executable", os.path.realpath(sys.executable))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("REMIT_STATE", str(tmp_path / "state"))
    monkeypatch.setattr(
        "remit.guard.walls.service.machine_problem", lambda: "user namespaces are forbidden on this machine"
    )

    def show(capfd, *words):
        status, out, err = run(capfd, "guard", *words, "--managed-folder", str(tmp_path / "etc"))
        text = (out + err).replace(sys.executable, "<python>").replace(str(tmp_path), "<tmp>")
        return status, re.sub(r"in \d+ ms", "in <n> ms", text)

    return show


def test_installing_and_removing(capfd, shown, snapshot, tmp_path):
    (tmp_path / "home/.claude").mkdir(parents=True)
    (tmp_path / "home/.claude/settings.json").write_text('{\n  "model": "opus"\n}\n')
    screens = []
    for words in (
        ("status",), ("install", "claude-code"), ("install", "claude-code"), ("status", "claude-code"),
        ("install", "claude-code", "--managed"), ("status",), ("uninstall", "claude-code", "--managed"),
        ("uninstall", "claude-code"), ("uninstall", "claude-code"),
    ):  # fmt: skip
        status, text = shown(capfd, *words)
        screens.append(f"$ remit guard {' '.join(words)}\n{text}[{status}]\n")
    assert "\n".join(screens) == snapshot
    assert (tmp_path / "home/.claude/settings.json").read_text() == '{\n  "model": "opus"\n}\n'


def test_the_doctor_for_a_user(capfd, shown, snapshot):
    assert shown(capfd, "install", "claude-code")[0] == 0
    status, text = shown(capfd, "doctor", "claude-code")
    assert status == 1
    assert text == snapshot


def test_the_doctor_where_settings_are_managed(capfd, shown, snapshot):
    assert shown(capfd, "install", "claude-code", "--managed")[0] == 0
    status, text = shown(capfd, "doctor", "claude-code")
    assert status == 0
    assert text == snapshot


def test_a_dry_run_shows_the_change_and_writes_nothing(capfd, shown, tmp_path):
    status, text = shown(capfd, "install", "claude-code", "--dry-run")
    assert status == 0
    assert '+    "PreToolUse": [' in text
    assert not (tmp_path / "home").exists()


def test_json(capfd, shown):
    for words, status in ((("install", "claude-code"), 0), (("status",), 0), (("doctor", "claude-code"), 1)):
        found, text = shown(capfd, *words, "--format", "json")
        assert found == status
        value = json.loads(text)
        if words[0] == "doctor":
            assert {trap["lock"] for trap in value["traps"]} == {"closed", "open", "outside"}


def test_what_is_refused(capfd, shown, tmp_path, snapshot):
    (tmp_path / "home/.claude").mkdir(parents=True)
    (tmp_path / "home/.claude/settings.json").write_text("// mine\n{}")
    screens = [
        shown(capfd, "install", "no-such-host"),
        shown(capfd, "install", "claude-code"),
        shown(capfd, "doctor", "claude-code", "--project", "nowhere"),
    ]
    assert {status for status, _ in screens} == {2}
    assert "\n".join(text for _, text in screens) == snapshot


@pytest.mark.parametrize("action", ["install", "uninstall", "status", "doctor"])
def test_help_teaches(capfd, action, snapshot):
    with pytest.raises(SystemExit):
        parser().parse_args(["guard", action, "--help"])
    assert capfd.readouterr().out == snapshot
