"""Packages that a list of requirements would bring in: names that nearly are those of packages that everybody knows.

Whoever mistypes a name, or is told a mistyped one, gets the package of whoever waits for it. data/packages.table lists names that are what
they seem to be; one that is a slip away from one of them, and is none itself, is asked about.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from remit.core.table import read_table

if TYPE_CHECKING:
    from collections.abc import Iterator

_FILE = Path(__file__).parent.with_name("data") / "packages.table"
_SHORTEST = 5  # letters: shorter names are near to each other by chance
_FILES = (
    ("pypi", re.compile(r"(?:.*/)?(?:requirements[\w.-]*|constraints)\.(?:txt|in)\Z"), re.compile(r"^\s*([A-Za-z][\w.-]*)", re.MULTILINE)),
    ("pypi", re.compile(r"(?:.*/)?pyproject\.toml\Z"), re.compile(r"""["']([A-Za-z][\w.-]*)\s*(?:\[[^\]]*\])?\s*[<>=~!][^"']*["']""")),
    ("npm", re.compile(r"(?:.*/)?package\.json\Z"), re.compile(r'"((?:@[\w.-]+/)?[A-Za-z][\w.-]*)"\s*:\s*"[~^<>=*\d]')),
)  # fmt: skip


@cache
def _names(registry: str) -> frozenset[str]:
    return frozenset(word for row in read_table(_FILE, 1) if row.section == registry for word in row.cells[0].split())


@cache
def _slips(registry: str) -> dict[str, str]:
    """Every name that is one slip away from one that is known: two letters changed places, one is missing, one too many."""
    found: dict[str, str] = {}
    for name in sorted(_names(registry)):
        if len(name) < _SHORTEST:
            continue
        for at in range(len(name)):
            found.setdefault(name[:at] + name[at + 1 :], name)
            found.setdefault(name[:at] + name[at : at + 2][::-1] + name[at + 2 :], name)
            found.setdefault(name[: at + 1] + name[at:], name)  # one letter twice
    return found


def known(registry: str, name: str) -> bool:
    """Whether a package has a name that everybody knows."""
    return _plain(name) in _names(registry)


def meant(registry: str, name: str) -> str:
    """The package that a name was meant to be, if it is a slip away; empty for a name that is right or like no other."""
    plain = _plain(name)
    return "" if plain in _names(registry) else _slips(registry).get(plain, "")


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def mistaken(name: str, before: str, text: str) -> Iterator[str]:
    """Requirements of a file whose names look like slips, if they were not there before."""
    for registry, file, required in _FILES:
        if not file.match(name):
            continue
        told = set(required.findall(before))
        for found in required.finditer(text):
            if found[1] not in told and (right := meant(registry, found[1])):
                line = text.count("\n", 0, found.start(1)) + 1
                yield f"would bring in `{found[1]}`, which looks like `{right}` and is not (line {line})"
