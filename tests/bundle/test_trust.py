"""The trust root: whose word counts, for what, until when."""

import json
from datetime import timedelta

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trust_values import AFTER, BEFORE, NOW, PEM, attempt, authorities, clearances, key, labels, levels, roots, trusted

from each_row import each_row
from remit.bundle import trust as t
from remit.bundle.refusal import Refusal
from remit.bundle.trust_read import parse_trust_root
from remit.bundle.trust_write import render_root, root_digest
from remit.cli.schemas import schema_text
from remit.core.errors import TrustError
from remit.manifest.model import Classification, Verification

SCHEMA = jsonschema.Draft202012Validator(json.loads(schema_text("trust-root")))
DAY = timedelta(days=1)
SECRET = Classification("secret", 3, ("nuclear",), ("NLD", "GBR"))


def code(found) -> str:
    return found.code if isinstance(found, Refusal) else ""


# ── authority ──


@each_row(
    ("more", "wanted"),
    [
        ({}, ""),
        ({"not_before": BEFORE, "not_after": AFTER}, ""),
        ({"not_before": NOW}, ""),
        ({"not_before": NOW + DAY}, "key-not-yet-valid"),
        ({"not_after": NOW}, "key-expired"),
        ({"not_after": NOW - DAY}, "key-expired"),
        ({"revoked": t.Revocation(BEFORE, "stolen")}, "key-revoked"),
        ({"revoked": t.Revocation(AFTER, "to be stolen")}, "key-revoked"),
    ],
)
def test_when_a_key_counts(more, wanted):
    root = t.TrustRoot(1, (trusted(1, **more),))
    assert code(t.authority(root, key(1).public.keyid, NOW)) == wanted


def test_a_key_that_is_not_there_counts_for_nothing():
    assert code(t.authority(t.TrustRoot(1), key(1).public.keyid, NOW)) == "signer-unknown"


# ── labels ──


@each_row(
    ("clearance", "wanted"),
    [
        (t.Clearance(3, ("nuclear",), ("GBR",)), ""),
        (t.Clearance(9, ("crypto", "nuclear"), ("FRA", "NLD")), ""),
        (t.Clearance(2, ("nuclear",), ("GBR",)), "clearance-rank"),
        (t.Clearance(3, ("crypto",), ("GBR",)), "clearance-compartments"),
        (t.Clearance(3, ("nuclear",), ("FRA",)), "clearance-releasability"),
        (t.Clearance(3, ("nuclear",)), "clearance-releasability"),
        (t.Clearance(), "clearance-rank"),
    ],
)
def test_when_a_clearance_dominates(clearance, wanted):
    assert code(t.cleared(clearance, SECRET)) == wanted
    assert t.cleared(clearance, None) is None


@given(clearances, labels, st.data())
def test_less_clearance_never_sees_more(clearance, label, data):
    if t.cleared(clearance, label) is None:
        return
    fewer = t.Clearance(
        data.draw(st.integers(0, clearance.rank)),
        tuple(data.draw(st.sets(st.sampled_from(clearance.compartments)))) if clearance.compartments else (),
        tuple(data.draw(st.sets(st.sampled_from(clearance.releasability)))) if clearance.releasability else (),
    )
    assert t.cleared(fewer, label) is not None


@each_row(
    ("signer", "label", "wanted"),
    [
        (t.Authority("a", Verification.FORMAL, 3, ("nuclear",)), SECRET, ""),
        (t.Authority("a", Verification.FORMAL, 3, ("nuclear",), ("FRA", "GBR", "NLD")), SECRET, ""),
        (t.Authority("a", Verification.FORMAL, 2, ("nuclear",)), SECRET, "signer-rank"),
        (t.Authority("a", Verification.FORMAL, 3), SECRET, "signer-compartments"),
        (t.Authority("a", Verification.FORMAL, 3, ("nuclear",), ("NLD",)), SECRET, "signer-releasability"),
        (t.Authority("a", Verification.FORMAL, 0, (), ("NLD",)), None, "signer-releasability"),
        (t.Authority("a", Verification.FORMAL), None, ""),
    ],
)
def test_for_which_labels_a_signer_speaks(signer, label, wanted):
    assert code(t.speaks_for(signer, label)) == wanted


