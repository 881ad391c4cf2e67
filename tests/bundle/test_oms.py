"""Skills signed as OpenSSF model signing does it: with our own authority, and in the flesh where a folder of them is named."""

import base64
import copy
import hashlib
import json
import os
import sys
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest
from authority_values import CHAIN, LEAF, MIDDLE, anchor, bundle, chained, encoded, issue, key, public_pem, statement
from hypothesis import given
from hypothesis import strategies as st
from trust_values import NOW

from each_row import each_row
from remit.bundle.oms import Folder, Untrusted, Verified, verify_oms
from remit.bundle.refusal import Refusal
from remit.bundle.trust import Anchor, Authority, TrustRoot
from remit.core.errors import PackageError
from remit.manifest.model import Verification
from remit.skill.model import Limits
from remit.skill.walk import Walker

FILES = {"SKILL.md": b"# pdf", "scripts/run.py": b"print(1)"}
TRUST = TrustRoot(1, certificates=(anchor(),))
GOOD = bundle(statement(FILES))


def folder(files=FILES, links=()):
    digests = {path: hashlib.sha256(content).hexdigest() for path, content in files.items()}
    return Folder(digests | {"skill.oms.sig": "0" * 64}, frozenset(links))


def judge(data=GOOD, here=None, root=TRUST, **more):
    return verify_oms(data, here or folder(), root, NOW, **more)


def code(found) -> str:
    return found.code if isinstance(found, Refusal) else type(found).__name__


def test_a_signed_folder_is_verified():
    found = judge()
    assert found == Verified(
        "CN=Acme Skills", anchor().authority, hashlib.sha256(LEAF.der).hexdigest(), "pdf", len(FILES), ()
    )


def test_a_signer_whom_nobody_knows_is_not_trusted():
    found = judge(root=TrustRoot(1))
    assert isinstance(found, Untrusted)
    assert found.signer == "CN=Acme Skills"


@each_row(
    ("here", "wanted"),
    [
        (folder(FILES | {"SKILL.md": b"# pdf "}), "oms-file-changed"),
        (folder({"SKILL.md": b"# pdf"}), "oms-file-missing"),
        (folder(FILES | {"scripts/more.py": b""}), "oms-file-unsigned"),
        (folder(FILES | {"sub/skill.oms.sig": b""}), "oms-file-unsigned"),
        (folder(FILES | {"sub/.gitignore": b""}), "oms-file-unsigned"),
        (folder(FILES | {".gitattributes": b""}), "oms-file-unsigned"),  # not among those that the signer left out
        (folder(FILES, ["SKILL.md"]), "oms-link"),
        (folder(FILES, ["linked-folder"]), "oms-link"),
    ],
)
def test_another_folder_is_refused(here, wanted):
    assert code(judge(here=here)) == wanted


def test_files_that_keep_repositories_are_listed():
    assert judge(here=folder(FILES | {".gitignore": b"*.pyc"})).unsigned == (".gitignore",)


@each_row("ignored", ["scripts", "scripts/run.py", "", ".", "/", "*", "SKILL.md"])
def test_a_signer_cannot_leave_out_what_runs(ignored):
    only = {"SKILL.md": b"# pdf"} if ignored != "SKILL.md" else {"scripts/run.py": b"print(1)"}
    found = judge(bundle(statement(only, ignore_paths=[ignored])))
    assert code(found) in ("oms-file-unsigned", "oms-malformed")


def test_files_that_others_vouch_for_are_passed_over():
    here = folder(FILES | {"evidence/static.json": b"{}"})
    assert code(judge(here=here)) == "oms-file-unsigned"
    assert code(judge(here=here, besides=frozenset({"evidence/static.json"}))) == "Verified"


def test_links_where_they_were_signed():
    said = bundle(statement(FILES, allow_symlinks=True))
    assert code(judge(said, folder(FILES, ["SKILL.md"]))) == "Verified"
    assert code(judge(said, folder(FILES, ["linked-folder"]))) == "oms-file-unsigned"


