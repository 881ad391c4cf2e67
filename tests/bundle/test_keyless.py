"""Sigstore bundles, judged without the network, in a Sigstore of our own."""

import copy
import json
import socket
import sys

import pytest
from authority_values import anchor, encoded, statement
from hypothesis import given, settings
from hypothesis import strategies as st
from sigstore_values import _SIGNER, IDENTITY, ISSUER, TRUSTED_ROOT, bundle
from trust_values import NOW

from remit.bundle.keyless import Vouched, verify_keyless
from remit.bundle.oms import Folder, Untrusted, Verified, verify_oms
from remit.bundle.refusal import Refusal
from remit.bundle.trust import Authority, Identity, TrustRoot
from remit.manifest.model import Verification

WHO = Identity(IDENTITY, ISSUER, Authority("release", Verification.TESTED))
OTHER = Identity("other@example.com", ISSUER, Authority("other", Verification.FORMAL))
TRUST = TrustRoot(1, identities=(OTHER, WHO), sigstore_root=TRUSTED_ROOT)
PAYLOAD = b'{"a": 1}'
GOOD = bundle(PAYLOAD)


@pytest.fixture(autouse=True)
def _no_network(monkeypatch):
    def refuse(*_):
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


def judge(document=GOOD, root=TRUST):
    return verify_keyless(document if isinstance(document, bytes) else json.dumps(document).encode(), root)


def code(found) -> str:
    return found.code if isinstance(found, Refusal) else type(found).__name__


def test_a_named_identity_is_believed_as_far_as_it_is_named():
    assert judge() == Vouched(WHO, PAYLOAD)


@pytest.mark.parametrize(
    ("document", "root", "wanted"),
    [
        (GOOD, TRUST._replace(identities=(OTHER,)), "keyless-identity"),
        (GOOD, TRUST._replace(identities=()), "keyless-identity"),
        (GOOD, TRUST._replace(identities=(WHO._replace(issuer="https://other.example.com"),)), "keyless-identity"),
        (bundle(PAYLOAD, identity="stranger@example.com"), TRUST, "keyless-identity"),
        (GOOD, TRUST._replace(sigstore_root=""), "keyless-root"),
        (GOOD, TRUST._replace(sigstore_root="{}"), "keyless-root"),
        (GOOD, TRUST._replace(sigstore_root="x"), "keyless-root"),
        (GOOD, TRUST._replace(sigstore_root=TRUSTED_ROOT.replace("version=0.1", "version=9")), "keyless-root"),
        (bundle(PAYLOAD, log=_SIGNER), TRUST, "keyless-invalid"),
        (bundle(PAYLOAD, ct_log=_SIGNER), TRUST, "keyless-invalid"),
        (bundle(PAYLOAD, payload_type="text/plain"), TRUST, "keyless-invalid"),
        (b"", TRUST, "keyless-malformed"),
        (b"{}", TRUST, "keyless-malformed"),
        (b" " * (17 * 1024 * 1024), TRUST, "keyless-malformed"),
    ],
)
def test_what_is_refused(document, root, wanted):
    found = judge(document, root)
    assert code(found) == wanted
    assert found.remedy


def test_another_payload_does_not_hold():
    changed = copy.deepcopy(GOOD)
    changed["dsseEnvelope"]["payload"] = encoded(b'{"a": 2}')
    assert code(judge(changed)) == "keyless-invalid"


@given(st.binary(max_size=100))
@settings(max_examples=30)
def test_any_bytes_are_refused(data):
    assert code(judge(data)) == "keyless-malformed"


def places(value, path=()):
    if path:
        yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for part, item in inner:
        yield from places(item, (*path, part))


NOT_SIGNED = {"keyid", "mediaType"}  # a name for nobody; another form of the same bundle


@given(st.data())
@settings(max_examples=60)
def test_any_changed_value_is_refused(data):
    document = copy.deepcopy(GOOD)
    path = data.draw(st.sampled_from(list(places(document))))
    holder = document
    for part in path[:-1]:
        holder = holder[part]
    holder[path[-1]] = copy.deepcopy(data.draw(st.sampled_from([None, True, "7", "", "AAAA", [], {}, ["AAAA"]])))
    if document != GOOD and path[-1] not in NOT_SIGNED:
        assert code(judge(document)).startswith("keyless-")


def test_a_missing_package_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "sigstore.models", None)
    found = judge()
    assert code(found) == "keyless-package"
    assert found.remedy == "pip install 'remit[sigstore]'"


# ── folders that were signed so ──

FILES = {"SKILL.md": b"# pdf"}
SIGNED = json.dumps(bundle(json.dumps(statement(FILES)).encode())).encode()
HERE = Folder({"SKILL.md": statement(FILES)["predicate"]["resources"][0]["digest"]}, frozenset())


def test_a_folder_that_an_identity_signed():
    found = verify_oms(SIGNED, HERE, TRUST, NOW)
    assert isinstance(found, Verified)
    assert (found.signer, found.authority) == (IDENTITY, WHO.authority)
    assert isinstance(verify_oms(SIGNED, HERE, TRUST._replace(identities=(OTHER,)), NOW), Untrusted)
    assert isinstance(verify_oms(SIGNED, HERE, TrustRoot(1), NOW), Untrusted)
    # without identities, the authorities decide: the certificate lived for minutes
    assert code(verify_oms(SIGNED, HERE, TrustRoot(1, certificates=(anchor(),)), NOW)) == "certificate-expired"
    changed = HERE._replace(files={"SKILL.md": "0" * 64})
    assert code(verify_oms(SIGNED, changed, TRUST, NOW)) == "oms-file-changed"
    forged = json.dumps(bundle(json.dumps(statement(FILES)).encode(), log=_SIGNER)).encode()
    assert code(verify_oms(forged, HERE, TRUST, NOW)) == "keyless-invalid"