@given(authorities, labels)
def test_whom_a_signer_may_release_to_can_be_told_from_the_label(signer, label):
    if t.speaks_for(signer, label) is None and signer.releasability:
        outsider = t.Clearance(10**6, tuple(label.compartments), ("somebody else",))
        assert code(t.cleared(outsider, label)) == "clearance-releasability"


# ── names ──


@each_row(
    ("skills", "others", "name", "wanted"),
    [
        ((), (), "pdf", ""),
        (("pdf",), (), "pdf", ""),
        (("pdf",), (), "PDF", "signer-scope"),
        (("pdf",), (), "pdf2", "signer-scope"),
        (("acme/*",), (), "acme/pdf", ""),
        (("acme/*",), (), "acme/", "signer-scope"),
        (("acme/*",), (), "acme", "signer-scope"),
        (("acme/*",), (), "acme-two/pdf", "signer-scope"),
        (("acme/*", "pdf"), ("pdf",), "pdf", ""),
        ((), ("pdf",), "pdf", "signer-scope"),
        ((), ("acme/*",), "acme/pdf", "signer-scope"),
        ((), ("acme/*",), "pdf", ""),
    ],
)
def test_which_names_a_key_may_sign(skills, others, name, wanted):
    root = t.TrustRoot(1, (trusted(1, skills=skills), trusted(2, skills=others)))
    found = t.endorse(root, ids(1), t.Claim(name, None, Verification.FORMAL), NOW)
    assert code(getattr(found, "why", None)) == wanted
    assert code(t.may_sign(root, *ids(1), name, NOW)) == wanted


def test_a_key_that_counts_no_more_keeps_no_names():
    gone = trusted(2, skills=("pdf",), revoked=t.Revocation(BEFORE, "stolen"))
    assert t.may_sign(t.TrustRoot(1, (trusted(1), gone)), *ids(1), "pdf", NOW) is None


@each_row("text", ["*", "acme*", "a*b", "", "/*", "**", "acme/**", "acme/*/x"])
def test_what_names_no_skills_is_refused(text):
    value = json.loads(render_root(t.TrustRoot(1, (trusted(1),))))
    for skills in ([text], []):
        value["keys"][0]["skills"] = skills
        with pytest.raises(TrustError):
            parse_trust_root(json.dumps(value).encode(), "trust.json")
        assert not SCHEMA.is_valid(value)


# ── endorsement ──


def ids(*seeds):
    return [key(seed).public.keyid for seed in seeds]


def test_the_threshold_counts_keys_and_not_signatures():
    root = t.TrustRoot(1, (trusted(1), trusted(2)), threshold=2)
    found = t.endorse(root, [*ids(1), *ids(1)], t.Claim("demo", None, Verification.FORMAL), NOW)
    assert found.why.code == "too-few-signatures"
    assert t.endorse(root, ids(1, 2), t.Claim("demo", None, Verification.FORMAL), NOW).level is Verification.FORMAL


def test_the_level_is_what_enough_signers_may_attest():
    keys = (trusted(1, Verification.FORMAL), trusted(2, Verification.TESTED), trusted(3, Verification.DECLARED))
    root = t.TrustRoot(1, keys, threshold=2)
    found = t.endorse(root, ids(1, 2, 3), t.Claim("demo", None, Verification.FORMAL), NOW)
    assert found.level is Verification.TESTED
    assert [why.code for why in found.refused] == ["signer-level"]
    assert t.endorse(root, ids(1, 2, 3), t.Claim("demo", None, Verification.DECLARED), NOW).refused == ()
    one = root._replace(threshold=1)
    assert t.endorse(one, ids(1, 2), t.Claim("demo", None, Verification.FORMAL), NOW).level is Verification.FORMAL


