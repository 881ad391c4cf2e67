"""A gateway is killed at random moments under load: no event is heard or answered twice, none is lost after it was acknowledged, nobody hears
what is another's, and the log is whole.

REMIT_INBOUND_KILLS sets how many times (the default is small; docs/gateway.md has the figure of the long run), REMIT_INBOUND_KILLS_LOG a
file for progress.
"""

import asyncio
import json
import os
import sys
from contextlib import ExitStack
from pathlib import Path

import inbound_faults
import pytest
from inbound_judging import judge, over, seen
from inbound_storm import USUAL, Gateway, How, storm

sys.path.insert(0, str(Path(__file__).parents[1] / "executor"))
from servers import postgres, postgres_folder

from remit.gateway.inbound.stores.sql import sqlite_link
from remit.gateway.inbound.stores.store import Store
from remit.gateway.inbound.stores.tables import TABLES

KILLS = int(os.environ.get("REMIT_INBOUND_KILLS", "3"))
LOG = os.environ.get("REMIT_INBOUND_KILLS_LOG")
# what a gateway without a fault leaves behind as well if it is not waited for
UNFINISHED = {
    "acknowledged, and has no end",
    "neither answered, nor told that it is unknown",
    "stands in a line for ever",
}


def told(line):
    if LOG:
        with Path(LOG).open("a") as file:
            file.write(line + "\n")


def _link(folder, address):
    if address:
        from remit.gateway.inbound.stores.sql import postgres_link

        return postgres_link(address)
    return sqlite_link(folder / "inbound" / "gateway.db")


def played(folder, kills, fault="none", address="", how=USUAL):
    made = []

    def finished():
        if not made:
            made.append(Store(_link(folder, address), TABLES))
        return over(made[0])

    came = asyncio.run(storm(lambda port: Gateway(folder, port, fault, address), kills, finished, how, tell=told))
    found = judge(seen(made[0], folder / "inbound" / "log", came.said, came.taken))
    made[0].close()
    figures = {
        "kills": came.kills,
        "of them after something was acknowledged": came.busy,
        "seconds": round(came.seconds),
        **found.figures,
    }
    told(json.dumps({"fault": fault, **figures, "faults": found.faults}))
    return found, came


def fine(folder, kills, address=""):
    found, came = played(folder, kills, address=address)
    assert found.faults == []
    assert came.settled
    assert len(came.said.acked) > 5 * kills
    assert came.busy >= kills // 2  # a gateway to which nobody spoke loses nothing
    assert found.figures["fates"].get("dropped SEEN")


def test_whenever_it_is_killed_nothing_is_lost_or_heard_twice_or_by_another(tmp_path):
    fine(tmp_path, KILLS)


def test_the_same_with_a_database_nightly(tmp_path):
    if postgres_folder() is None:
        pytest.skip("PostgreSQL is not installed here")
    with ExitStack() as held:
        fine(tmp_path, KILLS, held.enter_context(postgres()))


def noticed(folder, fault, kills):
    how = How(8, (0.02, 0.1), 0.7, patience=15)  # with a fault in it, a gateway may never come to an end
    found, _ = played(folder, kills, fault, how=how)
    seen = {one.partition(":")[0] for one in found.faults}
    assert seen - UNFINISHED, found.figures
    return seen


def test_a_fault_is_noticed(tmp_path):
    assert "acknowledged, and lost" in noticed(tmp_path, "acknowledges_before_it_keeps", 2)


@pytest.mark.parametrize("fault", [one.__name__ for one in inbound_faults.FAULTS])
def test_every_fault_is_noticed_nightly(fault, tmp_path):
    noticed(tmp_path, fault, 12)
