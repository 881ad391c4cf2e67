"""Evidence that was changed after it was signed, or signed by somebody else: it counts for nothing."""

import json
import shutil

import pytest
from attack_parts import EVIDENCE, LEVEL, edit, remit


def test_untouched_evidence_is_admitted(author):
    found = author.verified()
    assert (found.status, found.level, found.codes) == (0, LEVEL, ())


@pytest.mark.parametrize("name", EVIDENCE)
@pytest.mark.parametrize("change", ["one byte", "one more byte", "gone", "empty"])
def test_a_changed_file_of_evidence_is_not_admitted(author, name, change):
    path = author.skill / "evidence" / name
    data = path.read_bytes()
    if change == "gone":
        path.unlink()
    else:
        middle = len(data) // 2
        changed = data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]
        path.write_bytes({"one byte": changed, "one more byte": data + b"\n", "empty": b""}[change])
    found = author.verified()
    assert (found.status, found.level) == (1, "unverified")
    assert found.codes


def test_evidence_of_another_version_is_not_admitted(author, tmp_path):
    other = author.copied(tmp_path / "other")
    edit(other.skill / "remit.json", '"version": "8"', '"version": "9"')
    assert other.prove().returncode == 0
    assert other.verified().status == 0
    shutil.copytree(other.skill / "evidence", author.skill / "evidence", dirs_exist_ok=True)
    assert author.verified().level == "unverified"


def test_a_signature_that_is_taken_off_is_missed(author):
    path = author.skill / "evidence/manifest.attest.json"
    envelope = json.loads(path.read_bytes())
    assert envelope["signatures"]
    path.write_text(json.dumps(envelope | {"signatures": []}))
    assert author.verified().level == "unverified"


def test_the_word_of_somebody_whom_nobody_knows_counts_for_nothing(author):
    assert remit("keys", "new", author.home / "other.key").returncode == 0
    done = remit("prove", author.skill, "--key", author.home / "other.key")
    assert done.returncode == 0, done.stderr
    found = author.verified()
    assert (found.status, found.level) == (1, "unverified")
    assert "signer-unknown" in found.codes


def test_a_script_cannot_hide_in_the_evidence(author):
    (author.skill / "evidence/run.sh").write_text("rm -rf ./x\n")
    found = author.verified()
    assert (found.status, found.refused) == (1, True)
