"""The map of a skill: whole, honest, and harmless in any page."""

import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report_samples import MANIFEST, REPORTS, effect, effects

from each_row import each_row
from remit.checker.report import judge
from remit.core import Location, Opaque
from remit.report.map_model import NodeKind, capability_map
from remit.report.map_svg import map_css, map_shapes, map_svg
from remit.report.marks import shorten
from remit.report.screen import width_of

SVG = "{http://www.w3.org/2000/svg}"
HARMLESS = {"svg", "title", "desc", "g", "a", "text", "path", "rect", "circle", "defs", "use"}
WHITE, BLACK = "#ffffff", "#14171c"


def parsed(report, href=lambda _: None, **more):
    return ET.fromstring(map_svg(report, href, **more))


def nodes(tree, tag="g"):
    return [one for one in tree.iter(SVG + tag) if (one.get("class") or "").startswith("node ")]


@pytest.mark.parametrize("name", ["escapes", "denied", "nothing"])
def test_the_picture(name, snapshot):
    assert map_svg(REPORTS[name], lambda node: f"#{node.kind}") == snapshot


@each_row("name", REPORTS)
def test_a_strict_page_shows_it_whole(name):
    for one in parsed(REPORTS[name]).iter():
        assert one.tag.removeprefix(SVG) in HARMLESS
        assert one.tag != SVG + "use" or one.get("href").startswith("#map-")
        assert not [key for key in one.keys() if key == "style" or key.startswith("on")]  # noqa: SIM118  not a dict


@settings(max_examples=60)
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60), st.text(max_size=30))
def test_what_a_skill_says_of_itself_adds_nothing_to_the_picture(name, reason):
    opaque = [Opaque(reason, Location(name, 3), name)]
    tree = parsed(judge(effects(opaque=opaque, name=name), None), lambda _: f'"><script>{name}')
    plain = parsed(judge(effects(opaque=[Opaque("r", Location("f", 3), "n")], name="n"), None), lambda _: "#")
    assert [one.tag for one in tree.iter()] == [one.tag for one in plain.iter()]


@given(st.integers(0, 40), st.integers(0, 40), st.integers(1, 12))
def test_every_scope_is_shown_or_counted(inside, outside, most):
    found = [effect("env.read", f"TIDY_{n}", "a.py", n + 1, "x") for n in range(inside)]
    found += [effect("env.read", f"OTHER_{n}", "a.py", n + 1, "x") for n in range(outside)]
    root = capability_map(judge(effects(*found), MANIFEST), most)
    below = [one for node in root.below for one in node.below]
    scopes = [one for one in below if one.kind is NodeKind.SCOPE]
    folded = [int(re.search(r"\d+", one.name).group()) for one in below if one.kind is NodeKind.MORE]
    assert len(scopes) + sum(folded) == inside + outside
    assert len(scopes) <= most + 1
    assert sum(one.stand == "escapes" for one in scopes) == min(outside, len(scopes))  # what is wrong is folded last
    assert all(number > 1 for number in folded)


def test_what_is_wrong_is_said_by_a_word_and_a_shape():
    report = REPORTS["escapes"]
    tree = parsed(report)
    escaping = [one for one in nodes(tree) if "scope stands-escapes" in one.get("class")]
    assert len(escaping) == len({(one.effect.capability, one.effect.scope) for one in report.containment.escapes})
    inside = next(one for one in nodes(tree) if "scope stands-inside" in one.get("class"))
    for one in escaping:
        assert "escapes" in [text.text for text in one.iter(SVG + "text")]
        assert shapes(one) != shapes(inside)
    opaque = [one for one in nodes(tree) if "reason" in one.get("class")]
    assert len(opaque) == len({(one.reason, one.remedy) for one in report.found.opaque})
    assert all(shapes(one) not in (shapes(escaping[0]), shapes(inside)) for one in opaque)


def shapes(node):
    return [one.get("href") for one in node.iter(SVG + "use")]


def test_a_node_leads_where_the_caller_says():
    def href(node):
        return f"/source?at={node.places[0]}&x=1" if node.kind is NodeKind.SCOPE else None

    tree = parsed(REPORTS["undeclared"], href)
    links = [one.get("href") for one in nodes(tree, "a")]
    assert "/source?at=scripts/tidy.py:14&x=1" in links
    assert all("scope" in one.get("class") for one in nodes(tree, "a"))
    assert any("capability" in one.get("class") for one in nodes(tree))


def test_who_does_not_see_it_reads_it():
    tree = parsed(REPORTS["escapes"], ident="m7")
    named = {one.get("id"): one.text for one in tree if one.get("id")}
    assert tree.get("aria-labelledby").split() == list(named)
    assert "~/.ssh/id_rsa (escapes)" in named["m7-words"]
    assert "module `acme` has no summary" in named["m7-words"]
    for one in nodes(tree):
        assert one.find(SVG + "title").text


def test_maps_on_one_page_share_no_names():
    ids = [one.get("id") for name in "ab" for one in parsed(REPORTS["escapes"], ident=name).iter() if one.get("id")]
    assert len(ids) == len(set(ids)) > 4


def test_maps_of_one_page_may_share_their_shapes():
    shared = {one.get("id") for one in ET.fromstring(map_shapes("all")).iter() if one.get("id")}
    tree = parsed(REPORTS["escapes"], shapes="all")
    drawn = {one.get("href") for one in tree.iter() if one.tag.endswith("use")}
    assert drawn
    assert drawn <= {f"#{name}" for name in shared}
    assert not list(tree.iter(SVG + "defs"))


def test_classes_that_colour_are_in_the_style_sheet():
    used = {
        word
        for report in REPORTS.values()
        for one in parsed(report).iter()
        for word in (one.get("class") or "").split()
        if word.startswith(("level-", "stand-"))
    }
    assert used <= set(re.findall(r"\.([\w-]+) \{ color:", map_css()))


def test_colours_can_be_read_on_light_and_on_dark():
    pairs = re.findall(r"light-dark\((#\w{6}), (#\w{6})\)", map_css())
    assert pairs
    for light, dark in pairs:
        assert contrast(light, WHITE) >= 4.5, light
        assert contrast(dark, BLACK) >= 4.5, dark


def contrast(one, other):
    lighter, darker = sorted(map(luminance, (one, other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(color):
    parts = [int(color[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@given(st.text(max_size=80), st.integers(3, 40))
def test_a_shortened_text_fits_and_keeps_its_ends(text, width):
    short = shorten(text, width)
    assert width_of(short) <= max(width, 0)
    if width_of(text) <= width:
        assert short == text
    elif text.isascii() and text.isprintable():
        assert short[0] == text[0]
        assert short[-1] == text[-1]
