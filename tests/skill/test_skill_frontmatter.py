import yaml
from hypothesis import given
from hypothesis import strategies as st

from each_row import each_row
from remit.skill import frontmatter
from remit.skill.document import parse
from remit.skill.frontmatter import allowed_tools, hook_commands


def read(text):
    return parse("SKILL.md", text.encode()).front_matter


def test_fields_and_lines():
    front = read("---\nname: x\ndescription: >\n  two\n  lines\nlicense: MIT\nallowed-tools:\n  - Read\n---\nbody\n")
    assert front.text("description") == "two lines\n"
    assert front.line("license") == 6
    assert front.line("allowed-tools") == 7
    assert front.line("allowed-tools", 0) == 8
    assert front.line("description", "absent") == 3


@each_row(
    "text",
    [
        "---\nname: x\n---",
        "\ufeff---\nname: x\n---\n",
        "---\r\nname: x\r\n---\r\nbody",
        "--- \nname: x\n...\nbody",
        "---\nname: x\n--- \n",
    ],
)
def test_ways_to_write_it(text):
    assert read(text).text("name") == "x"


@each_row("text", ["", "# title\n", "----\nname: x\n----\n", "text\n---\nname: x\n---\n", "---\nname: x\n"])
def test_absent(text):
    assert not read(text).present


def test_empty():
    assert read("---\n---\n").present


@each_row(
    ("text", "place"),
    [
        ("---\nname: a: b\n---\n", "SKILL.md:2"),
        ("---\nname: x\ndescription: [a\n---\n", "SKILL.md"),
        ("---\n- a\n- b\n---\n", "mapping"),
        ("---\njust text\n---\n", "mapping"),
        ("---\nname: !!python/object/apply:os.system [id]\n---\n", "tag"),
        ("---\nname: !custom x\n---\n", "tag"),
        ("---\n? [a, b]\n: c\n---\n", "key"),
        ("---\nname: *nowhere\n---\n", "SKILL.md:2"),
        ("---\na: \x07\n---\n", "SKILL.md"),
        ("---\n\tname: x\n---\n", "SKILL.md:2"),
        ("---\na: " + "[" * 100 + "]" * 100 + "\n---\n", "deeply"),
    ],
)
def test_broken_names_the_line(text, place):
    problem = read(text).problem
    assert place in problem
    assert "SKILL.md:" in problem


def test_bomb_of_aliases_ends():
    rows = ["a0: &a0 [x,x,x,x,x,x,x,x,x]"] + [f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)]
    assert "aliases" in read("---\n" + "\n".join(rows) + "\n---\n").problem


def test_alias_to_itself_ends():
    assert read("---\na: &a [*a]\n---\n").problem


def test_key_given_twice_keeps_both():
    front = read("---\nhooks: {Stop: [{command: first}]}\nhooks: {Stop: [{command: second}]}\n---\n")
    assert front.duplicates == (("hooks", 3),)
    assert {command for command, _ in hook_commands(front)} == {"first", "second"}


def test_words_are_not_turned_into_other_things():
    front = read("---\nversion: 1.10\ndate: 2024-01-02\non: yes\nnone: ~\n---\n")
    assert front.values == {"version": "1.10", "date": "2024-01-02", "on": True, "none": None}


@each_row(
    ("value", "tools"),
    [
        ("Read, Bash(git add:*), Grep", ("Read", "Bash(git add:*)", "Grep")),
        ("Read Bash(git *) Write", ("Read", "Bash(git *)", "Write")),
        (["Read", "Bash(npm run test:*)"], ("Read", "Bash(npm run test:*)")),
        ("Bash(a, b), Read", ("Bash(a, b)", "Read")),
        ("Bash(unclosed, Read", ("Bash(unclosed, Read",)),
        ("*", ("*",)),
        ("", ()),
        (None, ()),
        ({"a": 1}, ()),
    ],
)
def test_allowed_tools(value, tools):
    assert allowed_tools({"allowed-tools": value}) == tools


HOOKS = """---
name: x
hooks:
  PreToolUse:
    - matcher: "Bash"
      hooks:
        - type: command
          command: "./a.sh one"
  Stop:
    - hooks:
        - {type: command, command: b}
  SessionStart: ./c.sh
mcpServers:
  s: {command: npx, args: ["-y", "two words"]}
---
"""


def test_hook_commands_with_lines():
    assert hook_commands(read(HOOKS)) == [("./a.sh one", 8), ("b", 11), ("./c.sh", 12), ("npx -y 'two words'", 14)]


scalars = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=12) | st.booleans() | st.none()
trees = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", min_size=1, max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.text("abcdef", min_size=1, max_size=6), trees, max_size=4))
def test_agrees_with_yaml(values):
    text = "---\n" + yaml.safe_dump(values, allow_unicode=True) + "---\nbody\n"
    front = read(text)
    assert front.values == values
    assert all(1 <= line <= text.count("\n") for line in front.lines.values())


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text):
    front = read("---\n" + text + "\n---\n")
    assert not (front.problem and front.values)


@given(st.text(alphabet="-. \nab:", max_size=60))
def test_split_loses_nothing(text):
    yaml_text, body, skipped = frontmatter.split(text)
    assert text.endswith(body)
    assert text[: len(text) - len(body)].count("\n") == skipped or not body
    assert yaml_text is None or yaml_text in text
