"""Running the checkers: what they remember, what they say, and what is no answer."""

import os
import shutil
from pathlib import Path

from typed import effect, manifest

from each_row import each_row
from remit.proof.bounded import Bounds, Exceeded, Finished
from remit.proof.installed import required
from remit.proof.types import checkers, stubs
from remit.proof.types.checkers import CheckerFailure, Finding, mypy, opinions, read
from remit.proof.types.probes import attempts
from remit.proof.types.prove import CheckerRun, pose, prove_types
from remit.proof.verdict import Proved, Refuted, Unknown

GIVEN = manifest("file.read ./a", "process.create git")
GOOD = b'{"file": "probes.py", "line": 3, "severity": "error", "code": "misc", "message": "no"}\n'
NOTE = b'{"file": "probes.py", "line": 3, "severity": "note", "code": null, "message": "see"}\n'


def test_findings_of_mypy():
    assert read("mypy", Finished(1, GOOD + NOTE, b"")) == (Finding("probes.py", 3, "misc", "no"),)


@each_row(
    "ended",
    [
        Exceeded("it took longer than 30 seconds"),
        Finished(0, b"", b""),  # it rejects nothing
        Finished(2, GOOD, b"mypy: error: INTERNAL ERROR"),
        Finished(1, b"INTERNAL ERROR", b""),
        Finished(1, b"[1]", b""),
        Finished(1, b"[" * 100_000, b""),
        Finished(1, b'{"file": "probes.py"}', b""),
        Finished(1, GOOD.replace(b"3", b'"3"'), b""),
        Finished(1, GOOD.replace(b'"misc"', b"null"), b""),
        Finished(1, GOOD + b"\xff", b""),
    ],
    ids=repr,
)
@each_row("name", ["mypy", "ty"])
def test_whatever_is_not_understood_is_no_answer(name, ended):
    found = read(name, ended)
    assert isinstance(found, CheckerFailure)
    assert found.reason


def test_a_run_that_exceeds_its_bounds_proves_nothing(monkeypatch):
    for bounds in (Bounds(seconds=0.01), Bounds(megabytes=16), Bounds(output=1000)):
        monkeypatch.setattr(checkers, "BOUNDS", bounds)
        proof = prove_types(GIVEN, (), cache_dir=None)
        assert isinstance(proof.outcome, Unknown)


def memory(cache):
    found = list((cache / "checkers").iterdir())
    assert len(found) == 1
    return found[0]


def test_only_stubs_are_remembered(tmp_path):
    assert prove_types(GIVEN, (), cache_dir=tmp_path).outcome == Proved()
    kept = {path.name for path in memory(tmp_path).rglob("*")}
    assert "builtins.data.ff" in kept or "builtins.data.json" in kept
    assert not [name for name in kept if name.startswith(("remit", "probes", "projector", "request"))]
    before = {path: path.stat().st_mtime_ns for path in memory(tmp_path).rglob("*")}
    assert prove_types(manifest("pay"), (), cache_dir=tmp_path).outcome == Proved()
    assert before == {path: path.stat().st_mtime_ns for path in memory(tmp_path).rglob("*")}


def test_a_memory_that_is_damaged_only_costs_time_nightly(tmp_path):
    prove_types(GIVEN, (), cache_dir=tmp_path)
    for path in memory(tmp_path).rglob("*.ff"):
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    assert prove_types(GIVEN, (), cache_dir=tmp_path).outcome == Proved()
    shutil.rmtree(tmp_path / "checkers")
    (tmp_path / "checkers").write_text("not a folder")
    assert prove_types(GIVEN, (), cache_dir=tmp_path).outcome == Proved()


def test_a_module_is_never_taken_for_one_that_was_judged_before(tmp_path, monkeypatch):
    """mypy takes a file of the same size and time for unchanged. Two modules of one size, written in the same second."""
    real = Path.write_text

    def at_once(path, *given, **how):
        written = real(path, *given, **how)
        os.utime(path, (1_700_000_000, 1_700_000_000))
        return written

    monkeypatch.setattr(Path, "write_text", at_once)
    for name in ("git", "ssh"):
        other = {"git": "ssh", "ssh": "git"}[name]
        given = manifest(f"process.create {name}")
        proof = prove_types(given, [effect(f"process.create {name}")], cache_dir=tmp_path)
        assert proof.outcome == Proved()
        escaping = prove_types(given, [effect(f"process.create {other}")], cache_dir=tmp_path)
        assert isinstance(escaping.outcome, Refuted)


def test_what_fails_is_judged_again_without_memory(tmp_path):
    """A refutation is the same with and without."""
    first = mypy()
    place = stubs.place_of(tmp_path, first.identity, first.options)
    good = pose(GIVEN, ())
    assert CheckerRun(good, (first,), place, fresh=False).finish() == Proved()
    bad = good._replace(module=good.module.replace("@final\nclass FileRead", "class FileRead"))
    for fresh in (False, True):
        run = CheckerRun(bad, (first,), place, fresh=fresh)
        assert run.warm is not fresh
        assert isinstance(run.finish(), Refuted)


def test_who_the_checkers_are():
    first, (second,) = mypy(), opinions()[0]
    assert [first.identity.name, second.identity.name] == ["mypy", "ty"]
    for checker in (first, second):
        assert checker.identity.digest.startswith("sha256:")
        assert checker.identity.version[0].isdigit()
        assert not any(os.sep + "home" in option or "/tmp" in option for option in checker.options)
    assert required("mypy").digest != first.identity.digest  # the packages that it is made of count


def test_every_attempt_is_made():
    made = {probe.sort for given in (GIVEN, manifest()) for probe in pose(given, ()).probes}
    assert set(attempts()) <= made
