"""Tables of command lines: what exactly each of them causes, and where it matters what it prints.

A table is a file in `tables/`. A command line stands at the margin; the lines below it, indented, say what it causes, parted by
two blanks: `capability(scope)`, `opaque` or `-` for nothing, `runs LANGUAGE TEXT` for code and `runs file PATH`, and at the end `prints TEXT`.
`process.create` is left out.
"""

from __future__ import annotations

import re
from pathlib import Path

from fake_world import run

from each_row import each_row

TABLES = Path(__file__).parent / "tables"


def _rows(path: Path) -> list[tuple[str, list[str]]]:
    rows: list[tuple[str, list[str]]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("# "):
            continue
        if line[0] != " ":
            rows.append((line, []))
        else:
            effects, mark, printed = line.partition("prints ")
            rows[-1][1].extend(item for item in re.split(r" {2,}", effects.strip()) if item not in {"-", ""})
            if mark:
                rows[-1][1].append(mark + printed)
    return rows


CASES = [(path.stem, *row) for path in sorted(TABLES.glob("*.table")) for row in _rows(path)]


@each_row("table", sorted({table for table, _, _ in CASES}))
def test_lines(table: str) -> None:
    wrong = {
        line: (found, expected)
        for name, line, expected in CASES
        if name == table and (found := caused(line, expected)) != set(expected)
    }
    assert wrong == {}


def caused(line: str, expected: list[str]) -> set[str]:
    world, printed = run(line)
    found = {f"{capability}({scope})" for capability, scope in world.effects if capability != "process.create"}
    found |= {f"runs {language or 'file'} {text}" for language, text, _ in [*world.codes, *world.scripts]}
    if world.opaques:
        found.add("opaque")
    if any(item.startswith("prints ") for item in expected):
        found.add(f"prints {printed}")
    return found


def test_no_line_stands_twice() -> None:
    lines = [line for _, line, _ in CASES]
    assert len(lines) == len(set(lines))
