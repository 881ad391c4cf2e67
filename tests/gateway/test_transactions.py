"""A transaction is committed once, in time, by whoever previewed it, and as it was previewed."""

import itertools
import threading

import pytest
from gatekeys import ALICE_KEY, APPROVER_KEY, NOW

from each_row import each_row
from remit.authority.values.confirmation import preview_digest
from remit.authority.values.request import Request
from remit.core.errors import AuthorityError
from remit.gateway.transactions import (
    LIFETIME,
    PATIENCE,
    Begin,
    Commit,
    Confirm,
    Finish,
    Phase,
    Refuse,
    Release,
    Transaction,
    Transactions,
    approve,
    checked,
    deliver,
    step,
)

INPUTS = {"to": "anna@example.org", "text": "a text that nobody else may read"}
COMMITMENT = "c" * 64
PLAIN = Transaction(
    "alice",
    "s1",
    "SendMessage",
    "a" * 32,
    "0" * 64,
    COMMITMENT,
    NOW + LIFETIME,
    "80",
    False,
    preview_digest(Request("SendMessage", "alice", "s1", {}), INPUTS),
)
ASKED = PLAIN._replace(confirm=True)
COMMIT = Commit("alice", "s1", COMMITMENT)
APPROVERS = {"anna": APPROVER_KEY.public}


def confirmation(of=ASKED, key=APPROVER_KEY, kid="anna"):
    from remit.authority.values.confirmation import confirm

    return confirm(of.action_id, of.commitment, of.preview, kid, key).to_json()


@pytest.mark.parametrize(
    ("event", "now", "code"),
    [
        (COMMIT, NOW, ""),
        (COMMIT, NOW + LIFETIME - 1, ""),
        (COMMIT, NOW + LIFETIME, "TX_EXPIRED"),
        (COMMIT._replace(caller="bob"), NOW, "TX_CALLER"),
        (COMMIT._replace(caller="bob"), NOW + LIFETIME, "TX_CALLER"),
        (COMMIT._replace(session="s2"), NOW, "TX_SESSION"),
        (COMMIT._replace(commitment="d" * 64), NOW, "TX_REQUEST"),
    ],
)
def test_who_may_commit(event, now, code, transactions):
    name = transactions.begin(PLAIN, INPUTS, NOW)
    assert len(name) == 32
    assert transactions.apply(name, event, now) == code
    assert transactions.get(name).phase is (Phase.OPEN if code else Phase.TAKEN)


def test_what_is_refused_writes_nothing(transactions):
    name = transactions.begin(PLAIN, INPUTS, NOW)
    with transactions._store.change() as link:
        link.execute("CREATE TRIGGER never BEFORE UPDATE ON preview BEGIN SELECT RAISE(ABORT, 'written'); END")
    assert transactions.apply(name, COMMIT._replace(caller="bob"), NOW) == "TX_CALLER"
    with pytest.raises(AuthorityError):
        transactions.apply(name, COMMIT, NOW)


def test_nothing_is_committed_twice(transactions):
    name = transactions.begin(PLAIN, INPUTS, NOW)
    assert transactions.apply("f" * 32, COMMIT, NOW) == "TX_UNKNOWN"
    assert [transactions.apply(name, COMMIT, NOW) for _ in range(3)] == ["", "TX_USED", "TX_USED"]
    assert transactions.apply(name, Finish(), NOW) == ""
    assert transactions.apply(name, COMMIT, NOW) == "TX_USED"
    assert transactions.apply(name, Release(), NOW) == "TX_USED"


def test_what_was_not_handed_on_can_be_committed_again(transactions):
    name = transactions.begin(PLAIN, INPUTS, NOW)
    assert transactions.apply(name, Release(), NOW) == "TX_USED"
    assert transactions.apply(name, COMMIT, NOW) == ""
    assert transactions.apply(name, Release(), NOW) == ""
    assert transactions.apply(name, COMMIT, NOW) == ""


def test_of_many_who_commit_at_once_one_does(tmp_path, vault):
    stores = [Transactions(tmp_path / "tx.db", vault) for _ in range(4)]
    name = stores[0].begin(PLAIN, INPUTS, NOW)
    codes = []
    work = [threading.Thread(target=lambda s=store: codes.append(s.apply(name, COMMIT, NOW))) for store in stores]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()
    assert sorted(codes) == ["", "TX_USED", "TX_USED", "TX_USED"]
    for store in stores:
        store.close()


def test_a_person_is_waited_for(transactions):
    name = transactions.begin(ASKED, INPUTS, NOW)
    assert transactions.apply(name, COMMIT, NOW) == "CONFIRM_MISSING"
    (waiting,) = transactions.waiting(NOW)
    assert waiting.inputs == INPUTS
    assert transactions.waiting(NOW + LIFETIME) == ()
    word = approve(waiting, "anna", APPROVER_KEY).to_json()
    assert deliver(transactions, name, word, APPROVERS, NOW) == ""
    assert transactions.waiting(NOW) == ()
    assert transactions.apply(name, COMMIT, NOW) == ""
    assert transactions.get(name).confirmation == word


