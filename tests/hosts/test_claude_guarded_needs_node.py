"""The real Claude Code with the guard installed in it, as `remit guard install` writes it."""

import json
import os
import socket
import threading
from contextlib import contextmanager

import pytest
from facts_values import BYPASS, touch
from scripted_model import say

from remit.guard.hosts.toolmap import tool_map
from remit.guard.install.claude_code import ClaudeCodeInstaller
from remit.guard.install.model import Site
from remit.guard.install.settings_file import apply

PASSES = b"remit1 0 2 0\n{}"


@pytest.fixture
def site(claude):
    """Where the guard is installed for the user of the session."""
    state = claude.scratch / "state"
    state.mkdir(mode=0o700)
    return Site(claude.home, claude.work, state)


def install(site):
    apply(ClaudeCodeInstaller().install(site, managed=False))


@contextmanager
def listening(site, answer, event=""):
    """Somebody at the guard's socket who gives this answer to an event (to all without one) and lets the rest pass; None: never."""
    asked: list[str] = []
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(site.state / "guard.sock"))
    os.chmod(site.state / "guard.sock", 0o600)
    server.listen(16)
    held = []

    def serve():
        while True:
            try:
                link, _ = server.accept()
            except OSError:
                return
            asked.append(link.recv(1 << 20).split(b"\n")[0].decode())
            given = answer if event in asked[-1] else PASSES
            if given is None:
                held.append(link)
                continue
            link.sendall(given)
            link.close()

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield asked
    finally:
        server.shutdown(socket.SHUT_RDWR)
        server.close()
        thread.join()
        for link in held:
            link.close()


def test_what_the_guard_has_nothing_against_runs(claude, site):
    install(site)
    with listening(site, PASSES) as asked:
        claude.run(touch(), {}, *BYPASS)
    assert (claude.work / "made").exists()
    names = [line.split()[2] for line in asked]
    assert names == [
        f"{name}.sdk-cli" for name in ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd")
    ]  # fmt: skip


BROKEN = {  # test_clients.py gives the client alone these answers and more
    "nothing": b"",
    "half_nightly": b"remit1 0 20 0\n{}",
    "nonsense_nightly": b"yes\n",
    "an exit status that hosts ignore_nightly": b"remit1 1 2 0\n{}",
    "a deny_nightly": b"remit1 2 0 3\nno\n",
}


@pytest.mark.parametrize("answer", BROKEN.values(), ids=BROKEN)
def test_every_answer_but_a_whole_one_blocks(claude, site, answer):
    install(site)
    with listening(site, answer, "PreToolUse"):
        run = claude.run(touch(), {}, *BYPASS)
    assert not (claude.work / "made").exists()
    assert run.model.results()[0][0]


def test_a_guard_that_never_answers_blocks_before_the_host_gives_up_nightly(claude, site, monkeypatch):
    """By day with a daemon that hangs (test_claude_held_needs_node.py)."""
    monkeypatch.setattr("remit.guard.install.model.CLIENT_SECONDS", 0.5)
    install(site)
    with listening(site, None, "PreToolUse"):
        run = claude.run(touch(), {}, *BYPASS)
    assert not (claude.work / "made").exists()
    assert "no answer in time" in run.model.results()[0][1]


def test_a_state_folder_that_others_can_write_blocks_nightly(claude, site):
    """By day the client alone is asked (test_clients.py)."""
    install(site)
    site.state.chmod(0o777)
    with listening(site, PASSES) as asked:
        claude.run(touch(), {}, *BYPASS)
    assert not (claude.work / "made").exists()
    assert not asked


def test_a_client_that_is_gone_blocks(claude, site, monkeypatch):
    monkeypatch.setattr("sys.executable", "/nowhere/bin/python")
    install(site)
    claude.run(touch(), {}, *BYPASS)
    assert not (claude.work / "made").exists()


def test_a_project_cannot_lead_the_client_to_another_guard(claude, site, tmp_path):
    install(site)
    other = tmp_path / "other"
    other.mkdir(mode=0o700)
    (claude.work / ".claude").mkdir()
    (claude.work / ".claude/settings.json").write_text(json.dumps({"env": {"REMIT_STATE": str(other)}}))
    with listening(site._replace(state=other), PASSES) as asked, listening(site, b"remit1 2 0 3\nno\n"):
        claude.run(touch(), {}, *BYPASS)
    assert not (claude.work / "made").exists()
    assert not asked


def test_every_tool_that_the_host_offers_is_in_our_table(claude):
    run = claude.run([say("done")], {})
    offered = {tool["name"] for request in run.model.requests for tool in request.get("tools", ())}
    offered |= set(next(event["tools"] for event in run.events() if event.get("subtype") == "init"))
    assert offered
    assert offered <= set(tool_map("claude-code").exact)
