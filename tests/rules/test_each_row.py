"""A test over a table tries every row, whatever the rows before it did, and names those that failed."""

import pytest

from each_row import each_row


def test_each_row_that_fails_is_named():
    tried = []

    @each_row(("number", "text"), [(1, "a"), (2, "b"), pytest.param(3, "c", id="third")])
    def table(number, text):
        tried.append((number, text))
        if number == 1:
            raise ValueError("first")
        if number == 3:
            pytest.fail("last")

    with pytest.raises(BaseExceptionGroup) as caught:
        table()
    assert tried == [(1, "a"), (2, "b"), (3, "c")]
    assert [error.__notes__ for error in caught.value.exceptions] == [["row 0: (1, 'a')"], ["row 2: third"]]
    assert "2 of 3 rows of table" in str(caught.value)


def test_tables_multiply():
    tried = []
    each_row("a", [1, 2])(each_row("b", [3, 4], ids=str)(lambda a, b: tried.append((a, b))))()
    assert tried == [(1, 3), (1, 4), (2, 3), (2, 4)]


def test_each_row_has_a_folder_of_its_own(tmp_path):
    tried = []
    each_row("a", [1, 2])(lambda a, tmp_path: tried.append((a, tmp_path, *tmp_path.iterdir())))(tmp_path=tmp_path)
    assert tried == [(1, tmp_path / "0"), (2, tmp_path / "1")]


@pytest.mark.parametrize("fails", [False, True])
def test_a_row_that_is_skipped_keeps_no_other_from_being_tried(fails):
    def one(a):
        if a == 1:
            pytest.skip("no node")
        assert not fails

    with pytest.raises(ExceptionGroup if fails else pytest.skip.Exception):
        each_row("a", [1, 2])(one)()


@pytest.mark.parametrize("rows", [[], [(1, 2, 3)], [pytest.param(1, 2, marks=pytest.mark.xfail)]])
def test_a_table_that_would_test_less_than_it_says_is_refused(rows):
    with pytest.raises(AssertionError):
        each_row("a, b", rows)
