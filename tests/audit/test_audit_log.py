"""The log on disk: writers at once, killed writers, cut tails, old copies, files that are no logs."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing

import pytest
from audit_entries import START, checkers, decision, effect, ticking, verified

from remit.audit import Filter, Log, Outcome
from remit.audit.verify import DamagedLog, IntactLog, export, verify_export
from remit.core.errors import AuditError

WRITER = """
import sys
from pathlib import Path
from remit.audit import Entry, Log, RecordKind
log = Log.open(Path(sys.argv[1]), every=20)
print("ready", flush=True)
number = 0
while True:
    number += 1
    told = log.append(*[Entry(kind=RecordKind.ENVELOPE, session=sys.argv[2], call=str(number)) for _ in range(3)])
    print(told[-1], flush=True)
"""
WRITER_OF_FORTY = """
import sys
from pathlib import Path
from remit.audit import Entry, Log, RecordKind
sys.stdin.read()
with Log.open(Path(sys.argv[1]), every=20) as log:
    for number in range(40):
        log.append(*[Entry(kind=RecordKind.ENVELOPE, session=sys.argv[2], call=f"c{number}") for _ in range(1 + number % 3)])
"""


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "state"


def filled(folder, count=10, **more):
    with Log.open(folder, **more) as log:
        ticking(log).append(*[decision(number) for number in range(1, count + 1)])


def raw(folder):
    """The database without the triggers: what somebody does who can write to the file."""
    store = sqlite3.connect(folder / "audit.db", isolation_level=None)
    for (name,) in store.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        store.execute(f"DROP TRIGGER {name}")
    return closing(store)


def test_what_is_appended_is_read(folder):
    with Log.open(folder) as log:
        ticking(log)
        assert log.append(decision(1), effect(1)) == (1, 2)
        assert log.append() == ()
        assert log.append(decision(2), sync=True) == (3,)
        found = list(log.records())
        assert [record.number for record in found] == [1, 2, 3]
        assert found[1].entry == effect(1)
        assert found[0].time > START
        assert log.head().number == 3
    assert verified(folder) == IntactLog(log.name, 3, 1, 2, local=True)
    assert (folder / "audit.db").stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    ("wanted", "numbers"),
    [
        (Filter(), [1, 2, 3, 4]),
        (Filter(session="s2"), [3]),
        (Filter(principal="csv"), [2]),
        (Filter(outcome="deny"), [2]),
        (Filter(kind="effect"), [4]),
        (Filter(call="c1"), [1, 4]),
        (Filter(since=START + 3_000_000), [3, 4]),
        (Filter(after=2), [3, 4]),
        (Filter(newest=2), [3, 4]),
        (Filter(newest=1, session="s1", outcome="deny"), [2]),
        (Filter(session="nobody", newest=3), []),
    ],
)
def test_filters(folder, wanted, numbers):
    with Log.open(folder) as log:
        moments = iter([START + second * 1_000_000 for second in (1, 1, 2, 3, 4)])
        log.clock = lambda: next(moments)
        for entry in (decision(1), decision(2, Outcome.DENY, principal="csv"), decision(3, session="s2"), effect(1)):
            log.append(entry)
        assert [record.number for record in log.records(wanted)] == numbers, "as it is remembered"
        with Log.open(folder) as other:
            assert [record.number for record in other.records(wanted)] == numbers, "as it is read"


def test_what_is_remembered_is_not_all_when_others_write(folder):
    with Log.open(folder) as log, Log.open(folder) as other:
        log.append(decision(1))
        other.append(decision(2))
        assert [record.number for record in log.records()] == [1, 2], "the newest one is of another process"
        log.append(decision(3))
        assert [record.number for record in log.records()] == [1, 2, 3], "one in between is"
        assert [record.number for record in log.records(Filter(after=2))] == [3]


def test_only_so_much_is_remembered(folder, monkeypatch):
    monkeypatch.setattr("remit.audit.log._BYTES", 3000)
    with Log.open(folder) as log:
        for number in range(1, 31):
            log.append(decision(number, reason="x" * 100))
        assert len(log._recent) < 10
        assert [record.number for record in log.records()] == list(range(1, 31))
        assert [record.number for record in log.records(Filter(after=28))] == [29, 30]


def test_records_are_read_by_pages_while_others_write(folder, monkeypatch):
    monkeypatch.setattr("remit.audit.queries._PAGE", 3)
    filled(folder, 7)
    with Log.open(folder) as log:
        reading = log.records()
        assert next(reading).number == 1
        log.append(decision(8))
        assert [record.number for record in reading] == list(range(2, 9))


def test_a_batch_is_written_whole_or_not_at_all(folder):
    filled(folder, 2)
    with Log.open(folder) as log:
        with pytest.raises(AuditError):
            log.append(decision(3), decision(4, reason="\ud800"))
        assert log.head().number == 2
        assert log.append(decision(3)) == (3,)
    assert isinstance(verified(folder), IntactLog)


def test_heads_come_by_themselves_and_on_request(folder):
    with Log.open(folder, every=4) as log:
        for number in range(1, 11):
            log.append(decision(number))
        assert verified(folder).signed == 9
        head = log.sign()
        assert head.head.number == 10
        assert log.sign() == head, "nothing happened since"
    assert (folder / "audit.heads").read_text().count("\n") == 4
    assert verified(folder).signed == 10


def test_heads_on_request_only(folder):
    with Log.open(folder, every=0) as log:
        for number in range(1, 6):
            log.append(decision(number))
        assert verified(folder).signed == 1
        log.sign()
    assert verified(folder).signed == 5


def test_a_reader_does_not_look_into_a_batch_that_is_half_written(folder):
    filled(folder, 2)
    with Log.open(folder) as log:
        log._store.execute("BEGIN IMMEDIATE")
        log._store.execute("INSERT INTO record VALUES (3, x'00', x'00')")
        assert [record.number for record in log.records()] == [1, 2]
        log._store.execute("ROLLBACK")


def test_threads_share_a_log(folder):
    with Log.open(folder, every=9) as log:
        threads = [
            threading.Thread(target=lambda: [log.append(decision(number)) for number in range(50)]) for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert verified(folder).records == 200


def test_eight_processes_at_once_lose_nothing(folder):
    workers = [
        subprocess.Popen([sys.executable, "-c", WRITER_OF_FORTY, str(folder), f"p{index}"], stdin=subprocess.PIPE)
        for index in range(8)
    ]
    for worker in workers:
        worker.stdin.close()  # all begin now
    for worker in workers:
        assert worker.wait(300) == 0
    found = verified(folder)
    assert isinstance(found, IntactLog)
    assert found.records == 8 * sum(1 + number % 3 for number in range(40))
    with Log.open(folder) as log:
        for index in range(8):
            mine = [record.entry.call for record in log.records(Filter(session=f"p{index}"))]
            assert mine == [f"c{number}" for number in range(40) for _ in range(1 + number % 3)]


def test_writers_that_are_killed_leave_a_chain(folder):
    for attempt in range(8):
        workers = [
            subprocess.Popen([sys.executable, "-c", WRITER, str(folder), name], stdout=subprocess.PIPE, text=True)
            for name in ("a", "b")
        ]
        for worker in workers:
            assert worker.stdout.readline() == "ready\n"
        time.sleep(0.01 * attempt)
        told = 0
        for worker in workers:
            os.kill(worker.pid, signal.SIGKILL)
            lines = worker.communicate()[0].splitlines()
            told = max([told, *[int(line) for line in lines]])
        found = verified(folder)
        assert isinstance(found, IntactLog), found
        assert found.records >= told, "whoever was told a number finds the record"
        assert found.records % 3 == 0, "batches are whole"


@pytest.mark.parametrize("cut", [1, 3, 10])
def test_a_cut_tail_is_found(folder, cut):
    filled(folder)
    with raw(folder) as store:
        store.execute("DELETE FROM record WHERE number > ?", (10 - cut,))
    found = verified(folder)
    assert isinstance(found, DamagedLog)
    assert found.number == 11 - cut


def test_a_cut_tail_with_its_heads_in_the_database_is_found(folder):
    with Log.open(folder, every=2) as log:
        for number in range(1, 7):
            log.append(decision(number))
    with raw(folder) as store:
        store.execute("DELETE FROM record WHERE number > 2")
        store.execute("DELETE FROM head WHERE number > 2")
    assert verified(folder).number == 3


def test_heads_that_are_taken_away_beside_the_database_are_found(folder):
    with Log.open(folder, every=2) as log:
        for number in range(1, 7):
            log.append(decision(number))
    heads = folder / "audit.heads"
    lines = heads.read_text().splitlines(keepends=True)
    for text in ("".join(lines[:-1]), "".join(lines[1:]), ""):
        heads.write_text(text)
        assert isinstance(verified(folder), DamagedLog)
    heads.unlink()
    assert isinstance(verified(folder), DamagedLog)
    heads.write_text("".join([lines[0], "hello\n", *lines[1:]]))
    with pytest.raises(AuditError, match="line 2 is not a head"):
        verified(folder)


def test_an_older_copy_is_found(folder, tmp_path):
    filled(folder)
    shutil.copy(folder / "audit.db", tmp_path / "old.db")
    with Log.open(folder) as log:
        log.append(decision(11))
        kept = log.sign()
    shutil.copy(tmp_path / "old.db", folder / "audit.db")
    assert verified(folder).number == 11
    # both cut back to the same older head: only a head that was kept elsewhere shows it
    heads = folder / "audit.heads"
    heads.write_text("".join(heads.read_text().splitlines(keepends=True)[:1]))
    assert isinstance(verified(folder), IntactLog)
    assert verified(folder, [kept]).number == 11


def test_a_log_that_was_cut_or_replaced_is_not_gone_on_with(folder, tmp_path):
    filled(folder)
    shutil.copy(folder / "audit.db", tmp_path / "old.db")
    heads = (folder / "audit.heads").read_text()
    with Log.open(folder) as log:
        log.append(decision(11))
        log.sign()
    shutil.copy(folder / "audit.db", tmp_path / "new.db")
    newer = (folder / "audit.heads").read_text()
    filled(tmp_path / "other", 20)
    bad = [
        (tmp_path / "old.db", newer), (tmp_path / "new.db", heads), (tmp_path / "new.db", ""), (tmp_path / "new.db", "hello\n"),
        (tmp_path / "other" / "audit.db", newer),
    ]  # fmt: skip
    for database, text in bad:
        shutil.copy(database, folder / "audit.db")
        (folder / "audit.heads").write_text(text)
        with pytest.raises(AuditError):
            Log.open(folder)
    (folder / "audit.heads").unlink()
    with pytest.raises(AuditError, match="cut off or replaced"):
        Log.open(folder)
    shutil.copy(tmp_path / "new.db", folder / "audit.db")
    (folder / "audit.heads").write_text(newer)
    with Log.open(folder) as log:
        assert log.append(decision(12)) == (12,)


def test_another_log_in_its_place_is_found(folder, tmp_path):
    filled(folder)
    filled(tmp_path / "other")
    shutil.copy(tmp_path / "other" / "audit.db", folder / "audit.db")
    assert isinstance(verified(folder), DamagedLog)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE record SET text = CAST(replace(CAST(text AS TEXT), 'inside', 'Inside') AS BLOB) WHERE number = 4",
        "UPDATE record SET hash = zeroblob(32) WHERE number = 4",
        "DELETE FROM record WHERE number = 4",
        "UPDATE record SET number = 40 WHERE number = 4",
        "UPDATE record SET text = (SELECT text FROM record WHERE number = 5) WHERE number = 4",
    ],
)
def test_a_changed_row_is_found_by_its_number(folder, change):
    filled(folder)
    with raw(folder) as store:
        store.execute(change)
    assert verified(folder).number == 4


def test_records_and_heads_stay(folder):
    filled(folder)
    with closing(sqlite3.connect(folder / "audit.db")) as store:
        for change in (
            "DELETE FROM record",
            "UPDATE record SET number = 9",
            "DELETE FROM head",
            "UPDATE head SET line=1",
        ):
            with pytest.raises(sqlite3.IntegrityError, match="stays"):
                store.execute(change)


@pytest.mark.parametrize("data", [b"", b"hello", b"SQLite format 3\0" + b"\0" * 4000, b"x" * 9000])
def test_a_file_that_is_no_log_is_never_an_empty_log(folder, data):
    filled(folder, 1)
    (folder / "audit.db").write_bytes(data)
    with pytest.raises(AuditError):
        Log.open(folder)
    with pytest.raises(AuditError):
        verified(folder)
    assert (folder / "audit.db").read_bytes() == data


def test_a_database_of_another_program_is_refused(folder):
    folder.mkdir(0o700)
    with closing(sqlite3.connect(folder / "audit.db")) as store:
        store.execute("CREATE TABLE record (number, text, hash)")
    with pytest.raises(AuditError, match="another program"):
        Log.open(folder)


def test_damage_in_the_middle_is_an_error_or_a_broken_chain(folder):
    filled(folder, 400)
    path = folder / "audit.db"
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 3000] = b"\xaa" * 3000
    path.write_bytes(data)
    try:
        found = verified(folder)
    except AuditError:
        return
    assert isinstance(found, DamagedLog)


def test_a_newer_form_is_refused_with_a_remedy(folder):
    filled(folder, 1)
    with closing(sqlite3.connect(folder / "audit.db")) as store:
        store.execute("PRAGMA user_version = 2")
    with pytest.raises(AuditError, match="form 2") as caught:
        Log.open(folder)
    assert "newer" in caught.value.remedy


def test_a_log_that_is_gone_is_not_begun_anew(folder):
    filled(folder, 1)
    (folder / "audit.db").unlink()
    with pytest.raises(AuditError, match="is gone"):
        Log.open(folder)
    shutil.rmtree(folder)
    with pytest.raises(AuditError, match="there is no log"):
        list(export(folder))


def test_a_log_that_was_replaced_is_not_written_to(folder, tmp_path):
    with Log.open(folder) as log:
        log.append(decision(1))
        shutil.copy(folder / "audit.db", tmp_path / "copy")
        os.replace(tmp_path / "copy", folder / "audit.db")
        with pytest.raises(AuditError, match="replaced"):
            log.append(decision(2))
        (folder / "audit.db").unlink()
        with pytest.raises(AuditError, match="gone"):
            log.sign()


def test_what_others_can_write_to_is_refused(folder):
    filled(folder, 1)
    os.chmod(folder / "audit.db", 0o666)
    with pytest.raises(AuditError, match="changed by others"):
        Log.open(folder)
    os.chmod(folder / "audit.db", 0o600)
    os.chmod(folder / "keys" / "audit.local", 0o644)
    with Log.open(folder) as log:
        log.append(decision(2))
        with pytest.raises(AuditError, match="opened by others"):
            log.sign()


def test_half_a_line_of_heads_is_what_a_crash_left(folder):
    filled(folder, 3)
    heads = folder / "audit.heads"
    heads.write_text(heads.read_text() + '{"algorithm":"hm')
    assert isinstance(verified(folder), IntactLog)
    with Log.open(folder) as log:
        log.append(decision(4))
        log.sign()
    assert isinstance(verified(folder), IntactLog)
    assert verified(folder).signed == 4


def test_a_head_that_is_not_in_the_database_must_still_be_signed(folder):
    """A crash may leave one beside the database only; a stranger's is refused all the same."""
    filled(folder, 3)
    heads = folder / "audit.heads"
    line = heads.read_text()
    heads.write_text(line + line.replace('"time":1', '"time":2'))
    assert isinstance(verified(folder), DamagedLog)


