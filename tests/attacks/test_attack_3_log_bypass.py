"""Something happens and the log does not show it: no session does that by the rules that run, and rules that let it are found out."""

import pytest
from attack_parts import EXAMPLE
from hypothesis import given
from hypothesis import strategies as st

from remit.analysis.session import analyse
from remit.core.capability import Change
from remit.manifest import read_manifest
from remit.manifest.model import Verification
from remit.policy.buffer import Buffer, BufferedEffect, close_turn, open_turn, rules_at
from remit.policy.gate import Standing
from remit.policy.logic import Plain
from remit.policy.session import HORIZON, Rules, Subject, Turn
from remit.proof.sessions.kinds import alphabet
from remit.proof.sessions.model import Move, State, advance, violations
from remit.proof.sessions.prove import conclude, pose, prove_sessions
from remit.proof.sessions.solvers import SolverRun, solvers
from remit.proof.sessions.trace import Bug
from remit.proof.verdict import Proved, Refuted
from remit.skill.load import load_skill

SKILL = EXAMPLE / "skill"
SILENT = "an effect without a record"


class ForgetsToRecord(Rules):
    """What cannot be undone acts, and no record is written."""

    def records(self, *_):
        return self.logic.false


class DropsScripts(Rules):
    """Only what an envelope asks for itself is recorded."""

    def records(self, acts, turn, control, subject):
        return self.logic.both(super().records(acts, turn, control, subject), self.logic.no(subject.scripted))


class LosesTheBuffer(Rules):
    """A flush empties the buffer and writes nothing."""

    def settle(self, effect, flush):
        return super().settle(effect, flush)._replace(recorded=effect.recorded)


class ForgetsWhatWaits(Rules):
    """What can be undone acts, and is not put into the buffer."""

    def waits(self, *_):
        return self.logic.false


class RecordsNothingOnceAgreed(Rules):
    """Who was agreed to earlier works off the record."""

    def records(self, acts, turn, control, subject):
        return self.logic.both(super().records(acts, turn, control, subject), self.logic.no(turn.before))


BYPASSES = (ForgetsToRecord, DropsScripts, LosesTheBuffer, ForgetsWhatWaits, RecordsNothingOnceAgreed)


def of_the_example():
    found = analyse(load_skill(SKILL), ())
    return read_manifest(SKILL / "remit.json"), found


# ── sessions that run ──

KINDS = alphabet(read_manifest(SKILL / "remit.json"), analyse(load_skill(SKILL), ()).effects, ())
TURNS = st.lists(
    st.tuples(st.integers(0, len(KINDS.kinds) + len(KINDS.scripts) - 1), *[st.booleans()] * 7), min_size=1, max_size=12
)


def wrong_in(rules_of, level, turns, followed, *, by_script, horizon=HORIZON):
    """What goes wrong in a session, by rules that are run on plain truth values, for one effect that is followed."""
    rules = rules_of(Plain(), {one: one is level for one in Verification}, None, horizon)
    kind = KINDS.kinds[followed]
    stands = {line: line is kind.meant for line in Standing}
    reversible = kind.change is Change.REVERSIBLE
    state = State.start(Plain())
    wrong = set()
    for number, answer, before, undo, works, mine, *beside in turns:
        own, scripted = (number,), ()
        if number >= len(KINDS.kinds):
            own, scripted = (), KINDS.scripts[number - len(KINDS.kinds)][1]
        has = followed in (scripted if by_script else own)
        turn = Turn(
            {line: any(KINDS.kinds[one].standing is line for one in own) for line in Standing},
            {line: any(KINDS.kinds[one].standing is line for one in scripted) for line in Standing},
            any(KINDS.kinds[one].change is Change.IRREVERSIBLE for one in (*own, *scripted)),
            answer, before, undo, works,
        )  # fmt: skip
        subject = Subject(mine and has, reversible, by_script)
        state = advance(rules, state, Move(turn, subject, followed in (*own, *scripted), *beside), stands)
        wrong |= {name for name, holds in violations(Plain(), state, kind.undoable, horizon).items() if holds}
    return wrong


@given(TURNS, st.sampled_from(Verification), st.integers(0, len(KINDS.kinds) - 1), st.booleans())
def test_no_session_does_something_that_the_log_does_not_show(turns, level, followed, by_script):
    assert wrong_in(Rules, level, turns, followed, by_script=by_script) == set()


def test_a_script_and_an_envelope_are_recorded():
    """The sessions above are not empty: something acts in them, and a rule that forgets it is seen."""
    fetched = next(
        number for number, kind in enumerate(KINDS.kinds) if kind.capability == "web.fetch" and "news" in kind.scope
    )
    script = len(KINDS.kinds)
    run = [(script, True, False, False, True, True, False, False)]
    assert wrong_in(Rules, Verification.FORMAL, run, fetched, by_script=True) == set()
    assert SILENT in wrong_in(DropsScripts, Verification.FORMAL, run, fetched, by_script=True)
    assert SILENT in wrong_in(ForgetsToRecord, Verification.FORMAL, run, fetched, by_script=True)


