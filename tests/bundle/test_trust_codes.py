"""The codes of `trust.table`: each is given somewhere, tested somewhere, documented, and has a remedy."""

import re
from pathlib import Path

import pytest

from each_row import each_row
from remit.bundle.refusal import codes, read_codes, refuse
from remit.core.errors import DataError

HERE = Path(__file__).resolve()
ROOT = HERE.parents[2]
SOURCE = "".join(path.read_text("utf-8") for path in (ROOT / "src/remit/bundle").glob("*.py"))
TESTS = "".join(path.read_text("utf-8") for path in HERE.parent.glob("test_*.py") if path != HERE)


@each_row("code", sorted(codes()))
def test_every_code_is_given_and_tested(code):
    assert f'"{code}"' in SOURCE
    assert f'"{code}"' in TESTS


def test_every_code_that_is_given_is_in_the_table():
    given = set(re.findall(r'refuse\(\s*"([a-z-]+)"', SOURCE))
    assert given <= set(codes())
    with pytest.raises(DataError):
        refuse("no-such-code", "x")


def test_the_documentation_lists_every_code():
    rows = re.findall(
        r"^\| `([a-z-]+)` \| (.+?) \| (.+?) \|$", (ROOT / "docs/trust.md").read_text("utf-8"), re.MULTILINE
    )
    assert rows == [tuple(code) for code in codes().values()]


@each_row("text", ["[a]\nx | y | -\n", "[a]\nx | y | z\nx | y | z\n", "[a]\nx | y\n", "x | y | z\n"])
def test_a_broken_table_is_refused_with_its_line(tmp_path, text):
    (tmp_path / "t.table").write_text(text)
    with pytest.raises(DataError, match=r"^t\.table:\d"):
        read_codes(tmp_path / "t.table")
