"""The games are played against running processes, nobody wins; and an adversary who would win is seen."""

import json
import os
import random

import pytest

from each_row import each_row
from remit.cli.main import main
from remit.gateway.games import forged_presentations, nbe, sap, sm
from remit.gateway.games.installation import Tally, Tried, actions_of
from remit.gateway.games.sap import ANSWERS, QUESTIONS, Passed, numbers_of, tell

ROUNDS = int(os.environ.get("REMIT_GAME_ROUNDS", "1"))


def won(tried):
    return [one for one in tried if one.won]


def test_no_effect_without_two_authorities():
    tried = {one.what: one for one in nbe.play(ROUNDS)}
    assert won(tried.values()) == []
    assert set(forged_presentations.ATTEMPTS) < set(tried)
    codes = {what: set(one.codes) for what, one in tried.items()}
    assert codes["no proofs"] <= {"PROOF_FORM", "BAD_REQUEST"}
    assert codes["proofs of different actions"] == {"CONTEXT_DIFFERS"}
    assert codes["another nonce, salt or action"] == {"REQUEST_DIFFERS", "REQUEST_FORM"}
    assert codes["another program, database, epoch or question"] >= {"PROGRAM_UNKNOWN", "QUESTION_DIFFERS"}
    assert codes["old, or from the future, signed again"] == {"PROOF_STALE", "ACTION_STALE"}
    assert codes["what the policy denies"] == {"POLICY_DENY"}
    assert codes["a gateway that asked about something else"] == {"QUESTION_DIFFERS"}
    assert codes["a changed answer of one server"] == {"ROWS_FORGED", "ANSWER_DIFFERS"}
    assert codes["the credential of somebody else, or none"] == {"CALLER_BAD"}
    assert codes[nbe._APART] == {"REQUEST_DIFFERS"}
    assert codes["confirmation missing, forged, of something else"] == {"CONFIRM_MISSING", "CONFIRM_BAD"}
    assert codes[nbe._WHO] == {"TOKEN_FORM", "TOKEN_SIGNATURE"}
    assert codes[nbe._KILLED] <= {"REPLAY_DENY", "PROOF_STALE"}  # on a slow machine proofs grow old meanwhile
    assert "REPLAY_DENY" in codes[nbe._KILLED]
    assert {"SIGNATURE_BAD", "PROOF_FORM", "KEY_UNKNOWN"} <= codes["each field of each proof changed or left out"]
    assert tried["each field of each proof changed or left out"].times >= 50 * ROUNDS
    assert codes["each field of the request changed or left out"] == {"REQUEST_DIFFERS", "REQUEST_FORM"}
    assert tried[nbe._MAIL].times == 5 * ROUNDS  # three at the executor, two through the gateway


def test_secrets_stay_out_of_sight():
    tried = {one.what: one for one in sm.play(ROUNDS)}
    assert won(tried.values()) == []
    assert tried[sm._RANDOM].times >= 40 * ROUNDS
    assert {"OK"} == {tried[sm._CONTROL].note}
    assert set(tried[sm._SHOW_HIGH].codes) == {"HANDLE_HIGH"}
    assert set(tried[sm._BUDGET].codes) == {"BUDGET_SPENT"}
    assert set(tried[sm._OVER].codes) == {"HANDLE_EXPIRED"}
    assert set(tried[sm._KILLED].codes) == {
        "HANDLE_REVOKED",
        "HANDLE_EXPIRED",
        "HANDLE_UNKNOWN",
        "BUDGET_SPENT",
        "HANDLE_HIGH",
    }


@each_row("form", range(7))
def test_a_secret_is_seen_in_each_form(form):
    planted = sm.Planted("high-0123456789abcdef", "low-1", "AKIAQ4ZK7M2XW5RTP3VN", "4111 1111 1111 1111")
    hidden = planted.forms("high")[form]
    assert sm._held(b"before " + hidden + b" after", planted.forms())
    assert not sm._held(b"before and after", planted.forms())


