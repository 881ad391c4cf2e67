"""The end of an action is what the log has. A store that fails after the effect changes nothing about it (a storm of kills found two ends)."""

import asyncio

import pytest

from authority_world import NOW, case, known
from remit.audit.entry import Entry, Outcome, RecordKind
from remit.audit.log import Log
from remit.core.errors import AuditError, AuthorityError
from remit.executor.effects.adapter import EffectDone
from remit.executor.executor import Executor
from remit.executor.replay.memory import State
from remit.executor.replay.sql import SqliteMemory


class Sends:
    """An effect that counts."""

    def __init__(self):
        self.times = 0

    def happen(self, _):
        self.times += 1
        return EffectDone("sent")


@pytest.fixture
def office(tmp_path):
    memory, log, sends = SqliteMemory(tmp_path / "marks.db"), Log.open(tmp_path), Sends()
    log.clock = lambda: NOW * 1_000_000
    yield memory, log, sends, Executor("one", known(), memory, log, {"SendMessage": sends}, lambda: NOW)
    memory.close()
    log.close()


def ends(log):
    return [one.entry.outcome for one in log.records() if one.entry.kind is RecordKind.EFFECT]


def fails(error):
    def failing(*_, **__):
        raise error("broken", "repair it")

    return failing


def test_a_store_that_fails_after_the_effect(office, monkeypatch):
    memory, log, sends, executor = office
    presented = case().presented()
    with monkeypatch.context() as patched:
        patched.setattr(memory, "finish", fails(AuthorityError))
        assert asyncio.run(executor.act(presented)).status == "done"
    assert ends(log) == ["executed"]
    assert len(memory.unfinished("one")) == 1
    (action,) = executor.reconcile()
    assert ends(log) == ["executed"], "it has one end"
    assert memory.unfinished("one") == ()
    assert asyncio.run(executor.act(presented)).code == "REPLAY_DENY"
    assert sends.times == 1
    assert action == presented.action_id


def test_a_log_that_fails_after_the_effect(office, monkeypatch):
    memory, log, sends, executor = office
    append = log.append

    def only_decisions(*entries, **how):
        if entries[0].kind is RecordKind.EFFECT:
            raise AuditError("full", "make room")
        return append(*entries, **how)

    with monkeypatch.context() as patched:
        patched.setattr(log, "append", only_decisions)
        told = asyncio.run(executor.act(case().presented()))
    assert (told.status, sends.times) == ("unknown", 1)
    assert len(executor.reconcile()) == 1
    assert ends(log) == ["unknown"]
    assert memory.unfinished("one") == ()


def test_what_was_marked_and_never_recorded(office):
    memory, log, _, executor = office
    memory.mark(f"{NOW:08x}" + "0" * 24, "one", NOW + 100, NOW)
    assert len(executor.reconcile()) == 1
    assert ends(log) == ["unknown"]
    assert executor.reconcile() == ()


def test_a_refusal_that_can_not_be_recorded_is_one(office, monkeypatch):
    _, log, sends, executor = office
    monkeypatch.setattr(log, "append", fails(AuditError))
    wrong = case().presented()._replace(nonce=bytes(32))
    assert asyncio.run(executor.act(wrong)).code == "STORE_FAILED"
    assert asyncio.run(executor.act(case().presented())).code == "STORE_FAILED"
    assert sends.times == 0


@pytest.mark.parametrize("state", [State.DONE, State.FAILED, State.UNKNOWN])
def test_each_end_of_the_log_is_the_end_of_the_mark(office, state, monkeypatch):
    memory, _, sends, executor = office
    error = {State.FAILED: "NotDoneError", State.UNKNOWN: "ValueError"}.get(state)
    if error:
        from remit.executor.effects.adapter import NotDoneError

        kinds = {"NotDoneError": NotDoneError, "ValueError": lambda *_: ValueError()}
        monkeypatch.setattr(sends, "happen", fails(kinds[error]))
    with monkeypatch.context() as patched:
        patched.setattr(memory, "finish", fails(AuthorityError))
        asyncio.run(executor.act(case().presented()))
    finished = []
    monkeypatch.setattr(memory, "finish", lambda *words: finished.append(words[2]))
    executor.reconcile()
    assert finished == [state]


def test_what_is_no_end_is_not_taken_for_one(office):
    memory, log, _, executor = office
    action = f"{NOW:08x}" + "0" * 24
    memory.mark(action, "one", NOW + 100, NOW)
    log.append(Entry(kind=RecordKind.EFFECT, host="executor", event="action", call=action, outcome=Outcome.UNDONE))
    assert executor.reconcile() == (action,)
    assert ends(log) == ["undone", "unknown"]
    assert memory.unfinished("one") == ()
