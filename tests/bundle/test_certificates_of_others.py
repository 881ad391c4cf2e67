"""The proofs in a bundle, as third parties check them: DIMACS and DRAT by a script without Remit. Each forgery is refused, by it and by us."""

import base64
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from bundle_values import FORMAL, TESTED, admitted, codes_of, make, write_skill
from trust_values import key

from remit.bundle.dsse import IN_TOTO, read_envelope, render_envelope, sign
from remit.core.digest import bytes_digest, canonical
from remit.proof.sessions.evidence import read_sessions_proof
from remit.proof.sessions.refutation import certify
from remit.proof.sessions.rup import checked

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "tools/check_bundle.py"
ATTEST = "evidence/manifest.attest.json"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = write_skill(tmp_path_factory.mktemp("certificates") / "demo")
    assert make(folder, FORMAL).files is not None
    return folder


@pytest.fixture
def bundle(made, tmp_path):
    return Path(shutil.copytree(made, tmp_path / "demo"))


def check(folder, *more):
    """What the script says."""
    public = folder.parent / "author.key.pub"
    public.write_text(_pem(key(1).public))
    return subprocess.run(
        [sys.executable, "-I", SCRIPT, folder, "--key", public, *more], capture_output=True, text=True, check=False
    )


def _pem(public):
    der = bytes.fromhex("302a300506032b6570032100") + base64.b64decode(public.text)
    return f"name: author\n-----BEGIN PUBLIC KEY-----\n{base64.b64encode(der).decode()}\n-----END PUBLIC KEY-----\n"


def forged(folder, change, tool="spoofed"):
    """Other proofs of Method C, signed by a key that may: the forger names solvers that nobody here has."""
    value = json.loads((folder / "evidence/smt.unsat").read_bytes())
    change(value)
    for solver in value["solvers"]:
        solver["version"] = tool or solver["version"]
    data = canonical(value) + b"\n"
    (folder / "evidence/smt.unsat").write_bytes(data)
    said = json.loads(read_envelope((folder / ATTEST).read_bytes()).payload)
    said["predicate"]["evidence"]["smt.unsat"] = bytes_digest(data)
    named = [{"name": one["name"], "version": one["version"]} for one in value["solvers"]]
    said["predicate"]["toolchain"]["solvers"] = named
    (folder / ATTEST).write_bytes(render_envelope(sign(IN_TOTO, canonical(said), [key(1)])))


def test_the_script_is_short_and_imports_nothing_of_remit():
    lines = SCRIPT.read_text().splitlines()
    assert len(lines) <= 200
    assert not [line for line in lines if "import remit" in line or "from remit" in line]


def test_an_honest_bundle_is_accepted(bundle):
    done = check(bundle, "--write", bundle.parent / "out")
    assert done.returncode == 0, done.stderr
    assert "signed at the level `formal`" in done.stdout
    names = {path.name for path in (bundle.parent / "out").iterdir()}
    assert names == {
        "sessions.smt2",
        *(f"{name}.{kind}" for name in ("base", "step", "safe") for kind in ("cnf", "drat")),
    }


@pytest.mark.skipif(not shutil.which("drat-trim"), reason="drat-trim is not on PATH")
def test_drat_trim_agrees(bundle):
    assert "drat-trim" in check(bundle, "--drat-trim", shutil.which("drat-trim")).stdout


def test_a_drat_trim_that_refuses_is_believed(bundle):
    refusing = bundle.parent / "refusing"
    refusing.write_text("#!/bin/sh\necho 's NOT VERIFIED'\n")
    refusing.chmod(0o755)
    assert check(bundle, "--drat-trim", refusing).returncode == 1


def test_an_honest_bundle_with_other_tools_holds_with_a_note(bundle):
    forged(bundle, lambda _: None)
    answer = admitted(bundle)
    assert answer.holds
    assert any("names other tools" in note for note in answer.notes)


def _swapped(value):
    one, two, three = value["certificates"]
    two["drat"], three["drat"] = three["drat"], two["drat"]
    one["drat"] = three["drat"]


def _cut(value):
    value["certificates"][1]["drat"] = "0\n"


def _damaged(value):
    lines = value["certificates"][1]["drat"].splitlines(keepends=True)
    lines[0] = f"{-int(lines[0].split()[0])} 0\n"
    value["certificates"][1]["drat"] = "".join([*lines[:1], "0\n"])


