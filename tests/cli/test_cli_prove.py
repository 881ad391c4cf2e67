"""`remit prove` and `remit verify` as a user meets them."""

import json
import os
import re
import shutil
import subprocess
import sys

import jsonschema
import pytest
from cli_skills import run, spawn

from remit.bundle.dsse import read_envelope
from remit.bundle.keys import new_key
from remit.bundle.snapshot import manifest_of
from remit.bundle.snapshot import snapshot as snapshot_of
from remit.bundle.trust import Authority, TrustedKey, TrustRoot
from remit.bundle.trust_write import render_root
from remit.capsule import verdict
from remit.capsule.run import Ending
from remit.capsule.verdict import units as granted
from remit.cli.schemas import schema_text
from remit.manifest.identity import manifest_digest
from remit.manifest.model import Verification
from remit.skill.model import Limits
from remit.skill.walk import Walker

SCRIPT = """\
import urllib.request

with open("cache/page.html", "wb") as out:
    out.write(urllib.request.urlopen("https://www.example.com/").read())
"""
LEVEL = "declared"
ENTRIES = [
    {"capability": "file.write", "scope": "./cache/**", "effect": "allow"},
    {"capability": "source.execute", "scope": "./scripts/fetch.py", "effect": "allow"},
    {"capability": "web.fetch", "scope": "*.example.com:443", "effect": "allow"},
]


