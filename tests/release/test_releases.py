"""A release: the same bytes wherever and whenever it is built, and refused if one of them is another one."""

import base64
import json
import os
import shutil
import subprocess

import pytest
from releases import ROOT, tool

from each_row import each_row
from remit.bundle.keys import new_key
from remit.version import VERSION

BUILT = [f"remit-{VERSION}-py3-none-any.whl", f"remit-{VERSION}.tar.gz", f"remit-{VERSION}.cdx.json"]


def test_two_builds_in_two_places_at_two_times_are_the_same_bytes_nightly(release, tmp_path):
    clone = tmp_path / "a longer path" / "clone"
    subprocess.run(["git", "clone", "-q", "--depth", "1", f"file://{ROOT}", clone], check=True)
    for path in clone.rglob("*.py"):
        os.utime(path, (1_000_000_000, 1_000_000_000))
    (clone / "src/remit/left_behind.py").write_text("")
    done = tool(tmp_path / "out", "build", root=clone, TZ="America/Lima", LC_ALL="C")
    assert done.returncode == 0, done.stderr
    for name in BUILT:
        assert (release / name).read_bytes() == (tmp_path / "out" / name).read_bytes(), name


@pytest.fixture(scope="module")
def signed(release, tmp_path_factory):
    place = tmp_path_factory.mktemp("signed")
    new_key(place / "release.key")
    out = shutil.copytree(release, place / "dist")
    done = tool(out, "sign", "--key", str(place / "release.key"))
    assert done.returncode == 0, done.stderr
    return out, place / "release.key.pub"


def test_what_was_signed_is_accepted(signed):
    out, key = signed
    done = tool(out, "verify", "--key", str(key))
    assert (done.returncode, done.stderr) == (0, "")
    assert subprocess.run(["sha256sum", "--quiet", "--check", "SHA256SUMS"], cwd=out, check=False).returncode == 0


def flipped(file):
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(bytes(data))


def restated(out, change):
    """The statement with a change in it, under the old signature."""
    file = out / "attestation.json"
    envelope = json.loads(file.read_bytes())
    payload = base64.b64decode(envelope["payload"])
    envelope["payload"] = base64.b64encode(change(payload)).decode()
    file.write_text(json.dumps(envelope))


CHANGES = {
    **{
        f"a byte of {name.removeprefix(f'remit-{VERSION}')}": lambda out, name=name: flipped(out / name)
        for name in BUILT
    },
    "a byte of the skill": lambda out: flipped(out / f"remit-skill-{VERSION}.tar.gz"),
    "a byte of the sums": lambda out: flipped(out / "SHA256SUMS"),
    "a byte of the attestation": lambda out: flipped(out / "attestation.json"),
    "another statement": lambda out: restated(out, lambda data: data.replace(b'"commit":"', b'"commit":"0')[:-1]),
    "a file that is gone": lambda out: (out / BUILT[1]).unlink(),
    "a file that was added": lambda out: (out / "more.whl").write_bytes(b""),
    "no attestation": lambda out: (out / "attestation.json").unlink(),
}


@each_row("change", CHANGES)
def test_a_release_that_was_changed_is_refused(change, signed, tmp_path):
    out, key = signed
    copy = shutil.copytree(out, tmp_path / "dist")
    CHANGES[change](copy)
    done = tool(copy, "verify", "--key", str(key))
    assert done.returncode == 1
    assert done.stderr.startswith("release: refused: ")


def test_a_key_that_did_not_sign_is_refused(signed, tmp_path):
    new_key(tmp_path / "other.key")
    done = tool(signed[0], "verify", "--key", str(tmp_path / "other.key.pub"))
    assert done.returncode == 1
    assert "is not signed by the key" in done.stderr


def test_nothing_is_signed_or_verified_without_a_key(signed):
    for action in ("sign", "verify"):
        done = tool(signed[0], action)
        assert done.returncode == 2
        assert "remit keys new" in done.stderr
