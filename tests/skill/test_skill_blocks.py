from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from by_day import many
from each_row import each_row
from remit.skill import document
from remit.skill.document import language_word, parse

ORACLE = MarkdownIt("commonmark")


def fences(text):
    return [(fence.info, fence.text, fence.start) for fence in document.scan(text).fences]


def oracle(text):
    return [
        (token.info.strip(), token.content, token.map[0] + 1) for token in ORACLE.parse(text) if token.type == "fence"
    ]


WELL_FORMED = [
    "```bash\nls\n```\n",
    "~~~~ python\nx\n~~~\ny\n~~~~\n",
    "`````\n```\ninner\n```\n`````\n",
    '```bash title="x"\nls\n```\ntext\n```\nplain\n```\n',
    "1. one\n\n   ```sh\n   ls\n     indented\n   ```\n2. two\n",
    "- a\n  - b\n    ```sh\n    ls\n    ```\n",
    "> quoted\n> ```sh\n> ls\n> ```\nafter\n",
    "> ```sh\n> ls\nafter\n\n```py\nx\n```\n",
    "   ```sh\n   ls\n  out\n   ```\n",
    "```sh\nunclosed\n\nto the end\n",
    "``` not a `fence` ```\n\ntext\n",
    "```\n\n```\n",
    "```sh\n    ```\nstill\n```\n",
    "```sh\n```python\n```\n",
    "- ```sh\n  ls\n  ```\n",
    "~~~\n```\n~~~\n",
]


@each_row("text", WELL_FORMED)
def test_agrees_with_markdown_it(text):
    assert fences(text) == oracle(text)


lines = st.sampled_from(
    ["", "text", "```", "```sh", "~~~", "~~~~", "````", "ls -l", "# head", "a `span` b", "``` x", "  two", "``"]
)


@settings(max_examples=many(300))
@given(st.lists(lines, max_size=14))
def test_agrees_with_markdown_it_on_any_flat_text(rows):
    text = "\n".join(rows) + "\n"
    assert fences(text) == oracle(text)


@settings(max_examples=many(200))
@given(st.lists(lines, max_size=8))
def test_agrees_inside_a_quote(rows):
    text = "".join(f"> {row}\n" for row in rows) + "\nafter\n"
    assert fences(text) == oracle(text)


@given(st.text(alphabet="`~>#-*1. \t\nab|<!", max_size=80))
def test_any_text_is_scanned_and_lines_lie_inside(text):
    found = document.scan(text)
    count = text.count("\n") + 1
    for fence in (*found.fences, *found.indented):
        assert 0 <= fence.order <= fence.start <= count
        assert fence.start + fence.text.count("\n") <= count
    rows = text.split("\n")
    for segment in found.segments:
        assert segment.level or segment.text.split("\n")[0] == rows[segment.start]


SEEN_BY_A_MODEL = [
    ("<details>\n```sh\nls\n```\n</details>\n", "ls\n"),
    ("<!--\n```sh\nls\n```\n-->\n", "ls\n"),
    ("1. do\n   ```sh\nls\n```\n", "ls\n"),
    ("      ```sh\n      ls\n      ```\n", "ls\n"),
]


@each_row(("text", "code"), SEEN_BY_A_MODEL)
def test_finds_what_a_renderer_hides(text, code):
    assert [fence.text for fence in document.scan(text).fences] == [code]


def test_indented_code():
    found = document.scan("text\n\n    ls -l\n    pwd\n\nmore\n\n- item\n\n  continued\n\n      code\n")
    assert [(block.text, block.start) for block in found.indented] == [("ls -l\npwd\n", 2), ("code\n", 11)]


def test_lazy_continuation_is_not_code():
    assert document.scan("text\n    continued\n").indented == []


@each_row(
    ("info", "word"),
    [
        ("bash", "bash"),
        ("Bash title='x'", "bash"),
        ("{.python .numberLines}", "python"),
        ("{python}", "python"),
        ("js{1,3}", "js"),
        ("sh:run.sh", "sh"),
        ("", ""),
        ("!", "!"),
        ("c++", "c++"),
    ],
)
def test_language_of_an_info_string(info, word):
    assert language_word(info) == word


def test_headings_spans_links_comments():
    document = parse(
        "SKILL.md",
        b"---\nname: x\n---\n# One\n\n## Two ##\n\nRun `a b` and ``c ` d``; see [it](references/x.md#part).\n\n<!-- hidden\nword -->\n\n| `x \\| y` |\n",
    )
    assert document.headings == ((1, "One", 4), (2, "Two", 6))
    assert [(span.text, span.line, span.heading) for span in document.spans] == [
        ("a b", 8, "One / Two"),
        ("c ` d", 8, "One / Two"),
        ("x | y", 13, "One / Two"),
    ]
    assert document.links == (("references/x.md", 8),)
    assert document.hidden == ((" hidden\nword ", 10),)


def test_html_code_is_unescaped_and_placed():
    document = parse("x.md", b'text\n\n<pre><code class="language-bash">\ncat a &gt; b\n</code></pre>\n')
    assert [(fence.language, fence.text, fence.line) for fence in document.fences] == [("bash", "cat a > b\n", 4)]


@each_row("text", [b"```sh\r\nls\r\n```\r\n", b"\xef\xbb\xbf```sh\nls\n```\n", b"```sh\rls\r```\r"])
def test_line_ends_and_marks(text):
    assert [(fence.text, fence.line) for fence in parse("x.md", text).fences] == [("ls\n", 2)]


@each_row(
    ("text", "found"),
    [
        ("State: !`git status`", [("git status", 1)]),
        ("!`a`", [("a", 1)]),
        ("x\n- !`a; b`\n", [("a; b", 2)]),
        ("```md\n!`inside a fence`\n```\n", [("inside a fence", 2)]),
        ("`` !`documented` ``", [("documented", 1)]),
        ("now!`rm -rf x`", [("rm -rf x", 1)]),
        ("```!\nls\npwd\n```\n", [("\nls\npwd\n", 1)]),
        ("~~~!\nls\n~~~\n", [("\nls\n", 1)]),
        ("`#REF!`: bad, `#DIV/0!`: bad", []),
        ("say `hi!` and `x`", []),
        ("wow ! `no`", []),
    ],
)
def test_commands_that_the_host_runs(text, found):
    assert [(bang.text, bang.line) for bang in parse("SKILL.md", text.encode()).bangs] == found
    assert parse("references/x.md", text.encode()).bangs == ()
    assert len(parse("commands/x.md", text.encode()).bangs) == len(found)


@each_row(
    ("text", "codes"),
    [
        ("<script>rm()</script>", ["rm()"]),
        ("<pre>open <code>a b</code> text", ["a b"]),
        ("Use the `<script>` tag.\n\nMore text.\n", []),
        ("<script> never closed\n\n<code>a b</code>\n", ["a b"]),
        ("```html\n<script>x</script>\n```\n", ["<script>x</script>\n"]),
    ],
)
def test_code_in_elements(text, codes):
    found = [fence.text for fence in parse("x.md", text.encode()).fences]
    assert [code for code in codes if code not in found] == []
    assert len(found) <= len(codes) + text.count("<pre>") + text.count("never closed")