@each_row(
    ("signer", "wanted"),
    [
        (trusted(1, rank=3, compartments=["nuclear"], not_after=BEFORE), "key-expired"),
        (trusted(1, rank=3, compartments=["nuclear"], revoked=t.Revocation(BEFORE, "lost")), "key-revoked"),
        (trusted(1, rank=2, compartments=["nuclear"]), "signer-rank"),
        (trusted(1, rank=3), "signer-compartments"),
    ],
)
def test_a_signer_without_authority_does_not_count(signer, wanted):
    root = t.TrustRoot(1, (signer, trusted(2, rank=3, compartments=["nuclear"])))
    assert t.endorse(root, ids(1), t.Claim("demo", SECRET, Verification.FORMAL), NOW).why.code == wanted
    both = t.endorse(root, ids(1, 2), t.Claim("demo", SECRET, Verification.FORMAL), NOW)
    assert both.signers == tuple(ids(2))
    assert [why.code for why in both.refused] == [wanted]


def test_of_several_that_are_needed_the_missing_ones_are_said():
    root = t.TrustRoot(1, (trusted(1, not_after=BEFORE), trusted(2)), threshold=2)
    found = t.endorse(root, ids(1, 2), t.Claim("demo", None, Verification.FORMAL), NOW)
    assert found.why.code == "too-few-signatures"
    assert [why.code for why in found.refused] == ["key-expired"]


def test_nobody_signs_nothing():
    root = t.TrustRoot(1, (trusted(1),))
    assert t.endorse(root, (), t.Claim("demo", None, Verification.DECLARED), NOW).why.code == "too-few-signatures"


@given(roots(), st.sets(st.integers(1, 6)), labels, levels, st.integers(1, 6))
def test_one_more_signature_never_harms(root, seeds, label, claimed, more):
    few = t.endorse(root, ids(*seeds), t.Claim("demo", label, claimed), NOW)
    many = t.endorse(root, ids(*seeds, more), t.Claim("demo", label, claimed), NOW)
    if isinstance(few, t.Endorsed):
        assert isinstance(many, t.Endorsed)
        assert t.height(few.level) <= t.height(many.level) <= t.height(claimed)


def test_the_highest_minimum_holds():
    pairs = (("*", Verification.DECLARED), ("file.*", Verification.TESTED), ("pay", Verification.FORMAL))
    root = t.TrustRoot(1, minimum_level=pairs)
    wanted = {"pay": "formal", "file.read": "tested", "web.fetch": "declared"}
    assert {name: t.minimum_for(root, name) for name in wanted} == wanted
    assert t.minimum_for(t.TrustRoot(1), "pay") is Verification.UNVERIFIED


# ── the file ──


@given(roots())
def test_what_is_written_is_read_back_and_fits_the_schema(root):
    written = render_root(root)
    assert parse_trust_root(written.encode(), "trust.json") == root
    SCHEMA.validate(json.loads(written))


def test_the_digest_is_that_of_the_meaning():
    root = t.TrustRoot(1, (trusted(1),))
    full = json.loads(render_root(root)) | {"threshold": 1, "roots": [], "clearance": {"rank": 0}, "$schema": "x"}
    assert root_digest(parse_trust_root(json.dumps(full).encode(), "f")) == root_digest(root)
    assert root_digest(root) != root_digest(root._replace(require_bundle=True))


def document(**changes):
    whole = json.loads(render_root(t.TrustRoot(1, (trusted(1), trusted(2)), roots=tuple(ids(1)))))
    return whole | changes


def with_key(**changes):
    first, second = document()["keys"]
    return document(keys=[first | changes, second])


