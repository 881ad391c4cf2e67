"""Chains of certificates: what must hold of each, and of all together."""

import pytest
from authority_values import CHAIN, LEAF, MIDDLE, ROOT, anchor, issue, key, public_pem, usage
from cryptography import x509
from hypothesis import given
from hypothesis import strategies as st
from trust_values import AFTER, BEFORE, NOW, PEM

from each_row import each_row
from remit.bundle.certificates import Chain, public_key_of, read_chain
from remit.bundle.refusal import Refusal
from remit.core.errors import TrustError

OURS = (anchor(),)


def judge(*made, anchors=OURS, now=NOW):
    return read_chain([one.der for one in made], anchors, now)


def code(found) -> str:
    return found.code if isinstance(found, Refusal) else ""


def test_a_good_chain_leads_to_its_authority():
    for chain in (CHAIN, CHAIN[:2]):  # with its root, or without
        found = judge(*chain)
        assert found.anchor == anchor()
        assert found.subject == "CN=Acme Skills"


def test_an_authority_in_the_middle_can_be_named():
    assert judge(*CHAIN, anchors=[anchor(MIDDLE.pem)]).anchor == anchor(MIDDLE.pem)
    assert judge(LEAF, anchors=[anchor(MIDDLE.pem)]).anchor == anchor(MIDDLE.pem)


def test_a_chain_of_strangers_leads_nowhere():
    assert judge(*CHAIN, anchors=[]).anchor is None
    again = issue("Acme Root", None, number=9)  # the same name, another key
    middle = issue("Acme Signing Authority", again, number=2)
    leaf = issue("Acme Skills", middle, ca=False, number=3)
    for chain in ((leaf, middle, again), (leaf, middle)):
        assert judge(*chain).anchor is None


def test_a_stranger_cannot_hang_on_to_an_authority():
    own = issue("Acme Root", None, number=9)
    leaf = issue("Acme Skills", own, ca=False, number=3)
    assert code(judge(leaf, ROOT)) == "chain-broken"
    assert code(judge(leaf, MIDDLE, ROOT)) == "chain-broken"


def test_the_order_counts():
    assert code(judge(LEAF, ROOT, MIDDLE)) in ("chain-broken", "certificate-usage")
    assert code(judge(MIDDLE, LEAF, ROOT)) == "certificate-usage"
    assert code(judge(ROOT)) == "certificate-usage"


PURPOSE = x509.ExtendedKeyUsage([x509.ExtendedKeyUsageOID.SERVER_AUTH])
CODE = x509.ExtendedKeyUsage([x509.ExtendedKeyUsageOID.CODE_SIGNING])
STRANGE = x509.UnrecognizedExtension(x509.ObjectIdentifier("1.2.3.4"), b"x")
NAMES = x509.NameConstraints([x509.DNSName("example.com")], None)


@each_row(
    ("how", "wanted"),
    [
        ({}, ""),
        ({"more": ((CODE, False),)}, ""),
        ({"more": ((STRANGE, False),)}, ""),
        ({"ca": None}, ""),
        ({"kind": "P-256"}, ""),
        ({"kind": "Ed25519"}, ""),
        ({"kind": "RSA"}, ""),
        ({"kind": "P-521"}, "certificate-algorithm"),
        ({"kind": "short RSA"}, "certificate-algorithm"),
        ({"end": NOW.replace(day=1, month=5)}, "certificate-expired"),
        ({"start": NOW.replace(day=2)}, "certificate-expired"),
        ({"ca": True}, "certificate-usage"),
        ({"uses": usage(key_agreement=True)}, "certificate-usage"),
        ({"uses": "none"}, "certificate-usage"),
        ({"more": ((PURPOSE, False),)}, "certificate-usage"),
        ({"more": ((STRANGE, True),)}, "certificate-usage"),
        ({"more": ((NAMES, False),)}, "certificate-usage"),
    ],
)
def test_what_a_signer_must_be(how, wanted):
    leaf = issue("Acme Skills", MIDDLE, **({"ca": False, "number": 3} | how))
    assert code(judge(leaf, MIDDLE, ROOT)) == wanted


