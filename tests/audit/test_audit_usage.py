"""Who used what, and which calls follow each other in an unusual way."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from each_row import each_row
from remit.audit import Entry, Inferred, Outcome, Record, RecordKind
from remit.audit.entry import ADMITTED, ANSWER, DECIDED
from remit.audit.usage import BY, OFTEN, WINDOW, known, read_known, times, touches, usage
from remit.core import vocabulary
from remit.core.errors import DataError


def log(*entries, step=1000):
    """Records with these entries, a millisecond apart."""
    return [Record(at, at * step, entry, b"") for at, entry in enumerate(entries, 1)]


def decision(capability="file.read", scope="./a", outcome=Outcome.ADMIT, **more):
    values = {"principal": "pdf", "tool": "Read", "session": "s1", "host": "claude-code", "op": "before"}
    return Entry(kind=RecordKind.DECISION, capability=capability, scope=scope, outcome=outcome, **values | more)


def effect(call, outcome=Outcome.EXECUTED, **more):
    values = {"principal": "pdf", "tool": "Read", "session": "s1", "host": "claude-code", "op": "after"}
    return Entry(kind=RecordKind.EFFECT, call=call, outcome=outcome, **values | more)


def told(call, **more):
    return Entry(kind=RecordKind.ENVELOPE, call=call, **{"session": "s1"} | more)


words = st.sampled_from(["", "a", "b"])
decisions = st.builds(
    decision,
    st.sampled_from(["", "file.read", "web.post", "secret.read", "shell.execute", "no.capability"]),
    st.sampled_from(["", "./a", "b.example"]),
    st.sampled_from(sorted(DECIDED)),
    principal=words, tool=words, session=words, host=words,
    op=st.sampled_from(["before", "before", ANSWER]),
    call=st.sampled_from(["", "c1", "c2"]),
    inferred=st.lists(st.builds(Inferred, st.sampled_from(["file.write", "web.fetch"]), words, st.sampled_from(sorted(DECIDED))), max_size=2).map(tuple),
)  # fmt: skip
ends = st.builds(
    effect,
    st.sampled_from(["", "c1", "c2"]),
    st.sampled_from(sorted(set(Outcome) - DECIDED)),
    principal=words,
    tool=words,
    session=words,
)
entries = st.lists(st.one_of(decisions, ends, st.builds(told, st.sampled_from(["", "c1"]), session=words)), max_size=25)


@given(entries, st.sampled_from(sorted(BY)))
def test_every_sum_is_that_of_a_plain_count(found, by):
    uses = {use.name: use for use in usage(log(*found), by).uses}
    calls = [one for one in found if one.kind is RecordKind.DECISION and one.op != ANSWER]
    assert {name: use.calls for name, use in uses.items() if use.calls} == Counter(map(BY[by], calls))
    for name, use in uses.items():
        mine = [one for one in calls if BY[by](one) == name]
        assert use.decisions == Counter(one.outcome for one in mine)
        assert use.prompts == sum(one.outcome in ("asked", "person-approved", "person-denied") for one in mine)
        assert sum(use.ends.values()) == sum(one.kind is RecordKind.EFFECT and BY[by](one) == name for one in found)
        touched = Counter(scope for one in mine if one.outcome in ADMITTED for _, scope, _ in touches(one))
        assert sum(use.touched.values(), Counter()) == touched
        refused = [one for one in mine if one.outcome not in ADMITTED]
        assert use.refused == Counter(
            (capability, scope) for one in refused for capability, scope, said in touches(one) if said not in ADMITTED
        )


@given(entries)
def test_sums_do_not_depend_on_whom_they_are_told_by(found):
    sums = {by: usage(log(*found), by) for by in BY}
    assert len({sum(use.calls for use in one.uses) for one in sums.values()}) == 1
    assert len({tuple((seq.kind, seq.first, seq.then, seq.times) for seq in one.unusual) for one in sums.values()}) == 1


def test_a_persons_word_is_no_call():
    (use,) = usage(
        log(decision(outcome=Outcome.PERSON_APPROVED), decision(op=ANSWER, outcome=Outcome.PERSON_APPROVED)), "skill"
    ).uses
    assert (use.calls, use.prompts) == (1, 1)


def test_how_long_calls_take():
    found = log(
        told("c1"),
        decision(call="c1"),
        effect("c1"),
        decision(call="c2"),
        decision(call="c3"),
        effect("c2"),
        effect("c9"),
    )
    (use,) = usage(found, "skill").uses
    assert list(use.deciding) == [1000]
    assert list(use.running) == [1000, 2000]  # the end of c3 was never told, and the beginning of c9
    assert times(use.running) == (2, 1000, 2000, 2000)
    assert times(type(use.running)("q")) is None


def test_a_clock_that_is_put_back_makes_no_negative_times():
    one, other = log(decision(call="c1"), effect("c1"))
    (use,) = usage([one._replace(time=5000), other._replace(time=10)], "skill").uses
    assert not use.running


def kinds(*entries):
    return [(one.kind, one.first, one.then, one.times, one.examples) for one in usage(log(*entries), "skill").unusual]


def test_a_secret_and_then_the_network_is_told_with_its_records():
    found = [decision("secret.read", "~/.ssh/id"), decision(), decision("web.post", "b.example")]
    assert kinds(*found) == [("known", "secret.read", "web.post", 1, ((1, 3),))]


def test_everything_that_was_inferred_from_a_call_counts():
    inferred = (Inferred("file.read", "./a", Outcome.ADMIT), Inferred("secret.read", "~/.netrc", Outcome.ADMIT))
    found = [decision("shell.execute", "cat", inferred=inferred), decision("web.fetch", "b.example")]
    assert kinds(*found) == [("known", "secret.read", "web.fetch", 1, ((1, 2),))]


@each_row(
    "found",
    [
        [decision("web.post", "b.example"), decision("secret.read", "~/.ssh/id")],  # the other way round
        [decision("secret.read", "x", Outcome.DENY), decision("web.post", "b.example")],  # it was not read
        [decision("secret.read", "x"), decision("web.post", "b.example", Outcome.DENY)],  # nothing was sent
        [decision("secret.read", "x"), decision("web.post", "b.example", session="s2")],  # another session
        [
            decision("secret.read", "x"),
            *[decision() for _ in range(WINDOW)],
            decision("web.post", "b.example"),
        ],  # long after
    ],
)
def test_what_is_no_known_sequence(found):
    assert kinds(*found) == []


def test_a_step_that_hardly_ever_follows_is_rare():
    usual = [decision("file.read"), decision("file.write", "./b")] * 60
    ((kind, first, then, count, examples),) = kinds(*usual, decision("file.read"), decision("pay", "5"))
    assert (kind, first, then, count, examples) == ("rare", "file.read", "pay", 1, ((121, 122),))
    assert kinds(*usual, decision("file.read"), decision("env.read", "HOME")) == []  # of no weight
    assert kinds(*usual[: OFTEN - 2], decision("file.read"), decision("pay", "5")) == []  # of too few


def test_a_way_around_a_denial_is_told():
    denied = decision("file.write", "~/.bashrc", Outcome.DENY, tool="Write")
    assert kinds(denied, decision("shell.execute", "~/.bashrc", tool="Bash"))[0][:3] == (
        "around",
        "file.write",
        "shell.execute",
    )
    assert (
        kinds(denied, decision("file.write", "~/.bashrc", Outcome.PERSON_APPROVED, tool="Write")) == []
    )  # a person agreed


def test_the_table_of_sequences_names_capabilities(tmp_path):
    assert all(word in vocabulary() for one in known() for word in one.first | one.then)
    (tmp_path / "x.table").write_text("[sequences]\nsecret.raed | web.post | why\n")
    with pytest.raises(DataError, match=r"`secret\.raed` is no capability"):
        read_known(tmp_path / "x.table")
