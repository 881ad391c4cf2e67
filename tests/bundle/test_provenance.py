"""Signatures of others beside SKILL.md: judged and shown, and no level rises by them."""

import json

import pytest
from authority_values import anchor, statement
from authority_values import bundle as oms_bundle
from sigstore_values import IDENTITY, ISSUER, TRUSTED_ROOT, bundle, file_bundle
from trust_values import NOW, PEM

from remit.bundle.admit import Inputs, admit
from remit.bundle.provenance import MOST, SignatureStatus, provenance
from remit.bundle.refusal import refuse
from remit.bundle.snapshot import snapshot
from remit.bundle.trust import Authority, Identity, TrustRoot
from remit.manifest.model import Verification
from remit.skill.model import Limits
from remit.skill.walk import Walker

FILES = {"SKILL.md": b"---\nname: pdf\n---\n", "scripts/run.py": b"print(1)"}
WHO = Identity(IDENTITY, ISSUER, Authority("release", Verification.FORMAL))
TRUST = TrustRoot(1, certificates=(anchor(),), identities=(WHO,), sigstore_root=TRUSTED_ROOT)
STRANGER = TrustRoot(1, identities=(WHO._replace(identity="other@example.com"),), sigstore_root=TRUSTED_ROOT)


@pytest.fixture
def folder(tmp_path):
    for path, content in FILES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(content)
    return tmp_path


def held(folder):
    return snapshot(Walker(folder, Limits(), shipped=True).run())


def judged(folder, root=TRUST):
    return [(item.file, str(item.standing), item.code) for item in provenance(held(folder), root, NOW)]


def test_nothing_is_said_of_nothing(folder):
    assert judged(folder) == []


def test_a_signed_folder(folder):
    (folder / "skill.oms.sig").write_bytes(oms_bundle(statement(FILES)))
    assert judged(folder) == [("skill.oms.sig", "verified", "")]
    assert judged(folder, TrustRoot(1)) == [("skill.oms.sig", "untrusted", "")]
    (found,) = provenance(held(folder), TRUST, NOW)
    assert str(found) == "skill.oms.sig: verified, 2 files signed by `CN=Acme Skills`"
    (folder / "scripts/run.py").write_bytes(b"print(2)")
    assert judged(folder) == [("skill.oms.sig", "refused", "oms-file-changed")]


def test_evidence_may_be_signed_or_not_but_is_never_another(folder):
    (folder / "evidence").mkdir()
    (folder / "evidence/static.json").write_bytes(b"{}\n")
    (folder / "skill.oms.sig").write_bytes(oms_bundle(statement(FILES)))
    assert judged(folder) == [("skill.oms.sig", "verified", "")]
    (folder / "skill.oms.sig").write_bytes(oms_bundle(statement({**FILES, "evidence/static.json": b"{}\n"})))
    assert judged(folder) == [("skill.oms.sig", "verified", "")]
    (folder / "evidence/static.json").write_bytes(b"{ }\n")
    assert judged(folder) == [("skill.oms.sig", "refused", "oms-file-changed")]


@pytest.mark.parametrize("suffix", [".sigstore.json", ".sigstore"])
def test_a_signed_file(folder, suffix):
    (folder / f"SKILL.md{suffix}").write_text(json.dumps(file_bundle(FILES["SKILL.md"])))
    assert judged(folder) == [(f"SKILL.md{suffix}", "verified", "")]
    assert judged(folder, STRANGER) == [(f"SKILL.md{suffix}", "untrusted", "keyless-identity")]
    (folder / "SKILL.md").write_bytes(b"another")
    assert judged(folder) == [(f"SKILL.md{suffix}", "refused", "keyless-invalid")]
    (folder / "SKILL.md").rename(folder / "README.md")
    assert judged(folder) == [(f"SKILL.md{suffix}", "refused", "keyless-subject")]


def test_a_statement_about_files(folder):
    said = {"_type": "x", "subject": statement(FILES)["predicate"]["resources"]}
    said["subject"] = [{"name": item["name"], "digest": {"sha256": item["digest"]}} for item in said["subject"]]
    place = folder / "provenance.sigstore.json"
    place.write_text(json.dumps(bundle(json.dumps(said).encode())))
    assert judged(folder) == [(place.name, "verified", "")]
    (folder / "scripts/run.py").write_bytes(b"print(2)")
    assert judged(folder) == [(place.name, "refused", "keyless-subject")]


@pytest.mark.parametrize(
    "said",
    [
        {}, [], {"subject": []}, {"subject": 1}, {"subject": [1]}, {"subject": [{"name": "SKILL.md"}]},
        {"subject": [{"name": "SKILL.md", "digest": {"sha512": "0"}}]}, {"subject": [{"digest": {"sha256": "0"}}]},
        {"subject": [{"name": 1, "digest": {"sha256": "0"}}]}, {"subject": [{"name": "none", "digest": {"sha256": None}}]},
    ],
)  # fmt: skip
def test_a_statement_about_nothing_is_refused(folder, said):
    (folder / "x.sigstore.json").write_text(json.dumps(bundle(json.dumps(said).encode())))
    ((_, standing, code),) = judged(folder)
    assert standing == "refused"
    assert code in ("keyless-subject", "provenance-unjudged")


@pytest.mark.parametrize("data", [b"", b"x", b"[]", b"{}", b'{"dsseEnvelope": 1}', b"\xff", b'{"a": 1, "a": 2}'])
def test_whatever_is_no_signature_is_refused(folder, data):
    for name in ("skill.oms.sig", "SKILL.md.sigstore"):
        (folder / name).write_bytes(data)
    assert {standing for _, standing, _ in judged(folder)} == {"refused"}


def test_what_cannot_be_judged_is_refused(folder):
    (folder / "skill.oms.sig").write_bytes(oms_bundle(statement(FILES)))
    broken = TrustRoot(1, certificates=(anchor(PEM),))
    assert judged(folder, broken) == [("skill.oms.sig", "refused", "provenance-unjudged")]
    (folder / "skill.oms.sig").write_bytes(b" " * (Limits().max_source_bytes + 1))
    assert judged(folder) == [("skill.oms.sig", "refused", "provenance-unjudged")]


def test_many_signatures_are_not_all_judged(folder):
    for number in range(MOST + 2):
        (folder / f"{number}.sigstore").write_bytes(b"")
    found = judged(folder)
    assert len(found) == MOST + 1
    assert found[-1][2] == "provenance-unjudged"


def admitted(folder, root, refused=None):
    return admit(Inputs(held(folder), root, NOW, lambda *_: None, lambda: None, lambda *_: None, refused))


def test_no_level_rises(folder):
    (folder / "skill.oms.sig").write_bytes(oms_bundle(statement(FILES)))
    answer = admitted(folder, TRUST)
    assert answer.level is Verification.UNVERIFIED
    assert not answer.holds
    assert answer.notes == ("skill.oms.sig: verified, 2 files signed by `CN=Acme Skills`",)
    assert admitted(folder, TRUST._replace(require_bundle=True)).refused


def test_a_trust_root_that_is_not_accepted_vouches_for_nobody(folder):
    (folder / "skill.oms.sig").write_bytes(oms_bundle(statement(FILES)))
    assert admitted(folder, TRUST, refuse("root-changed", "x")).notes == ()


def test_standings_are_words():
    assert [str(item) for item in SignatureStatus] == ["verified", "untrusted", "refused"]
