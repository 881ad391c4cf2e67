"""`remit audit`: what is shown of the log, what is verified, and what is refused."""

import json
import re
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest
from cli_skills import run

from remit.audit import Entry, Inferred, Log, Outcome, RecordKind
from remit.guard import audit_key
from remit.guard.audit_key import audit_signer

DIGEST = "sha256:" + "0" * 64
OTHER = "sha256:" + "1" * 64
START = 1_800_000_000_000_000


def call(number, outcome=Outcome.ADMIT, **more):
    values = {
        "kind": RecordKind.DECISION, "host": "claude-code", "event": "PreToolUse", "session": "s1", "call": f"c{number}", "tool": "Write",
        "op": "write", "arguments": {"file_path": "./out/a.txt"}, "capability": "file.write", "scope": "./out/a.txt",
        "principal": "pdf", "policy": "manifest of pdf, entry 2", "reason": "inside the manifest", "judged": DIGEST,
    }  # fmt: skip
    return Entry(**(values | {"outcome": outcome} | more))


def end(number, outcome=Outcome.EXECUTED, **more):
    return call(
        number,
        outcome,
        kind=RecordKind.EFFECT,
        event="PostToolUse",
        reason="",
        policy="",
        arguments={},
        ran=DIGEST,
        **more,
    )


@pytest.fixture
def state(tmp_path, monkeypatch):
    """A log of two sessions, with a clock that is known and the key of this machine."""
    monkeypatch.setenv("REMIT_STATE", str(tmp_path / "guard"))
    with Log.open(tmp_path / "guard") as log:
        now = iter(range(START, START + 10**9, 60_000_000))
        log.clock = lambda: next(now)
        log.append(Entry(kind=RecordKind.ENVELOPE, host="claude-code", event="SessionStart", session="s1"))
        log.append(call(1), end(1))
        log.append(
            call(2, Outcome.ASKED, tool="Bash", capability="shell.execute", scope="git", session="s2", principal="",
                 arguments={"command": "git commit -m '\u202eevil'", "timeout": 20}, reason="no manifest: the user is asked",
                 inferred=(Inferred("commit.create", ".", Outcome.ASKED), Inferred("file.read", "./**", Outcome.ADMIT)))
        )  # fmt: skip
        log.append(
            call(3, Outcome.DENY, scope="~/.bashrc", capability="profile.write", reason="outside of the manifest " * 4)
        )
        log.sign()
    return tmp_path / "guard"


def shown(text):
    text = re.sub(r"\b[0-9a-f]{64}\b", "<hash>", text)
    return re.sub(r'"log": "[0-9a-f]{32}"', '"log": "<log>"', text)


def damage(state, change):
    with closing(sqlite3.connect(state / "audit.db", isolation_level=None)) as store:
        for (name,) in store.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
            store.execute(f"DROP TRIGGER {name}")
        store.execute(change)


def test_the_log_one_line_a_record(capfd, state, snapshot):
    status, out, err = run(capfd, "audit", "log")
    assert (status, err) == (0, "")
    assert out == snapshot
    assert all(len(line) <= 80 for line in out.splitlines())


def test_colours_only_where_they_are_wanted(capfd, state, snapshot):
    assert "\x1b" not in run(capfd, "audit", "log")[1]
    assert run(capfd, "audit", "log", "--color", "always", "--limit", "2")[1] == snapshot


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        ((), [1, 2, 3, 4, 5]),
        (("--session", "s2"), [4]),
        (("--skill", "pdf"), [2, 3, 5]),
        (("--outcome", "deny"), [5]),
        (("--limit", "2"), [4, 5]),
        (("--limit", "0"), [1, 2, 3, 4, 5]),
        (("--since", "2027-01-15T08:03"), [4, 5]),
        (("--since", "2027-01-16"), []),
        (("--since", "7d"), [1, 2, 3, 4, 5]),
        (("--until", "2027-01-15T08:03"), [1, 2, 3]),
        (("--tool", "Bash"), [4]),
        (("--text", "OUTSIDE of"), [5]),
        (("--text", "out%of"), []),
        (("--text", "\udc80"), []),
    ],
)
def test_filters(capfd, state, words, numbers):
    status, out, _ = run(capfd, "audit", "log", "--format", "json", *words)
    assert status == 0
    assert [json.loads(line)["number"] for line in out.splitlines()] == numbers


