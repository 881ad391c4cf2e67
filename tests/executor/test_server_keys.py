"""Keys of policy servers by profile: a shared key is a secret of the right length, and no key is taken for one of the other kind."""

import pytest

from remit.bundle.keys import new_key
from remit.core.errors import RemitError
from remit.executor.keys import read_held, read_signer


@pytest.fixture
def keys(tmp_path):
    new_key(tmp_path / "p0.key", "p0")
    shared = tmp_path / "p0.mac"
    shared.write_bytes(b"k" * 32)
    shared.chmod(0o600)
    return tmp_path


@pytest.mark.parametrize(("profile", "signs", "knows"), [("ed25519", "p0.key", "p0.key.pub"), ("hmac-sha256", "p0.mac", "p0.mac")])  # fmt: skip
def test_what_a_server_signs_the_executor_knows(keys, profile, signs, knows):
    held = read_held(profile, keys / knows)
    signature = read_signer(profile, keys / signs).sign(b"proof")
    assert held.profile == profile
    assert held.verifier.holds(signature, b"proof")
    assert not held.verifier.holds(signature, b"another proof")


def test_a_shared_key_that_others_can_open_is_refused(keys):
    (keys / "p0.mac").chmod(0o640)
    for read in (read_held, read_signer):
        with pytest.raises(RemitError, match="opened by others"):
            read("hmac-sha256", keys / "p0.mac")


@pytest.mark.parametrize("data", [b"", b"k" * 31, b"k" * 33])
def test_a_shared_key_of_another_length_is_refused(keys, data):
    (keys / "p0.mac").write_bytes(data)
    with pytest.raises(RemitError):
        read_held("hmac-sha256", keys / "p0.mac")


@pytest.mark.parametrize(("profile", "file"), [("hmac-sha256", "p0.key.pub"), ("ed25519", "p0.mac")])
def test_a_key_of_the_other_kind_is_refused(keys, profile, file):
    (keys / file).chmod(0o600)
    with pytest.raises(RemitError):
        read_held(profile, keys / file)