@pytest.fixture(autouse=True)
def at_home(tmp_path, monkeypatch):
    """A cache of its own, a fixed time, a fixed screen."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture
def author(tmp_path):
    key = new_key(tmp_path / "author.key", "author")
    granted = Authority("author", Verification.FORMAL)
    (tmp_path / "trust.json").write_text(render_root(TrustRoot(1, (TrustedKey(key.public, granted),))))
    return tmp_path / "author.key"


def write(folder, entries=ENTRIES, version="1.0", **more):
    (folder / "scripts").mkdir(parents=True)
    (folder / "SKILL.md").write_text(
        "---\nname: demo\ndescription: Keep a page.\n---\n# Demo\nRun `python3 scripts/fetch.py`.\n"
    )
    (folder / "scripts/fetch.py").write_text(SCRIPT)
    manifest = {"skill_metadata": {"name": "demo", "version": version}, "permissions": entries, **more}
    (folder / "remit.json").write_text(json.dumps(manifest))
    return folder


def scrubbed(out, folder):
    out = re.sub(r"(mypy|ty|z3|cvc5|glucose4) [\d.]*\d(?:\.dev\d+)?", r"\1 <version>", out)
    return re.sub(r"[0-9a-f]{16}\b", "<keyid>", out.replace(str(folder), "<folder>"))


def test_round_trip(capfd, tmp_path, author, snapshot):
    skill = write(tmp_path / "demo")
    status, out, err = run(capfd, "prove", skill, "--key", author, "--level", "declared")
    assert (status, err) == (0, "")
    assert scrubbed(out, tmp_path) == snapshot(name="prove")
    status, out, err = run(capfd, "verify", skill, "--trust-root", tmp_path / "trust.json")
    assert (status, err) == (0, "")
    assert scrubbed(out, tmp_path) == snapshot(name="verify")


def test_a_draft_can_be_proved_at_once(capfd, tmp_path, author):
    skill = write(tmp_path / "demo")
    (skill / "remit.json").unlink()
    assert run(capfd, "init", skill)[0] == 0
    assert run(capfd, "prove", skill, "--key", author, "--level", "declared")[0] == 0
    status, out, _ = run(capfd, "verify", skill, "--trust-root", tmp_path / "trust.json")
    assert status == 0
    assert out.startswith("demo 0.1.0: `declared` holds")


def test_a_manifest_without_a_version_is_given_one(capfd, tmp_path, author):
    skill = write(tmp_path / "demo", version="")
    status, _, err = run(capfd, "prove", skill, "--key", author, "--level", "declared")
    assert status == 2
    assert "remit init --update" in err
    assert run(capfd, "init", skill, "--update")[0] == 0
    assert run(capfd, "prove", skill, "--key", author, "--level", "declared")[0] == 0


def test_a_checkout_is_verified_as_one(capfd, tmp_path, author):
    skill = write(tmp_path / "demo")
    subprocess.run(["git", "init", "-q", skill], check=True)
    assert run(capfd, "prove", skill, "--key", author, "--level", "declared")[0] == 0
    status, out, _ = run(capfd, "verify", skill, "--trust-root", tmp_path / "trust.json")
    assert status == 1
    assert "repository-unbound: `.git`" in out
    status, out, _ = run(capfd, "verify", skill, "--trust-root", tmp_path / "trust.json", "--checkout")
    assert status == 0
    assert "`.git` is left out" in " ".join(out.split())


def test_an_escape_is_shown_and_nothing_is_written(capfd, tmp_path, author, snapshot):
    skill = write(tmp_path / "demo", ENTRIES[1:])
    status, out, _ = run(capfd, "prove", skill, "--key", author)
    assert status == 1
    assert scrubbed(out, tmp_path) == snapshot
    assert not (skill / "evidence").exists()


def test_an_opaque_place_is_shown_and_nothing_is_written(capfd, tmp_path, author, snapshot):
    skill = write(tmp_path / "demo")
    (skill / "scripts/more.py").write_text("import frobnicate\nfrobnicate.go()\n")
    status, out, _ = run(capfd, "prove", skill, "--key", author)
    assert status == 1
    assert scrubbed(out, tmp_path) == snapshot
    assert not (skill / "evidence").exists()


def test_a_changed_file_is_shown_with_its_code(capfd, tmp_path, author, snapshot):
    skill = write(tmp_path / "demo")
    run(capfd, "prove", skill, "--key", author, "--level", "declared")
    (skill / "scripts/fetch.py").write_text(SCRIPT + "pass\n")
    (skill / "more.txt").write_text("more")
    status, out, _ = run(capfd, "verify", skill, "--trust-root", tmp_path / "trust.json")
    assert status == 1
    assert scrubbed(out, tmp_path) == snapshot


def test_a_skill_without_a_bundle(capfd, tmp_path, author, snapshot):
    skill = write(tmp_path / "demo")
    status, out, _ = run(capfd, "verify", skill, "--trust-root", tmp_path / "trust.json")
    assert status == 1
    assert scrubbed(out, tmp_path) == snapshot


def test_an_older_version_is_refused_after_a_newer_one(capfd, tmp_path, author):
    for number, version in enumerate(("1.1", "1.0")):
        skill = write(tmp_path / f"{number}/demo", version=version)
        run(capfd, "prove", skill, "--key", author, "--level", "declared")
        status, out, _ = run(capfd, "verify", skill, "--trust-root", tmp_path / "trust.json")
    assert status == 1
    assert "version-replayed" in out
    # another store knows nothing of it, and a look from another time remembers nothing
    state = tmp_path / "other"
    for version in ("1", "0"):
        words = ("--state", state, "--at", "2024-01-01T00:00:00Z")
        status, *_ = run(capfd, "verify", tmp_path / f"{version}/demo", "--trust-root", tmp_path / "trust.json", *words)
        assert status == 0


def test_another_trust_root_is_refused(capfd, tmp_path, author):
    skill = write(tmp_path / "demo")
    run(capfd, "prove", skill, "--key", author, "--level", "declared")
    assert run(capfd, "verify", skill, "--trust-root", tmp_path / "trust.json")[0] == 0
    key = new_key(tmp_path / "evil.key")
    other = TrustRoot(1, (TrustedKey(key.public, Authority("evil", Verification.FORMAL)),))
    (tmp_path / "evil.json").write_text(render_root(other))
    status, out, _ = run(capfd, "verify", skill, "--trust-root", tmp_path / "evil.json")
    assert status == 1
    assert "root-changed" in out


def test_json_fits_its_schema(capfd, tmp_path, author):
    skill = write(tmp_path / "demo")
    for words in (("--level", "declared"),):
        status, out, _ = run(capfd, "prove", skill, "--key", author, "--format", "json", *words)
        assert status == 0
        jsonschema.validate(json.loads(out), json.loads(schema_text("prove")))
    for change in (None, "changed"):
        if change:
            (skill / "scripts/fetch.py").write_text(change)
        status, out, _ = run(capfd, "verify", skill, "--trust-root", tmp_path / "trust.json", "--format", "json")
        assert status == (1 if change else 0)
        answer = json.loads(out)
        jsonschema.validate(answer, json.loads(schema_text("verify")))
        assert answer["holds"] is not bool(change)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("prove", "{skill}"), "--key"),
        (("prove", "{skill}", "--key", "{skill}/SKILL.md"), "can be opened by others"),
        (("prove", "{skill}", "--key", "{key}", "--key", "{key}"), "given twice"),
        (("prove", "{skill}/scripts", "--key", "{key}"), "no SKILL.md"),
        (("prove", "nowhere", "--key", "{key}"), "not a folder"),
        (("prove", "{skill}", "--key", "{key}", "--bound", "-1"), "not a whole number"),
        (("prove", "{skill}", "--key", "{key}", "--bound", "1e9"), "not a whole number"),
        (("prove", "{skill}", "--key", "{key}", "--level", "unverified"), "is not a value for --level"),
        (("verify", "{skill}"), "--trust-root"),
        (("verify", "{skill}", "--trust-root", "nowhere"), "cannot be read"),
        (("verify", "{skill}", "--trust-root", "{skill}/SKILL.md"), "begins no value"),
        (("verify", "{skill}", "--trust-root", "{root}", "--at", "today"), "is not a time"),
        (("verify", "{skill}/scripts", "--trust-root", "{root}"), "no SKILL.md"),
    ],
)
def test_wrong_input(capfd, tmp_path, author, words, said):
    skill = write(tmp_path / "demo")
    names = {"skill": skill, "key": author, "root": tmp_path / "trust.json"}
    status, out, err = run(capfd, *(word.format(**names) for word in words))
    assert status == 2
    assert said in err
    assert not out


@pytest.mark.parametrize(
    ("manifest", "said"),
    [
        (None, "no manifest"),
        ({"permissions": []}, "names none"),
        ({"skill_metadata": {"name": "demo"}, "permissions": []}, "names none"),
        ({"skill_metadata": {"name": "demo", "version": "new"}, "permissions": []}, "is not a version"),
        ({"permissions": 1}, "is a number"),
    ],
)
def test_nothing_to_prove(capfd, tmp_path, author, manifest, said):
    skill = write(tmp_path / "demo")
    (skill / "remit.json").unlink()
    if manifest is not None:
        (skill / "remit.json").write_text(json.dumps(manifest))
    status, _, err = run(capfd, "prove", skill, "--key", author)
    assert status == 2
    assert said in err


@pytest.mark.parametrize("what", ["stray", "collision", "dangling", "pipe", "link"])
def test_folders_that_no_bundle_could_bind(capfd, tmp_path, author, what):
    skill = write(tmp_path / "demo")
    (skill / "evidence").mkdir()
    if what == "stray":
        (skill / "evidence/run.sh").write_text("")
    elif what == "collision":
        (skill / "A").write_text("")
        (skill / "a").write_text("")
    elif what == "dangling":
        (skill / "a").symlink_to("b")
    elif what == "pipe":
        os.mkfifo(skill / "a")
    else:
        (skill / "a").symlink_to("/etc/passwd")
    status, _, err = run(capfd, "prove", skill, "--key", author, "--level", "declared")
    assert status == 2
    assert err.count("\n") == 2  # what is wrong, and what to do


def test_evidence_elsewhere(capfd, tmp_path, author):
    skill = write(tmp_path / "demo")
    out = tmp_path / "out/evidence"
    for _ in range(2):  # and in place of what lies there
        status, *_ = run(capfd, "prove", skill, "--key", author, "--level", "declared", "--out", out)
        assert status == 0
    assert sorted(os.listdir(out)) == ["label.json", "manifest.attest.json", "static.json"]
    assert os.listdir(out.parent) == ["evidence"]
    assert not (skill / "evidence").exists()
    (out / "mine.txt").write_text("keep")
    status, _, err = run(capfd, "prove", skill, "--key", author, "--level", "declared", "--out", out)
    assert status == 2
    assert "is no evidence" in err
    assert (out / "mine.txt").read_text() == "keep"


def test_a_folder_that_changes_between_two_readings_is_not_analysed(tmp_path):
    from remit.bundle.admission_state import FailedStep
    from remit.bundle.folder import analyse, look
    from remit.checker.run import Options

    skill = write(tmp_path / "demo")
    looked = look(str(skill), Options().limits)
    assert not isinstance(analyse(looked, Options()), FailedStep)
    (skill / "scripts/fetch.py").write_text("import os\nos.remove('x')\n")
    for _ in range(2):  # analysed, and from the cache
        assert analyse(looked, Options()) == FailedStep("the folder changed while it was read")


def test_summaries_of_a_project_do_not_count(capfd, tmp_path, author, monkeypatch):
    """A bundle rests on what is shipped: whoever verifies has nothing else."""
    (tmp_path / "remit-summaries").mkdir()
    (tmp_path / "remit-summaries/own.py.sum").write_text("[frobnicate]\ngo()\n")
    monkeypatch.chdir(tmp_path)
    skill = write(tmp_path / "demo")
    (skill / "scripts/more.py").write_text("import frobnicate\nfrobnicate.go()\n")
    assert run(capfd, "prove", skill, "--key", author, "--level", "declared")[0] == 1


def test_two_checkouts_give_the_same_evidence(tmp_path, author):
    """Another path, home, time zone, hash seed and locale; the skill with old evidence and without."""
    found = []
    for number, (zone, seed, locale) in enumerate((("UTC", "0", "C"), ("Asia/Tokyo", "4711", "C.UTF-8"))):
        place = tmp_path / f"{'deep/' * number}{number}"
        skill = write(place / "demo")
        if number:
            shutil.copytree(tmp_path / "0/demo/evidence", skill / "evidence")
        env = {
            "HOME": str(place), "TZ": zone, "PYTHONHASHSEED": seed, "LC_ALL": locale, "LANG": locale,
            "XDG_CACHE_HOME": str(place / "cache"), "SOURCE_DATE_EPOCH": str(1_700_000_000 + number),
        }  # fmt: skip
        done = spawn("prove", skill, "--key", author, "--level", LEVEL, cwd=place, **env)
        assert done.returncode == 0, done.stdout + done.stderr
        found.append({path.name: path.read_bytes() for path in (skill / "evidence").iterdir()})
    attest = [files.pop("manifest.attest.json") for files in found]
    assert found[0] == found[1]
    assert attest[0] != attest[1]  # the time
    payloads = [json.loads(read_envelope(data).payload) for data in attest]
    times = [payload["predicate"].pop("time") for payload in payloads]
    assert times == ["2023-11-14T22:13:20Z", "2023-11-14T22:13:21Z"]
    assert payloads[0] == payloads[1]


PROOFS = """
import sys, hashlib
from remit.bundle.snapshot import manifest_of
from remit.bundle.folder import analyse, look, prove
from remit.checker.run import Options

