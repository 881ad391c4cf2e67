"""Which windows of a text are looked up: wherever a fragment stands, the window by which it is known is among them."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from by_day import many
from each_row import each_row
from remit.authority.tables import windows
from remit.authority.tables.windows import expected, span_for, window_of_each, windows_of

KEY = bytes(range(32))
some_bytes = st.text("ab", max_size=40).map(str.encode) | st.binary(max_size=40)


@given(some_bytes, st.binary(min_size=15, max_size=30), some_bytes, st.sampled_from((1, 2, 4, 8)))
@settings(max_examples=many(500))
def test_wherever_a_fragment_stands_its_window_is_looked_up(before, fragment, after, span):
    window = 8
    assert window_of_each([fragment], window, span, KEY)[0] in windows_of(before + fragment + after, window, span, KEY)


@given(st.text("ab", min_size=15, max_size=30).map(str.encode), some_bytes, some_bytes)
@settings(max_examples=many(300))
def test_a_fragment_of_few_letters_is_found_as_well(fragment, before, after):
    assert window_of_each([fragment], 8, 8, KEY)[0] in windows_of(before + fragment + after, 8, 8, KEY)


@given(some_bytes, st.integers(1, 8), st.integers(8, 12))
def test_windows_are_parts_of_the_text_and_distinct(text, span, window):
    found = windows_of(text, window, span, KEY)
    assert all(len(one) == window and one in text for one in found)
    assert len(found) == len(set(found))
    assert bool(found) == (len(text) >= window + span - 1)


def test_every_window_is_looked_up_where_the_span_is_one():
    text = bytes(range(100))
    assert windows_of(text, 12, 1, KEY) == [text[at : at + 12] for at in range(89)]


def test_there_is_room_for_the_windows_of_usual_texts():
    for seed in range(20):
        drawn = random.Random(seed)
        for size in (256, 1024, 4096, 16384):
            for span in (1, 2, 4, 8):
                text = bytes(drawn.choices(b"abcdefghijklmnopqrstuvwxyz    ", k=size))
                assert len(windows_of(text, 12, span, KEY)) <= expected(size, span)


def test_another_key_chooses_other_windows():
    text = random.Random(0).randbytes(1000)
    assert windows_of(text, 12, 8, KEY) != windows_of(text, 12, 8, bytes(32))


@each_row(("shortest", "window", "span"), [(12, 12, 1), (15, 12, 4), (19, 12, 8), (400, 12, 8), (3, 12, 1)])
def test_spans(shortest, window, span):
    assert span_for(shortest, window) == span
    assert span <= windows.LARGEST_SPAN


def test_room_for_windows():
    assert [expected(16384, span) for span in (1, 2, 4, 8)] == [16384, 16384, 9830, 5461]


def test_windows_of_many_fragments_are_those_of_each():
    fragments = [b"a fragment with number %d" % number for number in range(50)]
    together = window_of_each(fragments, 12, 8, KEY)
    assert together == [window_of_each([one], 12, 8, KEY)[0] for one in fragments]
    assert window_of_each([], 12, 8, KEY) == []
