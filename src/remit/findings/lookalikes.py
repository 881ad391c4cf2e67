"""Names that look like well-known ones: one letter off, two letters swapped, or letters that look the same."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

from remit.core.table import read_table

_FILE = Path(__file__).with_name("data") / "names.table"
_SWAPPED = 5  # letters: two neighbours are not swapped by chance
_SHORTEST = 7  # letters: shorter names are one letter apart by chance
# Letters that look like others: of ours in lower case names, and of other scripts.
_SAME = str.maketrans(
    "Il10\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u03bf\u03bd", "llloaeopcyxijshdov"
)


@cache
def _names(section: str) -> frozenset[str]:
    return frozenset(row.cells[0] for row in read_table(_FILE, 1) if row.section == section)


@lru_cache(2048)
def lookalike_of(name: str, section: str) -> tuple[str, bool] | None:
    """The well-known name that a name imitates, and whether the two look exactly the same; None if there is none."""
    known = _names(section)
    if not name or name.lower() in known:
        return None
    folded = _folded(name)
    for other in known:
        if folded == _folded(other) and name.lower() != other:
            return other, True
    plain = name.lower()
    if len(plain) >= _SWAPPED and (other := next((item for item in sorted(known) if _swaps(plain, item)), "")):
        return other, True
    if len(plain) < _SHORTEST:
        return None
    near = next((other for other in sorted(known) if len(other) >= _SHORTEST and _one_off(plain, other)), None)
    return (near, False) if near else None


def is_one_off(name: str, other: str, shortest: int = _SHORTEST) -> bool:
    """Whether two names differ by one letter."""
    return len(name) >= shortest and len(other) >= shortest and _one_off(name.lower(), other.lower())


def _folded(name: str) -> str:
    return name.translate(_SAME).lower().replace("rn", "m").replace("vv", "w")


def _one_off(name: str, other: str) -> bool:
    """Whether one letter is missing, added, replaced, or two neighbours are swapped."""
    if abs(len(name) - len(other)) > 1 or name == other:
        return False
    at = next(
        (index for index, (a, b) in enumerate(zip(name, other, strict=False)) if a != b), min(len(name), len(other))
    )
    if len(name) == len(other):
        swapped = name[at : at + 2] == other[at : at + 2][::-1] and name[at + 2 :] == other[at + 2 :]
        return swapped or (name[at + 1 :] == other[at + 1 :] and name[at].isalpha() and other[at].isalpha())
    long, short = (name, other) if len(name) > len(other) else (other, name)
    return long[at + 1 :] == short[at:] and long[at].isalpha()


def _swaps(name: str, other: str) -> bool:
    """Whether only two neighbours are swapped."""
    if len(name) != len(other) or name == other:
        return False
    at = next(index for index, (a, b) in enumerate(zip(name, other, strict=True)) if a != b)
    return name[at : at + 2] == other[at : at + 2][::-1] and name[at + 2 :] == other[at + 2 :]


def imitated_brand(host: str) -> str:
    """The well-known name that is part of a name in a host, as in `openclawcli.example`; empty if there is none."""
    labels = host.lower().split(".")[:-1]
    for label in labels:
        for brand in _names("brands"):
            if brand in label and label != brand:
                return brand
    return ""


def same_look(host: str) -> str:
    """What all hosts have in common that look the same at a glance: letters alike, and dots and hyphens instead of each other."""
    if host.replace(".", "").isdigit():
        return host
    return _folded(host).replace("-", ".").replace("i", "l")


def is_well_known(host: str) -> bool:
    """Whether a host is a well-known one, or below one."""
    labels = host.lower().split(".")
    return any(".".join(labels[at:]) in _names("hosts") for at in range(len(labels) - 1))


def extends(host: str, other: str) -> bool:
    """Whether a host is another with one more word in the name of its owner: `api.bank-login.example` for `api.bank.example`."""
    mine, theirs = host.split("."), other.split(".")
    if len(mine) != len(theirs):
        return False
    different = [at for at, (a, b) in enumerate(zip(mine, theirs, strict=True)) if a != b]
    if len(different) != 1 or (different[0] == 0 and len(mine) > 2):
        return False
    a, b = mine[different[0]], theirs[different[0]]
    # `your-gitlab.com` stands for a server of the reader
    return a.startswith(f"{b}-") or (a.endswith(f"-{b}") and a.removesuffix(f"-{b}") not in ("your", "my"))
