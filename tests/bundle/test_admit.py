"""Admission: a bundle that is whole is admitted, and every reason that the table lists can be provoked."""

import json
import os
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from bundle_values import (
    DECLARED,
    FORMAL,
    LABEL,
    MADE,
    MANIFEST,
    NOW,
    ROOT,
    SCRIPT,
    TESTED,
    admitted,
    codes_of,
    labelled,
    make,
    prove,
    record_for,
    write_skill,
)  # fmt: skip
from trust_values import BEFORE, key, trusted

from each_row import each_row
from remit.bundle.admission import State
from remit.bundle.admit import FailedStep
from remit.bundle.codes import Cost, codes
from remit.bundle.dsse import IN_TOTO, read_envelope, render_envelope, sign
from remit.bundle.proof_evidence import Attempt, Proofs
from remit.bundle.refusal import refuse
from remit.bundle.trust import Clearance, Revocation
from remit.bundle.verified import VerifiedBundle
from remit.bundle.versions import Publication, check_version, record_version
from remit.capsule.run import Ending
from remit.capsule.verdict import Finding, Run, Source
from remit.core.digest import bytes_digest, canonical
from remit.manifest.model import Verification
from remit.proof.verdict import Refuted, Unknown

UNVERIFIED = Verification.UNVERIFIED


@pytest.fixture
def skill(tmp_path):
    """A skill with a bundle at the level `declared`."""
    folder = write_skill(tmp_path / "demo")
    assert make(folder).files is not None
    return folder


def statement(folder):
    return json.loads(read_envelope((folder / "evidence/manifest.attest.json").read_bytes()).payload)


def resign(folder, value, seeds=(1,)):
    envelope = sign(IN_TOTO, canonical(value), [key(seed) for seed in seeds])
    (folder / "evidence/manifest.attest.json").write_bytes(render_envelope(envelope))


def relabel(tmp_path, **label):
    folder = write_skill(tmp_path / "labelled", labelled(**label))
    make(folder)
    return folder


CLEARED = ROOT._replace(keys=(trusted(1, rank=5, compartments=["red"]),), clearance=Clearance(3, ("red",), ("us",)))


def test_a_bundle_that_is_whole_is_admitted(skill):
    answer = admitted(skill)
    assert answer.holds
    assert (answer.level, answer.claimed, answer.reasons) == (DECLARED, DECLARED, ())
    assert [step.state for step in answer.steps] == [State.OK] * 6 + [State.UNCLAIMED] * 2 + [State.OK]
    assert answer.bundle.held.level is DECLARED
    assert answer.bundle.held.manifest.skill_metadata.name == "demo"
    assert answer.bundle.held.signers == (key(1).public.keyid,)


def test_a_label_that_is_dominated_is_admitted(tmp_path):
    assert admitted(relabel(tmp_path), CLEARED).holds


def test_a_key_that_nobody_knows_takes_nothing_away(tmp_path):
    folder = write_skill(tmp_path / "demo")
    make(folder, seeds=(1, 9))
    answer = admitted(folder)
    assert answer.holds
    assert key(9).public.keyid in answer.notes[0]


def test_several_signatures_reach_a_threshold(tmp_path):
    folder = write_skill(tmp_path / "demo")
    make(folder, seeds=(1, 2))
    assert admitted(folder, ROOT._replace(threshold=2)).holds


def expect(answer, code, level=UNVERIFIED):
    assert code in codes_of(answer), answer.reasons
    assert not answer.holds
    assert answer.level is level
    assert answer.refused is (codes()[code].costs is Cost.REFUSED)
    assert (answer.bundle is None) is (level is UNVERIFIED)


# (1) parse


def test_folder_refused(skill):
    os.mkfifo(skill / "pipe")
    expect(admitted(skill), "folder-refused")


@pytest.mark.parametrize("name", ["evidence/pipe", "evidence/static.json"])
def test_folder_refused_for_special_files_in_evidence(skill, name):
    (skill / name).unlink(missing_ok=True)
    os.mkfifo(skill / name)
    expect(admitted(skill), "folder-refused")


@pytest.mark.parametrize(
    "names", [("A.txt", "a.txt"), ("é.txt", "e\u0301.txt"), ("Evidence/x", "evidence/static.json")]
)
def test_names_collide(skill, names):
    for name in names:
        (skill / name).parent.mkdir(exist_ok=True)
        if not (skill / name).exists():
            (skill / name).write_text("x")
    expect(admitted(skill), "names-collide")


