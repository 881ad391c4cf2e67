"""Records against the world: equal multisets match, and nothing else does."""

import os
from collections import Counter
from pathlib import Path

import pytest
from audit_entries import DIGEST, decision, effect
from hypothesis import given
from hypothesis import strategies as st

from each_row import each_row
from remit.audit import Inferred, Outcome, Record
from remit.audit.biconditional import ObservedChanges, Report, compare, read_shown, shown, unfinished
from remit.audit.world import Difference, as_json, differences, picture, read_picture
from remit.core.errors import AuditError, DataError

OTHER = "sha256:" + "1" * 64
NAMES = ["a", "b", "out/c", "out/d e", "x*y", "ü"]
CAPABILITY = {"write": "file.write", "delete": "file.delete", "chmod": "file.chmod"}


def escaped(path):
    return "./" + path.replace("*", "\\*")


def log(*entries):
    return [Record(number, number, entry, b"") for number, entry in enumerate(entries, 1)]


def done(number, change, path, **more):
    """A call that was admitted and ran."""
    what = {"capability": CAPABILITY[change], "scope": escaped(path)} | more
    return decision(number, **what), effect(number, **what)


def ran(*changes, **more):
    return log(
        *[entry for number, (change, path) in enumerate(changes) for entry in done(number, change, path, **more)]
    )


def world(*seen, existed=(), **more):
    return ObservedChanges(tuple(seen), frozenset(existed), root="/w", **more)


def verdicts(comparison):
    return Counter(
        (str(item.verdict), item.op, item.target) for item in comparison.findings if not item.target.startswith("call ")
    )


def alarms(comparison):
    return {(str(item.verdict), item.op, item.target) for item in comparison.findings if item.verdict != "matched"}


changes = st.lists(st.tuples(st.sampled_from(list(CAPABILITY)), st.sampled_from(NAMES)), max_size=8)


@given(changes, changes)
def test_a_counted_world_matches_if_and_only_if_the_multisets_are_equal(recorded, seen):
    found = compare(ran(*recorded), world(*[Difference(*item) for item in seen], counted=True))
    assert found.holds == (Counter(recorded) == Counter(seen))
    bypasses = Counter((op, path) for (verdict, op, path) in verdicts(found).elements() if verdict == "bypass")
    forgeries = Counter((op, path) for (verdict, op, path) in verdicts(found).elements() if verdict == "forgery")
    # a folder is no matter here, so that each side is exactly what the other lacks
    assert bypasses == Counter(seen) - Counter(recorded)
    assert forgeries == Counter(recorded) - Counter(seen)


@given(changes, st.sampled_from(["create", "change", "delete", "chmod", "ref"]))
def test_something_more_in_the_world_is_always_named(recorded, op):
    seen = [Difference(*item) for item in recorded]
    before = compare(ran(*recorded), world(*seen, counted=True))
    after = compare(ran(*recorded), world(*seen, Difference(op, "new/one"), counted=True))
    assert before.holds
    assert not after.holds
    assert alarms(after) - alarms(before) == {("bypass", op, "new/one")}


@given(changes)
def test_pictures_of_a_real_workspace_match_what_was_done(tmp_path_factory, recorded):
    """Do it, log it, look: nothing else is said than that it matches."""
    root = tmp_path_factory.mktemp("workspace")
    (root / "out").mkdir()
    (root / "out" / "c").write_text("old")
    (root / "a").write_text("old")
    before = picture(root)
    really = []
    for number, (change, path) in enumerate(recorded):
        target = root / path
        if change == "write":
            target.write_text(f"{number}")
        elif not target.exists():
            continue
        elif change == "delete":
            target.unlink()
        else:
            target.chmod(0o600 + number)
        really.append((change, path))
    after = picture(root, before)
    seen = world(*differences(before, after), existed=before.items.keys())
    found = compare(ran(*really), seen)
    modes_of_new_files = {("bypass", "chmod", path) for _, path in really}
    assert alarms(found) <= modes_of_new_files | {
        ("forgery", "chmod", path) for change, path in really if change == "delete"
    }
    (root / "intruder").write_text("x")
    found = compare(ran(*really), world(*differences(before, picture(root, after)), existed=before.items.keys()))
    assert ("bypass", "create", "intruder") in alarms(found)


