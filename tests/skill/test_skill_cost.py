"""Hostile texts must not cost more than their length allows, nor end the process."""

import pytest

from counted import calls
from each_row import each_row
from remit.skill.config_commands import extract, loads
from remit.skill.document import parse
from remit.skill.frontmatter import YamlError, compose
from remit.skill.load import load_skill
from remit.skill.makefile import recipes
from remit.skill.placeholders import Finder
from remit.skill.program import programs

# what comes first, what comes again and again, what comes last
HOSTILE = {
    "unclosed elements": ("", "<pre>", ""),
    "unclosed comments": ("", "<!-- ", ""),
    "backticks": ("", "` `` ``` ", ""),
    "one long line of spans": ("", "`a b` ", ""),
    "spans over lines": ("", "`a\nb`\n", ""),
    "bangs": ("", "!`a`\n", ""),
    "quoted fences": ("", "> ```sh\n> ls\n> ```\n", ""),
    "nested quotes": ("", "> ", ""),
    "blanks": ("", " ", ""),
    "list markers": ("", "- ", ""),
    "fences": ("", "```sh\nls\n```\n", ""),
    "broken fences": ("", "```sh\necho don't\n```\n", ""),
    "broken python": ("", "```python\ndef f(\n\n```\n", ""),
    "missing bodies": ("```python\n", "if x:\n", "```\n"),
    "paths": ("```sh\n", "a/", "\n```\n"),
    "dashes": ("```sh\n", "a-", "\n```\n"),
    "angles": ("```sh\n", "<a ", "\n```\n"),
    "braces": ("```sh\n", "{a", "\n```\n"),
    "brackets": ("```sh\n", "[aaaa ", "\n```\n"),
    "assignments": ("```\n", 'a="b" ', "\n```\n"),
    "prompts": ("```console\n", "$ a \\\n", "```\n"),
    "heredocs": ("```sh\n", "cat <<A\nA\n", "```\n"),
    "links": ("", "[x](", ""),
    "headings": ("", "# a\n", ""),
    "clauses": ("", "never ", "`rm x`"),
}
SMALL, LARGE = 2_500, 10_000
LINEAR = 6  # times as much work, at most, for four times the text; quadratic growth would be sixteen times
HUGE = 250_000
DEAR = {"bangs", "one long line of spans", "spans over lines"}  # many commands, of which each is much work


def of_size(name, size):
    first, again, last = HOSTILE[name]
    return first + again * (size // len(again)) + last


@each_row("name", sorted(HOSTILE))
def test_work_grows_with_the_document_alone(tmp_path, name):
    def work(size):
        (tmp_path / "SKILL.md").write_text(of_size(name, size))
        return calls(lambda: programs(load_skill(tmp_path)))

    work(SMALL)  # from now on tables are read
    assert work(LARGE) < LINEAR * work(SMALL)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", sorted(HOSTILE.keys() - DEAR))
def test_huge_documents(tmp_path, name):
    """A pattern that looks at the rest of the text again and again calls nothing, and would take minutes."""
    (tmp_path / "SKILL.md").write_text(of_size(name, HUGE))
    programs(load_skill(tmp_path))


@each_row("unit", ["[", "{a: ", "- ", "? ", "&a ["])
@each_row("count", [2000, 60_000])
def test_deep_yaml_does_not_end_the_process(unit, count):
    with pytest.raises(YamlError):
        compose(unit * count)
    assert parse("SKILL.md", f"---\n{unit * count}\n---\n".encode()).front_matter.problem


@pytest.mark.timeout(300)
@pytest.mark.parametrize("text", ["[", '{"a":', "/*", ", ", '"' + "\\u0061" * 300_000])
def test_json(text):
    with pytest.raises(ValueError, match=r"nested|line 1"):
        loads((text * (2_000_000 // len(text))).encode())


def test_large_configuration_is_opaque():
    (held,) = extract("hooks", b" " * 300_000)
    assert "too large" in held.opaque


@pytest.mark.timeout(300)
def test_makefile():
    def work(size):
        return calls(recipes, ("A = $(A) $(A)\n" * size + "all:\n\t$(A)\n").encode())

    assert work(2000) < LINEAR * work(500)
    recipes(("$(shell " * 20_000).encode())


def test_many_placeholders_are_all_kept():
    filled = Finder().fill("".join(f"<a{number}> " for number in range(20_000)), "shell")
    assert len(filled.holes) == 20_000