# ── with files for the world and the log ──


def played(rules, turns, folder):
    """Turns that really make files, and a log that is really written; what each of the two holds at the end."""
    log, buffer = folder / "log", Buffer()
    log.touch()
    for number, turn in enumerate(turns):
        opened = open_turn(rules, buffer, turn)
        _write(log, opened.flush)
        done = [BufferedEffect(f"made-{number}", reversible=not turn.irreversible)] if opened.control.admitted else []
        for effect in done:
            (folder / effect.ident).touch()
        closed = close_turn(rules, buffer, turn, opened, done)
        _write(log, closed.record)
        for ident in closed.restore:
            (folder / ident).unlink()
        buffer = closed.buffer
    world = {path.name for path in folder.glob("made-*")}
    return world, set(log.read_text().split()), set(buffer.waiting)


def _write(log, idents):
    with log.open("a") as file:
        file.writelines(f"{ident}\n" for ident in idents)


def turn(standing, *, undo=False):
    own = {line: line is standing for line in Standing}
    irreversible = standing is Standing.IRREVERSIBLE
    return Turn(own, dict.fromkeys(Standing, False), irreversible, answer=True, before=False, undo=undo, works=True)


WRITE, POST, OUTSIDE, UNDO = (
    turn(Standing.REVERSIBLE), turn(Standing.IRREVERSIBLE), turn(Standing.OUTSIDE), turn(Standing.REVERSIBLE, undo=True)
)  # fmt: skip
SESSION = [WRITE, WRITE, OUTSIDE, POST, WRITE, UNDO, WRITE]


def test_the_files_that_were_made_are_those_in_the_log_or_in_the_buffer(tmp_path):
    world, log, waiting = played(rules_at(Verification.FORMAL), SESSION, tmp_path)
    assert world == {"made-0", "made-1", "made-3", "made-6"}
    assert (log, waiting) == ({"made-0", "made-1", "made-3"}, {"made-6"})


def test_what_gets_no_record_does_not_stay(tmp_path):
    """Even by rules that lose what waits: the buffer takes back what it cannot record."""
    rules = LosesTheBuffer(Plain(), {one: one is Verification.FORMAL for one in Verification})
    world, log, waiting = played(rules, [WRITE, POST, WRITE], tmp_path)
    assert world == log | waiting == {"made-1", "made-2"}


def test_a_host_that_forgets_to_write_the_log_is_seen_by_who_compares(tmp_path, monkeypatch):
    monkeypatch.setattr("test_attack_3_log_bypass._write", lambda *_: None)
    world, log, waiting = played(rules_at(Verification.FORMAL), SESSION, tmp_path)
    assert world - log - waiting == {"made-0", "made-1", "made-3"}


def test_what_nothing_admitted_cannot_be_slipped_in_afterwards():
    rules = rules_at(Verification.FORMAL)
    opened = open_turn(rules, Buffer(), OUTSIDE)
    with pytest.raises(AssertionError, match="nothing admitted it"):
        close_turn(rules, Buffer(), OUTSIDE, opened, [BufferedEffect("made", reversible=False)])


# ── all sessions ──


def test_no_session_of_any_length_does():
    manifest, found = of_the_example()
    proof = prove_sessions(manifest, found.effects, found.opaque, bound=100)
    assert proof.outcome == Proved()


@pytest.mark.parametrize("bypass", BYPASSES, ids=lambda one: one.__name__)
def test_rules_that_let_something_past_the_log_are_found_out_with_the_session(bypass):
    question = pose(KINDS, 4, Bug(rules=bypass))
    name = solvers()[0].name
    outcome = conclude(question, {name: SolverRun(name, question.file, ["bounded"]).answer()}, ())
    assert isinstance(outcome, Refuted)
    assert SILENT in outcome.trace[-1]
    assert any("envelope: " in line for line in outcome.trace)


def test_the_rules_that_run_withstand_the_same_search():
    question = pose(KINDS, 4)
    name = solvers()[0].name
    assert conclude(question, {name: SolverRun(name, question.file, ["bounded"]).answer()}, ()) == Proved()


def test_a_script_that_does_more_than_the_manifest_grants_is_a_session_that_goes_wrong():
    _, found = of_the_example()
    first = read_manifest(EXAMPLE / "first.json")
    proof = prove_sessions(first, found.effects, found.opaque, bound=100)
    assert isinstance(proof.outcome, Refuted)
    assert any("file.write ./.cache" in line for line in proof.outcome.trace)
    assert "an effect that nothing permits" in proof.outcome.trace[-1]
