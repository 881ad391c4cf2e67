"""The page of `--format html`: whole in itself, true to the report, and fit for whoever reads it."""

import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest
from axe_playwright_python.sync_playwright import Axe
from findings_samples import FOUND
from hypothesis import given
from hypothesis import strategies as st
from report_samples import MANIFEST, REPORTS, TIDY, effect, effects

from chromium_browser import VIOLATIONS
from remit.checker.report import judge
from remit.core import Origin
from remit.manifest.drift.compare import compare
from remit.manifest.drift.model import NOTHING, Summary, Trait, TraitKind
from remit.report.as_html import as_html
from remit.report.drift_words import Compared
from remit.report.html_model import Anchors, SkillPage
from remit.report.html_words import said
from remit.report.markup import Html, joined, tag, text

SOURCES = {
    "scripts/tidy.py": [f"line = {number}  # <b>not bold</b>" for number in range(1, 40)],
    "SKILL.md": ["---", "name: tidy", "---", "# Tidy", *[f"Sentence {n}." for n in range(5, 30)]],
}


class Reader(HTMLParser):
    """Elements and their attributes, in order, and the text of each kind."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.elements, self.texts, self._open = [], {}, []
        self.feed(page)

    def handle_starttag(self, name, attributes):
        self.elements.append((name, dict(attributes)))
        if name not in ("meta", "br"):
            self._open.append(name)

    def handle_endtag(self, name):
        assert self._open.pop() == name

    def handle_data(self, data):
        self.texts.setdefault(self._open[-1] if self._open else "", []).append(data)


EVERY = REPORTS | FOUND


def page(*names, compared=None, missing=()):
    shown = [SkillPage(EVERY[name], 1, SOURCES, compared) for name in names]
    return as_html(shown, 1, "1.2.3", missing)


def changed():
    new = Summary(
        "tidy",
        "b",
        traits=(
            Trait(TraitKind.CAPABILITY, "web.post", TIDY.effects[0].where, ("evil.example:443",), "script", "`x`"),
        ),
    )
    return Compared(compare(Summary("tidy", "a"), new), "old", "skills/tidy")


def test_the_page(snapshot):
    whole = page("escapes", compared=changed())
    assert re.sub(r"<style>.*</style>|sha256-[^']+", "", whole, flags=re.DOTALL) == snapshot


def test_findings_stand_at_the_top_with_links_to_their_lines():
    whole = page("block")
    text = re.sub(r"<[^>]*>", " ", whole)
    order = [
        text.index(words) for words in ("DO NOT INSTALL", "sends your SSH key", "talks to hosts", "What it can do")
    ]
    assert order == sorted(order)
    assert text.count("sends your SSH key") >= 3  # in the table, and at its lines
    anchors = Anchors(1, FOUND["block"])
    links = {found.get("href") for _, found in Reader(whole).elements}
    for finding in FOUND["block"].findings:
        assert {f"#{anchors.place(witness.where)}" for witness in finding.witnesses} <= links


def test_the_worst_skill_comes_first():
    names = Reader(page("contained", "review", "escapes", "block")).texts["a"]
    assert names[:4] == ["backup-helper", "backup-helper", "tidy", "tidy"]
    text = page("contained", "review", "escapes", "block")
    badges = re.findall(r'class="badge answer-(\w+)">([^<]*)<', text)[:4]
    assert [words for _, words in badges] == [
        "DO NOT INSTALL", "look at this first", "outside of its manifest", "no concerns",
    ]  # fmt: skip


def test_ten_skills_are_on_a_few_screens(opened):
    found = opened(
        page(*["undeclared", "contained", "denied", "nothing", "hostile"] * 2), viewport={"width": 1400, "height": 1000}
    )
    assert found.evaluate("document.documentElement.scrollHeight") < 6000


def test_it_asks_nobody_for_anything_and_runs_nothing():
    whole = page(*EVERY, compared=changed())
    for name, attributes in Reader(whole).elements:
        assert name not in ("script", "link", "img", "iframe", "object", "form", "base")
        assert not [key for key in attributes if key == "style" or key.startswith("on") or key == "src"]
        assert attributes.get("href", "#").startswith("#")
    assert "url(" not in whole
    assert "@import" not in whole


def test_its_policy_allows_its_own_style_and_nothing_else():
    whole = page("contained")
    style = re.search(r"<style>(.*)</style>", whole, re.DOTALL).group(1)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = next(found["content"] for name, found in Reader(whole).elements if "http-equiv" in found)
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def test_every_link_leads_somewhere_and_names_are_given_once():
    elements = Reader(page(*EVERY, *EVERY, compared=changed())).elements
    names = [found["id"] for _, found in elements if "id" in found]
    links = {found["href"] for _, found in elements if "href" in found}
    assert len(names) == len(set(names))
    assert len(links) > 50
    assert {link[1:] for link in links} <= set(names)


def test_every_effect_and_opaque_place_is_on_the_page():
    report = REPORTS["escapes"]
    reader, anchors = Reader(page("escapes")), Anchors(1, report)
    texts = "".join(part for parts in reader.texts.values() for part in parts)
    links = {found.get("href") for _, found in reader.elements}
    for one in report.found.effects:
        assert one.scope.render() in texts
        assert one.where.file in texts
        assert f"#{anchors.place(one.where)}" in links
    for one in report.found.opaque:
        assert one.reason.replace("`", "") in texts.replace("`", "")


def test_the_ways_that_lead_to_a_line_are_said_once_for_all_that_stands_on_it():
    ways = [(Origin.SCRIPT, ()), (Origin.INSTRUCTED, [("SKILL.md", 5)])]
    found = [
        effect(name, scope, "scripts/tidy.py", line, "`curl`", origin, path)
        for name, scope in (("file.read", "./in"), ("file.read", "./out"), ("file.write", "./out"))
        for line in (3, 9)
        for origin, path in ways
    ]
    whole = as_html([SkillPage(judge(effects(*found), None), 0, SOURCES)], 0, "1")
    reader = Reader(whole)
    text = re.sub(r"<[^>]*>", "", whole)
    assert text.count("a script; the text asks for it, called from SKILL.md:5") == 1
    assert "file.read ./in, ./out curl" in text
    assert "file.read, file.write: as on line 3" in text
    assert sum(found.get("href") == "#s1-f2-3" for _, found in reader.elements) > 1


def test_what_escapes_or_is_denied_is_said_at_each_line_in_words():
    found = [effect(name, "./x", "scripts/tidy.py", line, "`a call that takes a long time to describe`" * 9)
             for name in ("file.write", "file.delete", "file.chmod") for line in (3, 9)]  # fmt: skip
    whole = as_html([SkillPage(judge(effects(*found), MANIFEST), 1, SOURCES)], 1, "1")
    assert "as on line" not in whole
    assert whole.count("<strong> escapes</strong>") == len(found)


def test_marks_say_their_word_to_those_who_do_not_see_them(opened):
    found = opened(page("escapes"), viewport={"width": 1200, "height": 800})
    assert found.get_by_role("img", name="escapes", exact=True).count() > 0
    colour = "document.querySelector('.mark').getBoundingClientRect().width"
    assert found.evaluate(colour) > 10


def test_the_entries_to_add_are_the_least_that_would_do():
    whole = "".join(Reader(page("escapes")).texts["code"])
    assert '{"capability": "file.delete", "scope": "./build/**"}' in whole
    assert '"*"' not in whole
    wide = judge(effects(effect("web.fetch", "any", "a.py", 1, "x")), MANIFEST)
    assert "could be anything: narrow it" in as_html([SkillPage(wide, 1, {})], 1, "1")


def test_lines_that_something_stands_on_are_shown_and_others_are_not():
    code = Reader(page("escapes")).texts["code"]
    assert "line = 14  # <b>not bold</b>" in code
    assert "line = 31  # <b>not bold</b>" not in code


def test_a_place_without_source_is_named_all_the_same():
    whole = as_html([SkillPage(REPORTS["escapes"], 1, {})], 1, "1")
    assert "line 14" in Reader(whole).texts["code"]


def test_what_a_skill_gains_and_what_is_gone_is_said():
    gone = Compared(compare(Summary("tidied", "a"), NOTHING), "old", None)
    whole = page("escapes", compared=changed(), missing=[gone])
    assert "evil.example:443" in whole
    assert "No longer there" in whole
    assert "tidied" in whole


def test_the_same_reports_give_the_same_bytes():
    assert page(*REPORTS) == page(*REPORTS)


def test_what_a_skill_says_of_itself_is_text():
    whole = page("hostile")
    assert "\x1b" not in whole
    assert "\u202e" not in whole


@given(st.text(), st.text())
def test_a_text_stays_a_text(one, other):
    reader = Reader(tag("p", one, joined([one, tag("b", other)], other), class_=other, title=one))
    assert [name for name, _ in reader.elements] == ["p", "b"]
    assert isinstance(text(one), Html)
    assert {name for name, _ in Reader(said(one)).elements} <= {"code"}


# ── in a browser ──


@pytest.fixture
def opened(chromium, tmp_path):
    """A page from the disk; whatever it asks for or complains about is wrong."""
    contexts, wrong = [], []

    def opening(whole, **more):
        (tmp_path / "report.html").write_text(whole, "utf-8")
        context = chromium.new_context(reduced_motion="reduce", **more)
        contexts.append(context)
        context.add_init_script(VIOLATIONS)
        found = context.new_page()
        found.on("console", lambda message: wrong.append(message.text))
        found.on("request", lambda request: request.url.startswith("file:") or wrong.append(request.url))
        found.goto((tmp_path / "report.html").as_uri())
        return found

    yield opening
    for context in contexts:
        context.close()
    assert wrong == []


@pytest.mark.parametrize(("scheme", "width"), [("light", 1200), ("dark", 380)])
def test_everybody_can_read_it(opened, scheme, width):
    found = opened(
        page("escapes", "contained", "failed", "block", "accepted", compared=changed()),
        color_scheme=scheme,
        viewport={"width": width, "height": 800},
    )
    assert found.evaluate("document.documentElement.scrollWidth") <= width
    results = Axe().run(found)
    assert results.violations_count == 0, results.generate_report()


def test_a_click_on_a_node_leads_to_the_line(opened):
    found = opened(page("escapes"), viewport={"width": 1200, "height": 800})
    found.locator("summary", has_text="Map").click()
    found.get_by_role("link", name="web.post on collect.example.net:443, denied").click()
    line = found.locator(":target")
    assert "line = 9 " in line.inner_text()
    assert "web.post" in line.inner_text()
    assert 0 <= line.bounding_box()["y"] < 800


def test_the_keyboard_reaches_every_node(opened):
    found = opened(page("denied"), viewport={"width": 1200, "height": 800})
    found.locator("summary", has_text="Map").click()
    seen = set()
    for _ in range(30):
        found.keyboard.press("Tab")
        seen.add(found.evaluate("document.activeElement.querySelector(':scope > title')?.textContent || ''"))
    assert {"process.create on git, at scripts/tidy.py:12", "file.read on ./src/main.py, at scripts/tidy.py:14"} <= seen


def test_on_paper_nothing_is_cut_off(opened):
    found = opened(page("escapes"), viewport={"width": 760, "height": 1000})
    found.emulate_media(media="print")
    assert found.evaluate("document.documentElement.scrollWidth") <= 760
    assert found.pdf().startswith(b"%PDF")
