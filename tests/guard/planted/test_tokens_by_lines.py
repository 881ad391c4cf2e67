"""What may be a destination stands on one line: a text names what its lines name, so that most texts are searched but once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remit.guard.planted.looking import _meant, _perhaps

PIECES = (
    "https://a.io", "ann@corp.io", "git@host.io:x", "evil.example.com", "localhost", "[::1]", "DE12 3456 7890 1234", "acct_12345678",
    "0x" + "a" * 40, "user", "@", ":", "/", ".", "-", " ", "  ", "1", "é", "\n", "\r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\t", '"',
)  # fmt: skip


@pytest.mark.parametrize("find", [_meant, _perhaps])
@given(text=st.lists(st.sampled_from(PIECES), max_size=24).map("".join))
def test_a_text_names_what_its_lines_name(find, text):
    assert set(find(text)) == {token for line in text.splitlines() for token in find(line)}
