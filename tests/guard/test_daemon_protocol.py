"""Frames: exact both ways, and nothing else is taken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from each_row import each_row
from remit.core.errors import GuardError
from remit.guard.daemon.protocol import (
    LARGEST,
    LONGEST_LINE,
    HookAnswer,
    OtherVersion,
    Question,
    answer_bytes,
    other_version_bytes,
    question_line,
    read_answer,
    read_question_line,
)

WORDS = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", fullmatch=True)


PARENTS = st.just("") | st.from_regex(r"00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}", fullmatch=True)


@given(st.builds(Question, WORDS, WORDS, st.integers(0, LARGEST), st.one_of(st.just(""), WORDS), st.just("")))
def test_a_question_comes_as_it_went(question):
    assert read_question_line(question_line(question)) == question


@given(st.builds(Question, WORDS, WORDS, st.integers(0, LARGEST), WORDS, PARENTS))
def test_a_question_with_its_place_in_a_trace_comes_as_it_went(question):
    line = question_line(question)
    assert read_question_line(line) == question
    assert len(line) <= LONGEST_LINE


@given(st.builds(HookAnswer, st.sampled_from([0, 2]), st.binary(), st.binary()))
def test_an_answer_comes_as_it_went(answer):
    assert read_answer(answer_bytes(answer)) == answer


@given(st.builds(HookAnswer, st.sampled_from([0, 2]), st.binary(), st.binary()), st.data())
def test_a_shorter_or_longer_answer_is_refused(answer, data):
    whole = answer_bytes(answer)
    cut = data.draw(st.integers(0, len(whole) - 1))
    for wrong in (whole[:cut], whole + b"x"):
        with pytest.raises(GuardError):
            read_answer(wrong)


@given(st.binary(max_size=300))
def test_bytes_are_refused_or_are_exactly_a_frame(data):
    for read, write in ((read_question_line, question_line), (read_answer, answer_bytes)):
        try:
            found = read(data)
        except GuardError:
            continue
        assert (other_version_bytes(found.version) if isinstance(found, OtherVersion) else write(found)) == data


@each_row(
    "line",
    [
        b"",
        b"remit1 a b 1",
        b"remit1 a b 1\r\n",
        b"remit1  a b 1\n",
        b"remit1 a b 01\n",
        b"remit1 a b -1\n",
        b"remit1 a b +1\n",
        b"remit1 a b 1_0\n",
        b"remit1 a b 1 1 1\n",
        b"remit1 a b 1 1 00-" + b"a" * 32 + b"-" + b"b" * 16 + b"-01 \n",
        b"remit1 a b 1 1 00-" + b"A" * 32 + b"-" + b"b" * 16 + b"-01\n",
        b"remit1 a b 1 1 01-" + b"a" * 32 + b"-" + b"b" * 16 + b"-01\n",
        b"remit1 a b 1 00-" + b"a" * 32 + b"-" + b"b" * 16 + b"-01 1\n",
        b"remit1 a/b c 1\n",
        b"remit1 a \xc3\xa4 1\n",
        b"remit1 " + b"a" * 65 + b" b 1\n",
        b"remit2 a b 1\n",
        b"REMIT1 a b 1\n",
        b"remit1 a b 16777217\n",
        b"remit1 a b 99999999999\n",
        b"remit1 a b 1\nremit1 a b 1\n",
        "remit1 a b \u0661\n".encode(),
    ],
)
def test_a_wrong_question_is_refused(line):
    with pytest.raises(GuardError):
        read_question_line(line)


@each_row(
    "data",
    [
        b"remit1 1 0 0\n",
        b"remit1 00 0 0\n",
        b"remit1 0 0\n",
        b"remit1 0 00 0\n",
        b"remit1 0 16777217 0\n",
        b"remit1 version \n",
        b"remit1 version 1\nx",
        b"\n",
        b"a" * 1000,
    ],
)
def test_a_wrong_answer_is_refused(data):
    with pytest.raises(GuardError):
        read_answer(data)


@each_row("wrong", [Question("a b", "c", 0), Question("a", "", 0), Question("a", "b", LARGEST + 1)])
def test_what_cannot_be_asked_is_not_written(wrong):
    with pytest.raises(GuardError):
        question_line(wrong)


@each_row("wrong", [HookAnswer(1), HookAnswer(0, b"x" * (LARGEST + 1)), HookAnswer(3, b"", b"x")])
def test_what_cannot_be_answered_is_not_written(wrong):
    with pytest.raises(GuardError):
        answer_bytes(wrong)
