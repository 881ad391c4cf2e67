"""What an openclaw.json becomes: what is unsafe there is found, stays closed here, and nothing is lost without a word."""

import json
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from each_row import each_row
from remit.core.errors import DataError, UsageError
from remit.gateway.inbound.findings import findings
from remit.gateway.inbound.settings.openclaw import import_openclaw, kinds, read_json5
from remit.gateway.inbound.settings.writer import Draft, settings_of, write_settings

SAFE = {
    "gateway": {
        "bind": "loopback", "auth": {"mode": "token", "token": "${TOKEN}"},
        "nodes": {"pairing": {"autoApproveLocal": False}},
    },
    "session": {"dmScope": "per-channel-peer"},
    "agents": {"defaults": {"sandbox": {"mode": "all"}}},
    "tools": {"profile": "messaging", "elevated": {"enabled": False}},
}  # fmt: skip
UNSAFE = [
    ("bind_no_auth", {"gateway": {"bind": "lan", "auth": {"mode": "none"}}}),
    ("auth_none", {"gateway": {"auth": {"mode": "none"}}}),
    ("secret_in_settings", {"gateway": {"auth": {"token": "t" * 30}}}),
    ("token_short", {"gateway": {"auth": {"token": "short"}}}),
    ("trusted_proxy", {"gateway": {"auth": {"mode": "trusted-proxy"}}}),
    ("proxy_anyone", {"gateway": {"trustedProxies": ["0.0.0.0/0"]}}),
    ("funnel", {"gateway": {"tailscale": {"mode": "funnel"}}}),
    ("origins_open", {"gateway": {"controlUi": {"dangerouslyDisableDeviceAuth": True}}}),
    ("origins_open", {"gateway": {"controlUi": {"allowedOrigins": ["*"]}}}),
    ("direct_anyone", {"channels": {"telegram": {"dmPolicy": "open"}}}),
    ("direct_anyone", {"channels": {"discord": {"dm": {"policy": "pairing", "allowFrom": ["*"]}}}}),
    ("group_anyone", {"channels": {"slack": {"groupPolicy": "open"}}}),
    ("name_matching", {"channels": {"slack": {"dangerouslyAllowNameMatching": True}}}),
    ("devices_unasked", {"gateway": {"nodes": {"pairing": {"autoApproveCidrs": ["10.0.0.0/8"]}}}}),
    ("devices_unasked", {"gateway": {"nodes": {"pairing": {"autoApproveLocal": None}}}}),
    ("sessions_shared", {"session": {"dmScope": "main"}}),
    ("sessions_shared", {"session": None}),
    ("tools_open", {"tools": {"profile": "full"}}),
    ("elevated", {"tools": {"elevated": {"enabled": True}}}),
    ("elevated", {"agents": {"list": [{"id": "a", "tools": {"elevated": {"enabled": True}}}]}}),
    ("no_sandbox", {"agents": {"defaults": {"sandbox": {"mode": "off"}}}}),
    ("names_everywhere", {"channels": {"telegram": {"groups": {"*": {"requireMention": False}}}}}),
    ("hooks", {"hooks": {"enabled": True, "token": "t"}}),
    ("run_unasked", {"tools": {"exec": {"ask": "off"}}}),
]  # fmt: skip


def merged(base, other):
    """Two values as one; None takes a field away."""
    if not (isinstance(base, dict) and isinstance(other, dict)):
        return other
    found = {name: merged(base.get(name), one) if name in base else one for name, one in other.items()}
    return {name: one for name, one in {**base, **found}.items() if one is not None}


def imported(value):
    return import_openclaw(value, "me", {"TOKEN": "t" * 48})


def test_nothing_is_unsafe_where_nothing_is():
    assert imported(SAFE).unsafe == ()


@each_row(("name", "change"), UNSAFE)
def test_what_is_unsafe_is_found_alone_and_is_closed_here(name, change, tmp_path):
    found = imported(merged(SAFE, change))
    allowed = {f"openclaw.{name}", *(["openclaw.secret_in_settings"] if name == "token_short" else [])}
    assert f"openclaw.{name}" in {one.id for one in found.unsafe} <= allowed
    settings = write_settings(found.draft, tmp_path / "new/gateway.toml")
    assert [one for one in findings(settings) if one.kind.grave] == []
    assert "*" not in {who for channel in settings.channels.values() for who in channel.gate.named}
    assert all(agent.policy.elevated_global is False for agent in settings.agents.values())


def test_every_finding_of_the_table_has_a_case():
    assert {f"openclaw.{name}" for name, _ in UNSAFE} == set(kinds())
    assert {kind.property for kind in kinds().values()} == {"P1", "P2", "P3", "P4", "P5", "P6"}