@pytest.mark.parametrize("name", ["run.sh", "static.json.bak", ".hidden", "more/static.json", "STATIC.JSON2"])
def test_evidence_stray(skill, name):
    (skill / "evidence" / name).parent.mkdir(exist_ok=True)
    (skill / "evidence" / name).write_text("rm -rf ~\n")
    expect(admitted(skill), "evidence-stray")


def test_evidence_stray_for_links(skill):
    (skill / "evidence/tests.json").symlink_to("static.json")
    expect(admitted(skill), "evidence-stray")
    (skill / "evidence").rename(skill / "other")
    (skill / "evidence").symlink_to("other")
    expect(admitted(skill), "evidence-stray")


def test_evidence_stray_for_a_file_that_is_too_large(skill):
    (skill / "evidence/types.proof").write_bytes(b" " * (4 * 1024 * 1024 + 1))
    expect(admitted(skill), "evidence-stray")


def test_no_bundle(skill):
    (skill / "evidence/manifest.attest.json").unlink()
    expect(admitted(skill), "no-bundle")
    (skill / "evidence/static.json").unlink()
    (skill / "evidence/label.json").unlink()
    (skill / "evidence").rmdir()
    expect(admitted(skill), "no-bundle")
    answer = admitted(skill, ROOT._replace(require_bundle=True))
    assert answer.refused
    assert answer.level is UNVERIFIED


def test_a_skill_that_claims_nothing_does_not_hold(skill):
    (skill / "evidence/manifest.attest.json").unlink()
    answer = admitted(skill)
    assert answer.claimed is answer.level is UNVERIFIED
    assert not answer.holds


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"\xff", b"[" * 100_000, b'{"payload":"","payloadType":"x","signatures":[]}']
)
def test_attestation_malformed(skill, data):
    (skill / "evidence/manifest.attest.json").write_bytes(data)
    expect(admitted(skill), "attestation-malformed")


def test_attestation_malformed_if_its_evidence_is_not_that_of_its_level(skill):
    value = statement(skill)
    value["predicate"]["level"] = "formal"
    resign(skill, value)
    expect(admitted(skill), "attestation-malformed")


def test_attestation_malformed_if_a_subject_stands_twice(skill):
    value = statement(skill)
    value["subject"].append(value["subject"][0])
    resign(skill, value)
    expect(admitted(skill), "attestation-malformed")


def test_manifest_missing(skill):
    (skill / "remit.json").unlink()
    expect(admitted(skill), "manifest-missing")
    (skill / "remit.json").write_text("{")
    expect(admitted(skill), "manifest-missing")


# (2) signature and signer


def test_the_trust_root_is_not_the_one_that_was_accepted(skill):
    for code in ("root-changed", "root-rolled-back", "root-version", "root-unsigned"):
        expect(admitted(skill, root_refused=refuse(code, "as the store says")), code)


def test_signature_invalid(skill):
    path = skill / "evidence/manifest.attest.json"
    envelope = read_envelope(path.read_bytes())
    (good,) = envelope.signatures
    flipped = good._replace(sig=bytes([good.sig[0] ^ 1]) + good.sig[1:])
    path.write_bytes(render_envelope(envelope._replace(signatures=(flipped,))))
    expect(admitted(skill), "signature-invalid")


def test_signature_repeated(skill):
    path = skill / "evidence/manifest.attest.json"
    envelope = read_envelope(path.read_bytes())
    path.write_bytes(render_envelope(envelope._replace(signatures=envelope.signatures * 2)))
    expect(admitted(skill), "signature-repeated")


@pytest.mark.parametrize(
    ("keys", "code"),
    [
        ((trusted(2),), "signer-unknown"),
        ((trusted(1, not_before=NOW + timedelta(days=1)),), "key-not-yet-valid"),
        ((trusted(1, not_after=NOW),), "key-expired"),
        ((trusted(1, revoked=Revocation(BEFORE, "lost")),), "key-revoked"),
        ((trusted(1, UNVERIFIED),), "signer-level"),
    ],
)
def test_signers_without_authority(skill, keys, code):
    expect(admitted(skill, ROOT._replace(keys=keys)), code)


