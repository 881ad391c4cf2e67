"""Commands are run in a real capsule: with the manifest of effects.json and nothing else, bounded, and with all their processes ended."""

import json
import os

import pytest
from acting_world import CONFIRMING, Acting

from each_row import each_row

MANIFEST = {
    "permissions": [
        {"capability": "process.create", "scope": ["python3", "sleep"], "effect": "allow"},
        {"capability": "process.create", "scope": ["cat"], "effect": "confirm"},
        {"capability": "file.read", "scope": ["./**"], "effect": "allow"},
        {"capability": "file.write", "scope": ["./out/**"], "effect": "allow"},
    ]
}
PROCESS = {"process": {"manifest": "process.json", "workspace": "workspace", "seconds": 5, "most-bytes": 1000}}


def made(folder, policy=None):
    (folder / "process.json").write_text(json.dumps(MANIFEST))
    (folder / "secret.txt").write_text("not yours")
    office = Acting(folder, PROCESS, *([policy] if policy else []))
    (folder / "workspace" / "data.txt").write_text("three lines\n")
    return office


@pytest.fixture(scope="module")
def office(tmp_path_factory):
    found = made(tmp_path_factory.mktemp("office"))
    yield found
    found.close()


def python(text):
    return f'python3 -c "{text}"'


def test_a_command_is_run_and_its_status_is_in_the_record(office):
    result = office.act("RunProcess", command=python("print(open('data.txt').read())"))
    assert (result.status, result.data["status"], result.data["output"].strip()) == ("done", 0, "three lines"), result
    record = office.record_of(result)
    assert (record["status"], record["cut"]) == (0, False)
    assert "three lines" not in str(record)
    assert office.record_of(office.act("RunProcess", command=python("raise SystemExit(7)")))["status"] == 7


def test_it_writes_where_the_manifest_says_and_nowhere_else(office):
    good = office.act("RunProcess", command=python("open('out/a.txt', 'w').write('x')"))
    assert good.data["status"] == 0, good
    assert (office.folder / "workspace" / "out" / "a.txt").read_text() == "x"
    for path in ("data.txt", "other.txt", f"{office.folder}/secret.txt", f"{office.folder}/effects.json"):
        bad = office.act("RunProcess", command=python(f"open('{path}', 'w').write('x')"))
        assert bad.data["status"] != 0
    assert (office.folder / "secret.txt").read_text() == "not yours"
    assert (office.folder / "workspace" / "data.txt").read_text() == "three lines\n"


@pytest.mark.parametrize(
    "text",
    [
        "print(open('{folder}/secret.txt').read())",
        "print(open('{folder}/state/marks.db', 'rb').read())",
        "import os; print(os.environ['REMIT_PLANTED'])",
        "import socket; socket.create_connection(('127.0.0.1', 22), 2)",
        "import subprocess; subprocess.run(['cat', 'data.txt'], check=True)",
        "import os; os.kill({pid}, 0)",
    ],
)
def test_what_the_manifest_does_not_grant_is_not_there(office, text, monkeypatch):
    monkeypatch.setenv("REMIT_PLANTED", "not yours")
    result = office.act("RunProcess", command=python(text.format(folder=office.folder, pid=os.getpid())))
    assert (result.status, result.data["status"] == 0) == ("done", False)
    assert "not yours" not in result.data["output"]


@each_row("command", ["curl https://example.org", "/usr/bin/id", "cat data.txt", "'", "", "true; id"])
def test_a_program_that_is_not_allowed_is_not_started(office, command):
    """`cat` wants a person, and nobody was asked here."""
    assert office.act("RunProcess", command=command).status == "failed"


@each_row("text", ["", "{", '{"permissions": [], "more": 1}', '{"permissions": []}'])
def test_a_manifest_that_is_none_or_grants_nothing_runs_nothing(office, text):
    path = office.folder / "process.json"
    before = path.read_text()
    path.write_text(text)
    try:
        assert office.act("RunProcess", command=python("print(1)")).status == "failed"
    finally:
        path.write_text(before)


def test_what_wants_a_person_runs_with_the_word_of_an_approver(tmp_path):
    """`cat` wants a person by the manifest, and the policy of this office has every command confirmed."""
    asking = made(tmp_path, CONFIRMING)
    try:
        result = asking.act("RunProcess", command="cat data.txt")
        assert (result.status, result.data.get("output")) == ("done", "three lines\n"), result
    finally:
        asking.close()


def test_output_is_bounded_and_nobody_waits_for_it(office):
    result = office.act("RunProcess", command=python("import sys; sys.stdout.write('x' * 5_000_000)"))
    assert (result.data["status"], len(result.data["output"]), result.data["cut"]) == (0, 1000, True)


@pytest.mark.timeout(300)
def test_the_end_of_its_time_ends_the_whole_tree(office):
    mark = "271828"
    text = (
        f"import os, subprocess, time; os.fork() or os.setsid(); subprocess.Popen(['sleep', '{mark}']); time.sleep(600)"
    )
    result = office.act("RunProcess", command=python(text))
    assert (result.status, result.data["status"]) == ("done", None)
    assert "ended after 5 s" in result.summary
    assert not [pid for pid in os.listdir("/proc") if pid.isdigit() and mark in _command_of(pid)]


def _command_of(pid):
    try:
        with open(f"/proc/{pid}/cmdline", errors="replace") as file:
            return file.read()
    except OSError:
        return ""