def test_one_record_in_full(capfd, state, snapshot):
    status, out, _ = run(capfd, "audit", "show", "4")
    assert status == 0
    assert shown(out) == snapshot
    assert "\u202e" not in out
    value = json.loads(run(capfd, "audit", "show", "4", "--format", "json")[1])
    assert (value["number"], value["inferred"][0]) == (4, ["commit.create", ".", "asked"])


def test_a_log_that_is_whole(capfd, state, snapshot):
    status, out, _ = run(capfd, "audit", "verify")
    assert status == 0
    assert out == snapshot
    assert shown(run(capfd, "audit", "verify", "--format", "json")[1]) == snapshot


def test_records_that_are_not_signed_yet_are_said(capfd, state, snapshot):
    with Log.open(state) as log:
        log.append(call(4))
    assert run(capfd, "audit", "verify")[1] == snapshot


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE record SET text = CAST(replace(CAST(text AS TEXT), 'inside', 'Inside') AS BLOB) WHERE number = 2",
        "DELETE FROM record WHERE number = 3",
        "DELETE FROM record WHERE number > 3",
        "DELETE FROM record",
    ],
)
def test_a_log_that_is_not(capfd, state, snapshot, change):
    damage(state, change)
    status, out, _ = run(capfd, "audit", "verify")
    assert status == 1
    assert out == snapshot
    assert json.loads(run(capfd, "audit", "verify", "--format", "json")[1])["whole"] is False


@pytest.mark.parametrize("data", [b"", b"not a database at all"])
def test_a_file_that_is_no_log_is_never_whole(capfd, state, data):
    (state / "audit.db").write_bytes(data)
    status, out, _ = run(capfd, "audit", "verify")
    assert status == 1
    assert "cannot be verified" in out
    (state / "audit.db").unlink()
    assert run(capfd, "audit", "verify")[0] == 1, "the heads are still there: the log was taken away"


def test_an_export_is_verified_elsewhere(capfd, state, work, tmp_path):
    assert run(capfd, "audit", "export", "--jsonl", "--output", "log.jsonl")[0] == 0
    assert run(capfd, "audit", "export", "--jsonl")[1] == (work / "log.jsonl").read_text()
    assert run(capfd, "audit", "verify", "log.jsonl")[:2] == run(capfd, "audit", "verify")[:2]
    status, out, _ = run(capfd, "audit", "verify", "log.jsonl", "--state", tmp_path / "other")
    assert status == 1
    assert "is not known here" in out
    text = (work / "log.jsonl").read_text()
    (work / "log.jsonl").write_text(text.replace("pdf", "csv"))
    assert run(capfd, "audit", "verify", "log.jsonl")[0] == 1
    assert run(capfd, "audit", "export", "--jsonl", "--output", "log.jsonl")[0] == 2, "nothing is replaced"


def test_a_head_is_signed_with_a_key_that_others_can_check(capfd, state, work, tmp_path):
    pytest.importorskip("cryptography")
    status, out, _ = run(capfd, "audit", "head")
    assert status == 0
    assert json.loads(out)["algorithm"] == "ed25519"
    (work / "kept.head").write_text(out)
    assert run(capfd, "audit", "verify", "--head", "kept.head")[0] == 0
    # an export of a log that was signed with that key alone
    with Log.open(tmp_path / "second", audit_signer) as log:
        log.append(call(1))
    run(capfd, "audit", "export", "--jsonl", "--output", "log.jsonl", "--state", tmp_path / "second")
    public = tmp_path / "second" / "keys" / "audit.key.pub"
    status, out, _ = run(capfd, "audit", "verify", "log.jsonl", "--key", public, "--state", tmp_path / "nowhere")
    assert (status, out) == (0, "the log is complete and unchanged: 1 record, 1 signed head\n")
    assert run(capfd, "audit", "verify", "log.jsonl", "--key", public, "--head", "kept.head")[0] == 1


