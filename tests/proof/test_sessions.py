"""Method C on a small skill: proved as it is, refuted with a trace for every deliberate bug."""

import pytest
from session_bugs import BUGS
from sessions_values import EFFECTS, MANIFEST, effect, entry

from each_row import each_row
from remit.core.effect import Opaque
from remit.core.errors import BundleError
from remit.core.location import Location
from remit.manifest.model import Decision
from remit.proof.sessions import refutation, solvers
from remit.proof.sessions.cnf import dimacs, inductive
from remit.proof.sessions.evidence import read_sessions_proof, write_sessions_proof
from remit.proof.sessions.kinds import alphabet
from remit.proof.sessions.prove import BY_INDUCTION, INDUCTION, SEARCH, conclude, pose, prove_sessions
from remit.proof.sessions.refutation import refute
from remit.proof.sessions.solvers import Fails, Holds, Silent, SolverRun
from remit.proof.verdict import Proved, Refuted, Unknown

EXPECTED = {
    "SkipsTheLog": {"an effect without a record"},
    "LogsWithoutActing": {"a record without an effect"},
    "DropsAScriptEffect": {"an effect without a record"},
    "DropsAScriptWrite": {"an effect without a record"},
    "ForgetsReversibleWrites": {"an effect without a record"},
    "BuffersTheIrreversible": {"something irreversible waits in the buffer"},
    "NeverFlushesAtTheHorizon": {"no flush within the horizon"},
    "FlushesOneTurnLate": {"no flush within the horizon"},
    "IrreversibleWithoutAFlush": {"something irreversible overtakes what waits"},
    "FlushLosesRecords": {"an effect without a record"},
    "FlushKeepsWaiting": {"an effect or a record that occurs twice"},
    "UndoLeavesTheWorld": {"an effect without a record"},
    "UndoOfWhatIsRecorded": {"a record without an effect"},
    "RemembersANo": {"the session holds an approval that was not given"},
}
FEW = 12  # turns; the horizon of the bugs below is shorter


@pytest.fixture(scope="module")
def proof():
    return prove_sessions(MANIFEST, EFFECTS, bound=FEW)


def test_it_is_proved_by_induction(proof):
    assert proof.outcome == Proved()
    by_name = dict(proof.unsat)
    assert by_name[SEARCH] == (BY_INDUCTION,)
    assert all(by_name[name] == ("z3", "cvc5", "glucose4") for name in INDUCTION)


def test_the_certificates_are_of_what_is_generated_anew(proof):
    question = pose(alphabet(MANIFEST, EFFECTS, ()), FEW)
    generated = [(name, dimacs(clauses)) for name, clauses in inductive(question.encoding).items()]
    assert [(found.obligation, found.dimacs) for found in proof.certificates] == generated
    assert all(found.holds for found in proof.certificates)


def test_too_few_steps_are_no_answer(monkeypatch):
    monkeypatch.setattr(solvers, "STEPS", 100)
    found = prove_sessions(MANIFEST, EFFECTS, bound=FEW, search=False)
    assert isinstance(found.outcome, Unknown)
    holes, birds = range(6), range(7)
    places = {(bird, hole): 6 * bird + hole + 1 for bird in birds for hole in holes}
    pigeons = [tuple(places[bird, hole] for hole in holes) for bird in birds]
    pigeons += [(-places[a, hole], -places[b, hole]) for hole in holes for a in birds for b in range(a)]
    assert refutation.refute(pigeons)
    monkeypatch.setattr(refutation, "CONFLICTS", 1)
    assert refutation.refute(pigeons) is None


def test_whoever_checks_again_may_leave_out_the_search(proof):
    again = prove_sessions(MANIFEST, EFFECTS, bound=FEW, search=False)
    assert write_sessions_proof(again) == write_sessions_proof(proof)


@each_row("name", BUGS)
def test_every_deliberate_bug_is_noticed(name):
    bug = BUGS[name]._replace(horizon=4)
    question = pose(alphabet(MANIFEST, EFFECTS, ()), FEW, bug)
    answer = SolverRun("z3", question.file, [SEARCH]).answer()
    outcome = conclude(question, {"z3": answer}, ())
    assert isinstance(outcome, Refuted), outcome
    head, *sent, wrong = outcome.trace
    assert head.startswith("a session at level ")
    assert [line.partition(".")[0] for line in sent] == [str(number + 1) for number in range(len(sent))]
    # what is wrong is found by running the session by the rules themselves, so that the solver is not taken at its word
    assert set(wrong.removeprefix("wrong: ").split(", ")) & EXPECTED.get(name, {"an effect that nothing permits"})


