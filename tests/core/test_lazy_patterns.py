"""Regular expressions that are compiled at their first use."""

from __future__ import annotations

import importlib
import pkgutil
import re

import pytest

import remit
from remit.core import patterns
from remit.core.patterns import lazy_pattern

PACKAGES = ("remit.core.", "remit.skill.", "remit.analysis.", "remit.findings.", "remit.manifest.", "remit.policy.")


def test_it_does_what_a_compiled_pattern_does():
    found = lazy_pattern(r"(a)B", re.IGNORECASE)
    assert found.match("ab")[1] == "a"
    assert found.sub("-", "xAbx") == "x-x"
    assert found.pattern == r"(a)B"
    assert lazy_pattern(rb"\d").findall(b"a1b2") == [b"1", b"2"]


def test_it_is_compiled_when_it_is_used():
    wrong = lazy_pattern("(")
    with pytest.raises(re.error):
        wrong.search("")


def test_every_pattern_of_the_modules_can_be_compiled():
    found = 0
    for module in pkgutil.walk_packages(remit.__path__, "remit."):
        if module.name.startswith(PACKAGES) and not module.name.endswith("__main__"):
            for value in vars(importlib.import_module(module.name)).values():
                if isinstance(value, patterns._Lazy):
                    re.compile(value.pattern, value.flags)
                    found += 1
    assert found > 100