def test_too_few_signatures(skill):
    expect(admitted(skill, ROOT._replace(threshold=2)), "too-few-signatures")


@each_row(
    ("signer", "code"),
    [
        (trusted(1, rank=1, compartments=["red"]), "signer-rank"),
        (trusted(1, rank=5), "signer-compartments"),
        (trusted(1, rank=5, compartments=["red"], releasability=["nato"]), "signer-releasability"),
    ],
)
def test_signers_that_may_not_speak_for_the_label(tmp_path, signer, code):
    expect(admitted(relabel(tmp_path), CLEARED._replace(keys=(signer,))), code)


def test_the_last_moment_of_all_is_a_time(skill):
    assert admitted(skill, now=datetime.max.replace(tzinfo=UTC)).holds


def test_signatures_cannot_be_checked_without_the_package(skill, monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "cryptography"]:
        monkeypatch.setitem(sys.modules, name, None)
    answer = admitted(skill)
    assert codes_of(answer) == {"admission-failed"}
    assert "pip install 'remit[prove]'" in answer.reasons[0].detail


def test_time_ahead(skill):
    expect(admitted(skill, now=MADE - timedelta(days=1)), "time-ahead")


# (3) clearance


@each_row(
    ("clearance", "code"),
    [
        (Clearance(1, ("red",), ("us",)), "clearance-rank"),
        (Clearance(3, ("blue",), ("us",)), "clearance-compartments"),
        (Clearance(3, ("red",), ("fr",)), "clearance-releasability"),
        (Clearance(3, ("red",), ()), "clearance-releasability"),
    ],
)
def test_readers_without_clearance(tmp_path, clearance, code):
    expect(admitted(relabel(tmp_path), CLEARED._replace(clearance=clearance)), code)


def test_label_differs(tmp_path):
    folder = relabel(tmp_path)
    value = statement(folder)
    value["predicate"]["label"] = LABEL | {"rank": 1}
    resign(folder, value)
    expect(admitted(folder, CLEARED), "label-differs")
    del value["predicate"]["label"]
    resign(folder, value)
    expect(admitted(folder, CLEARED), "label-differs")


# (4) digests


def test_file_missing(skill):
    (skill / "scripts/fetch.py").unlink()
    expect(admitted(skill, analyse=lambda: None), "file-missing")


def test_file_added(skill):
    (skill / "scripts/other.py").write_text("pass\n")
    expect(admitted(skill), "file-added")


def test_file_changed(skill):
    (skill / "scripts/fetch.py").write_text(SCRIPT + "\n")
    expect(admitted(skill), "file-changed")


def test_file_mode(skill):
    (skill / "scripts/fetch.py").chmod(0o755)
    expect(admitted(skill), "file-mode")


def test_link_changed(skill, tmp_path):
    (skill / "twin.py").symlink_to("scripts/fetch.py")
    expect(admitted(skill), "link-changed")
    linked = write_skill(tmp_path / "linked")
    (linked / "twin.py").symlink_to("scripts/fetch.py")
    (linked / "all").symlink_to("scripts")
    make(linked)
    assert admitted(linked).holds
    (linked / "twin.py").unlink()
    (linked / "twin.py").write_text(SCRIPT)  # the same bytes, and no link
    expect(admitted(linked), "link-changed")


def test_link_changed_if_it_leads_to_nothing(skill):
    (skill / "twin.py").symlink_to("scripts/gone.py")
    expect(admitted(skill), "link-changed")


def test_manifest_changed(skill):
    value = statement(skill)
    for field, wrong in (("digest", "sha256:" + "0" * 64), ("file", "skill.json")):
        changed = json.loads(json.dumps(value))
        changed["predicate"]["manifest"][field] = wrong
        resign(skill, changed)
        expect(admitted(skill), "manifest-changed")
    for field in ("skill", "version"):
        changed = json.loads(json.dumps(value))
        changed["predicate"][field] = "2"
        resign(skill, changed)
        expect(admitted(skill), "manifest-changed")


def test_evidence_missing_changed_and_added(skill):
    static = skill / "evidence/static.json"
    data = static.read_bytes()
    static.unlink()
    expect(admitted(skill), "evidence-missing")
    static.write_bytes(data.replace(b"contained", b"contaimed"))
    expect(admitted(skill), "evidence-changed")
    static.write_bytes(data)
    (skill / "evidence/smt.unsat").write_bytes(b"{}\n")
    expect(admitted(skill), "evidence-added")


