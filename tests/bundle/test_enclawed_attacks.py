"""Every attack on bundles that an earlier verifier of proof-carrying skills let through, by name. All must fail here."""

import hashlib
import json

import pytest
from bundle_values import (
    LEVEL,
    MANIFEST,
    ROOT,
    SCRIPT,
    UNVERIFIED,
    admitted,
    codes_of,
    key,
    labelled,
    make,
    record_for,
    write_skill,
)  # fmt: skip
from trust_values import trusted

from each_row import each_row
from remit.bundle.dsse import IN_TOTO, read_envelope, render_envelope, sign
from remit.bundle.keys import parse_public, public_key
from remit.bundle.trust import Clearance, height
from remit.bundle.trust_read import parse_trust_root
from remit.bundle.trust_write import render_root
from remit.bundle.versions import Publication, check_version, record_version
from remit.core.digest import canonical
from remit.core.errors import TrustError

ATTEST = "evidence/manifest.attest.json"


@pytest.fixture
def skill(tmp_path):
    """A skill with a bundle at the highest level."""
    folder = write_skill(tmp_path / "demo")
    make(folder, LEVEL, tests=record_for(folder))
    assert admitted(folder).holds
    return folder


def statement(folder):
    return json.loads(read_envelope((folder / ATTEST).read_bytes()).payload)


def write(folder, payload, signatures):
    value = read_envelope((folder / ATTEST).read_bytes())._replace(payload=payload)
    (folder / ATTEST).write_bytes(render_envelope(value._replace(signatures=signatures)))


def fails(folder, *expected, **more):
    answer = admitted(folder, **more)
    assert not answer.holds
    assert answer.level is UNVERIFIED
    assert codes_of(answer) & set(expected), answer.reasons
    assert "admission-failed" not in codes_of(answer)


def test_strip_the_signature(skill):
    write(skill, canonical(statement(skill)), ())
    fails(skill, "attestation-malformed")
    data = json.loads((skill / ATTEST).read_bytes())
    del data["signatures"]
    (skill / ATTEST).write_bytes(canonical(data) + b"\n")
    fails(skill, "attestation-malformed")


def test_forge_it_unsigned_with_the_keyid_of_an_authorised_signer(skill):
    signature = read_envelope((skill / ATTEST).read_bytes()).signatures[0]
    value = statement(skill)
    value["predicate"]["skill"] = "other"
    for sig in (b"", b"\x00" * 64, key(9).sign(b"other")):
        if sig:
            write(skill, canonical(value), (signature._replace(sig=sig),))
            fails(skill, "signature-invalid")
    write(skill, canonical(value), (signature,))  # the signature of another statement
    fails(skill, "signature-invalid")


def test_sign_it_with_a_key_of_ones_own(skill):
    value = canonical(statement(skill))
    (skill / ATTEST).write_bytes(render_envelope(sign(IN_TOTO, value, [key(9)])))
    fails(skill, "signer-unknown")


@pytest.mark.timeout(300)
@pytest.mark.parametrize("bound", [0, 1, 99, -1, 100.0, 99.5, "100", True, None, 1001, 10**9, 10**30, [100]])
def test_a_bound_that_shows_nothing_or_never_ends(skill, bound):
    value = statement(skill)
    value["predicate"]["bound"] = bound
    payload = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    (skill / ATTEST).write_bytes(render_envelope(sign(IN_TOTO, payload, [key(1)])))
    answer = admitted(skill)
    assert not answer.holds
    assert height(answer.level) < height(LEVEL)
    assert codes_of(answer) & {"bound-short", "bound-excessive", "attestation-malformed"}


def test_swap_a_script_for_one_with_the_same_effects(skill):
    (skill / "scripts/fetch.py").write_text(SCRIPT.replace("body", "text"))
    fails(skill, "file-changed")


def test_swap_a_script_and_its_digest(skill):
    script = SCRIPT.replace("body", "text")
    (skill / "scripts/fetch.py").write_text(script)
    value = statement(skill)
    for subject in value["subject"]:
        if subject["name"] == "scripts/fetch.py":
            subject["digest"]["sha256"] = hashlib.sha256(script.encode()).hexdigest()
    write(skill, canonical(value), read_envelope((skill / ATTEST).read_bytes()).signatures)
    fails(skill, "signature-invalid")


