"""A fact is that of its very value, and of nothing that only looks like it."""

import gc

from remit.core.identity_cache import Facts


def test_a_fact_is_found_by_the_value_itself():
    facts = Facts()
    value, twin = tuple([1, 2]), tuple([1, 2])  # noqa: C409  (two values that are equal)
    assert facts.get(value) is None
    assert facts.put(value, "fact") == "fact"
    assert facts.get(value) == "fact"
    assert facts.get(twin) is None
    assert facts.get(value, "beside") is None


def test_no_other_value_comes_to_have_a_fact():
    facts = Facts()
    for number in range(1000):
        value = (number, "x")
        assert facts.get(value) is None, "the identity of a value that is gone"
        facts.put(value, number)
        del value
        gc.collect(0)


def test_only_so_many_are_remembered():
    facts = Facts(most=3)
    values = [(number,) for number in range(10)]
    for number, value in enumerate(values):
        facts.put(value, number)
    assert [facts.get(value) for value in values[:9]] == [None] * 9
    assert facts.get(values[9]) == 9