# (5) version


def test_versions(skill, tmp_path):
    state = tmp_path / "state"

    def seen(new):
        return check_version(state, new)

    def record(version):
        signers = (key(1).public.keyid,)
        assert record_version(state, Publication("demo", version, "sha256:other", signers, {})) is None

    assert admitted(skill, seen=seen).holds
    record("1.2")
    expect(admitted(skill, seen=seen), "version-reused")
    record("1.3")
    expect(admitted(skill, seen=seen), "version-replayed")
    (state / "state.db").write_bytes(b"no database")
    expect(admitted(skill, seen=seen), "store-unusable")


def test_version_unreadable(tmp_path):
    named = {**MANIFEST, "skill_metadata": {"name": "demo", "version": "newest"}}
    folder = write_skill(tmp_path / "demo", named)
    make(folder)
    expect(admitted(folder, seen=lambda new: check_version(tmp_path / "state", new)), "version-unreadable")


# (6) Method A


def test_analysis_failed(skill):
    expect(admitted(skill, analyse=lambda: FailedStep("it took longer than 1 second")), "analysis-failed")


def lie(folder, script):
    """A bundle by a signer with authority whose script does something else than its static.json says."""
    make(folder)
    (folder / "scripts/fetch.py").write_text(script)
    value = statement(folder)
    import hashlib

    for subject in value["subject"]:
        if subject["name"] == "scripts/fetch.py":
            subject["digest"]["sha256"] = hashlib.sha256(script.encode()).hexdigest()
    resign(folder, value)
    return folder


def test_analysis_escapes(tmp_path):
    folder = lie(write_skill(tmp_path / "demo"), SCRIPT + 'import os\nos.remove("/etc/passwd")\n')
    expect(admitted(folder), "analysis-escapes")


def test_analysis_opaque(tmp_path):
    folder = lie(write_skill(tmp_path / "demo"), SCRIPT + "import frobnicate\nfrobnicate.go()\n")
    expect(admitted(folder), "analysis-opaque")


def test_static_differs_where_the_same_analyser_finds_something_else(tmp_path):
    folder = lie(write_skill(tmp_path / "demo"), "\n" + SCRIPT)  # the same effects, one line below
    expect(admitted(folder), "static-differs")


def rewrite_static(folder, change):
    """Another static.json by a signer with authority."""
    path = folder / "evidence/static.json"
    value = json.loads(path.read_bytes())
    change(value)
    path.write_bytes(canonical(value) + b"\n")
    said = statement(folder)
    said["predicate"]["evidence"]["static.json"] = bytes_digest(path.read_bytes())
    said["predicate"]["toolchain"]["analyser"] = value.get("analyser", said["predicate"]["toolchain"]["analyser"])
    resign(folder, said)


def test_another_analyser_that_came_to_the_same_verdict_is_compared_by_verdict(skill):
    def other(value):
        value["analyser"]["version"] = "0.0.9"
        value["effects"] = {}

    rewrite_static(skill, other)
    assert admitted(skill).holds


@pytest.mark.parametrize(("field", "wrong"), [("verdict", "escapes"), ("manifest", "sha256:" + "0" * 64)])
def test_static_differs_where_another_analyser_came_to_another_verdict(skill, field, wrong):
    def other(value):
        value["analyser"]["version"] = "0.0.9"
        value[field] = wrong

    rewrite_static(skill, other)
    expect(admitted(skill), "static-differs")


def test_static_malformed(skill):
    rewrite_static(skill, lambda value: value.pop("residuals"))
    expect(admitted(skill), "static-malformed")


# (7) and (8) Methods B and C


@pytest.fixture
def formal(tmp_path):
    """A skill with a bundle at the level `formal`."""
    folder = write_skill(tmp_path / "formal")
    assert make(folder, FORMAL).files is not None
    return folder


def rewrite(folder, name, data):
    """Other evidence by a signer with authority."""
    (folder / "evidence" / name).write_bytes(data)
    said = statement(folder)
    said["predicate"]["evidence"][name] = bytes_digest(data)
    resign(folder, said)


def test_a_formal_bundle_is_admitted(formal):
    answer = admitted(formal)
    assert answer.holds
    assert answer.level is FORMAL
    assert [step.state for step in answer.steps] == [State.OK] * 9


