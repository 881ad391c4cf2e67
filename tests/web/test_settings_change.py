"""Settings that are changed while the gateway runs."""

from visiting import let_in


def test_a_denial_counts_at_once_and_wrong_settings_never(running, visitor):
    let_in(running, visitor)
    path = running.folder / "inbound" / "gateway.toml"
    begin = path.read_text()
    visitor.say("devices")
    assert visitor.answered() == "[]"

    path.write_text(begin.replace('deny = ["group:run"', 'deny = ["group:nodes", "group:run"'))
    running.until(lambda: "count from now on" in running.told(running.gateway))
    visitor.say("devices")
    assert visitor.answered() == "refused: TOOL_DENIED"

    path.write_text(begin.replace('direct = "paired"', 'direct = "paired"\nopen = true'))
    running.until(lambda: "`open` is not a field" in running.told(running.gateway))
    visitor.say("devices")
    assert visitor.answered() == "refused: TOOL_DENIED"

    path.write_text(begin.replace('scope = "per-channel-peer"', 'scope = "main"'))
    running.until(lambda: "sessions.main_shared" in running.told(running.gateway))


def test_exposed_without_a_login_does_not_start(tmp_path, running):
    path = tmp_path / "exposed.toml"
    path.write_text('[access]\nbind = "lan"\n[channels.web]\nkind = "web"\n')
    code, told = running.run("gateway", "up", "--settings", str(path), "--port", "1")
    assert code == 2
    assert "gateway.bind_no_auth (access)" in told
    assert running.run("gateway", "audit", "--settings", str(path))[0] == 1
