"""Hostile texts must not cost more than their length allows, nor end the process."""

import time

import pytest

from remit.skill import load_skill, programs
from remit.skill.document import parse
from remit.skill.extract import extract
from remit.skill.held import loads
from remit.skill.makefile import recipes
from remit.skill.placeholders import Finder
from remit.skill.yamltree import YamlError, compose

SIZE = 40_000
HOSTILE = {
    "unclosed elements": "<pre>" * (SIZE // 5),
    "unclosed comments": "<!-- " * (SIZE // 5),
    "backticks": "` `` ``` " * (SIZE // 9),
    "one long line of spans": "`a b` " * (SIZE // 6),
    "spans over lines": "`a\nb`\n" * (SIZE // 6),
    "bangs": "!`a`\n" * (SIZE // 5),
    "quoted fences": "> ```sh\n> ls\n> ```\n" * (SIZE // 19),
    "nested quotes": "> " * (SIZE // 2),
    "blanks": " " * SIZE,
    "list markers": "- " * (SIZE // 2),
    "fences": "```sh\nls\n```\n" * (SIZE // 13),
    "broken fences": "```sh\necho don't\n```\n" * (SIZE // 20),
    "broken python": "```python\ndef f(\n\n```\n" * (SIZE // 22),
    "missing bodies": "```python\n" + "if x:\n" * (SIZE // 6) + "```\n",
    "paths": "```sh\n" + "a/" * (SIZE // 2) + "\n```\n",
    "dashes": "```sh\n" + "a-" * (SIZE // 2) + "\n```\n",
    "angles": "```sh\n" + "<a " * (SIZE // 3) + "\n```\n",
    "braces": "```sh\n" + "{a" * (SIZE // 2) + "\n```\n",
    "brackets": "```sh\n" + "[aaaa " * (SIZE // 6) + "\n```\n",
    "assignments": "```\n" + 'a="b" ' * (SIZE // 6) + "\n```\n",
    "prompts": "```console\n" + "$ a \\\n" * (SIZE // 6) + "```\n",
    "heredocs": "```sh\n" + "cat <<A\nA\n" * (SIZE // 10) + "```\n",
    "links": "[x](" * (SIZE // 4),
    "headings": "# a\n" * (SIZE // 4),
    "clauses": "never " * (SIZE // 6) + "`rm x`",
}


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_documents(tmp_path, name):
    (tmp_path / "SKILL.md").write_text(HOSTILE[name])
    start = time.process_time()
    programs(load_skill(tmp_path))
    assert time.process_time() - start < 3


@pytest.mark.parametrize("unit", ["[", "{a: ", "- ", "? ", "&a ["])
@pytest.mark.parametrize("count", [2000, 60_000])
def test_deep_yaml_does_not_end_the_process(unit, count):
    with pytest.raises(YamlError):
        compose(unit * count)
    assert parse("SKILL.md", f"---\n{unit * count}\n---\n".encode()).front_matter.problem


@pytest.mark.parametrize(
    "text", ["[" * 200_000, '{"a":' * 100_000, "/*" * 100_000, ", " * 100_000, '"' + "\\u0061" * 30_000]
)
def test_json(text):
    start = time.process_time()
    with pytest.raises(ValueError, match=r"nested|line 1"):
        loads(text.encode())
    assert time.process_time() - start < 2


def test_large_configuration_is_opaque():
    (held,) = extract("hooks", b" " * 300_000)
    assert "too large" in held.opaque


def test_makefile():
    start = time.process_time()
    recipes(("A = $(A) $(A)\n" * 2000 + "all:\n\t$(A)\n").encode())
    recipes(("$(shell " * 20_000).encode())
    assert time.process_time() - start < 3


def test_many_placeholders_are_all_kept():
    filled = Finder().fill("".join(f"<a{number}> " for number in range(20_000)), "shell")
    assert len(filled.holes) == 20_000
