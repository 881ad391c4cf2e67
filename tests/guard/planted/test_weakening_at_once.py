"""One search for all patterns finds what the patterns find one by one."""

from hypothesis import given
from hypothesis import strategies as st

from remit.guard.planted.weakening import _may_be_weak, rows

WORDS = st.sampled_from(
    [
        "verify=False",
        "chmod 777",
        "--no-verify",
        "ssl",
        "set +e",
        "print(",
        "password",
        "-k",
        "curl",
        "0o777",
        "StrictHostKeyChecking=no",
        " ",
    ]
)


@given(st.lists(WORDS | st.text(max_size=8), max_size=8).map(" ".join))
def test_one_search_is_as_good_as_all(line):
    assert _may_be_weak(line) == any(row.words.search(line) for row in rows())
