"""Processes are killed at random moments while messages are sent: none is sent twice, none without a record, none is lost after an OK.

REMIT_KILLS sets how many times (the default is small; docs/authority.md has the figure of the long run), REMIT_KILLS_LOG a file for
progress.
"""

import asyncio
import json
import os
from contextlib import contextmanager
from pathlib import Path

import kill_faults
import pytest
from kill_storm import POLICY, judge, line, storm
from slow_mail import slow_mail

from by_day import many
from remit.gateway.deployment.folders import make_folder
from remit.gateway.deployment.plan import ORDER
from remit.gateway.deployment.processes import start, stop

KILLS = int(os.environ.get("REMIT_KILLS", "6"))
LOG = os.environ.get("REMIT_KILLS_LOG")


@contextmanager
def place(folder, pause):
    """All parties as processes, with a mail server that keeps what it takes."""
    policy = folder / "kills.policy"
    policy.write_text(POLICY)
    up = folder / "up"
    with slow_mail(pause) as (port, taken):
        parties = make_folder(up, policy)
        mail = {"host": "127.0.0.1", "port": port, "from": "agent@example.org", "tls": "none"}
        (up / "effects.json").write_text(json.dumps({"v": 1, "smtp": mail}))
        try:
            list(start(up, parties))
            yield up, parties, taken
        finally:
            list(stop(up))


def told(*words):
    if LOG:
        with Path(LOG).open("a") as file:
            file.write(line(*words) + "\n")


def played(made, rounds, roles=ORDER, aim=None):
    folder, parties, taken = made
    heard, killed = asyncio.run(storm((folder, parties), rounds, roles, tell=told, aim=aim))
    list(stop(folder))
    list(start(folder, parties))  # what has no end is recorded now
    list(stop(folder))
    return judge(folder, taken, heard), killed


def test_whatever_is_killed_nothing_happens_twice_or_unseen_or_is_lost(tmp_path):
    with place(tmp_path, 0.03) as made:
        found, killed = played(made, KILLS)
    if LOG:
        with Path(LOG).open("a") as file:
            file.write(
                json.dumps({"killed": dict(killed.roles), "seconds": round(killed.seconds), **found._asdict()}) + "\n"
            )
    assert found.faults == []
    assert set(killed.roles) == set(ORDER)  # six kills have each at least once
    assert killed.while_acting >= KILLS * 0.5
    assert found.figures["oks"] > KILLS


def noticed(role, fault, folder):
    """The mail server is slow, and the kill comes when it has taken a message and has not said so: the first kill is noticed."""
    with kill_faults.faulty(role, fault), place(folder, 0.6) as made:
        found, _ = played(made, many(6, least=2), ("executor",), lambda: taken_one(made[2]))
    assert found.faults != [], found.figures


async def taken_one(taken):
    before = len(taken)
    for _ in range(2000):
        await asyncio.sleep(0.01)
        if len(taken) > before:
            return


def test_a_fault_is_noticed(tmp_path):
    noticed("executor", "acts_before_it_marks", tmp_path)


FAULTS = [(role, one.__name__) for role, of_role in kill_faults.FAULTS.items() for one in of_role]


@pytest.mark.parametrize(("role", "fault"), FAULTS)
def test_every_fault_is_noticed_nightly(role, fault, tmp_path):
    noticed(role, fault, tmp_path)