@each_row("kind", ["P-256", "P-384", "Ed25519", "RSA"])
@each_row("salted", [False, True])
def test_every_accepted_kind_of_key(kind, salted):
    leaf = issue("Acme Skills", MIDDLE, ca=False, kind=kind)
    data = bundle(statement(FILES), leaf.key, chained(leaf, *CHAIN[1:]), salted=salted)
    assert code(judge(data)) == "Verified"
    bare = bundle(statement(FILES), leaf.key, {"publicKey": {"hint": "x"}}, salted=salted)
    pinned = TrustRoot(1, certificates=(anchor(), anchor(public_pem(leaf.key))))
    assert judge(bare, root=pinned).signer == "Acme"
    assert code(judge(bare)) == "Untrusted"


def test_one_certificate_alone():
    leaf = issue("Acme Skills", issue("Acme Root", None, number=1), ca=False, number=3)
    data = bundle(statement(FILES), leaf.key, {"certificate": {"rawBytes": encoded(leaf.der)}})
    assert code(judge(data)) == "Verified"


def test_a_signature_of_another_key_does_not_hold():
    assert code(judge(bundle(statement(FILES), key("P-384", 9)))) == "signature-invalid"
    pem = public_pem(key("P-256"))
    hint = hashlib.sha256(pem.encode()).hexdigest()
    bare = bundle(statement(FILES), key("P-256", 9), {"publicKey": {"hint": hint}})
    assert code(judge(bare, root=TrustRoot(1, certificates=(anchor(pem),)))) == "signature-invalid"


def changed(where: str, value) -> bytes:
    said = statement(FILES)
    holder = said
    *way, last = where.split(".")
    for part in way:
        holder = holder[int(part) if part.isdigit() else part]
    holder[int(last) if last.isdigit() else last] = value
    return bundle(said)


RESOURCES = "predicate.resources"


@each_row(
    ("where", "value", "wanted"),
    [
        ("_type", "https://in-toto.io/Statement/v0.1", "oms-unsupported"),
        ("predicateType", "https://model_signing/signature/v2.0", "oms-unsupported"),
        ("predicate.serialization.method", "shards", "oms-unsupported"),
        ("predicate.serialization.hash_type", "blake2b", "oms-unsupported"),
        ("predicate.serialization.shard_size", 5, "oms-malformed"),
        ("subject.0.digest.sha256", "0" * 64, "oms-subject"),
        ("subject.0.digest.sha512", "0" * 128, "oms-malformed"),
        ("subject", [], "oms-malformed"),
        (f"{RESOURCES}.0.digest", "0" * 64, "oms-subject"),
        (f"{RESOURCES}.0.digest", "0" * 63, "oms-malformed"),
        (f"{RESOURCES}.0.algorithm", "md5", "oms-malformed"),
        (f"{RESOURCES}.0.name", "../SKILL.md", "oms-path"),
        (f"{RESOURCES}.0.name", "/etc/passwd", "oms-path"),
        (f"{RESOURCES}.0.name", "./SKILL.md", "oms-path"),
        (f"{RESOURCES}.0.name", "a\\b", "oms-path"),
        (f"{RESOURCES}.0.name", "a//b", "oms-path"),
        (f"{RESOURCES}.0.name", "scripts/run.py", "oms-malformed"),
        (RESOURCES, [], "oms-malformed"),
        ("more", 1, "oms-malformed"),
    ],
)
def test_what_a_signer_may_not_say(where, value, wanted):
    assert code(judge(changed(where, value))) == wanted


def edited(edit) -> bytes:
    document = json.loads(GOOD)
    edit(document)
    return json.dumps(document).encode()


def double(document):
    document["dsseEnvelope"]["signatures"] *= 2


@each_row(
    ("edit", "wanted"),
    [
        (lambda d: d.update(mediaType="application/json"), "oms-unsupported"),
        (lambda d: d.update(more=1), "oms-malformed"),
        (lambda d: d["verificationMaterial"].update(publicKey={"hint": ""}), "oms-malformed"),
        (lambda d: d["verificationMaterial"].pop("x509CertificateChain"), "oms-malformed"),
        (lambda d: d["dsseEnvelope"].update(payloadType="text/plain"), "oms-malformed"),
        (lambda d: d["dsseEnvelope"].update(payload="AAAA"), "oms-malformed"),
        (lambda d: d["dsseEnvelope"].update(signatures=[]), "oms-malformed"),
        (double, "oms-malformed"),
        (lambda d: d["dsseEnvelope"]["signatures"][0].update(sig="AAAA"), "signature-invalid"),
        (lambda d: d["verificationMaterial"]["x509CertificateChain"]["certificates"].pop(0), "certificate-usage"),
        (lambda d: d["verificationMaterial"]["x509CertificateChain"]["certificates"].pop(1), "chain-broken"),
        (lambda d: d["verificationMaterial"]["x509CertificateChain"]["certificates"].pop(2), "Verified"),
    ],
)
def test_what_a_bundle_may_not_be(edit, wanted):
    assert code(judge(edited(edit))) == wanted


