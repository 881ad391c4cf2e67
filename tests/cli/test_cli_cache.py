"""The cache: hits only for the same content and the same Remit, and never in the way."""

import json
import os

import pytest
from cli_skills import CLEANER, run, skill, spawn

from remit.checker import fingerprint
from remit.checker import run as checks
from remit.checker.cache import Cache


@pytest.fixture
def analysed(monkeypatch):
    """How many skills were handed to workers."""
    real = checks.run_jobs
    count = []

    def counted(run_one, jobs, workers, **more):
        count.extend(jobs)
        return real(run_one, jobs, workers, **more)

    monkeypatch.setattr(checks, "run_jobs", counted)
    return count


def check(capfd, *argv):
    status, out, _ = run(capfd, "check", *argv, "--format", "json")
    return status, out


def test_a_second_run_finds_the_result(work, capfd, analysed):
    skill(work, "s")
    first = check(capfd, "s")
    assert len(analysed) == 1
    assert check(capfd, "s") == first
    assert len(analysed) == 1


def test_a_cached_run_does_not_import_the_analysis(work):
    skill(work, "s")
    spawn("check", "s")
    code = "import sys; from remit.cli import main; main(['check', 's']); print(*sys.modules)"
    import subprocess
    import sys

    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True)
    modules = set(found.stdout.splitlines()[-1].split())
    assert "remit.analysis.result" in modules
    assert not modules & {
        "remit.analysis.session",
        "remit.skill.document",
        "yaml",
        "markdown_it",
        "tree_sitter",
        "multiprocessing",
    }


def test_help_imports_next_to_nothing():
    import subprocess
    import sys

    code = "import sys; from remit.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass\nprint(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True)
    modules = set(found.stdout.splitlines()[-1].split())
    assert not modules & {"remit.core", "remit.skill", "dataclasses", "json", "hashlib", "pathlib"}


CHANGES = {
    "content": lambda folder: (folder / "scripts/run.py").write_text(CLEANER),
    "same size and time": lambda folder: rewrite(folder / "scripts/run.py"),
    "a new file": lambda folder: (folder / "new.txt").write_text("x"),
    "a new name": lambda folder: (folder / "scripts/run.py").rename(folder / "scripts/go.py"),
    "the executable bit": lambda folder: (folder / "scripts/run.py").chmod(0o755),
    "a link": lambda folder: (folder / "link").symlink_to("scripts"),
}


def rewrite(path):
    seen = path.stat()
    path.write_text(path.read_text().replace("read()", "name  "))
    os.utime(path, ns=(seen.st_atime_ns, seen.st_mtime_ns))


@pytest.mark.parametrize("change", CHANGES)
def test_any_change_of_the_skill_is_a_miss(work, capfd, analysed, change):
    folder = skill(work, "s")
    check(capfd, "s")
    CHANGES[change](folder)
    check(capfd, "s")
    assert len(analysed) == 2


def test_the_folder_name_counts(work, capfd, analysed):
    folder = skill(work, "s")
    check(capfd, "s")
    folder.rename(work / "t")
    check(capfd, "t")
    assert len(analysed) == 2


def test_limits_and_summaries_count(work, capfd, analysed):
    skill(work, "s")
    check(capfd, "s")
    check(capfd, "s", "--max-depth", "30")
    assert len(analysed) == 2
    (work / "a.py.sum").write_text("[module acme]\npure f\n")
    check(capfd, "s", "--summaries", "a.py.sum")
    (work / "a.py.sum").write_text("[module acme]\npure g\n")
    check(capfd, "s", "--summaries", "a.py.sum")
    assert len(analysed) == 4


def test_another_remit_counts(work, capfd, analysed, monkeypatch):
    skill(work, "s")
    check(capfd, "s")
    monkeypatch.setattr(checks, "installed_state", lambda: "another")
    check(capfd, "s")
    assert len(analysed) == 2


def test_our_own_files_are_in_the_digest(tmp_path, monkeypatch):
    (tmp_path / "data").mkdir()
    (tmp_path / "a.py").write_text("1")
    (tmp_path / "data" / "b.sum").write_text("2")
    monkeypatch.setattr(fingerprint, "_PACKAGE", tmp_path)

    def now():
        fingerprint.toolchain_digest.cache_clear()
        return fingerprint.toolchain_digest()

    first = now()
    assert now() == first
    (tmp_path / "data" / "b.sum").write_text("3")
    second = now()
    (tmp_path / "c.py").write_text("")
    third = now()
    assert len({first, second, third}) == 3
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "d.py").write_text("")
    assert now() == third  # no result depends on what stands above the checker
    monkeypatch.undo()
    fingerprint.toolchain_digest.cache_clear()


def test_a_proof_is_one_of_the_whole_installation(tmp_path, monkeypatch):
    (tmp_path / "executor").mkdir()
    monkeypatch.setattr(fingerprint, "_PACKAGE", tmp_path)

    def now():
        fingerprint.installed_state.cache_clear()
        return fingerprint.proof_key("types", [])

    first = now()
    assert now() == first
    (tmp_path / "executor" / "door.py").write_text("")
    assert now() != first  # Method B looks for doors and makers of permits everywhere
    monkeypatch.undo()
    fingerprint.installed_state.cache_clear()


