"""Entries and the chain: one spelling each, and any change is found."""

import json

import pytest
from audit_entries import DECISIONS, ENDS, decision, entries
from hypothesis import given, settings
from hypothesis import strategies as st

from by_day import many
from each_row import each_row
from remit.audit import Entry, Outcome, RecordKind
from remit.audit.entry import MAX_BYTES, genesis, link, read, read_entry, written
from remit.audit.head import Head, LocalKey, read_head, sign
from remit.audit.verify import DamagedLog, IntactLog, Stored, check
from remit.core.digest import canonical
from remit.core.errors import AuditError

LOG = "ab" * 16
KEY = LocalKey(b"k" * 32)
KEYS = {KEY.keyid: KEY}


def stored(found, log=LOG):
    last, out = genesis(log), []
    for number, entry in enumerate(found, 1):
        text = written(number, 5 + number, entry)
        last = link(last, text)
        out.append(Stored(number, text, last))
    return out


def head_of(rows, log=LOG, key=KEY):
    last = rows[-1].hash if rows else genesis(log)
    return sign(Head(log, len(rows), len(rows), last.hex(), 9), key)


@given(entries, st.integers(1, 10**9), st.integers(0, 2**52))
def test_a_record_is_read_back_and_is_canonical(entry, number, time):
    text = written(number, time, entry)
    assert read(text) == (number, time, entry)
    assert text == canonical({"number": number, "time": time, "kind": str(entry.kind), "body": entry.body()})


@given(entries)
def test_an_entry_cannot_be_changed(entry):
    with pytest.raises(AttributeError):
        entry.reason = "other"
    with pytest.raises(TypeError):
        entry.arguments["new"] = 1


def test_what_was_given_can_change_afterwards():
    arguments = {"list": [1, {"a": 2}]}
    entry = decision(arguments=arguments)
    arguments["list"][1]["a"] = 3
    assert entry.arguments["list"][1]["a"] == 2


@each_row(
    "body",
    [
        {"origin": "agent", "colour": "red"},
        {"origin": "model"},
        {},
        {"origin": "agent", "tool": 3},
        {"origin": "agent", "arguments": []},
        {"origin": "agent", "inferred": [["a", "b"]]},
        {"origin": "agent", "inferred": [["a", "b", "maybe"]]},
        {"origin": "agent", "outcome": "admit"},
        {"origin": "agent", "judged": "sha256:12"},
        [],
        None,
    ],
)
def test_a_body_with_anything_else_is_refused(body):
    with pytest.raises(AuditError):
        read_entry("envelope", body)


@each_row("kind", list(RecordKind))
def test_each_kind_has_its_outcomes(kind):
    fitting = {RecordKind.ENVELOPE: [None], RecordKind.DECISION: DECISIONS, RecordKind.EFFECT: ENDS}[kind]
    for outcome in (None, *Outcome):
        if outcome in fitting:
            assert Entry(kind=kind, outcome=outcome).outcome is outcome
        else:
            with pytest.raises(AuditError):
                Entry(kind=kind, outcome=outcome)


def test_what_json_cannot_carry_is_kept_as_text():
    given = {"a": [float("nan"), 2**60, 1e300, -(10**5000)], "\ud800": "\udfff", "fine": 2**53 - 1}
    entry = read(written(1, 1, decision(arguments=given)))[2]
    assert entry.arguments["a"][:3] == ("nan", str(2**60), "1e+300")
    assert entry.arguments["\\ud800"] == "\\udfff"
    assert entry.arguments["fine"] == 2**53 - 1


def test_what_no_record_can_hold():
    with pytest.raises(AuditError, match="surrogate"):
        written(1, 1, decision(reason="\ud800"))
    with pytest.raises(AuditError, match="bytes"):
        written(1, 1, decision(reason="x" * MAX_BYTES))


@given(st.lists(entries, max_size=5))
def test_an_untouched_chain_is_whole(found):
    rows = stored(found)
    result = check(LOG, rows, [head_of([]), head_of(rows)], KEYS)
    assert result == IntactLog(LOG, len(rows), 2, len(rows), local=True)