def test_a_message_that_nobody_granted_is_seen():
    class Place:
        taken = (b"Message-ID: <" + b"a" * 32 + b"@remit>\r\n",) * 2 + (b"Message-ID: <" + b"b" * 32 + b"@remit>\r\n",)

    tally = Tally("NBE")
    nbe._compare(Place, ["a" * 32, "b" * 32, "c" * 32], tally)
    (row,) = tally.tried()
    assert (row.times, row.won) == (3, 2)  # one left twice, and a control did not leave
    assert actions_of([b"no name"]) == {"": 1}


def test_an_effect_at_the_gateway_is_a_win():
    tally = Tally("NBE")
    nbe._judge_answer(tally, "x", {"status": "DENY", "reason_code": "TX_USED"})
    nbe._judge_answer(tally, "x", {"status": "OK", "summary": "sent"})
    assert tally.tried() == (Tried("NBE", "x", 2, 1, "sent", ("TX_USED",)),)


def test_who_wins_is_named(monkeypatch, capsys):
    monkeypatch.setattr(nbe, "play", lambda rounds: (Tried("NBE", "one proof", rounds, 1, "done: sent"),))
    assert main(["games", "nbe", "--rounds", "7"]) == 1
    assert "WON: NBE: one proof: 1 of 7: done: sent" in capsys.readouterr().out


def test_the_table_as_json(monkeypatch, capsys):
    monkeypatch.setattr(sm, "play", lambda rounds: (Tried("SM", "random", rounds, 0, "", ("NOT_FOUND",)),))
    assert main(["games", "sm", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["won"] == 0
    assert told["tried"][0]["codes"] == ["NOT_FOUND"]


def test_one_server_learns_its_leakage_and_nothing_else_nightly(monkeypatch):
    """Judged by real times, of which a busy machine has others. Small here; docs/authority.md has the figure of the whole game."""
    monkeypatch.setattr(sap, "_MOST", 120)
    tried = {one.what: one for one in sap.play(30)}
    assert won(tried.values()) == []
    assert min(tried[sap._REAL.format(name)].times for name in ("p0", "p1")) >= 20
    assert float(tried[sap._OFF].note[4:9]) > 0.8
    assert float(tried[sap._CLEAR].note[4:9]) > 0.8


def rows(count, shift, seed=3):
    """Transcripts of twenty numbers, of which one tells something."""
    draw = random.Random(seed)
    labels = [draw.random() < 0.5 for _ in range(count)]
    return [[draw.gauss(0, 1) for _ in range(19)] + [draw.gauss(shift * one, 1)] for one in labels], labels


def test_worlds_that_are_alike_are_not_told_apart():
    won = sum(tell(*rows(400, 0, seed)).low > 0.5 for seed in range(40))
    assert won <= 2  # the interval is of 99 %


@pytest.mark.parametrize("count", [200, 2000])
def test_worlds_that_differ_in_one_number_are_told_apart(count):
    assert tell(*rows(count, 1.0)).low > 0.5


def test_worlds_that_differ_in_the_spread_alone_are_told_apart():
    draw = random.Random(5)
    labels = [draw.random() < 0.5 for _ in range(400)]
    assert tell([[draw.gauss(0, 1 + 2 * one), draw.random()] for one in labels], labels).low > 0.5


def test_what_shows_to_a_server_is_all_that_passed_there():
    question, answer = b"POST /look-up HTTP/1.1\r\n\r\n" + bytes(60), b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 30
    one = [Passed(1.001, "p0", QUESTIONS, question), Passed(1.02, "p0", ANSWERS, answer)]
    other = [Passed(1.031, "p0", QUESTIONS, question), Passed(1.04, "p0", ANSWERS, answer)]
    elsewhere = [Passed(1.0, "p1", QUESTIONS, question)]
    alone, both = numbers_of(one + elsewhere, "p0"), numbers_of(one + other, "p0")
    assert len(alone) == len(both)
    assert alone[:3] == [1.0, float(len(question)), float(len(answer))]
    assert both[:3] == [2.0, 2.0 * len(question), 2.0 * len(answer)]
    assert both[4] == pytest.approx(0.03)  # between the two
    assert numbers_of(one, "p0", slot=0.1)[3] == pytest.approx(0.001)
    assert numbers_of(elsewhere, "p1") is None
    assert numbers_of([], "p0") is None
