"""An agent that runs our own tools to widen what it may do is denied."""

import pytest
from attended import Session

from each_row import each_row
from remit.guard.event import Outcome

COMMANDS = [
    "remit approvals approve 12ab --unattended",
    "remit gateway confirm 12ab --unattended",
    "remit gateway give alice --intent '*' --sink '*' --out c",
    "remit up --policy mine.policy",
    "remit approvals",
    "remit console --unattended",
    "remit guard trust .",
    "remit guard uninstall claude-code",
    "remit guard stop",
    "remit guard task --clear",
    "remit guard broker deny-all",
    "remit telemetry on otlp=https://elsewhere.example",
    "remit keys new mine",
    "remit lock --update",
    "remit add owner/repo --yes",
    "remit update --yes",
    "remit remove pdf",
    "python3 -m remit.cli approvals approve 12ab",
    "script -qc 'remit approvals approve 12ab' /dev/null",
    "env -i remit approvals approve 12ab",
    "setsid remit approvals approve 12ab &",
    "bash -c 'remit approvals approve 12ab'",
    "tmux new-session -d 'remit approvals approve 12ab'",
    "echo remit approvals approve 12ab | sh",
    "nohup remit approvals approve 12ab",
]


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    return Session(tmp_path_factory.mktemp("agents"))


@each_row("command", COMMANDS)
def test_it_is_denied(session, command):
    found = session.bash(command)
    assert found.outcome is Outcome.DENY
    assert "policy.expand" in found.reason
