"""One test over a table: every row is tried, and the failure names each row that failed.

For tests of values, and of folders: each row has a `tmp_path` of its own. A test that needs another fresh fixture for each row, or
seconds for each row, is for `pytest.mark.parametrize`, which makes a test of each row.
"""

import functools
import inspect
import reprlib

import pytest

_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 100


def each_row(names, rows, ids=None):
    """As `pytest.mark.parametrize`, in one test; a row that is skipped keeps no other from being tried."""
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    labels = ids if ids is None or callable(ids) else list(ids)
    table = [_row(number, row, len(names), labels) for number, row in enumerate(rows)]
    assert table, "a table without rows would test nothing"
    assert all(len(values) == len(names) for _, values in table)

    def decorate(test):
        @functools.wraps(test)
        def over_all(*of_class, **fixtures):
            tmp_path = fixtures.get("tmp_path")
            failed, skipped = [], []
            for number, (label, values) in enumerate(table):
                if "tmp_path" in fixtures:
                    fixtures["tmp_path"] = tmp_path / str(number)
                    fixtures["tmp_path"].mkdir()
                try:
                    test(*of_class, **fixtures, **dict(zip(names, values, strict=True)))
                except pytest.skip.Exception as skip:
                    skipped.append(skip)
                except (Exception, pytest.fail.Exception) as error:
                    error.add_note(f"row {label}")
                    failed.append(error)
            if failed:
                raise BaseExceptionGroup(f"{len(failed)} of {len(table)} rows of {test.__name__}", failed)
            if skipped:
                raise skipped[0]

        shown = inspect.signature(test)
        assert set(names) <= set(shown.parameters), f"{test.__name__} does not take all of {names}"
        kept = [parameter for name, parameter in shown.parameters.items() if name not in names]
        over_all.__signature__ = shown.replace(parameters=kept)
        return over_all

    return decorate


def _row(number, row, width, ids):
    """What the row is called, and its values."""
    if isinstance(row, type(pytest.param())):
        assert not row.marks, "one row cannot have a mark: leave the table to `pytest.mark.parametrize`"
        return (f"{number}: {row.id or _SHORT.repr(row.values)}", row.values)
    values = (row,) if width == 1 else tuple(row)
    if callable(ids):
        named = "-".join(str(ids(value) or _SHORT.repr(value)) for value in values)
    else:
        named = ids[number] if ids else _SHORT.repr(values)
    return (f"{number}: {named}", values)
