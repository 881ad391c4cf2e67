"""docs/capabilities.md says what the data files say: the tables are made from them, and a stale page fails here."""

from pathlib import Path

import pytest

from remit.core import vocabulary
from remit.core.sensitive import places

PAGE = Path(__file__).parents[2] / "docs" / "capabilities.md"


def words_table():
    lines = []
    for group in dict.fromkeys(word.group for word in vocabulary()):
        lines += [
            f"### {group.capitalize()}",
            "",
            "| capability | level | change | scope | meaning | SkillGuard | enclawed |",
            "|---|---|---|---|---|---|---|",
        ]
        for word in vocabulary():
            if word.group == group:
                spellings = [spelling(name) for name in word.skillguard]
                cells = [
                    f"`{word.name}`",
                    word.level,
                    word.change,
                    word.scope_kind,
                    word.meaning,
                    ", ".join(spellings) or "-",
                    ", ".join(word.enclawed) or "-",
                ]
                lines.append("| " + " | ".join(cells) + " |")
        lines.append("")
    return lines


def spelling(name):
    constant = vocabulary().skillguard[name].constant
    return f"{name} / {constant}" if constant else name


def places_table():
    lines = ["| place | reading | writing | deleting | what it is |", "|---|---|---|---|---|"]
    for place in places().rows:
        path = "/".join(place.parts)
        cells = [
            f"`{path if place.anchor is None else '/' + path}`",
            *(", ".join(means) or "-" for means in place.means),
            place.what,
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return [*lines, ""]


@pytest.mark.parametrize(("name", "table"), [("words", words_table), ("places", places_table)])
def test_the_page_holds_the_table(name, table):
    page = PAGE.read_text("utf-8")
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
    assert page.count(begin) == page.count(end) == 1
    shown = page[page.index(begin) + len(begin) : page.index(end)].strip("\n").split("\n")
    expected = "\n".join(table()).strip("\n").split("\n")
    assert shown == expected, "put the table of this test into docs/capabilities.md"


def test_every_scope_form_of_the_page_is_read_and_covers_what_it_says():
    from remit.core import covers, parse_scope

    page = PAGE.read_text("utf-8")
    section = page[page.index("<!-- scopes -->") : page.index("<!-- end of scopes -->")]
    rows = [line.strip("| \n").split(" | ") for line in section.splitlines() if line.startswith("| `")]
    assert len(rows) > 12
    for kind, text, inside, outside in (
        row[1:2] + [cell.strip("`") for cell in (row[0], row[2], row[3])] for row in rows
    ):
        scope = parse_scope(kind, text)
        assert covers(scope, parse_scope(kind, inside)), (text, inside)
        assert not covers(scope, parse_scope(kind, outside)), (text, outside)
