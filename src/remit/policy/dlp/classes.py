"""The classes of sensitive data that policies name: keys, cards, markings. The class of each kind is data.

Gateway and executor scan the same text with the same tables, and always all of it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path

from remit.core.errors import DataError
from remit.core.table import read_table
from remit.core.text_views import cleaned, views
from remit.policy.dlp.rows import table
from remit.policy.dlp.scan import find

_FILE = Path(__file__).parent.with_name("data") / "dlp_classes.table"
CLASSES = ("key", "card", "marking")


@cache
def _known() -> Mapping[str, str]:
    return load(_FILE, {pattern.kind for pattern in table().patterns})


def load(path: Path, kinds: Collection[str]) -> Mapping[str, str]:
    """Read a table; every kind must be in it once, with a class or none."""
    out: dict[str, str] = {}
    for row in read_table(path, 2):
        kind, name = row.cells
        if kind not in kinds or kind in out or name not in ("", *CLASSES):
            raise DataError(f"{row.where}: `{kind}` is no kind or occurs twice, or `{name}` is no class", "correct it")
        out[kind] = name
    if missing := set(kinds) - set(out):
        raise DataError(f"{path.name}: `{min(missing)}` has no line", "say of which class it is, or `-`")
    return out


def classes(text: str) -> frozenset[str]:
    """Return the classes that a text shows in any of its views; all of them, if it has more views than can be searched."""
    every = views(text)
    if not every.complete:
        return frozenset(CLASSES)
    return frozenset(filter(None, (_known()[hit.kind] for view in every.texts for hit in find(view))))


def veiled(text: str) -> str:
    """Return the text without keys and cards, however they are encoded; what is not secret in itself (an address, a
    marking) stays.
    """
    return cleaned(text, _veiled, "‹encoded…›")  # noqa: RUF001  marks that no value holds


def _veiled(text: str) -> str:
    out: list[str] = []
    at = 0
    for hit in find(text):
        if _known()[hit.kind] in ("key", "card"):
            out += [text[at : hit.start], f"‹{hit.kind}…›"]  # noqa: RUF001  marks that no value holds
            at = hit.end
    return "".join([*out, text[at:]])
