"""`remit audit report`: what it says of a log, and that a log which is not whole is said first."""

import json
import re

import jsonschema
import pytest
from cli_skills import run
from test_cli_audit import call, damage, end

from remit.audit import Entry, Inferred, Log, Outcome, RecordKind
from remit.cli.schemas import schema_text

START = 1_800_000_000_000_000


@pytest.fixture
def state(tmp_path, monkeypatch):
    """Two sessions: one does what it should, one reads a key and sends something, and gets around a denial."""
    monkeypatch.setenv("REMIT_STATE", str(tmp_path / "guard"))
    with Log.open(tmp_path / "guard") as log:
        now = iter(range(START, START + 10**9, 250_000))
        log.clock = lambda: next(now)
        log.append(Entry(kind=RecordKind.ENVELOPE, host="claude-code", event="SessionStart", session="s1"))
        log.append(call(1))
        log.append(end(1))
        log.append(call(2, Outcome.PERSON_APPROVED, tool="Bash", capability="secret.read", scope="~/.ssh/id",
                        inferred=(Inferred("secret.read", "~/.ssh/id", Outcome.ASKED), Inferred("file.read", "./**", Outcome.ADMIT))))  # fmt: skip
        log.append(end(2, Outcome.FAILED))
        log.append(call(3, tool="WebFetch", capability="web.post", scope="\x1b[31mevil.example"))
        log.append(
            call(4, Outcome.DENY, scope="~/.bashrc", capability="profile.write", reason="outside of the manifest")
        )
        log.append(call(5, tool="Bash", capability="shell.execute", scope="~/.bashrc", session="s1", principal=""))
        log.append(call(6, Outcome.ASKED, session="s2", principal="<b>git</b>", host="codex"))
        log.sign()
    return tmp_path / "guard"


@pytest.mark.parametrize("by", ["skill", "tool", "session", "host"])
def test_the_log_is_summed_up(capfd, state, snapshot, by):
    status, out, err = run(capfd, "audit", "report", "--by", by)
    assert (status, err) == (0, "")
    assert out == snapshot
    assert "\x1b" not in out


def test_as_json(capfd, state):
    status, out, _ = run(capfd, "audit", "report", "--format", "json")
    assert status == 0
    value = json.loads(out)
    jsonschema.Draft202012Validator(json.loads(schema_text("audit-report"))).validate(value)
    assert value["chain"]["whole"] is True
    uses = {use["name"]: use for use in value["uses"]}
    assert uses["pdf"]["calls"] == 4
    assert uses["pdf"]["decisions"] == {"admit": 2, "deny": 1, "person-approved": 1}
    assert {one["kind"] for one in value["unusual"]} == {"known", "around"}


def test_a_broken_log_is_said_first_and_nothing_behind_the_break_is_reported(capfd, state):
    damage(state, "UPDATE record SET text = CAST(replace(CAST(text AS TEXT), 'evil', 'good') AS BLOB) WHERE number = 6")
    status, out, _ = run(capfd, "audit", "report")
    assert status == 1
    assert "the log is broken at record 6" in out.splitlines()[1]
    assert "good.example" not in out
    assert "5 records, 2 calls" in out
    status, out, _ = run(capfd, "audit", "report", "--format", "json")
    assert status == 1
    value = json.loads(out)
    assert next(iter(value["chain"].items())) == ("whole", False)
    assert (value["chain"]["number"], value["records"]) == (6, 5)
    jsonschema.Draft202012Validator(json.loads(schema_text("audit-report"))).validate(value)


def test_of_a_log_that_cannot_be_read_nothing_is_reported(capfd, state):
    (state / "audit.db").write_bytes(b"no database" * 100)
    for name in ("audit.db-wal", "audit.db-shm"):
        (state / name).unlink(missing_ok=True)
    status, out, _ = run(capfd, "audit", "report")
    assert status == 1
    assert "0 records, 0 calls" in out


def test_a_log_that_was_cut_off_is_said(capfd, state):
    damage(state, "DELETE FROM record WHERE number > 7")
    status, out, _ = run(capfd, "audit", "report")
    assert status == 1
    assert re.search(r"broken at record \d", out)


def test_only_what_is_new_enough(capfd, state):
    assert "0 records, 0 calls" in run(capfd, "audit", "report", "--since", "2099-01-01")[1]


def test_without_a_log_it_is_wrong_usage(capfd, tmp_path):
    assert run(capfd, "audit", "report", "--state", tmp_path / "none")[0] == 2