def test_an_export_is_verified_without_the_log(folder, tmp_path):
    filled(folder, 5)
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"".join(export(folder)))
    keys = checkers(folder)
    with path.open("rb") as file:
        assert verify_export(file, keys) == verified(folder)
    lines = path.read_bytes().splitlines(keepends=True)
    broken = {
        "changed": [*lines[:3], lines[3].replace(b"inside", b"Inside"), *lines[4:]],
        "cut": [*lines[:4], lines[-1]],
        "without": [*lines[:2], *lines[3:]],
        "swapped": [lines[0], lines[2], lines[1], *lines[3:]],
    }
    for name, text in broken.items():
        path.write_bytes(b"".join(text))
        with path.open("rb") as file:
            assert isinstance(verify_export(file, keys), DamagedLog), name
    refused = {
        "empty": [], "headless": lines[1:], "torn": [*lines[:-1], lines[-1][:-1]], "noise": [*lines, b"hello\n"],
        "late": [*lines, lines[1]], "number": [b'{"format":2,"log":"ab"}\n'], "hash": [lines[0], b'{"hash":"0","record":{}}\n'],
    }  # fmt: skip
    for name, text in refused.items():
        path.write_bytes(b"".join(text))
        with path.open("rb") as file, pytest.raises(AuditError):
            pytest.fail(f"{name}: {verify_export(file, keys)}")


def test_importing_the_room_is_cheap():
    code = "import sys, remit.audit; print([m for m in ('sqlite3', 'cryptography', 'yaml', 're2', 'tree_sitter') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