def test_a_scope_explains_what_lies_in_it_and_no_more():
    entry = effect(1, capability="file.write", scope="./out/**")
    records = log(decision(1, scope="./out/**"), entry)
    assert compare(records, world(Difference("create", "out/a"), Difference("create", "out/b/c"))).holds
    assert compare(records, world()).holds, "it allows and does not promise"
    assert alarms(compare(records, world(Difference("create", "other/a")))) == {("bypass", "create", "other/a")}
    assert alarms(compare(records, world(Difference("delete", "out/a")))) == {("bypass", "delete", "out/a")}


@each_row(
    ("scope", "explains"),
    [("/w/out/**", True), ("/w/out/a", True), ("/**", True), ("/w/**", True), ("/other/out/**", False),
     ("~/out/**", True), ("./out/*", True), ("any", True), ("", True), ("$TMP/**", False), ("[bad", False)],
)  # fmt: skip
def test_where_a_scope_lies(scope, explains):
    records = log(decision(1, scope=scope), effect(1, scope=scope, capability="file.write"))
    found = compare(records, world(Difference("create", "out/a"), home="/w"))
    assert found.holds == explains


def test_what_a_command_was_found_to_do_explains_if_it_was_admitted():
    fine = Inferred("file.write", "./out/**", Outcome.ADMIT)
    refused = Inferred("file.delete", "./**", Outcome.DENY)
    what = {"capability": "shell.execute", "scope": "make", "inferred": (fine, refused)}
    records = log(decision(1, **what), effect(1, **what))
    found = compare(records, world(Difference("create", "out", folder=True), Difference("create", "out/a")))
    assert found.holds
    assert found.unobserved == {"shell.execute": 1}
    assert not compare(records, world(Difference("delete", "out/a"))).holds


def test_what_nobody_understood_and_a_person_agreed_to_explains_everything():
    what = {"capability": "shell.execute", "inferred": (Inferred("*", "any", Outcome.PERSON_APPROVED),)}
    records = log(decision(1, Outcome.PERSON_APPROVED, **what), effect(1, **what))
    assert compare(records, world(Difference("delete", "a"), Difference("ref", "refs/heads/main"))).holds


def test_folders_that_are_made_for_a_file_are_explained_and_empty_ones_are_not():
    seen = [
        Difference("create", "out", folder=True),
        Difference("create", "out/new", folder=True),
        Difference("create", "out/new/a"),
    ]
    assert compare(ran(("write", "out/new/a")), world(*seen)).holds
    more = compare(ran(("write", "out/new/a")), world(*seen, Difference("create", "empty", folder=True)))
    assert alarms(more) == {("bypass", "create", "empty")}


def test_a_deleted_folder_takes_what_is_in_it():
    seen = [Difference("delete", "out", folder=True), Difference("delete", "out/a"), Difference("delete", "out/b")]
    assert compare(ran(("delete", "out")), world(*seen, existed=["out", "out/a", "out/b"])).holds


def test_what_leaves_nothing_is_expected_to_leave_nothing():
    assert compare(ran(("write", "a"), ("delete", "a")), world()).holds
    assert compare(ran(("delete", "a"), ("write", "a")), world(Difference("change", "a"), existed=["a"])).holds
    assert compare(ran(("write", "a")), world(Difference("touch", "a"), existed=["a"])).holds, "the same content again"
    assert alarms(compare(ran(("write", "a")), world(existed=["a"]))) == {("forgery", "change", "a")}


def test_a_crash_between_acting_and_recording_is_unknown():
    open_call = log(decision(1, scope="./out/**"))
    assert alarms(compare(open_call, world(Difference("create", "out/a")))) == {
        ("unknown", "Write", "call c1"), ("unknown", "create", "out/a"),
    }  # fmt: skip
    assert alarms(compare(open_call, world())) == {("unknown", "Write", "call c1")}
    later = log(decision(1), effect(1, Outcome.UNKNOWN))
    assert ("unknown", "Write", "call c1") in alarms(compare(later, world()))
    assert compare(later, world()).holds