@each_row(
    "other", [("DeleteWorkspaceFile", "alice", "s1"), ("SendMessage", "bob", "s1"), ("SendMessage", "alice", "s2")]
)
def test_a_word_for_one_intent_and_caller_is_none_for_another(other):
    assert preview_digest(Request(*other, {}), INPUTS) != ASKED.preview


@pytest.mark.parametrize(
    "value",
    [
        None,
        {"user_confirm": True},
        confirmation(ASKED._replace(action_id="b" * 32)),
        confirmation(ASKED._replace(commitment="d" * 64)),
        confirmation(ASKED._replace(preview=preview_digest(Request("SendMessage", "alice", "s1", {}), {}))),
        confirmation(key=ALICE_KEY),
        confirmation(kid="nobody"),
        confirmation() | {"preview": preview_digest(Request("SendMessage", "alice", "s1", {}), {})},
    ],
)
def test_a_confirmation_of_something_else_is_none(value, transactions):
    name = transactions.begin(ASKED, INPUTS, NOW)
    assert deliver(transactions, name, value, APPROVERS, NOW) == "CONFIRM_BAD"
    assert transactions.apply(name, COMMIT, NOW) == "CONFIRM_MISSING"


def test_what_needs_no_confirmation_takes_none(transactions):
    name = transactions.begin(PLAIN, INPUTS, NOW)
    assert deliver(transactions, name, confirmation(), APPROVERS, NOW) == "CONFIRM_BAD"
    assert (
        deliver(transactions, transactions.begin(ASKED, INPUTS, NOW), confirmation(), APPROVERS, NOW + LIFETIME)
        == "TX_EXPIRED"
    )


def test_a_no_is_final(transactions):
    name = transactions.begin(ASKED, INPUTS, NOW)
    assert deliver(transactions, name, confirmation(), APPROVERS, NOW) == ""
    assert transactions.apply(name, Refuse(), NOW) == ""
    assert transactions.apply(name, COMMIT, NOW) == "CONFIRM_DENIED"
    assert transactions.apply(name, COMMIT._replace(caller="bob"), NOW) == "TX_CALLER"
    assert deliver(transactions, name, confirmation(), APPROVERS, NOW) == "TX_USED"
    assert transactions.waiting(NOW) == ()
    taken = transactions.begin(PLAIN, INPUTS, NOW)
    assert transactions.apply(taken, COMMIT, NOW) == ""
    assert transactions.apply(taken, Refuse(), NOW) == "TX_USED"


def test_an_approver_signs_what_was_shown_and_nothing_else(transactions):
    transactions.begin(ASKED, INPUTS, NOW)
    (waiting,) = transactions.waiting(NOW)
    with pytest.raises(AuthorityError, match="not what would happen"):
        approve(waiting._replace(inputs={**INPUTS, "to": "eve@example.org"}), "anna", APPROVER_KEY)


def test_previews_do_not_lie_in_plain(transactions, tmp_path):
    transactions.begin(ASKED, INPUTS, NOW)
    transactions.begin(PLAIN, INPUTS, NOW)
    data = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"nobody else may read" not in data
    assert b"anna@example.org" not in data


EVENTS = (
    Begin(ASKED), COMMIT, COMMIT._replace(caller="bob"), COMMIT._replace(session="s2"), COMMIT._replace(commitment="d" * 64),
    Confirm(ASKED.action_id, ASKED.commitment, ASKED.preview, {}), Confirm("b" * 32, ASKED.commitment, ASKED.preview, {}),
    Release(), Finish(), Refuse(),
)  # fmt: skip


def test_every_way_of_five_events():
    """All of them: taken only from open, in time, by its caller, after a confirmation; and never open again after its end."""
    for events in itertools.product(EVENTS, repeat=5):
        known, taken, confirmed, released = None, 0, False, 0
        for number, event in enumerate(events):
            now = NOW + number * 40  # the fourth is too late
            before = known
            known, code = step(known, event, now)
            if isinstance(event, Confirm) and not code:
                confirmed = True
            if isinstance(event, Release) and not code:
                released += 1
            if isinstance(event, Commit) and not code:
                taken += 1
                assert event == COMMIT
                assert confirmed
                assert now < ASKED.until
                assert before.phase is Phase.OPEN
            if before is not None and before.phase in (Phase.DONE, Phase.REFUSED):
                assert known == before
            if code:
                assert known == before
        assert taken <= 1 + released
    assert checked(confirmation(), APPROVERS).action_id == ASKED.action_id


def test_what_waits_survives_a_restart(tmp_path, vault):
    asked = ASKED._replace(until=NOW + PATIENCE)
    before = Transactions(tmp_path / "tx.db", vault)
    name = before.begin(asked, INPUTS, NOW)
    before.close()
    after = Transactions(tmp_path / "tx.db", vault)
    (waiting,) = after.waiting(NOW + PATIENCE - 1)
    assert (waiting.id, waiting.inputs) == (name, INPUTS)
    assert deliver(after, name, approve(waiting, "anna", APPROVER_KEY).to_json(), APPROVERS, NOW + PATIENCE - 1) == ""
    assert after.apply(name, COMMIT, NOW + PATIENCE - 1) == ""
    after.close()
