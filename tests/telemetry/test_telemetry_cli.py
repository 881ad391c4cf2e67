"""`remit telemetry` as a user sees it."""

import json
import os
import subprocess
import sys

import pytest

from remit.cli.main import main
from remit.core.telemetry_table import FILE


@pytest.fixture
def state(tmp_path, monkeypatch):
    folder = tmp_path / "state"
    monkeypatch.setenv("REMIT_STATE", str(folder))
    monkeypatch.setattr("remit.guard.approvals.persons.present", lambda *, unattended: unattended)
    return folder


def run(capfd, state, *words):
    status = main(["telemetry", *map(str, words)])
    out, err = capfd.readouterr()
    return status, (out + err).replace(str(state), "STATE")


def test_it_is_switched_on_shown_and_off(capfd, state, snapshot):
    assert run(capfd, state) == (0, "Nothing is sent: `remit telemetry on --help`\n")
    words = ("otlp=http://127.0.0.1:4318", "prometheus=127.0.0.1:9464", "log=told.jsonl", "level=warning")
    assert run(capfd, state, "on", *words) == snapshot
    path = state / FILE
    assert path.stat().st_mode & 0o777 == 0o600
    assert run(capfd, state)[0] == 0
    assert run(capfd, state, "on", "log=stderr") == snapshot
    assert run(capfd, state, "off") == snapshot
    assert not path.exists()
    assert run(capfd, state, "off")[0] == 0


def test_it_is_said_to_programs(capfd, state):
    assert json.loads(run(capfd, state, "--format", "json")[1]) == {"file": f"STATE/{FILE}", "on": False}
    run(capfd, state, "on", "prometheus=[::1]:9464")
    told = json.loads(run(capfd, state, "--format", "json")[1])
    assert (told["on"], told["otlp"], told["level"]) == (True, "", "info")
    assert told["figures"]["p0"] == "[::1]:9469"


@pytest.mark.parametrize(
    "words",
    [["otlp"], ["otlp="], ["colour=red"], ["v=1"], ["otlp=http://example.org:4318"], ["prometheus=0.0.0.0:9464"], ["level=loud", "log=stderr"],
     ["log=a", "log=b"]],
)  # fmt: skip
def test_a_word_that_is_wrong_is_refused_and_nothing_is_written(capfd, state, words):
    status, text = run(capfd, state, "on", *words)
    assert status == 2
    assert text.startswith("remit: ")
    assert not (state / FILE).exists()


def test_another_folder_can_be_named(capfd, state, tmp_path):
    assert run(capfd, state, "on", "log=stderr", "--folder", tmp_path)[0] == 0
    assert (tmp_path / FILE).exists()
    assert "cannot be written" in run(capfd, state, "on", "log=stderr", "--folder", tmp_path / "nowhere")[1]
    assert not (state / FILE).exists()


def test_an_agent_does_not_choose_who_is_told(state):
    env = {**os.environ, "CLAUDECODE": "1", "REMIT_STATE": str(state)}
    words = [
        sys.executable,
        "-c",
        "import sys; from remit.cli import main; sys.exit(main())",
        "telemetry",
        "on",
        "log=stderr",
    ]
    done = subprocess.run(words, env=env, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("remit: an agent started this")
    assert not (state / FILE).exists()