looked = look(sys.argv[1], Options().limits)
for attempt in prove(manifest_of(looked.held)[1], analyse(looked, Options()).effects, 100, Options(), search=False):
    print(attempt.outcome, hashlib.sha256(attempt.evidence).hexdigest())
"""


def test_two_checkouts_give_the_same_proofs(tmp_path):
    """As above, for methods B and C; the search up to the bound leaves no mark of its own, and takes longer than all the rest."""
    found = []
    for number, (zone, seed, locale) in enumerate((("UTC", "0", "C"), ("Asia/Tokyo", "4711", "C.UTF-8"))):
        place = tmp_path / f"{'deep/' * number}{number}"
        skill = write(place / "demo")
        env = {"HOME": str(place), "TZ": zone, "PYTHONHASHSEED": seed, "LC_ALL": locale, "LANG": locale}
        env |= {"XDG_CACHE_HOME": str(place / "cache")}
        done = subprocess.run(
            [sys.executable, "-c", PROOFS, str(skill)],
            cwd=place, env={**os.environ, **env}, capture_output=True, text=True, check=True, timeout=300,
        )  # fmt: skip
        found.append(done.stdout)
    assert found[0] == found[1]
    assert found[0].count("Proved()") == 2


def exercised(skill):
    """The file of a record of tests that exercise everything."""
    held, _ = looked(skill)
    _, manifest = manifest_of(held)
    units = tuple(sorted((unit.capability, unit.scope.render()) for unit, _ in granted(manifest)))
    ran = verdict.Run(("python3", "-m", "unittest"), verdict.Source.DISCOVERED, Ending.EXITED, 0)
    digests = (held.content, manifest_digest(manifest))
    made = verdict.TestRecord("demo", *digests, (), (ran,), (), (), (), (), (), units, ())
    file = skill.parent / "record.json"
    file.write_bytes(verdict.record_bytes(made))
    return file


def looked(skill):
    tree = Walker(skill, Limits(), shipped=True).run()
    return snapshot_of(tree), tree


def test_a_formal_bundle_from_end_to_end(capfd, tmp_path, author, snapshot):
    skill = write(tmp_path / "demo")
    status, out, err = run(capfd, "prove", skill, "--key", author, "--tests", exercised(skill))
    assert (status, err) == (0, "")
    assert scrubbed(out, tmp_path) == snapshot(name="prove")
    for words in ((), ("--no-cache",)):  # what was proved before, and anew
        status, out, _ = run(capfd, "verify", skill, "--trust-root", tmp_path / "trust.json", *words)
        assert status == 0
        assert scrubbed(out, tmp_path) == snapshot(name="verify")
    (skill / "evidence/smt.unsat").unlink()
    status, out, _ = run(capfd, "verify", skill, "--trust-root", tmp_path / "trust.json")
    assert status == 1
    assert "evidence-missing" in out


def test_a_method_that_takes_too_long_is_unknown_and_degrades(capfd, tmp_path, author, monkeypatch):
    from remit.bundle import folder

    skill = write(tmp_path / "demo")
    monkeypatch.setattr(folder, "_SECONDS", 0.2)
    status, out, _ = run(capfd, "prove", skill, "--key", author, "--no-cache", "--tests", exercised(skill))
    assert status == 1
    assert "unknown: it took longer than 0.2 seconds" in out
    assert "`tested` holds" in out
    assert not (skill / "evidence").exists()