def test_what_is_not_proved_again_degrades_to_tested_if_it_was_tested(tmp_path):
    folder = write_skill(tmp_path / "demo")
    make(folder, FORMAL, tests=record_for(folder))
    assert admitted(folder).holds
    rewrite(folder, "types.proof", b"{}\n")
    expect(admitted(folder), "types-malformed", TESTED)


@pytest.mark.parametrize(("name", "code"), [("types.proof", "types-malformed"), ("smt.unsat", "sessions-malformed")])
def test_proofs_that_are_malformed(formal, name, code):
    rewrite(formal, name, b"{}\n")
    expect(admitted(formal), code, TESTED)


@pytest.mark.parametrize(("name", "code"), [("types.proof", "types-differ"), ("smt.unsat", "sessions-differ")])
def test_proofs_that_differ(formal, name, code):
    value = json.loads((formal / "evidence" / name).read_bytes())
    value["manifest"] = "sha256:" + "0" * 64
    rewrite(formal, name, canonical(value) + b"\n")
    expect(admitted(formal), code, TESTED)


@pytest.mark.parametrize(("tools", "code"), [("checkers", "types-differ"), ("solvers", "sessions-differ")])
def test_tools_that_the_attestation_names_otherwise(formal, tools, code):
    value = statement(formal)
    value["predicate"]["toolchain"][tools][0]["version"] = "0"
    resign(formal, value)
    expect(admitted(formal), code, TESTED)


@pytest.mark.parametrize(
    ("outcome", "code"), [(Refuted(("a trace",)), "{}-refuted"), (Unknown("z3 is not installed"), "{}-unknown")]
)
@pytest.mark.parametrize("method", [0, 1])
def test_proofs_that_are_not_repeated(formal, outcome, code, method):
    """`types-refuted`, `sessions-refuted`, `types-unknown`, `sessions-unknown`."""

    def failing(*what):
        proofs = list(prove(*what))
        proofs[method] = Attempt(outcome, proofs[method].evidence)
        return Proofs(*proofs)

    answer = admitted(formal, prove=failing)
    expect(answer, code.format(("types", "sessions")[method]), TESTED)


@pytest.mark.parametrize(("bound", "code"), [(99, "bound-short"), (1001, "bound-excessive")])
def test_bounds(formal, bound, code):
    value = statement(formal)
    value["predicate"]["bound"] = bound
    resign(formal, value)
    expect(admitted(formal), code, TESTED)


def test_a_bound_that_is_not_that_of_the_proof(formal):
    value = statement(formal)
    value["predicate"]["bound"] = 101
    resign(formal, value)
    expect(admitted(formal), "sessions-differ", TESTED)


def test_a_bound_below_the_horizon_is_not_proved(tmp_path):
    shown = make(write_skill(tmp_path / "demo"), FORMAL, bound=99)
    assert shown.files is None
    assert shown.level is TESTED


def test_formal_needs_a_record_of_tests(tmp_path):
    shown = make(write_skill(tmp_path / "demo"), FORMAL, tests=b"{}\n")
    assert (shown.files, shown.level, shown.proofs) == (None, DECLARED, None)
    assert shown.untested.startswith("tests-malformed")


def test_a_formal_claim_without_a_record_is_malformed(formal):
    (formal / "evidence/tests.json").unlink()
    said = statement(formal)
    del said["predicate"]["evidence"]["tests.json"]
    resign(formal, said)
    expect(admitted(formal), "attestation-malformed", UNVERIFIED)


BROAD = {**MANIFEST, "permissions": [*MANIFEST["permissions"], {"capability": "shell.execute", "effect": "confirm"}]}


@each_row(("most", "holds"), [(None, True), (1, True), (0, False)])
def test_a_trust_root_limits_the_breadth_of_formal(tmp_path, most, holds):
    folder = write_skill(tmp_path / "demo", BROAD)
    assert make(folder, FORMAL).files is not None
    assert statement(folder)["predicate"]["breadth"] == 1
    answer = admitted(folder, ROOT._replace(unlimited_grants=most))
    assert answer.holds is holds
    assert "unlimited grant: shell.execute any after a question" in answer.notes
    if not holds:
        expect(answer, "too-broad", TESTED)


