"""`data/private_methods.txt` lists the methods that classes of the standard library call on themselves."""

from __future__ import annotations

import importlib
import re
import sys
import warnings
from pathlib import Path

import pytest

import remit.analysis
from remit.analysis.engine.tables import PRIVATE_METHODS

SUMMARIES = Path(remit.analysis.__file__).parent / "data" / "python"
CLASS = re.compile(r"^\[class ([\w.]+)", re.MULTILINE)
UNLISTED = re.compile(r"__|_abc|_[A-Z]\w*__")  # special, internal, or mangled
NEWEST = (3, 11)  # the version that the table was made from


def standard_classes() -> list[str]:
    names = [name for file in sorted(SUMMARIES.glob("*.sum")) for name in CLASS.findall(file.read_text("utf-8"))]
    return [name for name in names if name.partition(".")[0] in sys.stdlib_module_names]


def find(name: str) -> object:
    """The real class of this name; None if this platform or version lacks it."""
    module, _, rest = name.partition(".")
    found: object = None
    for part in ["", *rest.split(".")]:
        if part and hasattr(found, part):
            found = getattr(found, part)
            continue
        module = f"{module}.{part}" if part else module
        try:
            found = importlib.import_module(module)
        except ImportError:
            return None
    return found


@pytest.mark.skipif(sys.version_info[:2] > NEWEST, reason="the table was made from an older version")
def test_lists_what_the_real_classes_have() -> None:
    missing = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in standard_classes():
            real = find(name)
            listed = PRIVATE_METHODS.get(name.partition(".")[0], frozenset())
            for member in dir(real) if isinstance(real, type) else ():
                value = getattr(real, member, None)
                private = member.startswith("_") and not UNLISTED.match(member)
                if private and callable(value) and not isinstance(value, type) and member not in listed:
                    missing.append(f"{name}.{member}")
    assert not missing
