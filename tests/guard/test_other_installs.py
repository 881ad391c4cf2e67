"""Installing in Codex, Gemini, Copilot, opencode and OpenClaw, and what the doctor says there."""

import json
import shlex
import stat

import pytest

from remit.core.errors import GuardError, UsageError
from remit.guard.install import doctor
from remit.guard.install.codex import CODEX, hash_of, key_of
from remit.guard.install.doctor import CommandResult, client_seconds
from remit.guard.install.hook_file import placed
from remit.guard.install.model import CLIENT_SECONDS, Lock, Site
from remit.guard.install.registry import find_installer
from remit.guard.install.settings_file import apply

NAMES = ("codex", "gemini", "copilot", "opencode", "openclaw")
SETTINGS = {
    "codex": ".codex/hooks.json",
    "gemini": ".gemini/settings.json",
    "copilot": ".copilot/hooks/remit.json",
    "opencode": ".config/opencode/plugin/remit.js",
    "openclaw": ".openclaw/openclaw.json",
}
OTHERS = {"matcher": "Bash", "hooks": [{"type": "command", "command": "/usr/bin/true", "timeout": 5}]}
OWN = {  # settings that the user had before
    "codex": {"description": "mine", "hooks": {"PreToolUse": [OTHERS]}},
    "gemini": {"theme": "dark", "hooks": {"BeforeTool": [OTHERS]}},
    "openclaw": {
        "agents": {"defaults": {"model": "x"}},
        "plugins": {"allow": ["mine"], "load": {"paths": ["/opt/mine"]}},
    },
}


@pytest.fixture
def site(tmp_path):
    for name in ("home", "work", "state", "managed"):
        (tmp_path / name).mkdir()
    return Site(tmp_path / "home", tmp_path / "work", tmp_path / "state", tmp_path / "managed")


def settings(site, name):
    return site.home / SETTINGS[name]


def files(site):
    return {path: path.read_bytes() for path in site.home.rglob("*") if path.is_file()}


def install(site, name, *, managed=False):
    apply(find_installer(name).install(site, managed=managed))


def own(site, name, text=None):
    path = settings(site, name)
    path.parent.mkdir(parents=True)
    path.write_text(text or json.dumps(OWN[name], indent=4))
    return path


@pytest.mark.parametrize("name", NAMES)
def test_installing_twice_is_installing_once(site, name):
    install(site, name)
    assert find_installer(name).install(site, managed=False) == ()
    standing = find_installer(name).status(site)[-1]
    assert standing.events
    assert standing.missing == ()


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_left_after_uninstalling(site, name):
    install(site, name)
    apply(find_installer(name).uninstall(site, managed=False))
    assert files(site) == {}
    assert find_installer(name).uninstall(site, managed=False) == ()


@pytest.mark.parametrize("name", OWN)
def test_what_the_user_had_is_the_same_to_the_byte_afterwards(site, name):
    path = own(site, name)
    before = files(site)
    path.chmod(0o640)
    install(site, name)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert files(site) != before
    apply(find_installer(name).uninstall(site, managed=False))
    assert files(site) == before


@pytest.mark.parametrize("name", OWN)
def test_what_the_user_changes_meanwhile_is_kept(site, name):
    path = own(site, name)
    install(site, name)
    value = json.loads(path.read_text())
    path.write_text(json.dumps(value | {"added": 1}))
    apply(find_installer(name).uninstall(site, managed=False))
    assert json.loads(path.read_text()) == OWN[name] | {"added": 1}


@pytest.mark.parametrize("name", ["codex", "gemini"])
def test_hooks_of_others_keep_their_places(site, name):
    """Codex remembers trust by place: the user's own hooks must not need it anew."""
    path = own(site, name)
    install(site, name)
    event = "PreToolUse" if name == "codex" else "BeforeTool"
    groups = json.loads(path.read_text())["hooks"][event]
    assert groups[0] == OTHERS
    assert len(groups) == 2


@pytest.mark.parametrize("name", OWN)
@pytest.mark.parametrize("text", ['{"hooks": {}, // mine\n}', "[]", '{"hooks": 1, "plugins": 1}', "{"])
def test_settings_that_are_not_understood_are_left_alone(site, name, text):
    path = own(site, name, text)
    with pytest.raises(GuardError):
        find_installer(name).install(site, managed=False)
    assert path.read_text() == text