def test_a_breadth_that_is_not_that_of_the_manifest(tmp_path):
    folder = write_skill(tmp_path / "demo", BROAD)
    make(folder, FORMAL)
    said = statement(folder)
    said["predicate"]["breadth"] = 0
    resign(folder, said)
    expect(admitted(folder), "breadth-differs", TESTED)


# (9) level


@pytest.fixture
def tested(tmp_path):
    """A skill with a bundle at the level `tested`."""
    folder = write_skill(tmp_path / "tested")
    assert make(folder, TESTED, tests=record_for(folder)).files is not None
    return folder


def test_a_record_of_tests_is_admitted(tested):
    answer = admitted(tested)
    assert answer.holds
    assert answer.level is TESTED


def test_tests_malformed(tested):
    rewrite(tested, "tests.json", b"{}\n")
    expect(admitted(tested), "tests-malformed", DECLARED)


@pytest.mark.parametrize("field", ["content", "manifest", "skill"])
def test_tests_differ(tested, field):
    rewrite(tested, "tests.json", record_for(tested, **{field: "sha256:" + "0" * 64}))
    expect(admitted(tested), "tests-differ", DECLARED)


FAILING = Run(("make", "test"), Source.DISCOVERED, Ending.EXITED, 1)


@pytest.mark.parametrize(
    "wrong",
    [
        {"runs": ()},
        {"runs": (FAILING,)},
        {"runs": (FAILING._replace(code=0, how=Ending.TIME),)},
        {"runs": (FAILING._replace(code=0, problems=("events were lost",)),)},
        {"outside": (Finding("pay", "any", "done", (0,)),)},
        {"untested": (("pay", "any", ""),)},
        {"exercised": ()},
    ],
)
def test_tests_short(tested, wrong):
    rewrite(tested, "tests.json", record_for(tested, **wrong))
    expect(admitted(tested), "tests-short", DECLARED)


def test_tests_short_whatever_a_record_says_of_itself(tested):
    said = record_for(tested, runs=(FAILING,)).replace(b'"level_reached":false', b'"level_reached":true')
    rewrite(tested, "tests.json", said)
    expect(admitted(tested), "tests-short", DECLARED)


def test_a_level_that_does_not_hold_is_not_proved(tmp_path):
    folder = write_skill(tmp_path / "demo")
    for record in (None, b"", record_for(folder, runs=(FAILING,))):
        shown = make(folder, TESTED, tests=record)
        assert shown.files is None
        assert shown.level is DECLARED
    assert not (folder / "evidence").exists()


def test_claim_unsupported(tmp_path):
    folder = write_skill(tmp_path / "demo", {**MANIFEST, "verification": "formal"})
    make(folder)
    answer = admitted(folder)
    expect(answer, "claim-unsupported", DECLARED)
    assert answer.claimed is DECLARED


def test_admission_failed(skill):
    def broken():
        raise ZeroDivisionError

    expect(admitted(skill, analyse=broken), "admission-failed")


# what holds for all


def test_nothing_dear_is_begun_for_a_bundle_that_is_not_whole(skill):
    (skill / "scripts/fetch.py").write_text("pass\n")
    answer = admitted(skill, analyse=lambda: pytest.fail("reached"), prove=lambda *_: pytest.fail("reached"))
    assert [step.state for step in answer.steps[4:]] == [State.SKIPPED] * 5


def test_a_verified_bundle_is_made_by_admission_alone(skill):
    import copy
    import pickle

    bundle = admitted(skill).bundle
    with pytest.raises(TypeError):
        VerifiedBundle()
    with pytest.raises(TypeError):
        object.__new__(VerifiedBundle).held  # noqa: B018
    for act in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError):
            act(bundle)
    with pytest.raises(TypeError):
        bundle.level = FORMAL
    with pytest.raises(TypeError):
        VerifiedBundle.held = property(lambda _: "anything")
    with pytest.raises(TypeError):
        del VerifiedBundle.held
    from remit.bundle.verified import claim_issuing

    with pytest.raises(TypeError):
        claim_issuing()


def test_every_code_has_a_test():
    here = Path(__file__).parent
    texts = "".join(
        (here / f"test_{name}.py").read_text("utf-8")
        for name in ("admit", "admit_any", "enclawed_attacks", "label", "forgeries")
    )
    assert not [name for name in codes() if f'"{name}"' not in texts and f"`{name}`" not in texts]