def test_an_ordinary_file_with_comments(tmp_path):
    text = b"""{
      // of somebody at home
      agents: { defaults: { model: { primary: 'anthropic/claude-sonnet-4-5' }, workspace: "~/.openclaw/workspace" },
        list: [{ id: 'home', default: true, tools: { deny: ['group:runtime', 'browser', 'no_such'] } }] },
      bindings: [{ agentId: 'home', match: { channel: 'telegram', peer: { kind: 'group', id: '-100' } } }],
      channels: {
        telegram: { botToken: '123:abc', webhookSecret: 'w', dmPolicy: 'allowlist', allowFrom: ['tg:42'],
          groups: { '*': { requireMention: true }, '-100': { requireMention: false } } },
        whatsapp: { allowFrom: ['+1555'] },
      },
      session: { dmScope: 'per-peer', identityLinks: { anna: ['telegram:42', 'whatsapp:+1555'] } },
      gateway: { port: 18789, nodes: { commands: { allow: ['camera.snap'], deny: ['sms.send'] } } },
      cron: { enabled: true, },
    }"""
    found = imported(read_json5(text, "openclaw.json"))
    settings = write_settings(found.draft, tmp_path / "gateway.toml")
    channel = settings.channels["telegram"]
    assert (channel.token, channel.secret, channel.gate.named, channel.gate.rooms) == ("123:abc", "w", {"42"}, {"-100"})
    assert channel.gate.unnamed == {"-100"}
    assert (tmp_path / "telegram-token").stat().st_mode & 0o777 == 0o600
    assert settings.bindings[0].agent == "home"
    assert (settings.model.url, settings.model.name) == ("https://api.anthropic.com", "claude-sonnet-4-5")
    assert settings.nodes.extra == {"camera.snap"}
    assert settings.port == 18789
    left = {one.at for one in found.left}
    assert {"channels.whatsapp", "cron", "agents.defaults.workspace", "agents.home.tools.deny"} <= left
    assert "123:abc" not in found.draft.text


def test_a_secret_that_is_not_there_is_said():
    found = import_openclaw({"channels": {"telegram": {"botToken": "${NOWHERE}"}}}, environ={})
    assert any("${NOWHERE}" in one.why for one in found.left)
    found = import_openclaw({"channels": {"telegram": {"botToken": {"source": "exec", "id": "x"}}}}, environ={})
    assert any(one.at == "channels.telegram.botToken" for one in found.left)


@each_row("value", [[], 1, None, {"agents": {"entries": {"a": 1}}}, {"bindings": [1]}])
def test_what_is_no_such_file_is_refused(value):
    with pytest.raises(UsageError):
        import_openclaw(value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=15,
)  # fmt: skip


@given(JSON)
def test_whatever_is_json_is_read_as_json(value):
    assert read_json5(json.dumps(value).encode(), "x") == value


@each_row(
    "text",
    [b"", b"{", b"{a: b}", b"{a: f()}", b"{} {}", b"{...a}", b"{[a]: 1}", b"{`a`: 1}", b"`a`", b"[1,,2]); x = (1"],
)
def test_what_is_no_json_is_refused(text):
    with pytest.raises(DataError):
        read_json5(text, "x")


NAMES = st.sampled_from("a b-c d_e".split()) | st.text(min_size=1, max_size=5)
TABLES = st.dictionaries(
    NAMES,
    st.text(max_size=20) | st.integers(0, 9) | st.booleans() | st.lists(st.text(max_size=5), max_size=3)
    | st.dictionaries(NAMES, st.text(max_size=5), max_size=3)
    | st.lists(st.dictionaries(NAMES, st.text(max_size=5), min_size=1, max_size=2), min_size=1, max_size=2),
    max_size=5,
)  # fmt: skip


@given(TABLES)
def test_what_is_written_is_read_back(value):
    assert tomllib.loads(Draft(value).text) == value


def test_nothing_is_replaced(tmp_path):
    path = tmp_path / "gateway.toml"
    write_settings(imported(SAFE).draft, path)
    before = path.read_bytes()
    with pytest.raises(UsageError, match="is there already"):
        write_settings(imported(SAFE).draft, path)
    assert path.read_bytes() == before


def test_a_draft_is_looked_at_without_its_secrets(tmp_path):
    assert settings_of(imported(SAFE).draft, tmp_path).channels["web"].secret == ""


def test_channels_that_connect_themselves_are_taken_over_without_a_secret():
    channels = {
        "telegram": {"botToken": "123:abc"},
        "slack": {"botToken": "xoxb-1", "appToken": "xapp-1"},
        "discord": {"token": "t"},
    }
    found = import_openclaw({"channels": channels}, environ={})
    made = found.draft.value["channels"]
    assert [made[name]["token_file"] for name in channels] == ["telegram-token", "slack-token", "discord-token"]
    assert made["slack"]["app_token_file"] == "slack-app_token"
    assert {"telegram-token", "slack-token", "slack-app_token", "discord-token"} <= set(found.draft.secrets)


def test_what_is_not_taken_over_leaves_nothing_behind():
    value = merged(
        SAFE, {"channels": {"telegram": {"enabled": False, "botToken": "1:a"}, "slack": {"appToken": "xapp-1"}}}
    )
    found = imported(value)
    assert set(found.draft.value["channels"]) == {"cli", "web"}
    assert set(found.draft.secrets) == {"token"}
    assert {"channels.telegram", "channels.slack"} <= {one.at for one in found.left}


def test_on_this_machine_alone_no_token_is_invented():
    access = imported({"gateway": {"bind": "loopback"}}).draft.value["access"]
    assert "token_file" not in access
    assert "token_file" in imported({"gateway": {"bind": "lan"}}).draft.value["access"]


def test_the_model_of_an_older_file():
    assert imported({"agent": {"model": "anthropic/claude-x"}}).draft.value["model"]["name"] == "claude-x"


def test_a_room_is_silent_unless_it_says_otherwise():
    groups = {"-1": {}, "-2": {"requireMention": False}, "*": {}}
    found = imported(merged(SAFE, {"channels": {"telegram": {"botToken": "1:a", "groups": groups}}}))
    channel = found.draft.value["channels"]["telegram"]
    assert (channel["rooms"], channel["unnamed"]) == (["-1", "-2"], ["-2"])
    assert {one.id for one in found.unsafe} == {"openclaw.secret_in_settings"}
