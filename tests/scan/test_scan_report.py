"""The report on a scan says what a plain count of the rows says; and refuses what is no scan."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scan_report_reference as reference
from hypothesis import given, settings
from hypothesis import strategies as st
from scan_report_samples import REASONS, TRAITS, effect, finding, row, save, scans

from each_row import each_row
from remit.core.errors import InputError, UsageError
from remit.scan.report import Options, report
from remit.scan.report.findings import grouped
from remit.scan.report.query_base import LEAST
from remit.scan.report.store import Store, names, query
from remit.scan.rows import OpaquePlace, table

ALL = Options(top=1000)
EXAMPLES = 150 if os.environ.get("REMIT_NIGHTLY") else 12


def findings(rows, old=None, options=ALL):
    with TemporaryDirectory() as folder:
        new = save(Path(folder) / "new.parquet", rows)
        return report([new], [save(Path(folder) / "old.parquet", old)] if old is not None else [], options)


@settings(max_examples=EXAMPLES)
@given(scans, scans)
def test_every_answer_is_that_of_a_plain_count(rows, old):
    found = findings(rows, old)
    assert found.overview._asdict() == reference.overview(rows)
    assert dict(found.verdicts) == reference.verdicts(rows)
    assert dict(found.levels) == reference.levels(rows)
    assert [one.example for one in found.worst] == reference.worst(rows)
    assert {one.rule: one[1:4] for one in found.rules} == reference.rules(rows)
    assert dict(found.guarantees) == reference.guarantees(rows)
    assert {one.error: one.skills for one in found.errors} == reference.errors(rows)
    assert {one.capability: one[1:] for one in found.capabilities} == reference.capabilities(rows)
    for kinds, reasons in ((True, found.opaque_kinds), (False, found.opaque_reasons)):
        assert {one.reason: one[1:4] for one in reasons} == reference.opaque(rows, kinds=kinds)
    for kind, named, shown in (
        ("host", True, found.hosts), ("host", False, found.unnamed_hosts),
        ("program", True, found.programs), ("program", False, found.unnamed_programs),
    ):  # fmt: skip
        assert {one.what: one.skills for one in shown} == reference.reached(rows, kind, named=named)
    groups_are_right(rows, found.alike)
    odd = {one.example: (one.beyond, one.same_description) for one in found.impostors.listed}
    assert odd == reference.odd_names(rows)
    assert found.impostors[:2] == (len(odd), sum(alike for _, alike in odd.values()))
    changes_are_right(old, rows, found.changes)


def groups_are_right(rows, alike):
    shown = alike.twins
    wanted = reference.twins(rows, LEAST)
    assert alike.twin_groups == len(shown) == len(wanted)
    assert alike.twin_skills == sum(map(len, wanted)) == sum(one.skills for one in shown)
    for one in shown:
        assert any(set(one.examples) <= group and one.skills == len(group) for group in wanted)
    groups = reference.stars(rows, LEAST, alike.similar)
    assert alike.near_groups == len(groups) == len(alike.near)
    assert alike.near_skills == sum(skills for skills, _ in groups)
    assert sorted((one.skills, one.similarity) for one in alike.near) == sorted(
        (skills, round(least, 2)) for skills, least in groups
    )
    assert alike.uncompared == 0


def changes_are_right(old, rows, changes):
    wanted = reference.changes(old, rows)
    kinds = [kind for kind, *_ in wanted.values()]
    for kind in ("new", "gone", "same", "content", "effects", "analysis", "unknown"):
        assert getattr(changes.counts, kind) == kinds.count(kind)
    worse = reference.worse(old, rows)
    assert changes.counts.worse == len(worse)
    assert {one.location: one.gained for one in changes.changed} == {
        location: gained for location, (kind, gained, _, _) in wanted.items() if kind == "effects" or location in worse
    }
    for one in changes.changed:
        _, gained, lost, wider = wanted[one.location]
        assert (set(one.gained), one.lost) == (set(gained), lost)
        assert {(place.capability, place.scope) for place in one.widened} == wider
        assert {place.capability for place in one.places} == set(gained)
    assert {one.location for one in changes.unknown} == {key for key, said in wanted.items() if said[0] == "unknown"}
    own = [said[1:] for said in wanted.values() if said[0] == "effects"]
    gained, lost, wider = (sum(bool(said[at]) for said in own) for at in range(3))
    assert changes.counts[-3:] == (gained, wider, lost)


sets = st.lists(st.frozensets(st.integers(0, 11), min_size=1, max_size=10), max_size=40, unique=True)


@given(sets, st.sampled_from([0.5, 0.6, 2 / 3, 0.75, 0.8, 0.9, 0.99]))
def test_no_similar_centre_is_missed_and_none_is_made_up(found, share):
    found.sort(key=len, reverse=True)
    seen, centres = {}, []
    for at, one in enumerate(found):  # every set with every centre
        near = next((n for n in centres if reference.similarity(found[n], one) >= share - 1e-9), None)
        if near is None:
            centres.append(at)
        else:
            seen.setdefault(near, []).append(at)
    groups, left = grouped(((at, 1, sorted(one)) for at, one in enumerate(found)), share, 10**9)
    assert {group.members for group in groups} == {(centre, *others) for centre, others in seen.items()}
    assert left == 0
    for group in groups:
        assert group.skills == len(group.members)
        likeness = [reference.similarity(found[group.members[0]], found[one]) for one in group.members[1:]]
        assert group.similarity == min(likeness)


def test_what_would_take_too_many_comparisons_is_left_out_and_counted():
    common = [effect(("file.read", f"./{number}")) for number in range(4)]
    rows = [row(f"s/{at}", [*common, effect(("file.write", f"./{at}"))]) for at in range(10)]
    near = findings(rows, options=Options(similar=0.6)).alike
    assert (near.near_groups, near.near_skills, near.uncompared) == (1, 10, 0)
    some = findings(rows, options=Options(similar=0.6, comparisons=4)).alike
    assert (some.near_groups, some.near_skills, some.uncompared) == (1, 5, 5)
    none = findings(rows, options=Options(similar=0.6, comparisons=0)).alike
    assert (none.near_groups, none.uncompared) == (0, 10)


def test_places_are_lines_of_scripts_before_what_the_text_says():
    was = row("s/1", digest="1")
    now = row("s/1", [
        effect(("secret.read", "~/.x"), "SKILL.md", 1, "instructed"), effect(("secret.read", "~/.y"), "z.py", 9), effect(("secret.read", "~/.z"), "z.py", 10),
    ], digest="2")  # fmt: skip
    (changed,) = findings([now], [was]).changes.changed
    assert changed.places == (("secret.read", "~/.y", "z.py", 9, "because"),)


def test_the_worst_finding_is_first_and_what_is_accepted_or_clear_is_not_listed():
    rows = [
        row("s/1", findings=[finding(severity="medium"), finding("download-and-run", "medium")]),
        row("s/2", findings=[finding(severity="critical")]),
        row("s/3", findings=[finding(severity="low")]),
        row("s/4", findings=[finding(severity="medium", accepted=True)]),
        row("s/5", [effect(TRAITS[9])]),
    ]
    found = findings(rows)
    assert [(one.example, one.level, one.found) for one in found.worst] == [("s/2", "block", 1), ("s/1", "review", 2)]
    assert dict(found.levels) == {"block": 1, "review": 1, "clear": 3}
    assert [one[:3] for one in found.rules] == [("secret-to-network", "critical", 3), ("download-and-run", "medium", 1)]


def test_text_alone_that_makes_a_level_worse_is_alarming():
    was, now = row("s/1", digest="1"), row("s/1", digest="2", findings=[finding(severity="high")])
    found = findings([now], [was]).changes
    assert (found.counts.content, found.counts.worse, found.counts.gained) == (1, 1, 0)
    assert [(one.location, one.old_level, one.new_level) for one in found.changed] == [("s/1", "clear", "block")]
    assert found.alarming
    assert not findings([was], [now]).changes.alarming


def test_one_reason_that_keeps_skills_from_being_contained():
    one, other = (OpaquePlace(reason, "a.py", 1) for reason in REASONS[::2])
    rows = [
        row("s/1", opaque=[one, one]),
        row("s/2", opaque=[one, other]),
        row("s/3", opaque=[one], verdict="undeclared"),
    ]
    assert [said[:4] for said in findings(rows).opaque_reasons] == [(REASONS[0], 3, 2, 1), (REASONS[2], 1, 0, 0)]


def test_a_skill_that_can_no_longer_be_analysed_lost_nothing_and_is_alarming():
    was = row("s/1", [effect(TRAITS[0])])
    found = findings([row("s/1", error="it cannot be read")], [was]).changes
    assert found.counts.lost == found.counts.same == 0
    assert found.counts.lost_sight == found.counts.unknown == 1
    assert found.alarming
    assert not findings([was], [was]).changes.alarming
    assert not findings([was], [row("s/1", error="it cannot be read")]).changes.alarming


def test_more_hosts_for_a_capability_that_it_had_are_alarming():
    was, now = ([effect(("web.post", host))] for host in ("a.example", "b.example"))
    found = findings([row("s/1", [*was, *now], digest="2")], [row("s/1", was, digest="1")]).changes
    assert (found.counts.gained, found.counts.widened) == (0, 1)
    assert found.changed[0].widened[0][:2] == ("web.post", "b.example")
    assert found.alarming


def test_the_same_content_with_other_effects_is_no_change_of_the_skill():
    found = findings([row("s/1", [effect(TRAITS[0])], digest="1")], [row("s/1", digest="1")]).changes
    assert (found.counts.analysis, found.counts.gained) == (1, 0)
    assert not found.alarming


def test_a_skill_that_moved_is_not_only_gone():
    found = findings([row("s/2", digest="1")], [row("s/1", digest="1"), row("s/3")]).changes
    assert (found.counts.new, found.counts.gone, found.counts.moved) == (1, 2, 1)


def test_a_scan_of_nothing_is_a_report_on_nothing():
    found = findings([], [])
    assert found.overview.skills == 0
    assert found.worst == found.rules == ()


def test_a_location_in_two_files_is_refused(tmp_path):
    files = [save(tmp_path / f"{number}.parquet", [row("s/1")]) for number in (1, 2)]
    with pytest.raises(InputError, match="`s/1` occurs in the results more than once"):
        report(files)


def test_parts_of_one_scan_are_read_together(tmp_path):
    files = [save(tmp_path / f"{number}.parquet", [row(f"s/{number}")]) for number in (1, 2)]
    assert report(files).overview.skills == 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda whole: whole.drop_columns(["effects"]), "has no column `effects`"),
        (
            lambda whole: whole.set_column(6, "level", pa.array([1], pa.int64())),
            "the column `level` of .* is not of the type",
        ),
    ],
)
def test_a_table_of_something_else_is_refused(tmp_path, change, message):
    pq.write_table(change(table([row("s/1")])), tmp_path / "x.parquet")
    with pytest.raises(InputError, match=message):
        report([tmp_path / "x.parquet"])


def test_what_is_no_parquet_is_refused(tmp_path):
    (tmp_path / "x.parquet").write_bytes(b"PAR1 and then nothing of it PAR1")
    with pytest.raises(InputError, match="cannot be read as Parquet"):
        report([tmp_path / "x.parquet"])
    with pytest.raises(UsageError, match="is not a file"):
        report([tmp_path])


def test_a_damaged_page_is_an_error_and_no_empty_report(tmp_path):
    rows = [row(f"s/{at}", [effect(TRAITS[at % 12], f"{at}.py")]) for at in range(500)]
    path = save(tmp_path / "x.parquet", rows)
    data = bytearray(path.read_bytes())
    data[40:4000] = b"\xff" * 3960
    path.write_bytes(data)
    with pytest.raises(InputError, match="cannot be read"):
        report([path])


@each_row("name", ["a[1]*.parquet", "x'; DROP TABLE skill; --.parquet", "https:x.parquet"])
def test_names_of_files_are_names_and_nothing_else(tmp_path, name):
    save(tmp_path / "a1.parquet", [row("s/other")])
    assert report([save(tmp_path / name, [row("s/1")])]).overview.skills == 1


def test_texts_of_strangers_are_values_and_nothing_else():
    evil = "'); DROP TABLE skill; -- $1 {x}"
    rows = [
        row(f"{evil}/1", [effect((evil, evil), evil)], [OpaquePlace(evil, evil, 1)], name=evil, description=evil),
        row("s/2", error=evil),
    ]
    found = findings(rows, rows)
    assert found.overview.skills == 2
    assert found.capabilities[0].capability == found.opaque_reasons[0].reason == evil


def test_the_database_opens_no_file_of_anybody(tmp_path):
    save(tmp_path / "x.parquet", [row("s/1")])
    import duckdb

    with Store(64) as store:
        for text in (f"SELECT * FROM read_parquet('{tmp_path}/x.parquet')", f"COPY (SELECT 1) TO '{tmp_path}/y.csv'",
                     "SET enable_external_access = true", "INSTALL httpfs", "SELECT * FROM tmp_path"):  # fmt: skip
            with pytest.raises(duckdb.Error):
                store._open.execute(text)
    assert not (tmp_path / "y.csv").exists()


def test_every_question_is_asked_and_says_what_it_answers(monkeypatch):
    asked = set()
    for name in ("do", "ask", "each"):
        plain = getattr(Store, name)
        monkeypatch.setattr(
            Store, name, lambda store, text, *, plain=plain, **more: asked.add(text) or plain(store, text, **more)
        )
    rows = [row(f"s/{at}", [effect(one) for one in TRAITS[: 5 + at]]) for at in range(3)]
    findings(rows, rows[:2])
    assert asked == set(names())
    assert all(query(name).startswith("-- ") for name in names())
