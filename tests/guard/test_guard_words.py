"""`remit guard trust`, `untrust`, `task`, `broker`, `stop`, `log`: what is shown, asked, refused, and counts at once."""

import builtins
import json
import re
import time

import pytest
from attended import Session

from remit.cli.main import main
from remit.guard.approvals import persons
from remit.guard.daemon.daemon_lock import ask_daemon
from remit.guard.event import Kind, Outcome
from remit.guard.store import trusted_digest

PASS, DENY = Outcome.PASS, Outcome.DENY


@pytest.fixture
def session(tmp_path, monkeypatch):
    found = Session(tmp_path, now=int(time.time()), careful=False)
    (found.workspace / "old.txt").write_text("x")
    monkeypatch.setenv("REMIT_STATE", str(found.places.folder))
    monkeypatch.setattr(persons, "agent_above", lambda _pid, _root: "")
    monkeypatch.chdir(found.workspace)
    return found


def run(capfd, *words):
    status = main(["guard", *words])
    out, err = capfd.readouterr()
    return status, re.sub(r"/\S+/(project|state)\b", r"/\1", out + err)


def defaults(session, effect="allow"):
    entries = [
        {"capability": "file.read", "scope": ["./**", "$TMP/**"], "effect": "allow"},
        {"capability": "file.delete", "scope": "./**", "effect": effect},
        {"capability": "shell.execute", "effect": "allow", "constraints": {"denied_command_patterns": ["sudo"]}},
        {"capability": "process.create", "effect": "allow"},
        {"capability": "secret.*", "effect": "deny"},
    ]
    return session.write("remit-defaults.json", json.dumps({"session_defaults": {"permissions": entries}}, indent=1))


# --- trust ---


def test_what_is_trusted_counts_at_once_and_as_it_is(session, capfd, snapshot):
    path = defaults(session)
    assert session.bash("rm old.txt").outcome is PASS
    screens = [run(capfd, "trust", "--unattended")]
    assert session.bash("rm old.txt").outcome is PASS
    screens.append(run(capfd, "trust", "--unattended"))
    path.write_text(path.read_text().replace('"effect": "allow"', '"effect": "confirm"', 1))
    screens += [run(capfd, "trust", "--unattended"), run(capfd, "trust", "--list")]
    screens += [run(capfd, "untrust", "--unattended"), run(capfd, "untrust", "--unattended")]
    assert session.bash("rm old.txt").outcome is PASS  # no defaults of the user count any more
    assert [status for status, _ in screens] == [0, 0, 0, 0, 0, 2]
    assert "\n".join(text for _, text in screens) == snapshot
    said = [one.entry.reason for one in session.engine.log.records() if one.entry.op == "answer"]
    assert [text.partition(": ")[2].split()[0] for text in said] == ["trusts"] * 3


def test_a_person_is_asked_and_may_say_no(session, capfd, monkeypatch):
    path = defaults(session)
    monkeypatch.setattr("remit.cli.guard_words.present", lambda **_: "ann")
    for answer, status in (("", 1), ("n", 1), ("y", 0)):
        monkeypatch.setattr(builtins, "input", lambda _, answer=answer: answer)
        assert run(capfd, "trust")[0] == status
        assert (trusted_digest(session.person, str(path)) is not None) == (status == 0)


def test_without_a_terminal_or_below_an_agent_nothing_is_trusted(session, capfd, monkeypatch):
    path = defaults(session)
    assert run(capfd, "trust")[0] == 2
    monkeypatch.setattr(persons, "agent_above", lambda _pid, _root: "process 1: `codex`")
    for words in (("trust",), ("untrust",), ("task", "--clear"), ("broker", "deny-all"), ("stop",)):
        assert run(capfd, *words, "--unattended")[0] == 2
    assert trusted_digest(session.person, str(path)) is None


def test_the_manifest_of_a_skill(session, capfd):
    session.write(".claude/skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads.\n---\nReads PDF files.\n")
    assert run(capfd, "trust", ".claude/skills/pdf", "--unattended")[0] == 2
    entry = {"capability": "file.delete", "scope": "./*.txt", "effect": "allow"}
    manifest = session.write(".claude/skills/pdf/remit.json", {"permissions": [entry]})
    status, text = run(capfd, "trust", ".claude/skills/pdf", "--unattended")
    assert (status, "allow    file.delete ./*.txt" in text) == (0, True)
    assert trusted_digest(session.person, str(manifest)) is not None
    assert session.tell(Kind.BEFORE, tool="Skill", args={"skill": "pdf"}).outcome is PASS
    manifest.write_text('{"permissions": []}')
    assert session.tell(Kind.BEFORE, tool="Skill", args={"skill": "pdf"}).outcome is DENY


@pytest.mark.parametrize("name", ["nowhere", ".", "old.txt", "broken/remit-defaults.json"])
def test_what_cannot_be_trusted(session, capfd, name):
    session.write("broken/remit-defaults.json", "{")
    assert run(capfd, "trust", name, "--unattended")[0] == 2


# --- task ---


def test_a_task_only_narrows(session, capfd, snapshot):
    session.tell(Kind.PROMPT, text="write the documents")
    screens = [run(capfd, "task")]
    assert session.bash("touch new.txt").outcome is PASS
    screens.append(run(capfd, "task", "--allow", "file.read ./docs/** .", "pay", "--unattended"))
    assert session.bash("touch new.txt").outcome is DENY
    assert session.bash("rm old.txt").outcome is DENY
    assert session.waiting() == ()
    screens.append(run(capfd, "task", "--clear", "--unattended"))
    assert session.bash("touch new.txt").outcome is PASS
    screens += [run(capfd, "task", "--session", "nobody"), run(capfd, "task", "--allow", "file.red", "--unattended")]
    assert "\n".join(text for _, text in screens) == snapshot
    with pytest.raises(SystemExit):
        run(capfd, "task", "--allow", "pay", "--clear")


# --- broker ---


def test_brokers_are_set_and_shown(session, capfd, snapshot):
    rules = [{"capability": "web.fetch", "scope": "*.example.com", "effect": "allow", "skill": "pdf"}]
    (session.workspace / "rules.json").write_text(json.dumps(rules))
    (session.workspace / "token").write_text("pinned\n")
    texts = []
    for words in (
        (), ("deny-all",), ("policy", "rules.json"), ("interactive", "--seconds", "3"), (),
        ("webhook", "https://ask.example/x", "--token-file", "token"), (),
        ("webhook",), ("policy",), ("deny-all", "--seconds", "3"), ("interactive", "--seconds", "60"), ("webhook", "http://a.example/"),
    ):  # fmt: skip
        status, text = run(capfd, "broker", *words, "--unattended")
        texts.append(f"$ remit guard broker {' '.join(words)}\n{re.sub('[0-9a-f]{64}', 'SECRET', text)}[{status}]")
    assert "\n".join(texts) == snapshot


# --- the daemon, and the log ---


def test_there_is_no_daemon_to_stop(session, capfd):
    assert run(capfd, "stop", "--unattended") == (0, "no daemon runs\n")
    status, text = run(capfd, "log")
    assert (status, "remit audit log" in text) == (2, True)


def test_a_daemon_is_stopped(daemon, state, monkeypatch, capfd):
    monkeypatch.setenv("REMIT_STATE", str(state.folder))
    monkeypatch.setattr(persons, "agent_above", lambda _pid, _root: "")
    process = daemon()
    assert ask_daemon(state, "status")["pid"] == process.pid
    assert run(capfd, "stop", "--unattended")[0] == 0
    assert process.wait(300) == 0
    assert ask_daemon(state, "status") is None
