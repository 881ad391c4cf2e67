"""The doctor for Claude Code: every trap is found open where it is, and closed only where it is."""

import json
import os
import stat
import sys

import pytest

from remit.core.errors import DataError
from remit.core.table import read_table
from remit.guard.install.claude_checks import CHECKS
from remit.guard.install.claude_code import ClaudeCodeInstaller
from remit.guard.install.doctor import FILE, SHARED, InstalledHooks, closed, judge
from remit.guard.install.model import Lock, Site
from remit.guard.install.settings_file import apply

OURS = ClaudeCodeInstaller()
CLIENT = """\
import json, sys
try:
    event = json.load(sys.stdin)
    assert sys.argv[2].partition(".")[0] == event["hook_event_name"]
except Exception:
    print("no event", file=sys.stderr)
    sys.exit(2)
print("{}")
"""


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A client that passes every event and denies the rest, and a machine to install it on."""
    folder = tmp_path / "lib/guard/client"
    for made in (folder, tmp_path / "home", tmp_path / "project/.claude"):
        made.mkdir(parents=True)
    (folder / "client.py").write_text(CLIENT)
    monkeypatch.setattr("remit.guard.client.build.SCRIPT", folder / "client.py")
    monkeypatch.setattr(sys, "executable", os.path.realpath(sys.executable))
    return Site(tmp_path / "home", tmp_path / "project", tmp_path / "state", tmp_path / "etc")


def install(site, *, managed):
    apply(OURS.install(site, managed=managed))


def locks(site):
    return {trap.id: trap.lock.value for trap in OURS.doctor(site)}


def opened(site):
    return {trap.id for trap in OURS.doctor(site) if trap.lock is Lock.OPEN}


def project(site, name="settings.json", **value):
    (site.project / ".claude" / name).write_text(json.dumps(value))


def edit(path, change):
    value = json.loads(path.read_text())
    change(value)
    path.write_text(json.dumps(value))


NEEDS_MANAGED = {"all-off", "skill-hooks", "other-hooks", "project-hooks", "inline-shell", "untrusted"}


def test_without_the_guard_almost_everything_is_open(site):
    assert opened(site) == NEEDS_MANAGED | {"hooks", "answer", "fail-open", "time-out", "interpreter", "writable"}


def test_for_a_user_the_traps_stay_open_that_only_managed_settings_close(site):
    install(site, managed=False)
    assert opened(site) == NEEDS_MANAGED
    for trap in OURS.doctor(site):
        assert bool(trap.fix) is (trap.lock is not Lock.CLOSED)
        if trap.id in NEEDS_MANAGED:
            assert "--managed" in trap.fix


def test_managed_settings_close_all_that_settings_can(site):
    install(site, managed=True)
    project(site, hooks={"Stop": [{"hooks": [{"type": "http", "url": "http://x"}]}]}, disableAllHooks=True)
    assert opened(site) == set()
    assert locks(site)["bare"] == "outside"


def spoiled(site, change):
    install(site, managed=True)
    edit(site.managed / "managed-settings.json", change)
    return opened(site)


def before(value):
    return value["hooks"]["PreToolUse"][0]["hooks"][0]


def test_managed_settings_that_were_spoiled(site):
    assert spoiled(site, lambda v: v.pop("allowManagedHooksOnly")) >= NEEDS_MANAGED - {"inline-shell"}


@pytest.mark.parametrize(
    ("change", "traps"),
    [
        (lambda v: v["hooks"].pop("Stop"), {"hooks"}),
        (lambda v: v.update(disableSkillShellExecution=False), {"inline-shell"}),
        (lambda v: v.update(disableAllHooks=True), {"all-off"}),
        (lambda v: before(v).update(timeout=5), {"time-out"}),
        (lambda v: before(v).update(timeout="long"), {"time-out"}),
        (lambda v: before(v).update(command=before(v)["command"].replace(" 20 ", " 40 ")), {"time-out"}),
        (lambda v: before(v).update(command=before(v)["command"].replace(" || exit 2", " ; exit 1")), {"answer", "fail-open"}),
        (lambda v: before(v).update(command=before(v)["command"].replace(" || exit 2", " || true")), {"fail-open"}),
        (lambda v: v["hooks"]["Stop"].append({"hooks": [{"type": "command", "command": "mine"}]}), {"other-hooks"}),
    ],
)  # fmt: skip
def test_each_spoiled_setting_opens_its_trap(site, change, traps):
    assert spoiled(site, change) == traps


def test_a_later_managed_file_overrules(site):
    install(site, managed=True)
    (site.managed / "managed-settings.d").mkdir()
    (site.managed / "managed-settings.d/50.json").write_text('{"disableSkillShellExecution": false}')
    assert opened(site) == {"inline-shell"}


def test_what_a_project_says_opens_traps(site):
    install(site, managed=True)
    project(site, env={"LD_PRELOAD": "./x.so"})
    assert opened(site) == {"project-env"}
    project(site)
    (site.project / ".claude/settings.local.json").write_text("// mine\n{}")
    assert opened(site) == {"settings"}


ANSWERS = [
    "print('no')",
    "print('[]')",
    "import sys; sys.exit(2)",
    'print(\'{"decision": "block"}\')',
    'print(\'{"hookSpecificOutput": {"permissionDecision": "deny"}}\')',
]


@pytest.mark.parametrize("client", ANSWERS)
def test_a_client_that_does_not_answer_is_found(site, tmp_path, client):
    install(site, managed=True)
    (tmp_path / "lib/guard/client/client.py").write_text(client)
    assert "answer" in opened(site)


def test_a_client_that_answers_nonsense_with_consent_is_found(site, tmp_path):
    install(site, managed=True)
    (tmp_path / "lib/guard/client/client.py").write_text("print('{}')")
    assert opened(site) == {"fail-open"}


def test_a_client_that_hangs_is_found(site, tmp_path, monkeypatch):
    install(site, managed=True)
    monkeypatch.setattr("remit.guard.install.doctor.HOST_SECONDS", 0.5)
    (tmp_path / "lib/guard/client/client.py").write_text("import time; time.sleep(5)")
    assert {"answer", "fail-open"} <= opened(site)


def test_a_shim_and_a_missing_interpreter_are_found(site, tmp_path, monkeypatch):
    shim = tmp_path / "python"
    shim.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    shim.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(shim))
    install(site, managed=True)
    assert opened(site) == {"interpreter"}
    shim.unlink()
    assert {"interpreter", "answer", "writable"} <= opened(site)


def test_a_client_that_others_can_write_is_found(site, tmp_path):
    install(site, managed=True)
    client = tmp_path / "lib/guard/client/client.py"
    client.chmod(client.stat().st_mode | stat.S_IWOTH)
    assert opened(site) == {"writable"}
    client.chmod(0o600)
    (tmp_path / "lib/guard").chmod(0o777)
    assert opened(site) == {"writable"}


def test_a_client_in_the_workspace_is_found(site, tmp_path):
    install(site, managed=True)
    assert {trap.id for trap in OURS.doctor(site._replace(project=tmp_path)) if trap.lock is Lock.OPEN} == {"writable"}


def test_every_trap_of_the_table_has_a_check_and_every_check_a_trap():
    assert {row.cells[0] for row in read_table(FILE, 3) if row.section == "claude-code"} == set(CHECKS) | set(SHARED)


def test_a_check_that_fails_or_is_not_there_leaves_its_trap_open(tmp_path):
    table = tmp_path / "traps.table"
    table.write_text("[x]\na | what | fix\nb | what | fix\nc | what | fix\n")

    def broken(_):
        raise OSError("disk")

    found = judge(InstalledHooks("x", None, (), (), "", {}), {"a": lambda _: closed("fine"), "b": broken}, None, table)
    assert [trap.lock.value for trap in found] == ["closed", "open", "open"]
    table.write_text("[x]\na | what | fix\na | what | fix\n")
    with pytest.raises(DataError, match=r"traps\.table:3"):
        judge(InstalledHooks("x", None, (), (), "", {}), {}, None, table)