def test_a_restart_closes_what_is_open():
    records = log(decision(1), decision(2, Outcome.DENY), decision(3, Outcome.ASKED), decision(4), effect(4))
    lost = unfinished(records)
    assert [(entry.call, entry.outcome) for entry in lost] == [("c1", "unknown"), ("c3", "unknown")]
    more = [Record(9 + number, 9, entry, b"") for number, entry in enumerate(lost)]
    assert unfinished([*records, *more]) == ()
    assert compare([*records, *more], world(Difference("create", "out/a.txt"))).holds


def test_what_may_have_been_undone_by_a_command_is_unknown():
    records = [*ran(("write", "out/a")), *ran(("delete", "x"))[:0]]
    shell = {"inferred": (Inferred("file.delete", "./out/**", Outcome.ADMIT),), "capability": "shell.execute"}
    records += [Record(9, 9, decision(9, **shell), b""), Record(10, 10, effect(9, **shell), b"")]
    assert alarms(compare(records, world())) == {("unknown", "create", "out/a")}


def test_what_was_undone_is_not_expected():
    written = done(1, "write", "a")
    records = log(*written, effect(1, Outcome.UNDONE, capability="file.write", scope="./a"))
    assert compare(records, world()).holds
    assert not compare(records, world(Difference("create", "a"))).holds


def test_what_failed_may_have_done_a_part():
    records = log(decision(1, scope="./a"), effect(1, Outcome.FAILED, scope="./a"))
    assert compare(records, world()).holds
    assert compare(records, world(Difference("create", "a"))).holds


@each_row(
    ("records", "verdict"),
    [
        (log(decision(1), effect(1)), "matched"),
        (log(decision(1, Outcome.ASKED), effect(1)), "matched"),
        (log(decision(1, Outcome.PERSON_APPROVED), effect(1)), "matched"),
        (log(decision(1), effect(1, ran=OTHER)), "rewritten"),
        (log(decision(1, Outcome.DENY), effect(1)), "bypass"),
        (log(decision(1, Outcome.ASKED), decision(1, Outcome.PERSON_DENIED), effect(1)), "bypass"),
        (log(effect(1)), "bypass"),
        (log(decision(2), effect(1)), "bypass"),
        (log(decision(1, session="s2"), effect(1)), "bypass"),
    ],
)
def test_calls(records, verdict):
    found = compare(records, world(Difference("create", "out/a.txt")))
    told = {item.target: str(item.verdict) for item in found.findings}
    assert told["call c1"] == verdict
    if verdict == "bypass":
        assert told["out/a.txt"] != "matched", "what was not let through explains nothing"


def test_what_a_host_reports_apart_from_the_log():
    records = log(decision(1), effect(1), decision(2, Outcome.DENY))
    reports = [
        Report("s1", "c1", DIGEST),
        Report("s1", "c1", OTHER),
        Report("s1", "c2", DIGEST),
        Report("s1", "c3", ""),
    ]
    found = compare(records, world(Difference("create", "out/a.txt"), reports=tuple(reports)))
    told = [str(item.verdict) for item in found.findings if item.op == "ran"]
    assert told == ["matched", "rewritten", "bypass", "bypass"]


def test_commits_explain_git_but_not_its_hooks():
    what = {"capability": "commit.create", "scope": "."}
    records = log(decision(1, **what), effect(1, **what))
    fine = [
        Difference("ref", "refs/heads/main"),
        Difference("create", ".git/objects/ab/cd"),
        Difference("change", ".git/index"),
    ]
    assert compare(records, world(*fine)).holds
    for path in (".git/hooks/pre-commit", ".git/config", "src/a.py"):
        assert alarms(compare(records, world(Difference("create", path)))) == {("bypass", "create", path)}
    assert not compare([], world(*fine)).holds


def test_what_cannot_be_seen_is_said():
    records = log(*done(1, "write", "a"), *done(2, "write", "b", capability="web.post", scope="example.com"))
    found = compare(records, ObservedChanges())
    assert found.unobserved == {"changes of files": 1, "web.post": 1}
    unread = compare(ran(("write", "locked/a")), world(unread=("locked",)))
    assert alarms(unread) == {("unknown", "create", "locked/a")}


