"""Packages that blocks ask for without a command, and blocks of commands that run none."""

from __future__ import annotations

from draft_values import drafted, granted, small

from each_row import each_row
from remit.manifest.draft.clues import with_implied
from remit.manifest.draft.code_blocks import fence_clues
from remit.manifest.draft.skill_type import SkillType
from remit.skill.document import parse

MAVEN = "```xml\n<dependency>\n  <artifactId>tea</artifactId>\n</dependency>\n```"


def blocks(text: str) -> set[str]:
    document = parse("SKILL.md", f"---\nname: it\n---\n{text}\n".encode())
    return {clue.capability for clue in fence_clues(document, SkillType())}


@each_row(
    "text",
    [
        f"## Installation\n\n{MAVEN}",
        "## Setup\n\n```toml\n[dependencies]\ntea = 1\n```",
        '## Prerequisites\n\n```gradle\nimplementation("org.tea:pot:1")\n```',
        '## Install\n\n```xml\n<PackageReference Include="Tea" Version="1" />\n```',
        "## Brewing\n\n```python\n# Requires: pip install tea\nimport tea\n```",
        "## Brewing\n\n```js\n// npm install tea\nimport tea from 'tea'\n```",
    ],
)
def test_blocks_that_name_packages(text: str) -> None:
    assert "package.install" in blocks(text)


@each_row(
    "text",
    [
        f"## How builds work\n\n{MAVEN}",
        "## Installation\n\n```xml\n<tea>green</tea>\n```",
        "## Brewing\n\n```python\nimport tea\nprint('pip install tea')\n```",
    ],
)
def test_blocks_that_name_none(text: str) -> None:
    assert "package.install" not in blocks(text)


def test_a_build_file_is_no_command() -> None:
    document = parse("SKILL.md", f"---\nname: it\n---\n## Installation\n\n{MAVEN}\n".encode())
    clues = tuple(clue for clue in fence_clues(document, SkillType()) if clue.capability == "package.install")
    assert set(with_implied({"package.install": clues})) == {"package.install"}


@each_row(
    ("block", "asked"),
    [
        ("TEA_HOST=https://tea.example\nTEA_KEY=<key>", False),
        ("# settings\nTEA_HOST='a b'", False),
        ("# brew the tea first", False),
        ("export TEA_HOST=x", True),
        ("TEA_HOST=x brew-tea --hot", True),
        ("TEA_HOST=$(find-host)", True),
        ("TEA_HOST=x\nbrew-tea --hot", True),
    ],
)
def test_a_block_in_which_nothing_runs_asks_for_no_shell(tmp_path, block, asked):
    made = drafted(small(tmp_path, f"## Steps\n\n```bash\n{block}\n```\n"))
    assert ("shell.execute" in granted(made)) is asked