@pytest.mark.parametrize("off", [{"enabled": False}, {"disabled": ["x"]}])
def test_gemini_with_hooks_turned_off_is_refused(site, off):
    own(site, "gemini", json.dumps({"hooksConfig": off}))
    with pytest.raises(GuardError, match="turns hooks off"):
        find_installer("gemini").install(site, managed=False)


@pytest.mark.parametrize("plugins", [{"enabled": False}, {"deny": ["remit"]}])
def test_openclaw_with_plugins_turned_off_is_refused(site, plugins):
    own(site, "openclaw", json.dumps({"plugins": plugins}))
    with pytest.raises(GuardError, match="turns plugins off"):
        find_installer("openclaw").install(site, managed=False)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "codex"])
def test_only_codex_has_settings_for_all_users(site, name):
    with pytest.raises(UsageError):
        find_installer(name).install(site, managed=True)


@pytest.mark.parametrize(("name", "unit"), [("codex", 1), ("gemini", 1000)])
def test_the_host_waits_longer_than_our_client(site, name, unit):
    install(site, name)
    hooks = [hook for *_, hook in placed(json.loads(settings(site, name).read_text())["hooks"])]
    assert hooks
    for hook in hooks:
        assert client_seconds(hook["command"], name) < hook["timeout"] / unit
    assert {client_seconds(hook["command"], name) for hook in hooks} <= {CLIENT_SECONDS, 2}


@pytest.mark.parametrize("name", ["codex", "gemini", "copilot"])
def test_the_command_names_the_state_folder_and_only_absolute_paths(site, name):
    install(site, name)
    value = json.loads(settings(site, name).read_text())["hooks"]
    first = next(iter(value.values()))[0]
    words = shlex.split(first["bash"] if name == "copilot" else first["hooks"][0]["command"])
    assert words[-1] == str(site.state)
    assert words[0].startswith("/")


@pytest.mark.parametrize("name", ["opencode", "openclaw"])
def test_the_plugin_has_the_client_and_the_state_folder_in_it(site, name):
    install(site, name)
    path = settings(site, name) if name == "opencode" else site.home / ".openclaw/remit-plugin/index.js"
    text = path.read_text()
    assert "REMIT_SETTINGS" not in text
    assert str(site.state) in text


def locks(name, site):
    return {trap.id: trap.lock for trap in find_installer(name).doctor(site)}


@pytest.mark.parametrize("name", NAMES)
def test_without_the_guard_nothing_that_it_closes_is_closed(site, name):
    found = locks(name, site)
    for trap in ("hooks", "plugin", "trust", "answer", "fail-open", "time-out", "writable"):
        assert found.get(trap, Lock.OPEN) is Lock.OPEN


@pytest.mark.parametrize("name", NAMES)
def test_every_trap_has_a_check(site, name):
    assert not [trap for trap in find_installer(name).doctor(site) if trap.detail == "this version does not check it"]


def trusting(site, hooks=None):
    """config.toml as Codex writes it when the user trusts hooks."""
    path = CODEX.path(site, managed=False)
    hooks = hooks or json.loads(path.read_text())["hooks"]
    lines = []
    for event, group, place, matcher, hook in placed(hooks):
        lines += [
            f'[hooks.state."{key_of(path, event, group, place)}"]',
            f'trusted_hash = "{hash_of(event, matcher, hook)}"',
        ]
    (site.home / ".codex/config.toml").write_text("\n".join(lines))


def test_codex_hooks_that_nobody_trusts_are_an_open_trap(site):
    install(site, "codex")
    assert locks("codex", site)["trust"] is Lock.OPEN
    trusting(site)
    assert locks("codex", site)["trust"] is Lock.CLOSED


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("trusted_hash", "enabled = false\ntrusted_hash"),
        ("sha256:", "sha256:0"),
        ("pre_tool_use:0:0", "pre_tool_use:1:0"),
    ],
    ids=["turned off", "another content", "another place"],
)
def test_codex_hooks_that_are_trusted_otherwise_are_an_open_trap(site, old, new):
    install(site, "codex")
    trusting(site)
    config = site.home / ".codex/config.toml"
    config.write_text(config.read_text().replace(old, new, 1))
    assert locks("codex", site)["trust"] is Lock.OPEN