def test_add_a_script(skill):
    (skill / "scripts/more.py").write_text("import shutil\nshutil.rmtree('/')\n")
    fails(skill, "file-added")


def test_hide_a_script_in_the_evidence(skill):
    (skill / "evidence/more.py").write_text("import shutil\nshutil.rmtree('/')\n")
    fails(skill, "evidence-stray")


def test_change_the_manifest(skill):
    wider = {**MANIFEST, "permissions": [*MANIFEST["permissions"], {"capability": "*", "effect": "allow"}]}
    (skill / "remit.json").write_text(json.dumps(wider, indent=2))
    fails(skill, "file-changed", "manifest-changed")


def test_put_another_manifest_before_it(skill):
    (skill / "remit.json").rename(skill / "skillguard-manifest.json")
    fails(skill, "file-missing", "manifest-changed", "manifest-missing")


def test_delete_the_digests_of_the_evidence(skill):
    value = statement(skill)
    for change in (lambda said: said.pop("evidence"), lambda said: said.update(evidence={})):
        changed = json.loads(json.dumps(value))
        change(changed["predicate"])
        (skill / ATTEST).write_bytes(render_envelope(sign(IN_TOTO, canonical(changed), [key(1)])))
        fails(skill, "attestation-malformed")


def test_delete_the_evidence(skill):
    (skill / "evidence/static.json").unlink()
    fails(skill, "evidence-missing")


@each_row(
    "data",
    [
        b"",
        b"not a key",
        b"\xff" * 100,
        b"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
        b"-----BEGIN PUBLIC KEY-----\n",
    ],
)
def test_a_malformed_key_is_an_error_with_a_remedy(data):
    with pytest.raises(TrustError) as error:
        parse_public(data, "key")
    assert error.value.remedy
    for raw in (b"", b"\x00" * 32, b"\x01" + b"\x00" * 31, b"\xff" * 32):
        with pytest.raises(TrustError):
            public_key(raw)


def test_a_malformed_key_in_a_trust_root_is_an_error_with_a_remedy():
    text = render_root(ROOT).replace(key(1).public.text, key(1).public.text[:-4])
    with pytest.raises(TrustError) as error:
        parse_trust_root(text.encode(), "root")
    assert error.value.remedy


@each_row(
    ("name", "data"),
    [
        ("run", b"#!/usr/bin/env frobnicate\nrm -rf /\n"),
        ("tool", b"\x7fELF\x02\x01\x01" + b"\x00" * 64),
        ("tool.rb", b"File.delete('/etc/passwd')\n"),
        ("tool.ps1", b"Remove-Item C:\\\n"),
        (".hidden/run.py", b"import os\nos.remove('/etc/passwd')\n"),
        ("node_modules/x/index.js", b"require('fs').unlinkSync('/etc/passwd')\n"),
        ("package.json", b'{"scripts": {"postinstall": "rm -rf /"}}\n'),
        ("Makefile", b"all:\n\trm -rf /\n"),
        (
            "notes.ipynb",
            b'{"cells": [{"cell_type": "code", "source": ["import os; os.remove(\'/x\')"]}], "nbformat": 4}\n',
        ),
    ],
)
def test_kinds_of_files_that_were_passed_over_prove_nothing(tmp_path, name, data):
    folder = write_skill(tmp_path / "demo")
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)
    (folder / name).chmod(0o755)
    shown = make(folder)
    assert shown.files is None
    assert shown.level is UNVERIFIED


def test_replay_an_old_version(skill, tmp_path):
    signers = (key(1).public.keyid,)
    record_version(tmp_path / "state", Publication("demo", "1.2.1", "sha256:newer", signers, {}))
    fails(skill, "version-replayed", seen=lambda new: check_version(tmp_path / "state", new))


def test_releasability_is_enforced(tmp_path):
    folder = write_skill(tmp_path / "demo", labelled(releasability=["us", "uk"]))
    make(folder)
    root = ROOT._replace(keys=(trusted(1, rank=9, compartments=["red"]),))
    for reader, fine in ((("uk",), True), (("fr",), False), ((), False)):
        answer = admitted(folder, root._replace(clearance=Clearance(9, ("red",), reader)))
        assert answer.holds is fine
        assert answer.refused is not fine


def test_attest_above_ones_authority(skill):
    for level in (level for level in type(LEVEL) if height(level) < height(LEVEL)):
        fails(skill, "signer-level", root=ROOT._replace(keys=(trusted(1, level),)))