def test_a_picture_sees_every_kind_of_change(tmp_path):
    for name in ("same", "changed", "gone", "mode", "swapped"):
        (tmp_path / name).write_text("x")
    os.symlink("same", tmp_path / "link")
    os.mkfifo(tmp_path / "pipe")
    git = tmp_path / ".git" / "refs" / "heads"
    git.mkdir(parents=True)
    (git / "main").write_text("1" * 40)
    (tmp_path / ".git" / "packed-refs").write_text(f"# pack-refs\n{'2' * 40} refs/tags/v1\n^{'3' * 40}\n")
    before = picture(tmp_path)
    assert before.refs == {"refs/heads/main": "1" * 40, "refs/tags/v1": "2" * 40}
    (tmp_path / "changed").write_text("y")
    (tmp_path / "gone").unlink()
    (tmp_path / "mode").chmod(0o700)
    (tmp_path / "swapped").unlink()
    os.symlink("same", tmp_path / "swapped")
    (tmp_path / "link").unlink()
    os.symlink("gone", tmp_path / "link")
    (tmp_path / "new").write_text("")
    (git / "main").write_text("4" * 40)
    found = {(item.op, item.target) for item in differences(before, picture(tmp_path, before)) if item.op != "touch"}
    assert found == {
        ("change", "changed"), ("delete", "gone"), ("chmod", "mode"), ("change", "swapped"), ("change", "link"),
        ("create", "new"), ("change", ".git/refs/heads/main"), ("ref", "refs/heads/main"),
    }  # fmt: skip
    assert differences(before, before) == ()
    assert (
        read_picture(as_json(before) | {"items": {k: [v[0], v[1], v[2], list(v[3])] for k, v in before.items.items()}})
        == before
    )


def test_a_content_that_changes_back_in_time_and_size_is_still_seen(tmp_path):
    path = tmp_path / "a"
    path.write_text("one")
    state = path.stat()
    before = picture(tmp_path)
    path.write_text("two")
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert [item.op for item in differences(before, picture(tmp_path, before))] == ["change"]


def test_only_files_that_were_touched_are_read_again_unless_they_were_touched_just_now(tmp_path, monkeypatch):
    (tmp_path / "a").write_text("one")
    fresh = picture(tmp_path)
    settled = fresh._replace(taken=fresh.taken + 10**10)
    read = []
    monkeypatch.setattr("remit.audit.world._digest", lambda path: read.append(path) or "x")
    picture(tmp_path, settled)
    assert read == []
    picture(tmp_path, fresh)
    assert len(read) == 1, "it may have changed within the tick of the clock"


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser reads everything")
def test_what_cannot_be_read_is_named(tmp_path):
    (tmp_path / "locked").mkdir(0o000)
    assert "locked" in picture(tmp_path).unread


@each_row("value", [None, [], {}, {"picture": 1}, {"picture": 2, "root": "", "items": {}, "refs": {}, "unread": {}, "taken": 1},
                                   {"picture": 1, "root": "", "items": {"a": ["file", 1, "", [1]]}, "refs": {}, "unread": {}, "taken": 1}])  # fmt: skip
def test_what_is_no_picture_is_refused(value):
    with pytest.raises(AuditError):
        read_picture(value)
    with pytest.raises(AuditError):
        picture(Path("/nowhere/at/all"))


@each_row("line", ["file.wirte | write | exact | x", "file.write | paint | exact | x", "file.write | write | perhaps | x",
                                  "file.write | write | may | x\nfile.write | write | may | x"])  # fmt: skip
def test_a_wrong_line_of_the_table_is_refused(tmp_path, line):
    path = tmp_path / "observed.table"
    path.write_text(f"[seen]\n{line}\n")
    with pytest.raises(DataError, match=r"observed\.table:\d"):
        read_shown(path)


@each_row("name", [name for name in shown() if name != "*"])
def test_every_line_of_the_table_explains_what_it_says(name):
    ops = {"write": "create", "delete": "delete", "chmod": "chmod", "ref": "ref"}
    what = {"capability": name, "scope": ""}
    records = log(decision(1, **what), effect(1, **what))
    for change, op in ops.items():
        target = ".git/index" if name.startswith("commit.") else "a"
        assert compare(records, world(Difference(op, target))).holds == (change in shown()[name].changes), (
            name,
            change,
        )