@settings(max_examples=many(300))
@given(st.lists(entries, min_size=1, max_size=4), st.data())
def test_any_byte_that_changes_is_found_at_its_record(found, data):
    rows = stored(found)
    at = data.draw(st.integers(0, len(rows) - 1))
    part = data.draw(st.sampled_from(["text", "hash"]))
    old = getattr(rows[at], part)
    place = data.draw(st.integers(0, len(old) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != old[place]))
    changed = old[:place] + bytes([byte]) + old[place + 1 :]
    broken = check(LOG, [*rows[:at], rows[at]._replace(**{part: changed}), *rows[at + 1 :]], (), KEYS)
    assert isinstance(broken, DamagedLog)
    assert broken.number == at + 1


@settings(max_examples=many(200))
@given(st.lists(entries, min_size=2, max_size=5), st.data())
def test_any_row_that_is_moved_removed_or_doubled_is_found(found, data):
    rows = stored(found)
    head = head_of(rows)
    at = data.draw(st.integers(0, len(rows) - 1))
    other = data.draw(st.integers(0, len(rows) - 1).filter(lambda other: other != at))
    swapped = list(rows)
    swapped[at], swapped[other] = swapped[other], swapped[at]
    numbered = [row._replace(number=number) for number, row in enumerate(swapped, 1)]
    without = rows[:at] + rows[at + 1 :]
    closed = [row._replace(number=number) for number, row in enumerate(without, 1)]
    doubled = [*rows[: at + 1], *rows[at:]]
    for changed in (swapped, numbered, without, closed, doubled):
        assert isinstance(check(LOG, changed, [head], KEYS), DamagedLog)


@given(st.lists(entries, min_size=1, max_size=4), entries, st.data())
def test_a_chain_that_is_written_anew_does_not_fit_its_head(found, other, data):
    at = data.draw(st.integers(0, len(found) - 1))
    if found[at] == other:
        return
    again = stored([*found[:at], other, *found[at + 1 :]])
    assert isinstance(check(LOG, again, (), KEYS), IntactLog)
    assert isinstance(check(LOG, again, [head_of(stored(found))], KEYS), DamagedLog)


@given(st.lists(entries, min_size=1, max_size=4), st.integers(1, 4))
def test_a_cut_tail_is_found_by_the_head_and_by_a_head_kept_elsewhere(found, cut):
    rows = stored(found)
    shorter = rows[:-cut] if cut < len(rows) else []
    for heads, kept in (([head_of(rows)], ()), ((), [head_of(rows)])):
        broken = check(LOG, shorter, heads, KEYS, kept)
        assert isinstance(broken, DamagedLog)
        assert broken.number == len(shorter) + 1


def test_a_forged_head_is_found():
    rows = stored([decision()])
    good = head_of(rows)
    stranger = LocalKey(b"s" * 32)
    forged = [
        head_of(rows, key=stranger),
        head_of(rows, key=stranger)._replace(keyid=KEY.keyid),
        good._replace(algorithm="ed25519"),
        good._replace(head=good.head._replace(time=10)),
        good._replace(head=good.head._replace(hash="00" * 32)),
        good._replace(signature="00" * 32),
        head_of(stored([decision()], "cd" * 16), "cd" * 16),
    ]
    assert isinstance(check(LOG, rows, [good], KEYS), IntactLog)
    for head in forged:
        assert isinstance(check(LOG, rows, [head], KEYS), DamagedLog), head
        assert isinstance(check(LOG, rows, [good], KEYS, [head]), DamagedLog), head
    assert isinstance(check(LOG, rows, [good, head_of([])], KEYS), DamagedLog)


@given(entries)
def test_a_head_is_one_line_in_one_spelling(entry):
    head = head_of(stored([entry]))
    assert read_head(head.line()) == head
    value = json.loads(head.line())
    for wrong in (
        json.dumps(value),
        json.dumps(value | {"more": 1}, separators=(",", ":"), sort_keys=True),
        head.line().replace('"number":1', '"number":2'),
        head.line().replace('"number":1', '"number":true'),
        head.line()[:-1],
        "[]",
        "",
        "9" * 5000,
    ):
        with pytest.raises(AuditError):
            read_head(wrong)


def test_a_record_of_one_log_fits_into_no_other():
    rows = stored([decision()])
    assert isinstance(check("cd" * 16, rows, (), KEYS), DamagedLog)


def test_a_key_is_not_shown():
    assert "kkk" not in repr(KEY)
    with pytest.raises(TypeError):
        KEY.__reduce__()
    with pytest.raises(AuditError):
        LocalKey(b"short")