def test_a_file_of_ours_that_is_written_again_is_another_state(tmp_path, monkeypatch):
    ours = tmp_path / "a.py"
    ours.write_text("1")
    monkeypatch.setattr(fingerprint, "_PACKAGE", tmp_path)

    def now():
        fingerprint.installed_state.cache_clear()
        return fingerprint.installed_state()

    first, seen = now(), ours.stat()
    assert now() == first
    copy = tmp_path / "new"
    copy.write_text("2")
    os.utime(copy, ns=(seen.st_atime_ns, seen.st_mtime_ns))
    copy.replace(ours)  # as long as before, and as old
    assert now() != first
    monkeypatch.undo()
    fingerprint.installed_state.cache_clear()


def test_the_manifest_is_not_part_of_a_result(work, capfd, analysed):
    skill(work, "s")
    (work / "m.json").write_text('{"permissions": []}')
    assert check(capfd, "s")[0] == 0
    assert check(capfd, "s", "--manifest", "m.json")[0] == 1
    assert len(analysed) == 1


def test_without_the_cache_nothing_is_read_or_written(work, capfd, analysed, tmp_path):
    skill(work, "s")
    check(capfd, "s", "--no-cache")
    check(capfd, "s", "--no-cache")
    assert len(analysed) == 2
    assert not (tmp_path / "cache").exists()


def entries(tmp_path):
    return sorted((tmp_path / "cache").rglob("*.json"))


DAMAGE = {
    "empty": b"",
    "cut": None,
    "other": b"0" * 64 + b'\n{"skill": "s", "effects": [], "opaque": [], "assumptions": [], "files": [1, 0, 0]}',
    "binary": b"\xff\x00\n\xff",
}


@pytest.mark.parametrize("how", DAMAGE)
def test_a_damaged_entry_is_a_miss(work, capfd, analysed, tmp_path, how):
    skill(work, "s")
    first = check(capfd, "s")
    (entry,) = entries(tmp_path)
    entry.write_bytes(DAMAGE[how] if DAMAGE[how] is not None else entry.read_bytes()[:-5])
    assert check(capfd, "s") == first
    assert len(analysed) == 2


def test_an_entry_under_another_name_is_a_miss(tmp_path):
    cache = Cache(tmp_path / "c")
    cache.put("aa11", {"x": 1})
    (tmp_path / "c" / "aa" / "11.json").rename(tmp_path / "c" / "aa" / "22.json")
    assert cache.get("aa22") is None


@pytest.mark.parametrize(
    "shape",
    [[], {"skill": "s"}, {"skill": "s", "effects": [["x"]], "opaque": [], "assumptions": [], "files": [1, 0, 0]}],
)
def test_an_entry_of_another_shape_is_a_miss(work, capfd, analysed, tmp_path, shape):
    folder = skill(work, "s")
    first = check(capfd, "s")
    (entry,) = entries(tmp_path)
    Cache().put(entry.parent.name + entry.stem, shape)
    assert check(capfd, "s") == first
    assert len(analysed) == 2
    assert folder.exists()


@pytest.mark.parametrize("place", ["/proc/nowhere", "/dev/null/x"])
def test_an_unwritable_cache_is_only_slower(work, capfd, monkeypatch, place):
    monkeypatch.setenv("XDG_CACHE_HOME", place)
    skill(work, "s")
    assert check(capfd, "s")[0] == 0
    assert check(capfd, "s")[0] == 0


def test_failures_are_not_kept(work, capfd, tmp_path):
    (skill(work, "s") / "SKILL.md").write_bytes(b"\xff\xfe")
    assert check(capfd, "s")[0] == 2
    assert entries(tmp_path) == []


def test_what_was_not_used_for_longest_goes_first(tmp_path):
    cache = Cache(tmp_path / "c")
    for number in range(20):
        cache.put(f"{number:02}", {"n": number})
        os.utime(cache._path(f"{number:02}"), (number, number))
    assert cache.get("00") == {"n": 0}  # used now
    cache.max_entries = 10
    cache.prune()
    kept = [number for number in range(20) if cache.get(f"{number:02}")]
    assert kept == [0, *range(12, 20)]
    cache.max_bytes = 200
    cache.prune()
    assert 0 < cache.usage().bytes <= 200


def test_commands(work, capfd, tmp_path):
    skill(work, "s")
    check(capfd, "s")
    assert "1 results" in run(capfd, "cache", "info")[1]
    (tmp_path / "cache" / "remit" / "mine.txt").write_text("keep")
    assert "removed 1 results" in run(capfd, "cache", "clear")[1]
    assert "0 results" in run(capfd, "cache", "info")[1]
    assert (tmp_path / "cache" / "remit" / "mine.txt").exists()


def test_what_type_checkers_remember_is_shown_and_removed(work, capfd, tmp_path):
    assert "type checkers" not in run(capfd, "cache", "info")[1]
    memory = tmp_path / "cache/remit/checkers/mypy-1/3.11"
    memory.mkdir(parents=True)
    (memory / "builtins.data.json").write_bytes(b" " * 3 * 1024 * 1024)
    (memory / "gone").symlink_to("nowhere")
    assert "type checkers remember: 3.0 MB" in run(capfd, "cache", "info")[1]
    assert "removed what type checkers remembered: 3.0 MB" in run(capfd, "cache", "clear")[1]
    assert not (tmp_path / "cache/remit/checkers").exists()
    assert "type checkers" not in run(capfd, "cache", "info")[1]


def test_entries_are_json(work, capfd, tmp_path):
    skill(work, "s")
    check(capfd, "s")
    (entry,) = entries(tmp_path)
    assert json.loads(entry.read_bytes().partition(b"\n")[2])["skill"] == "s"
