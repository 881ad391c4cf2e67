"""Constructs that a grammar for bash silently misreads (tried on bash 5.2): the effect must be seen."""

import pytest


@pytest.mark.parametrize(
    ("source", "capability"),
    [
        ("tr\\\nuncate -s0 f\n", "file.write"),
        ("echo `echo \\`rm -f v\\``\n", "file.delete"),
        ('echo "${x:-`rm v`}"\n', "file.delete"),
        ("coproc X { rm v; }\n", "file.delete"),
    ],
)
def test_the_effect_is_seen(shell, source, capability):
    found = shell(source)
    assert capability in found.capabilities or found.opaque


def test_a_number_that_is_too_long_for_a_descriptor_is_a_word(shell):
    found = shell(f"echo {'7' * 5000}>out.txt; echo $(({'7' * 5000} + 1))\n")
    assert found.scopes("file.write") == {"./out.txt"}