ANCHOR = {"name": "CA", "level": "declared", "pem": PEM}
WHO = {"name": "CI", "level": "declared", "identity": "ci@example.com", "issuer": "https://example.com"}
WRONG = {
    "a field that nobody knows": document(key=[]),
    "no version": {"keys": []},
    "a version of nothing": document(version=0),
    "a version that is true": document(version=True),
    "a version with a fraction": document(version=1.5),
    "no level": document(keys=[{k: v for k, v in document()["keys"][0].items() if k != "level"}]),
    "a level that is none": with_key(level="proved"),
    "a keyid of another key": with_key(keyid=key(3).public.keyid),
    "a key that is too short": with_key(public="AAAA"),
    "a key that is no text": with_key(public=1),
    "a weak key": with_key(public="AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="),
    "a key twice": document(keys=[document()["keys"][0]] * 2),
    "a rank below all": with_key(rank=-1),
    "a compartment twice": with_key(compartments=["a", "a"]),
    "a name that hides": with_key(name="a\u202eb"),
    "a time that is none": with_key(not_after="2027-02-30T00:00:00Z"),
    "a time without a zone": with_key(not_after="2027-02-20T00:00:00"),
    "never valid": with_key(not_before="2027-01-01T00:00:00Z", not_after="2027-01-01T00:00:00Z"),
    "revoked without a reason": with_key(revoked={"at": "2027-01-01T00:00:00Z"}),
    "revoked by a word": with_key(revoked="yes"),
    "a threshold of nobody": document(threshold=0),
    "a threshold that cannot be reached": document(threshold=3),
    "a root that is no key": document(roots=[key(3).public.keyid]),
    "a root that is no keyid": document(roots=["a"]),
    "a root threshold that cannot be reached": document(root_threshold=2),
    "a bundle that may be wanted": document(require_bundle="yes"),
    "a clearance with a level": document(clearance={"level": 1}),
    "a minimum for nothing": document(minimum_level={"file.raed": "formal"}),
    "a minimum that is a list": document(minimum_level=[]),
    "a minimum that is no level": document(minimum_level={"pay": 3}),
    "a certificate that is none": document(certificates=[ANCHOR | {"pem": "x"}]),
    "two certificates in one": document(certificates=[ANCHOR | {"pem": PEM * 2}]),
    "a private key": document(certificates=[ANCHOR | {"pem": PEM.replace("CERTIFICATE", "PRIVATE KEY")}]),
    "a root of Sigstore that is no document": document(sigstore_root="x"),
    "a root of Sigstore that is a list": document(sigstore_root="[]"),
    "an identity of nobody": document(identities=[WHO | {"identity": ""}]),
    "an identity for everybody": document(identities=[{k: v for k, v in WHO.items() if k != "issuer"}]),
}
ONLY_THE_READER = {
    "a keyid of another key", "a key that is too short", "a weak key", "a key twice", "a time that is none", "never valid",
    "a threshold that cannot be reached", "a root that is no key", "a root threshold that cannot be reached",
    "two certificates in one", "a root of Sigstore that is no document", "a root of Sigstore that is a list",
}  # fmt: skip


@each_row("case", WRONG)
def test_what_is_wrong_is_refused_with_its_place(case):
    with pytest.raises(TrustError, match=r"^trust\.json:\d+:\d+: ") as caught:
        parse_trust_root(json.dumps(WRONG[case]).encode(), "trust.json")
    assert caught.value.remedy
    assert SCHEMA.is_valid(WRONG[case]) == (case in ONLY_THE_READER)


def test_a_key_of_an_object_stands_once():
    with pytest.raises(TrustError, match="occurs twice"):
        parse_trust_root(b'{"version": 1, "version": 2, "keys": []}', "f")


@given(st.binary(max_size=100) | st.text(max_size=60).map(str.encode))
def test_any_bytes_give_a_trust_root_or_a_remedy(data):
    assert attempt(parse_trust_root, data, "f") is None
