"""A report on a scan as text, Markdown, JSON and a page: what it says, and that no text of a stranger does anything."""

import io
import json
import re
from collections import Counter
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory

import jsonschema
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scan_report_samples import TRAITS, effect, finding, row, save

from each_row import each_row
from remit.cli.schemas import schema_text
from remit.core.counting import counted
from remit.report.as_json import scan_json
from remit.report.document import Document, DocumentRow, Section, Table, Theirs, Word, theirs
from remit.report.document_html import as_html
from remit.report.document_md import as_md
from remit.report.document_text import as_text
from remit.report.scan_words import scan_document
from remit.report.screen import Screen, width_of
from remit.scan.report import report
from remit.scan.rows import OpaquePlace

EVIL = "\x1b[31m<script>alert(1)</script>`|$x^{2}$\u202e\u2028]]>&amp;\n# x"


@cache
def findings(*, compared=True, evil=""):
    """A small registry: copies, twins, near copies, an impostor, something opaque and something broken."""
    base = [effect(one, f"scripts/{at}.py", at + 1) for at, one in enumerate(TRAITS[:6])]
    rows = [
        row("one/pdf", base, name="pdf", description="reads", guarantees=("no-secrets", "deletes-nothing")), row("two/pdf", base, name="pdf", digest="one/pdf", description="reads"),
        row("three/pdf", base, name="pdf", description="reads"), row("four/pdf", [*base, effect(TRAITS[9], "scripts/key.py", 7)], name="PDF", description="Reads"),
        row("one/git", [effect(TRAITS[3])], [OpaquePlace("module `x` has no summary", "a.py", 3)], name=evil or "git", verdict="opaque"),
        row("one/pay", [effect(TRAITS[10]), effect((TRAITS[5][0], evil or "c.example:443"))], name="pay", findings=[
            finding(message=evil or "sends your SSH key to c.example"), finding("unpinned-package", "low", "runs x in whatever version is newest", 9),
        ]),
        row(evil or "one/broken", error=f"`{evil or 'a'}` cannot be read"),
    ]  # fmt: skip
    old = [row("one/pdf", base[:4], name="pdf", digest="old"), row("one/gone", base, name="gone"), *rows[2:4]]
    with TemporaryDirectory() as folder:
        files = [save(Path(folder) / f"{name}.parquet", one) for name, one in (("new", rows), ("old", old))]
        return report(files[:1], files[1:] if compared else [])


def shown(found, *, width=80, color=False):
    out = io.StringIO()
    screen = Screen(out, color=color, width=width)
    screen.write(as_text(scan_document(found), screen))
    return out.getvalue()


def test_on_a_terminal(snapshot):
    assert shown(findings()) == snapshot


def test_without_a_scan_before(snapshot):
    assert "Changed since" not in shown(findings(compared=False))


def test_as_markdown(snapshot):
    assert "\n".join(as_md(scan_document(findings()))) == snapshot


@pytest.mark.parametrize("compared", [True, False])
def test_the_json_is_what_its_schema_says(compared):
    value = scan_json(findings(compared=compared, evil=EVIL))
    jsonschema.Draft202012Validator(json.loads(schema_text("scan-report"))).validate(json.loads(json.dumps(value)))


def test_levels_have_colours_where_they_are_wanted():
    assert "\x1b[33msecret.read\x1b[0m" in shown(findings(), color=True)
    assert "\x1b" not in shown(findings())


@each_row("width", [40, 60, 100, 140])
def test_lines_fit_the_terminal_but_for_words_that_are_longer(width):
    for line in shown(findings(), width=width).splitlines():
        assert width_of(line) <= width or len(line.split()[-1]) > width // 3 or width < 60


def test_no_text_of_a_stranger_steers_a_terminal():
    text = shown(findings(evil=EVIL))
    assert EVIL.splitlines()[0] not in text
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u2028]", text)
    assert "\\x1b[31m<script>" in text


def test_no_text_of_a_stranger_is_markdown():
    text = "\n".join(as_md(scan_document(findings(evil=EVIL))))
    assert "\n# x" not in text
    for line in text.splitlines():
        bare = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", line)
        assert "<script>" not in bare, line


class Seen(HTMLParser):
    """The elements and texts of a page."""

    def __init__(self):
        super().__init__()
        self.tags, self.attributes = Counter(), Counter()

    def handle_starttag(self, tag, attrs):
        self.tags[tag] += 1
        self.attributes.update(name for name, _ in attrs)


def page(**more):
    found = findings(**more)
    return as_html(scan_document(found), "0.1.0")


def test_a_page_draws_shares_and_asks_for_nothing():
    seen = Seen()
    seen.feed(page())
    assert seen.tags["meter"] == sum(
        len(table.rows)
        for section in scan_document(findings()).sections
        for table in section.tables
        if "share" in table.numbers
    )
    assert seen.tags["h2"] == len(scan_document(findings()).sections)
    assert not {"script", "link", "iframe", "object", "form"} & seen.tags.keys()
    assert "default-src &#x27;none&#x27;" in page()
    assert set(re.findall(r'(?:src|href)="([^"]{5}|#s\d+)', page())) <= {*(f"#s{n}" for n in range(1, 20))}


def test_no_text_of_a_stranger_does_anything_in_a_page():
    plain, evil = Seen(), Seen()
    plain.feed(page())
    evil.feed(page(evil=EVIL))
    assert evil.tags.keys() == plain.tags.keys()
    assert evil.attributes.keys() == plain.attributes.keys()
    assert "&lt;script&gt;alert(1)" in page(evil=EVIL)


texts = st.text(max_size=30)


@settings(max_examples=60)
@given(texts, texts)
@example("`|`", "||\\|")
@example("\x1b]0;x\x07", "\ud800")
def test_any_text_is_shown_and_nothing_else(one, other):
    cells = ((Theirs(one),), (Word(other),))
    table = Table("t", (), ("a", "b"), (DocumentRow(cells, ((Theirs(other),),)),))
    document = Document("d", (theirs((one, other)),), (Section("s", tables=(table,)),))
    out = io.StringIO()
    screen = Screen(out, color=False)
    screen.write(as_text(document, screen))
    assert out.getvalue().isprintable() or not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", out.getvalue())
    rows = [line for line in as_md(document) if line.startswith("|")]
    assert len(rows) == 3
    assert all(re.sub(r"\\\|", "", line).count("|") == 3 for line in rows)


def test_numbers_of_things():
    assert (counted(1, "skill"), counted(1200, "skill"), counted(2, "capability", "capabilities")) == (
        "1 skill",
        "1,200 skills",
        "2 capabilities",
    )
