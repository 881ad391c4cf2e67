"""Admission is total: whatever lies in evidence/, there is an answer; and proofs are held against what is proved here."""

import pytest
from bundle_values import (
    DECLARED,
    FORMAL,
    NOW,
    ROOT,
    UNVERIFIED,
    admitted,
    analysed,
    codes_of,
    looked,
    make,
    never,
    write_skill,
)  # fmt: skip
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from by_day import many
from each_row import each_row
from remit.bundle.admit import Inputs, admit
from remit.bundle.proof_evidence import Attempt, EvidenceContent, EvidenceKind, held_against, unproved
from remit.bundle.snapshot import NAMES
from remit.core.errors import PackageError
from remit.proof.verdict import Proved, Refuted, Unknown


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = write_skill(tmp_path_factory.mktemp("any") / "demo")
    make(folder)
    held, content = looked(folder)
    return held, analysed(folder, content)


json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=20,
)
data = st.binary(max_size=300) | json.map(lambda value: repr(value).encode("utf-8", "replace"))


@settings(max_examples=many(300), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.sampled_from(sorted(NAMES)), data))
@example({"manifest.attest.json": b'{"payload":"' + b"A" * 1_000_000 + b'"}'})
@example({"manifest.attest.json": b"[" * 1_000_000})
def test_any_evidence_gives_an_answer(whole, evidence):
    held, effects = whole
    for found in (evidence, dict(held.evidence) | evidence):
        given = Inputs(held._replace(evidence=found), ROOT, NOW, lambda *_: None, lambda: effects, never)
        answer = admit(given)
        assert "admission-failed" not in codes_of(answer)
        if answer.holds:
            assert found == held.evidence
        else:
            assert answer.level is UNVERIFIED


def test_a_package_that_is_missing_refuses_with_a_remedy(whole):
    def missing(*_):
        raise PackageError("cryptography", "prove")

    held, _ = whole
    answer = admit(Inputs(held, ROOT, NOW, missing, never, never))
    assert answer.refused
    assert "pip install" in answer.reasons[0].detail


def test_what_the_trust_root_withholds_at_a_level_is_noted(tmp_path):
    folder = write_skill(tmp_path / "demo")
    make(folder)
    answer = admitted(
        folder, ROOT._replace(minimum_level=(("file.write", FORMAL), ("pay", FORMAL), ("web.*", DECLARED)))
    )
    assert answer.holds
    denied = "is denied: the trust root asks for `formal`"
    assert answer.notes == (f"file.write {denied}", f"source.write {denied}")


# Proofs


def _read(data):
    _, manifest, tools, question, verdict = data.decode().split()
    return EvidenceContent(manifest, ((tools, "1"),), tools, question, lambda: verdict == "proved")


KIND = EvidenceKind("types", "differ", _read)
OURS = b"proof m ours asked proved"


@each_row(
    ("data", "attempt", "code"),
    [
        (OURS, Attempt(Proved(), OURS), ""),
        (b"proof m theirs asked proved", Attempt(Proved(), OURS), ""),
        (b"proof m theirs asked refuted", Attempt(Proved(), OURS), "types-differ"),
        (b"proof m theirs else proved", Attempt(Proved(), OURS), "types-differ"),
        (b"proof other theirs asked proved", Attempt(Proved(), OURS), "types-differ"),
        (b"proof other ours asked proved", Attempt(Proved(), OURS), "types-differ"),
        (b"proof m ours asked refuted", Attempt(Proved(), OURS), "types-differ"),
        (OURS, Attempt(Refuted(("a probe is accepted",)), OURS), "types-refuted"),
        (OURS, Attempt(Refuted(()), OURS), "types-refuted"),
        (OURS, Attempt(Unknown("mypy is missing"), OURS), "types-unknown"),
        (OURS, unproved("no answer"), "types-unknown"),
    ],
)
def test_evidence_is_held_against_what_is_proved_here(data, attempt, code):
    assert held_against(_read(data), data, attempt, KIND)[0] == code


@each_row("outcome", [Proved(), Refuted(("a", "b")), Refuted(()), Unknown("why")])
def test_attempts_cross_processes(outcome):
    import json

    attempt = Attempt(outcome, "prüf\n".encode())
    assert Attempt.decode(json.loads(json.dumps(attempt.encode()))) == attempt


@each_row("outcome", [["proved", 1], ["Proved"], ["else"], ["unknown"], ["proved", None]])
def test_what_is_not_surely_proved_is_not(outcome):
    assert isinstance(Attempt.decode({"outcome": outcome, "evidence": ""}).outcome, Unknown)
