"""Each field of each file of a bundle is spoiled in every way: with the old signature, signed again by a stranger, and signed
anew by a signer with authority who lies. Nothing is admitted above what holds, nothing fails, nothing is proved without an end.
"""

import json
from itertools import islice

import pytest
from bundle_values import (
    LEVEL,
    NOW,
    ROOT,
    TESTED,
    admitted,
    analysed,
    codes_of,
    key,
    looked,
    make,
    prove,
    record_for,
    write_skill,
)  # fmt: skip
from mutants import mutants

from remit.bundle.admit import Inputs, admit
from remit.bundle.dsse import IN_TOTO, read_envelope, render_envelope, sign
from remit.bundle.proof_evidence import MAX_BOUND
from remit.bundle.trust import height
from remit.core.digest import bytes_digest, canonical

pytestmark = pytest.mark.timeout(300)
ATTEST = "manifest.attest.json"
STRANGER, LIAR = 9, 1
SOME = 5
PARTS = [pytest.param(8, id="an eighth"), pytest.param(1, id="all_nightly")]
# what a signer may say one way or the other, and nothing hangs on
FREE = {("predicate", "time")}
# of a record of tests, where the signer's word stands; of proofs, by which tools they were found: others are compared by verdict
WORD = {
    "tests.json": {"commands", "observed", "loaded", "looked_for", "denied", "tools", "exercised"},
    "types.proof": {"checkers", "missing"},
    "smt.unsat": {"solvers"},
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A bundle with every file of evidence, as it is admitted."""
    folder = write_skill(tmp_path_factory.mktemp("tampering") / "demo")
    make(folder, LEVEL, tests=record_for(folder))
    answer = admitted(folder)
    assert answer.holds, answer.reasons
    held, content = looked(folder)
    effects = analysed(folder, content)
    return held, effects, answer.level


class Count:
    """What came of the mutants."""

    def __init__(self):
        self.tried = self.held = 0
        self.codes = set()

    def judge(self, whole, evidence, mutant, what):
        held, effects, truth = whole
        bounds = []

        def proved(manifest, effects, bound):
            bounds.append(bound)
            return prove(manifest, effects, bound)

        answer = admit(Inputs(held._replace(evidence=evidence), ROOT, NOW, lambda *_: None, lambda: effects, proved))
        self.tried += 1
        self.codes |= codes_of(answer)
        where = f"{what}: {mutant.how} at {mutant.at}"
        assert "admission-failed" not in codes_of(answer), (where, answer.reasons)
        assert height(answer.level) <= height(truth), where
        assert len(bounds) <= 1, where
        assert max(bounds, default=0) <= MAX_BOUND, where
        if answer.holds:
            self.held += 1
        return answer, where


def resigned(held, payload, seed):
    return dict(held.evidence) | {ATTEST: render_envelope(sign(IN_TOTO, payload, [key(seed)]))}


def payload_with(held, name, data):
    """The statement, with the digest of another file of evidence."""
    value = json.loads(read_envelope(held.evidence[ATTEST]).payload)
    value["predicate"]["evidence"][name] = bytes_digest(data)
    return canonical(value)


def report(capsys, name, count):
    with capsys.disabled():
        print(f"\n{name}: {count.tried} mutants, {count.held} that say nothing else hold")


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("name", ["static.json", "types.proof", "smt.unsat", "tests.json"])
def test_files_of_evidence(whole, capsys, name, part):
    held = whole[0]
    count = Count()
    for number, mutant in enumerate(islice(mutants(json.loads(held.evidence[name])), 0, None, part)):
        data = mutant.data + b"\n"
        payload = payload_with(held, name, data)
        if number % SOME == 0:  # what it says is not looked at: one in a few stands for the others
            # with the old signature: the digest tells
            answer, where = count.judge(whole, dict(held.evidence) | {name: data}, mutant, "old signature")
            assert codes_of(answer) == {"evidence-changed"}, where
            # signed again, by a stranger: nobody listens
            evidence = resigned(held, payload, STRANGER) | {name: data}
            answer, where = count.judge(whole, evidence, mutant, "stranger")
            assert codes_of(answer) == {"signer-unknown"}, where
        # signed again, by a signer with authority: found out again, and compared
        evidence = resigned(held, payload, LIAR) | {name: data}
        answer, where = count.judge(whole, evidence, mutant, "liar")
        free = mutant.at[0] in WORD.get(name, ())
        assert not answer.holds or free, where
        if name == "static.json":
            assert height(answer.level) == 0, where
        elif name != "tests.json" and not free:
            assert height(answer.level) == height(TESTED), where
    report(capsys, name, count)
    assert count.tried > 300 // part
    assert count.held < count.tried // 15


@pytest.mark.parametrize("part", [pytest.param(3, id="a third"), pytest.param(1, id="all_nightly")])
def test_the_statement(whole, capsys, part):
    held = whole[0]
    envelope = read_envelope(held.evidence[ATTEST])
    count = Count()
    for mutant in islice(mutants(json.loads(envelope.payload)), 0, None, part):
        spoiled = render_envelope(envelope._replace(payload=mutant.data))
        answer, where = count.judge(whole, dict(held.evidence) | {ATTEST: spoiled}, mutant, "old signature")
        assert codes_of(answer) & {"signature-invalid", "attestation-malformed"}, where
        assert height(answer.level) == 0, where
        answer, where = count.judge(whole, resigned(held, mutant.data, STRANGER), mutant, "stranger")
        assert codes_of(answer) & {"signer-unknown", "attestation-malformed"}, where
        assert height(answer.level) == 0, where
        answer, where = count.judge(whole, resigned(held, mutant.data, LIAR), mutant, "liar")
        assert not answer.holds or mutant.at in FREE, where
    report(capsys, "statement", count)
    assert count.tried > 300 // part
    assert count.held <= 1


def test_the_envelope(whole, capsys):
    held = whole[0]
    count = Count()
    for mutant in mutants(json.loads(held.evidence[ATTEST])):
        answer, where = count.judge(whole, dict(held.evidence) | {ATTEST: mutant.data}, mutant, "envelope")
        assert not answer.holds, where
        assert height(answer.level) == 0, where
    report(capsys, "envelope", count)
    assert not count.held


def test_files_that_are_cut_or_replaced(whole, capsys):
    """Every file cut short at many places, flipped at many places, emptied, left out, and exchanged for each other one."""
    held = whole[0]
    count = Count()
    for name, data in held.evidence.items():
        spoiled = [data[: len(data) * part // 20] for part in range(20)]
        spots = range(0, len(data), max(1, len(data) // 60))
        spoiled += [data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :] for at in spots]
        spoiled += [other for other in held.evidence.values() if other != data]
        spoiled += [data + b"\n", b"\n" + data, b"\x00" * 100, b"\xff" * 100, None]
        for number, new in enumerate(spoiled):
            evidence = {key: value for key, value in held.evidence.items() if key != name}
            if new is not None:
                evidence[name] = new
            mutant = type("M", (), {"how": f"{name} {number}", "at": ()})
            answer, where = count.judge(whole, evidence, mutant, "bytes")
            assert not answer.holds, where
            assert height(answer.level) == 0, where
    report(capsys, "bytes", count)