def test_a_head_that_was_kept_finds_a_log_that_was_cut_back_with_its_heads(capfd, state, work):
    heads = (state / "audit.heads").read_text()
    with Log.open(state) as log:
        log.append(call(4))
        (work / "kept.head").write_text(log.sign().line() + "\n")
    damage(state, "DELETE FROM record WHERE number > 5")
    damage(state, "DELETE FROM head WHERE number > 5")
    (state / "audit.heads").write_text(heads)
    assert run(capfd, "audit", "verify")[0] == 0, "nothing on this machine shows it"
    status, out, _ = run(capfd, "audit", "verify", "--head", "kept.head")
    assert status == 1
    assert "broken at record 6" in out


def test_without_the_package_the_key_of_this_machine_signs_and_foreign_heads_are_not_believed(
    capfd, state, work, monkeypatch
):
    pytest.importorskip("cryptography")
    run(capfd, "audit", "head")
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.asymmetric", None)
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives", None)
    assert audit_key.audit_signer(state).algorithm == "hmac-sha256"
    status, out, err = run(capfd, "audit", "verify")
    assert (status, out) == (2, "")
    assert "cryptography" in err


def test_the_calls_alone(capfd, state, snapshot):
    status, out, _ = run(capfd, "audit", "biconditional", "-v")
    assert status == 0
    assert out == snapshot


def test_the_world(capfd, state, work, snapshot, tmp_path):
    (work / "old").write_text("x")
    before = tmp_path / "before.json"
    assert run(capfd, "audit", "picture", ".", "--output", before)[0] == 0
    (work / "out").mkdir()
    (work / "out" / "a.txt").write_text("x")
    status, out, _ = run(capfd, "audit", "biconditional", "--before", before, "--workspace", ".")
    assert status == 0, out
    (work / "old").unlink()
    (work / "intruder\x1b[2J").write_text("x")
    with Log.open(state) as log:
        log.append(call(4, scope="./forged"), end(4, scope="./forged"), call(5), end(5))
        log.append(call(6, scope="./b", judged=OTHER), end(6, scope="./b"))
    status, out, _ = run(capfd, "audit", "biconditional", "--before", before)
    assert status == 1
    assert out == snapshot
    value = json.loads(run(capfd, "audit", "biconditional", "--before", before, "--format", "json")[1])
    assert value["holds"] is False
    assert {item["verdict"] for item in value["findings"]} == {"matched", "bypass", "forgery", "rewritten", "unknown"}


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("show", "99"), "there is no record 99"),
        (("show", "0"), "there is no record 0"),
        (("log", "--since", "yesterday"), "not a time"),
        (("log", "--state", "nowhere"), "there is no log"),
        (("verify", "--state", "nowhere"), "there is no log"),
        (("head", "--state", "nowhere"), "there is no log"),
        (("export", "--jsonl", "--state", "nowhere"), "there is no log"),
        (("verify", "none.jsonl"), "not a file"),
        (("verify", "--head", "none"), "cannot be read"),
        (("verify", "--head", "text"), "not a head"),
        (("verify", "--key", "text"), "not a public key"),
        (("picture", "nowhere"), "not a folder"),
        (("picture", ".", "--output", "text"), "cannot be made"),
        (("biconditional", "--workspace", "."), "goes with --before"),
        (("biconditional", "--before", "none"), "cannot be read"),
        (("biconditional", "--before", "text"), "not JSON"),
    ],
)
def test_what_is_refused(capfd, state, work, words, reason):
    (work / "text").write_text("hello")
    status, out, err = run(capfd, "audit", *words)
    assert (status, out) == (2, "")
    assert reason in " ".join(err.split())
    assert not Path("nowhere").exists()


@pytest.mark.parametrize(
    "words", [(), ("log",), ("show",), ("verify",), ("export",), ("head",), ("picture",), ("biconditional",)]
)
def test_the_help_teaches(capfd, snapshot, words):
    status, out, _ = run(capfd, "audit", *words, "--help")
    assert status == 0
    assert out == snapshot