def _no_words(value):
    value["certificates"][1]["drat"] = "x\n"


def _trivial(value):
    for one in value["certificates"]:
        one["dimacs"], one["drat"] = "p cnf 1 2\n1 0\n-1 0\n", "0\n"


def _contradictory(value):
    step = value["certificates"][1]
    head, *lines = step["dimacs"].splitlines()
    _, _, variables, count = head.split()
    step["dimacs"] = "\n".join([f"p cnf {variables} {int(count) + 1}", "-1 0", *lines, ""])
    step["drat"] = "0\n"


def _without_models(value):
    _trivial(value)
    for one in value["certificates"]:
        one["models"] = []


def _one_missing(value):
    del value["certificates"][1]


def _empty_instance(value):
    _trivial(value)
    text = "(set-logic QF_BV)\n(assert false)\n(check-sat)\n"
    value["instance"] = {"digest": bytes_digest(text.encode()), "text": text}


FORGERIES = {
    "swapped refutations": _swapped,
    "a refutation that is cut": _cut,
    "a damaged refutation": _damaged,
    "no refutation at all": _no_words,
    "an instance that contradicts itself": _trivial,
    "clauses that contradict each other": _contradictory,
    "nothing that shows what it rests on": _without_models,
    "an obligation left out": _one_missing,
    "an empty instance": _empty_instance,
}


@pytest.mark.parametrize("tool", ["spoofed", ""])
@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_proof_is_refused_by_both(bundle, name, tool):
    forged(bundle, FORGERIES[name], tool)
    assert check(bundle).returncode == 1
    answer = admitted(bundle)
    assert (answer.level, answer.holds) == (TESTED, False)
    assert codes_of(answer) & {"sessions-differ", "sessions-malformed"}


@pytest.mark.parametrize(
    "name", ["SKILL.md", "scripts/fetch.py", "remit.json", "evidence/smt.unsat", "evidence/static.json", ATTEST]
)
def test_a_flipped_byte_is_refused(bundle, name):
    data = bytearray((bundle / name).read_bytes())
    for place in (0, len(data) // 2, len(data) - 2):
        other = data.copy()
        other[place] ^= 1
        (bundle / name).write_bytes(other)
        assert check(bundle).returncode == 1
        assert not admitted(bundle).holds


@pytest.mark.parametrize(
    "spoil",
    [
        lambda folder: (folder / "new.txt").write_text("new"),
        lambda folder: (folder / "SKILL.md").unlink(),
        lambda folder: (folder / "empty").mkdir(),
        lambda folder: (folder / ".git").mkdir(),
        lambda folder: (folder / "SKILL.md").chmod(0o755),
        lambda folder: (folder / "SKILL.md").chmod(0o4644),
        lambda folder: (folder / "link").symlink_to("SKILL.md"),
        lambda folder: (folder / "evidence/tests.json").unlink(),
        lambda folder: (folder / "evidence/more.json").write_text("{}"),
    ],
)
def test_what_is_not_what_was_signed_is_refused_by_both(bundle, spoil):
    spoil(bundle)
    assert check(bundle).returncode == 1
    assert not admitted(bundle).holds


def test_another_key_is_refused(bundle):
    public = bundle.parent / "other.pub"
    public.write_text(_pem(key(2).public))
    done = subprocess.run(
        [sys.executable, SCRIPT, bundle, "--key", public], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "did not sign" in done.stderr


def test_what_is_read_back_holds(bundle):
    proof = read_sessions_proof((bundle / "evidence/smt.unsat").read_bytes())
    assert [found.obligation for found in proof.certificates] == ["base", "step", "safe"]
    assert all(found.holds for found in proof.certificates)


def test_no_certificate_of_what_can_be_satisfied_or_shows_nothing():
    assert certify("base", [(1,), (2,), (-2, 3)]) is None
    assert certify("step", [(1,), (-1,), (2,), (3,), (4,)]) is None  # the claims have no part in it
    found = certify("step", [(1,), (-2, -3, 4), (2,), (3,), (-4,)])
    assert found
    assert found.holds
    assert not found._replace(drat="").holds
    assert not checked(found.dimacs, "5 6\n0\n")
