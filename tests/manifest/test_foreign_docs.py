"""docs/foreign.md says what the tables say, and its examples hold."""

import re
from pathlib import Path

import pytest

from remit.core import vocabulary
from remit.core.hosttools import host_tools
from remit.manifest.foreign.formats import FORMATS
from remit.manifest.foreign.tokens import argument_kind

PAGE = Path(__file__).parents[2] / "docs" / "foreign.md"


def code(names):
    return ", ".join(f"`{name}`" for name in names)


def tokens():
    lines = ["| token | argument | capabilities |", "|---|---|---|"]
    return lines + [
        f"| `{token}` | {argument_kind(token)} | {code(vocabulary().expand_enclawed(token))} |"
        for token in sorted(vocabulary().enclawed)
    ]


def tools():
    found = {}
    for tool in host_tools().values():
        found.setdefault(tool.capabilities, {}).setdefault(tool.host, []).append(tool.name)
    lines = ["| capabilities | tools |", "|---|---|"]
    for capabilities, hosts in sorted(found.items(), key=lambda item: (not item[0], item[0])):
        listed = "; ".join(f"{host}: {code(names)}" for host, names in hosts.items())
        lines.append(f"| {code(capabilities) or 'none'} | {listed} |")
    return lines


@pytest.mark.parametrize(("name", "table"), [("tokens", tokens), ("tools", tools)])
def test_the_page_holds_the_table(name, table):
    page = PAGE.read_text("utf-8")
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
    assert page.count(begin) == page.count(end) == 1
    shown = page[page.index(begin) + len(begin) : page.index(end)].strip("\n").split("\n")
    assert shown == table(), "put the table of this test into docs/foreign.md"


def test_every_format_and_file_is_named():
    page = PAGE.read_text("utf-8")
    for known in FORMATS:
        assert f"| `{known.name}` |" in page
        for file in known.files:
            assert re.search(rf"\b{re.escape(file.lstrip('.'))}", page), file


def test_the_page_lists_what_skillguard_has_no_name_for():
    page = PAGE.read_text("utf-8")
    section = page[page.index("capabilities without a name there:") : page.index("## Enclawed")]
    listed = {name for word in re.findall(r"`([^`]+)`", section) for name in vocabulary().expand(word)}
    assert listed == {word.name for word in vocabulary() if not word.skillguard}
