"""Envelopes: what is signed is what is read, and nothing that was changed holds."""

import base64
import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trust_values import attempt, key

from each_row import each_row
from remit.bundle import dsse
from remit.core.errors import BundleError

KEYS = {key(seed).public.keyid: key(seed).public for seed in (1, 2, 3)}
ONE = dsse.sign(dsse.IN_TOTO, b'{"a": 1}', [key(1)])


def codes(found):
    return [why.code for why in found.refused]


def test_the_encoding_is_that_of_the_specification():
    assert dsse.pae("http://example.com/HelloWorld", b"hello world") == (
        b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
    )
    assert dsse.pae("é", b"") == b"DSSEv1 2 \xc3\xa9 0 "


@given(st.binary(max_size=200), st.lists(st.integers(1, 3), unique=True))
def test_what_is_signed_is_read_back_and_holds(payload, seeds):
    envelope = dsse.sign(dsse.IN_TOTO, payload or b"x", [key(seed) for seed in seeds])
    if not seeds:
        with pytest.raises(BundleError):
            dsse.read_envelope(dsse.render_envelope(envelope))
        return
    again = dsse.read_envelope(dsse.render_envelope(envelope))
    assert again == envelope
    assert dsse.verify(again, KEYS) == (tuple(key(seed).public.keyid for seed in seeds), ())


def flipped(data: bytes, bit: int) -> bytes:
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


@given(st.binary(min_size=1, max_size=40), st.data())
def test_any_flipped_bit_is_refused(payload, data):
    envelope = dsse.sign(dsse.IN_TOTO, payload, [key(1)])
    part = data.draw(st.sampled_from(["payload", "type", "signature"]))
    if part == "payload":
        changed = envelope._replace(payload=flipped(payload, data.draw(st.integers(0, 8 * len(payload) - 1))))
    elif part == "type":
        kind = flipped(dsse.IN_TOTO.encode(), data.draw(st.integers(0, 8 * len(dsse.IN_TOTO) - 1)))
        changed = envelope._replace(payload_type=kind.decode("latin-1"))
    else:
        ((keyid, sig),) = envelope.signatures
        changed = envelope._replace(signatures=(dsse.Signature(keyid, flipped(sig, data.draw(st.integers(0, 511)))),))
    assert dsse.verify(changed, KEYS).held == ()
    assert codes(dsse.verify(changed, KEYS)) == ["signature-invalid"]


@given(st.data())
def test_any_flipped_bit_of_the_file_is_refused(data):
    whole = dsse.render_envelope(ONE)
    changed = flipped(whole, data.draw(st.integers(0, 8 * len(whole) - 1)))
    read = attempt(dsse.read_envelope, changed)
    assert (
        read in (None, ONE) or not dsse.verify(read, KEYS).held
    )  # the same document: a blank instead of the final newline


@given(st.binary(max_size=200) | st.text(max_size=60).map(str.encode))
def test_any_bytes_give_an_envelope_or_an_error(data):
    with pytest.raises(BundleError):
        dsse.read_envelope(data)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from(["payload", "payloadType", "signatures", "sig", "keyid", "extra"]), json_values)
def test_any_value_of_a_field_gives_an_envelope_or_an_error(field, value):
    document = json.loads(dsse.render_envelope(ONE))
    (document["signatures"][0] if field in ("sig", "keyid") else document)[field] = value
    read = attempt(dsse.read_envelope, json.dumps(document).encode())
    assert read is None or dsse.verify(read, KEYS).held == ()


def test_every_signature_is_answered_for():
    stranger, other = key(9), key(2)
    envelope = dsse.sign(dsse.IN_TOTO, b"x", [key(1), stranger])
    bad = dsse.Signature(other.public.keyid, key(1).sign(envelope.pae))
    envelope = envelope._replace(signatures=(*envelope.signatures, bad, envelope.signatures[0]))
    found = dsse.verify(envelope, KEYS)
    assert found.held == (key(1).public.keyid,)
    assert codes(found) == ["signer-unknown", "signature-invalid", "signature-repeated"]


def test_a_key_under_a_foreign_name_is_nobody():
    keys = {key(2).public.keyid: key(1).public}
    envelope = ONE._replace(signatures=(dsse.Signature(key(2).public.keyid, ONE.signatures[0].sig),))
    assert codes(dsse.verify(envelope, keys)) == ["signer-unknown"]


def test_one_document_is_never_taken_for_another():
    as_root = ONE._replace(payload_type=dsse.TRUST_ROOT)
    assert dsse.verify(as_root, KEYS).held == ()
    with pytest.raises(BundleError, match="the type is"):
        dsse.read_envelope(dsse.render_envelope(ONE), payload_type=dsse.TRUST_ROOT)


def test_a_key_signs_once():
    with pytest.raises(BundleError, match="signed already"):
        dsse.add_signature(ONE, key(1))


TEXT = dsse.render_envelope(ONE).decode()
KEYID = key(1).public.keyid


@each_row(
    ("old", "new", "reason"),
    [
        ('{"payload"', '{"payload": "AA==", "payload"', "occurs twice"),
        ('"payload":', '"load":', "not a field"),
        (KEYID, KEYID[:-1], "not the digest of a key"),
        (KEYID, KEYID.upper(), "not the digest of a key"),
        ('"payloadType":"application/vnd.in-toto+json"', '"payloadType":"application/json"', "the type is"),
        (base64.b64encode(b'{"a": 1}').decode(), "eyJhIjogMX0", "not base64"),
        (base64.b64encode(b'{"a": 1}').decode(), "eyJhIjogMX1=", "unusual spelling"),
        ("[{", "[[],{", "is a list"),
        ("}]}", "}]}x", "follows the end"),
        ("[{", "[" * 60 + "{", "nested deeper"),
    ],
)  # fmt: skip
def test_what_is_refused(old, new, reason):
    assert old in TEXT
    with pytest.raises(BundleError, match=reason):
        dsse.read_envelope(TEXT.replace(old, new, 1).encode(), "a.json")


def test_an_envelope_is_bounded():
    with pytest.raises(BundleError, match="at most"):
        dsse.read_envelope(b" " * (dsse.MAX_BYTES + 1))
    many = ONE._replace(signatures=ONE.signatures * (dsse.MAX_SIGNATURES + 1))
    with pytest.raises(BundleError, match="more than 32"):
        dsse.read_envelope(dsse.render_envelope(many))


def test_importing_is_light():
    code = "import remit.bundle.dsse, remit.bundle.trust_read, sys; print(*sorted({'cryptography','yaml','re2','sqlite3'} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == ""