@each_row("name", BUGS)
def test_the_invariant_is_not_inductive_with_a_bug(name):
    question = pose(alphabet(MANIFEST, EFFECTS, ()), 1, BUGS[name]._replace(horizon=4))
    assert None in [refute(clauses) for clauses in inductive(question.encoding).values()]


def test_a_flush_that_comes_one_turn_late_needs_the_whole_horizon():
    found = alphabet(MANIFEST, EFFECTS, ())
    bug = BUGS["FlushesOneTurnLate"]._replace(horizon=6)
    short, long = (SolverRun("z3", pose(found, bound, bug).file, [SEARCH]).answer() for bound in (5, 6))
    assert short == Holds()
    assert long == Fails(SEARCH, 3)  # two turns at a time


def test_an_undeclared_effect_of_a_script_is_a_session_that_goes_wrong():
    escaping = (*EFFECTS, effect("pay", "5", 9))
    outcome = prove_sessions(MANIFEST, escaping, bound=3).outcome
    assert isinstance(outcome, Refuted)
    assert "pay 5" in outcome.trace[0]
    assert any("run scripts/work.py" in line and "it acts" in line for line in outcome.trace)
    assert outcome.trace[-1] == "wrong: an effect that nothing permits"


def test_an_opaque_place_is_a_session_that_goes_wrong():
    opaque = (Opaque("computed code", Location("scripts/work.py", 4)),)
    outcome = prove_sessions(MANIFEST, EFFECTS, opaque, bound=3).outcome
    assert isinstance(outcome, Refuted)
    assert "anything at scripts/work.py:4" in outcome.trace[0]


def test_what_a_denial_holds_is_refused_when_a_script_tries_it():
    assert prove_sessions(MANIFEST, (*EFFECTS, effect("file.delete", "./x")), bound=3).outcome == Proved()


@each_row(
    ("manifest", "effects"),
    [
        (MANIFEST._replace(permissions=(*MANIFEST.permissions[:2], entry("web.post", "api.example.org"))), EFFECTS),
        (MANIFEST._replace(permissions=(*MANIFEST.permissions, entry("file.read", "./more/**"))), EFFECTS),
        (
            MANIFEST._replace(permissions=(*MANIFEST.permissions[:3], entry("message.send", "*", Decision.ALLOW))),
            EFFECTS,
        ),
        (MANIFEST, EFFECTS[:2]),
        (MANIFEST, (*EFFECTS[:2], effect("web.post", "api.example.com", 7, "scripts/other.py"))),
        (MANIFEST, (*EFFECTS[:2], effect("file.write", "./out/other.txt", 5))),
    ],
)
def test_one_other_scope_or_effect_is_another_instance(manifest, effects):
    old, new = (pose(alphabet(*what, ()), 3).file for what in ((MANIFEST, EFFECTS), (manifest, effects)))
    assert old.text() != new.text()


def test_a_solver_that_says_less_or_something_else_proves_nothing():
    question = pose(alphabet(MANIFEST, EFFECTS, ()), 2)
    assert isinstance(conclude(question, {"z3": Silent("it took too long")}, ()), Unknown)
    assert isinstance(conclude(question, {}, ()), Unknown)
    assert isinstance(conclude(question, {"z3": Holds()}, ["step"]), Unknown)
    assert isinstance(conclude(question, {"z3": Holds(), "cvc5": Fails("step", 1)}, ()), Unknown)


def test_names_of_files_cannot_leave_their_comment():
    odd = effect("file.read", "./data/in.csv", file="a\n(assert false)\n.py")
    text = pose(alphabet(MANIFEST, (odd,), ()), 1).file.text()
    assert "\n(assert false)" not in text


def test_the_evidence_is_read_back_exactly(proof):
    data = write_sessions_proof(proof)
    assert read_sessions_proof(data) == proof
    with pytest.raises(BundleError, match="canonical"):
        read_sessions_proof(data.replace(b'"bound":12', b'"bound": 12'))
    with pytest.raises(BundleError, match="digest of the instance"):
        read_sessions_proof(data.replace(b"(push 1)", b"(push 2)", 1))
