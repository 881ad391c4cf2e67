"""Keys: made once, read with care, never shown."""

import base64
import copy
import os
import pickle
import stat
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trust_values import attempt, key

from each_row import each_row
from remit.bundle import keys as k
from remit.core.errors import PackageError, TrustError


@pytest.fixture
def made(tmp_path):
    path = tmp_path / "release.key"
    return path, k.new_key(path, "Release of Acme")


def test_a_new_key_can_be_read_and_only_by_its_owner(made):
    path, private = made
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert k.read_private(path).public == private.public
    public = k.read_public(path.with_name("release.key.pub"))
    assert public == (private.public, "Release of Acme")
    assert private.public.holds(k.read_private(path).sign(b"x"), b"x")
    assert not private.public.holds(private.sign(b"x"), b"y")


def test_the_mode_of_a_key_does_not_depend_on_the_umask(tmp_path):
    before = os.umask(0)
    try:
        k.new_key(tmp_path / "a")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o600


@each_row("suffix", ["", ".pub"])
@each_row("link", [False, True])
def test_nothing_is_replaced(tmp_path, suffix, link):
    place = tmp_path / f"a{suffix}"
    if link:
        place.symlink_to(tmp_path / "elsewhere")
    else:
        place.write_text("mine")
    with pytest.raises(TrustError, match="exists already"):
        k.new_key(tmp_path / "a")
    assert os.listdir(tmp_path) == [place.name]


def test_half_a_key_is_not_left(tmp_path, monkeypatch):
    create = k._create

    def full(path, data, mode):
        if path.suffix == ".pub":
            raise TrustError("no space left on device")
        create(path, data, mode)

    monkeypatch.setattr(k, "_create", full)
    with pytest.raises(TrustError):
        k.new_key(tmp_path / "a")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o777, 0o601])
def test_a_key_that_others_can_open_is_refused(made, mode):
    path, _ = made
    path.chmod(mode)
    with pytest.raises(TrustError, match=f"mode 0{mode:o}") as caught:
        k.read_private(path)
    assert f"chmod 600 {path}" in caught.value.remedy


def test_a_private_key_is_never_shown(made):
    path, private = made
    hidden = path.read_text().splitlines()[1]
    assert hidden not in repr(private)
    assert private.public.keyid in repr(private)
    for copied in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError):
            copied(private)


def pem(kind: str, data: bytes) -> bytes:
    return f"-----BEGIN {kind}-----\n{base64.b64encode(data).decode()}\n-----END {kind}-----\n".encode()


def other_keys() -> dict[str, bytes]:
    from cryptography.hazmat.primitives import serialization as form
    from cryptography.hazmat.primitives.asymmetric import ec

    curve = ec.generate_private_key(ec.SECP256R1())
    kinds = (form.Encoding.PEM, form.PrivateFormat.PKCS8)
    ours = key(1)._key
    return {
        "another curve": curve.private_bytes(*kinds, form.NoEncryption()),
        "another curve, public": curve.public_key().public_bytes(
            form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo
        ),
        "encrypted": ours.private_bytes(*kinds, form.BestAvailableEncryption(b"x")),
        "an old form": ours.private_bytes(form.Encoding.PEM, form.PrivateFormat.OpenSSH, form.NoEncryption()),
        "two": 2 * ours.private_bytes(*kinds, form.NoEncryption()),
        "empty": b"",
        "no base64": b"-----BEGIN PRIVATE KEY-----\n!!!\n-----END PRIVATE KEY-----\n",
        "no DER": pem("PRIVATE KEY", b"x"),
        "no DER, public": pem("PUBLIC KEY", b"x"),
        "cut short": ours.private_bytes(*kinds, form.NoEncryption())[:40],
        "bytes": bytes(range(256)),
    }


@each_row("case", sorted(other_keys()))
@each_row("parse", [k.parse_private, k.parse_public])
def test_what_is_no_key_of_ours_is_refused(case, parse):
    with pytest.raises(TrustError) as caught:
        parse(other_keys()[case], "some.key")
    assert caught.value.message.startswith("some.key: ")
    assert caught.value.remedy


@given(st.binary(max_size=300) | st.binary(max_size=100).map(lambda data: pem("PRIVATE KEY", data)))
def test_any_bytes_give_a_key_or_a_remedy(data):
    attempt(k.parse_private, data, "f")
    attempt(k.parse_public, data, "f")
    attempt(k.public_key, data)


@given(st.data())
def test_any_changed_byte_gives_a_key_or_a_remedy(data):
    from cryptography.hazmat.primitives import serialization as form

    whole = key(1)._key.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption())
    at = data.draw(st.integers(0, len(whole) - 1))
    changed = whole[:at] + bytes([data.draw(st.integers(0, 255))]) + whole[at + 1 :]
    attempt(k.parse_private, changed, "f")


@each_row(
    "head",
    [b"\xff\n", b"name: a\nname: b\n", b"note\n", b"name: \n", b"name: a\x1b[2J\n", b"name: " + b"x" * 201 + b"\n"],
)
def test_what_stands_above_a_public_key_is_a_name(head):
    with pytest.raises(TrustError):
        k.parse_public(head + k.render_public(key(1).public).encode(), "f")
    assert k.parse_public(k.render_public(key(1).public, "Release é").encode(), "f").name == "Release é"


ORDER_8 = "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"
OTHER_8 = "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"


@each_row("sign", [0, 0x80])
@each_row(
    "point", ["00" * 32, "01" + "00" * 31, "ec" + "ff" * 30 + "7f", "ed" + "ff" * 30 + "7f", "ee" + "ff" * 30 + "7f",
              "ff" * 31 + "7f", ORDER_8, OTHER_8, "02" + "00" * 31],
)  # fmt: skip
def test_points_that_are_no_keys_are_refused(point, sign):
    raw = bytearray.fromhex(point)
    raw[31] |= sign
    with pytest.raises(TrustError, match="anybody can make signatures"):
        k.public_key(bytes(raw))


@given(st.binary(min_size=32, max_size=32))
def test_every_key_that_is_made_is_accepted(seed):
    made = k.PrivateKey(k.ed25519().Ed25519PrivateKey.from_private_bytes(seed))
    assert k.parse_public_text(made.public.text) == made.public


@each_row("text", ["A", "AA==\n", " AA==", "AB==", "AA=", "_-8=", "é", "AA==AA=="])
def test_base64_has_one_spelling(text):
    with pytest.raises(TrustError):
        k.strict_base64(text, TrustError)
    assert k.strict_base64("AA==", TrustError) == b"\0"


def test_a_file_that_is_no_plain_one_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "big").write_bytes(b"x" * 20_000)
    (tmp_path / "big").chmod(0o600)
    for name, reason in (
        ("pipe", "not a plain file"),
        ("none", "no such file"),
        ("big", "larger"),
        (".", "plain file"),
    ):
        with pytest.raises(TrustError, match=reason):
            k.read_private(tmp_path / name)
    with pytest.raises(TrustError, match="cannot be written"):
        k.new_key(tmp_path / "no" / "such" / "place")


def test_a_missing_package_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.asymmetric", None)
    with pytest.raises(PackageError) as caught:
        k.ed25519()
    assert caught.value.remedy == "pip install 'remit[prove]'"
