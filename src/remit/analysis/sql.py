"""Statements that reach beyond the database: further files that they open or write, libraries that they load (rule 6)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.analysis.domain import ANY, Text, Value, lit
from remit.core.patterns import lazy_pattern
from remit.core.via import Cause, Via

if TYPE_CHECKING:
    from remit.analysis.world import Site, World

_HOLE = "\x00"
_NAME = r"(?:'(?P<a>[^']*)'|\"(?P<b>[^\"]*)\"|(?P<c>[^\s;,)|]+))"
# What a statement looks like → what it does to the file that it names.
_STATEMENTS = (
    (
        lazy_pattern(rf"\battach\s+(?:database\s+)?(?:if\s+not\s+exists\s+)?{_NAME}", re.IGNORECASE),
        ("file.read", "file.write"),
    ),
    (lazy_pattern(rf"\bvacuum\s+(?:\w+\s+)?into\s+{_NAME}", re.IGNORECASE), ("file.write",)),
    (lazy_pattern(rf"\bcopy\b[^;]*\bto\s+(?=['\"\x00]){_NAME}", re.IGNORECASE), ("file.write",)),
    (lazy_pattern(rf"\bcopy\b[^;]*\bfrom\s+(?=['\"\x00]){_NAME}", re.IGNORECASE), ("file.read",)),
    (
        lazy_pattern(rf"\bread_(?:csv|csv_auto|parquet|json|json_auto|text|blob|ndjson)\s*\(\s*{_NAME}", re.IGNORECASE),
        ("file.read",),
    ),
    (lazy_pattern(r"\b(?:from|join)\s+'(?P<a>[^']*)'(?P<b>)(?P<c>)", re.IGNORECASE), ("file.read",)),
)
_JOINED = lazy_pattern(r"\s*(?:\|\||->|[-+*/(])")
_LOADS = lazy_pattern(
    r"\bload_extension\s*\(|\b(?:install|load)\s+['\"\w]+\s*(?:;|$)|\bfrom\s+program\b", re.IGNORECASE
)


def run_sql(world: World, code: Value, site: Site) -> None:
    """Report what the statements of a text do besides reading and changing tables."""
    for text in code:
        if not isinstance(text, Text):
            continue
        source = "".join(part if isinstance(part, str) else _HOLE for part in text.parts)
        if _LOADS.search(source):
            world.opaque("SQL loads a library or runs a program", site, "use plain statements")
        for pattern, capabilities in _STATEMENTS:
            for match in pattern.finditer(source):
                name = match["a"] or match["b"] or match["c"] or ""
                if _JOINED.match(source, match.end()):  # the name is computed
                    name = _HOLE
                if name in {"", ":memory:"}:
                    continue
                for capability in capabilities:
                    world.effect(
                        capability,
                        ANY if _HOLE in name or name[0] in "?:$@%" else lit(name),
                        site,
                        Via(Cause.CODE, words="SQL names a file"),
                    )
