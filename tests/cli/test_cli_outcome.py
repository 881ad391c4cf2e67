"""`remit outcome` says what became of a request, whatever that was."""

import json
import time

import pytest

from remit.cli import main
from remit.gateway.deployment.folders import make_folder
from remit.gateway.state import read_vault
from remit.gateway.transactions import FLIGHT, Commit, Finish, Outcome, Refuse, Transaction, Transactions, settled, told

NOW = int(time.time())
ONE = Transaction(
    "alice", "s1", "SendMessage", f"{NOW:08x}" + "a" * 24, "0" * 64, "c" * 64, NOW + 3600, "80", False, "p"
)
TAKE = Commit("alice", "s1", "c" * 64)


@pytest.fixture
def store(tmp_path, monkeypatch):
    folder = tmp_path / "up"
    make_folder(folder, None)
    (folder / "state" / "gateway").mkdir(mode=0o700)
    found = Transactions(folder / "state/gateway/transactions.db", read_vault(folder / "keys/handle.key"))
    found.folder = folder
    yield found
    found.close()


def said(store, name, capsys, *words):
    status = main(["outcome", name, "--folder", str(store.folder), *words])
    return status, capsys.readouterr()


ENDS = {
    "open": ((), None, "nothing happened"),
    "waits": (("confirm",), None, "waits for an approver"),
    "refused by a person": (("confirm", Refuse()), None, "a person refused the request"),
    "under way": ((TAKE,), None, "has not said how it ended"),
    "done": ((TAKE, Finish()), Outcome("done", "", "sent"), "carried out, once"),
    "failed": ((TAKE, Finish()), Outcome("failed", "", "no such host"), "did not happen"),
    "refused": ((TAKE, Finish()), Outcome("refused", "PROOF_STALE", "a proof is old"), "PROOF_STALE a proof is old"),
    "never": ((TAKE, Finish()), Outcome("never"), "never started"),
    "in doubt": ((TAKE, Finish()), Outcome("unknown"), "look at its destination"),
}


@pytest.mark.parametrize("what", ENDS)
def test_every_outcome_is_said(what, store, capsys):
    events, ended, words = ENDS[what]
    asks = events[:1] == ("confirm",)
    name = store.begin(ONE._replace(confirm=asks), {"to": "anna@example.org"}, NOW)
    for event in events[asks:]:
        assert store.apply(name, event, NOW, ended if isinstance(event, Finish) else None) == ""
    status, told_ = said(store, name, capsys)
    assert (status, words in told_.out) == (0, True), told_
    assert json.loads(said(store, name[:8], capsys, "--format", "json")[1].out)["tx_id"] == name


def test_an_action_is_found_by_its_name_in_the_log(store, capsys):
    name = store.begin(ONE, {}, NOW)
    assert json.loads(said(store, ONE.action_id, capsys, "--format", "json")[1].out)["tx_id"] == name
    store.begin(ONE, {}, NOW)
    assert said(store, ONE.action_id, capsys)[0] == 2


@pytest.mark.parametrize("name", ["", "%", "abc", "0" * 32, "zz" * 16])
def test_what_is_not_known_is_not_said(name, store, capsys):
    store.begin(ONE, {}, NOW)
    status, told_ = said(store, name, capsys)
    assert (status, told_.out) == (2, "")


def test_what_is_over_was_not_committed():
    assert "time is over" in told(ONE, Outcome("unknown"), ONE.until)[0]


@pytest.mark.parametrize(
    ("became", "later", "end"),
    [
        ("done", 0, "done"), ("failed", 0, "failed"), ("unknown", 0, "unknown"), ("started", 3600, None), ("started", 3660, "unknown"),
        ("never", FLIGHT - 1, None), ("never", FLIGHT, "never"),
    ],
)  # fmt: skip
def test_what_the_executor_does_not_know_is_over_when_nothing_can_be_on_its_way(became, later, end):
    found = settled(became, NOW, NOW + later)
    assert (found and found.what) == end