def test_another_statement_under_the_same_signature_is_refused():
    other = base64.b64encode(json.dumps(statement({"SKILL.md": b"evil"})).encode()).decode()
    data = edited(lambda d: d["dsseEnvelope"].update(payload=other))
    assert code(judge(data, folder({"SKILL.md": b"evil"}))) == "signature-invalid"


def test_it_is_bounded():
    assert code(judge(b" " * (17 * 1024 * 1024))) == "oms-malformed"


@given(st.binary(max_size=100))
def test_any_bytes_are_refused(data):
    assert code(judge(data)) == "oms-malformed"


def places(value, path=()):
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for part, item in inner:
        yield from places(item, (*path, part))


@given(st.data())
def test_any_changed_value_is_refused(data):
    document = json.loads(GOOD)
    path = data.draw(st.sampled_from([path for path in places(document) if path]))
    new = data.draw(st.sampled_from([None, True, 0, "", "AAAA", [], {}, ["AAAA"], {"sig": "AAAA"}]))
    holder = document
    for part in path[:-1]:
        holder = holder[part]
    holder[path[-1]] = copy.deepcopy(new)
    found = judge(json.dumps(document).encode())
    if path[-1] not in ("keyid", "tlogEntries"):  # which say nothing here
        assert isinstance(found, Refusal)


def test_a_missing_package_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "cryptography.x509", None)
    with pytest.raises(PackageError):
        judge()


def folder_of(tree):
    links = {*tree.links, *(file.path for file in tree.files if file.link)}
    return Folder({file.path: file.digest for file in tree.files}, frozenset(links))


def test_a_folder_on_disk(tmp_path):
    for path, content in FILES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(content)
    (tmp_path / "skill.oms.sig").write_bytes(GOOD)
    tree = Walker(tmp_path, Limits()).run()
    assert code(judge(here=folder_of(tree))) == "Verified"
    (tmp_path / "sub").symlink_to("scripts")
    tree = Walker(tmp_path, Limits()).run()
    assert code(judge(here=folder_of(tree))) == "oms-link"


def test_public_skills_needs_a_corpus():
    """REMIT_CORPUS names a folder of public skills; those that are signed hold, or are refused for a reason."""
    corpus = os.environ.get("REMIT_CORPUS")
    found = sorted(Path(corpus).rglob("skill.oms.sig")) if corpus else []
    if not found:
        pytest.skip("REMIT_CORPUS names no folder with signed skills")
    outcomes: Counter[str] = Counter()
    for path in found:
        chain = json.loads(path.read_bytes())["verificationMaterial"]["x509CertificateChain"]["certificates"]
        pem = f"-----BEGIN CERTIFICATE-----\n{wrapped(chain[-1]['rawBytes'])}\n-----END CERTIFICATE-----\n"
        root = TrustRoot(1, certificates=(Anchor(pem, Authority("theirs", Verification.DECLARED)),))
        tree = Walker(path.parent, Limits()).run()
        here = folder_of(tree)
        outcomes[code(verify_oms(path.read_bytes(), here, root, datetime.now(UTC)))] += 1
        assert code(verify_oms(path.read_bytes(), here, TRUST, datetime.now(UTC))) in ("Untrusted", "oms-file-changed")
    print(dict(outcomes))
    assert set(outcomes) <= {"Verified", "oms-file-changed", "oms-file-unsigned"}
    assert outcomes["Verified"] > 0.9 * len(found)


def wrapped(text: str) -> str:
    return "\n".join(text[at : at + 64] for at in range(0, len(text), 64))