@each_row(
    ("how", "wanted"),
    [
        ({}, ""),
        ({"kind": "Ed25519"}, ""),
        ({"kind": "RSA"}, ""),
        ({"ca": False}, "certificate-usage"),
        ({"ca": False, "uses": usage(key_cert_sign=True)}, "certificate-usage"),
        ({"ca": None}, "certificate-usage"),
        ({"ca": None, "uses": usage(key_cert_sign=True)}, "certificate-usage"),
        ({"uses": usage(crl_sign=True)}, "certificate-usage"),
        ({"uses": "none"}, "certificate-usage"),
        ({"end": NOW.replace(day=1, month=5)}, "certificate-expired"),
        ({"kind": "P-521"}, "certificate-algorithm"),
        ({"more": ((NAMES, True),)}, "certificate-usage"),
    ],
)
@each_row("given_root", [True, False])
def test_what_an_authority_must_be(how, wanted, given_root):
    middle = issue("Acme Signing Authority", ROOT, **({"number": 2} | how))
    leaf = issue("Acme Skills", middle, ca=False, number=3)
    assert code(judge(leaf, middle, *([ROOT] if given_root else []))) == wanted


def test_an_authority_of_the_trust_root_must_be_one_too():
    old = issue("Acme Root", None, number=1, end=NOW.replace(day=1, month=5))
    assert code(judge(*CHAIN[:2], anchors=[anchor(old.pem)])) == "certificate-expired"


def test_how_long_a_chain_may_be():
    short = issue("Acme Root", None, number=1, length=0)
    middle = issue("Acme Signing Authority", short, number=2)
    leaf = issue("Acme Skills", middle, ca=False, number=3)
    assert code(judge(leaf, middle, short, anchors=[anchor(short.pem)])) == "certificate-usage"
    assert code(judge(leaf, middle, anchors=[anchor(short.pem)])) == "certificate-usage"
    assert code(read_chain([], [anchor()], NOW)) == "chain-malformed"
    assert code(judge(LEAF, *[MIDDLE] * 8)) == "chain-malformed"


def test_who_the_trust_root_wants():
    assert code(judge(*CHAIN, anchors=[anchor(subjects=("CN=Somebody else",))])) == "certificate-subject"
    assert judge(*CHAIN, anchors=[anchor(subjects=(LEAF.subject,))]).anchor


@given(st.binary(max_size=200))
def test_any_bytes_are_judged(data):
    assert code(read_chain([data, MIDDLE.der], [anchor()], NOW)) == "chain-malformed"


@given(st.data())
def test_any_flipped_bit_breaks_the_chain(data):
    der = bytearray(LEAF.der)
    bit = data.draw(st.integers(0, 8 * len(der) - 1))
    der[bit // 8] ^= 1 << bit % 8
    found = read_chain([bytes(der), MIDDLE.der, ROOT.der], [anchor()], NOW)
    assert isinstance(found, Refusal)


def test_what_the_reader_wrote_wrong_is_an_error():
    with pytest.raises(TrustError, match="cannot be read"):
        judge(*CHAIN, anchors=[anchor(PEM)])
    with pytest.raises(TrustError, match="cannot be used"):
        public_key_of(anchor(PEM.replace("CERTIFICATE", "PUBLIC KEY")))
    with pytest.raises(TrustError, match="cannot be used"):
        public_key_of(anchor(public_pem(key("P-521"))))
    assert public_key_of(anchor()) is None
    assert public_key_of(anchor(public_pem(key("P-256"))))
    assert isinstance(judge(*CHAIN, anchors=[anchor(public_pem(key("P-256"))), anchor()]), Chain)


def test_the_time_is_the_one_that_is_given():
    assert code(judge(*CHAIN, now=AFTER.replace(year=2030))) == "certificate-expired"
    assert code(judge(*CHAIN, now=BEFORE.replace(year=2020))) == "certificate-expired"