def test_codex_hooks_of_the_machine_need_no_trust(site, monkeypatch):
    # a hook for all users looks for the state of whoever runs it: a probe would start a daemon of the one who runs the tests
    monkeypatch.setattr(doctor, "ask", lambda *_: CommandResult(2, "", "not asked", 0))
    install(site, "codex", managed=True)
    assert locks("codex", site)["trust"] is Lock.CLOSED
    command = json.loads((site.managed / "hooks.json").read_text())["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
    assert str(site.state) not in command  # each user has one of their own


@pytest.mark.parametrize(
    ("trap", "config", "lock"),
    [
        ("feature", "[features]\nhooks = false", Lock.OPEN),
        ("feature", "[features]\ncodex_hooks = false", Lock.OPEN),
        ("feature", "", Lock.CLOSED),
        ("web-search", "", Lock.OPEN),
        ("web-search", 'web_search = "disabled"', Lock.CLOSED),
        ("other-hooks", "[[hooks.PreToolUse]]\n", Lock.OPEN),
        ("settings", "no TOML", Lock.OPEN),
    ],
)
def test_traps_in_the_settings_of_codex(site, trap, config, lock):
    install(site, "codex")
    (site.home / ".codex/config.toml").write_text(config)
    assert locks("codex", site)[trap] is lock


def test_a_time_out_that_is_too_short_is_an_open_trap(site):
    install(site, "codex")
    assert locks("codex", site)["time-out"] is Lock.CLOSED
    path = settings(site, "codex")
    path.write_text(path.read_text().replace('"timeout": 30', '"timeout": 5'))
    assert locks("codex", site)["time-out"] is Lock.OPEN


def test_hooks_of_others_are_an_open_trap(site):
    own(site, "codex")
    install(site, "codex")
    assert locks("codex", site)["other-hooks"] is Lock.OPEN
    github = site.project / ".github/hooks"
    github.mkdir(parents=True)
    install(site, "copilot")
    assert locks("copilot", site)["other-hooks"] is Lock.CLOSED
    (github / "x.json").write_text('{"version": 1, "hooks": {"preToolUse": [{"type": "command", "bash": "true"}]}}')
    assert locks("copilot", site)["other-hooks"] is Lock.OPEN


def test_a_project_that_turns_the_hooks_of_gemini_off_is_named(site):
    install(site, "gemini")
    (site.project / ".gemini").mkdir()
    (site.project / ".gemini/settings.json").write_text('{"hooksConfig": {"enabled": false}}')
    trap = next(trap for trap in find_installer("gemini").doctor(site) if trap.id == "all-off")
    assert trap.lock is Lock.OPEN
    assert str(site.project) in trap.detail


@pytest.mark.parametrize("name", ["opencode", "openclaw"])
def test_a_plugin_that_somebody_changed_is_an_open_trap(site, name):
    install(site, name)
    assert locks(name, site)["plugin"] is Lock.CLOSED
    path = settings(site, name) if name == "opencode" else site.home / ".openclaw/remit-plugin/index.js"
    path.write_bytes(path.read_bytes() + b"\n")
    assert locks(name, site)["plugin"] is Lock.OPEN


def test_another_plugin_is_an_open_trap(site):
    install(site, "opencode")
    assert locks("opencode", site)["other-plugins"] is Lock.CLOSED
    folder = site.project / ".opencode/plugin"
    folder.mkdir(parents=True)
    (folder / "x.ts").write_text("")
    assert locks("opencode", site)["other-plugins"] is Lock.OPEN
    own(site, "openclaw")
    install(site, "openclaw")
    assert locks("openclaw", site)["other-plugins"] is Lock.OPEN


def test_all_events_of_codex_are_installed():
    assert set(CODEX.events) >= {"PreToolUse", "PostToolUse", "UserPromptSubmit", "SessionStart", "Stop"}
