"""What people read, as it is printed."""

import io
import re

import pytest
from findings_samples import FOUND, SENDS
from report_samples import REPORTS, effect, effects

from each_row import each_row
from remit.checker.report import Failure, failed, judge
from remit.report.as_text import TextReport
from remit.report.first_screen import LINES
from remit.report.screen import Screen, visible, width_of, wrap

EVERY = REPORTS | FOUND
VERBOSE = ["undeclared", "escapes", "contained", "denied", "block", "void"]


def printed(name, *, width=100, color=False, encoding="utf-8", **how):
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding=encoding)
    screen = Screen(out, color=color, width=width)
    screen.write(TextReport(screen, **how).skill(EVERY[name]))
    out.flush()
    return raw.getvalue().decode(encoding)


@pytest.mark.parametrize("name", EVERY)
def test_the_first_screen(name, snapshot):
    assert printed(name) == snapshot


@pytest.mark.parametrize("name", VERBOSE)
def test_everything(name, snapshot):
    assert printed(name, verbose=True) == snapshot


@pytest.mark.parametrize("width", [60, 80])
def test_the_first_screen_where_it_is_narrow(width, snapshot):
    assert printed("block", width=width) + printed("escapes", width=width) == snapshot


def test_the_first_screen_in_colour(snapshot):
    assert printed("void", color=True).replace("\x1b", "ESC") == snapshot


@each_row("width", [40, 60, 80, 100, 140])
@each_row("name", EVERY)
def test_the_first_screen_has_twelve_lines_that_fit(name, width):
    lines = printed(name, width=width).splitlines()
    assert len(lines) <= LINES
    assert all(width_of(line) <= width for line in lines), lines


def test_one_line_when_quiet():
    for name in EVERY:
        assert printed(name, quiet=True).count("\n") == 1


def test_two_lines_at_most_where_there_are_many():
    for name in EVERY:
        assert printed(name, many=True).count("\n") <= 2


def test_what_decides_is_never_cut_short():
    for width in (60, 80, 100):
        text = " ".join(printed("many", width=width).split())
        assert SENDS.message in text
        assert "scripts/b.py:2 reads ~/.ssh/id_rsa" in text


def test_the_answer_comes_first_and_jargon_does_not_come_at_all():
    assert printed("block").startswith("backup-helper   DO NOT INSTALL\n")
    assert printed("review").startswith("backup-helper   look at this first")
    assert printed("undeclared").startswith("tidy   no concerns, 9 locations not understood\n")
    for name in EVERY:
        assert not re.search(r"\bundeclared\b|\bplaces?\b|\bopaque\b", printed(name)), name


def test_samples_are_counted_and_effects_stand_once():
    text = printed("block", verbose=True)
    assert "samples in its documents: 1 effect (reference.md)" in text
    twice = judge(effects(*[effect("file.read", "./a", "a.py", 3, why) for why in ("`open`", "`read`")]), None)
    screen = Screen(io.StringIO(), color=False)
    lines = list(TextReport(screen, verbose=True).skill(twice))
    assert [line for line in lines if "a.py:3  ./a" in line] == ["    a.py:3  ./a  `open`; `read`"]


def test_a_finding_says_how_it_is_accepted():
    text = " ".join(printed("block", verbose=True).split())
    entry = '{"finding": "hides-from-user", "where": "SKILL.md:5", "digest": "fedcba9876543210", "reason": "…"}'
    assert entry in text
    assert '"accepted" in remit.json' in text


@each_row("name", EVERY)
def test_plain_letters_where_the_encoding_has_no_others(name):
    text = printed(name, encoding="ascii")
    assert "…" not in text
    assert "?" not in text


@each_row("name", EVERY)
@each_row("verbose", [False, True])
def test_nothing_of_a_skill_steers_the_terminal(name, verbose):
    text = printed(name, verbose=verbose)
    assert all(char == "\n" or char.isprintable() for char in text)


@each_row("width", [40, 60, 100, 140])
def test_lines_fit_the_screen(width):
    for name in ("undeclared", "escapes", "contained", "block"):
        for line in printed(name, width=width, verbose=True).splitlines():
            # what cannot be broken stands alone
            assert width_of(line) <= width or len(line.split()) <= 2, line


def test_every_escape_has_a_remedy():
    outside, _, _ = printed("escapes", verbose=True).partition("? not understood")
    assert outside.count("    → ") == 4  # one for each of its groups


def test_what_to_do_about_a_skill_that_cannot_be_read_fits_the_screen():
    report = failed("broken", "skills/broken", Failure("the analysis did not finish", "report it with the skill, " * 5))
    lines = list(TextReport(Screen(io.StringIO(), color=False, width=80)).skill(report))
    assert len(lines) == 3
    assert all(len(line) <= 80 for line in lines)


def test_the_summary_ranks_the_worst():
    screen = Screen(io.StringIO(), color=False)
    text = TextReport(screen, many=True)
    for report in EVERY.values():
        list(text.skill(report))
    first, total, *ranked = text.summary()
    assert first == ""
    assert total == (
        "15 skills: 2 not read to the end, 3 DO NOT INSTALL, 1 look at this first, 3 not inside their manifests, 6 no concerns"
    )
    assert ranked[2].startswith("  backup-helper  sends your SSH key")
    assert ranked[-2] == "  … and 4 more"
    assert ranked[-1] == "  more: remit check skills/broken -v"


@each_row(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("\x1b[31m", "\\x1b[31m"),
        ("a\nb", "a\\nb"),
        ("\u202eabc", "\\u202eabc"),
        ("\udcff", "\\udcff"),
        ("é…文", "é…文"),
    ],
)
def test_visible(text, shown):
    assert visible(text) == shown


def test_wide_and_combining_characters_are_measured():
    assert width_of("文字") == 4
    assert width_of("e\u0301") == 1
    assert width_of("\x1b[1mbold\x1b[0m") == 4


def test_wrapping_keeps_long_words_whole():
    assert wrap("a " + "x" * 50 + " b", 20, 2, 0) == ["a", "  " + "x" * 50, "  b"]


@pytest.mark.parametrize(
    ("env", "choice", "terminal", "color"),
    [
        ({}, "auto", True, True),
        ({}, "auto", False, False),
        ({"NO_COLOR": "1"}, "auto", True, False),
        ({"TERM": "dumb"}, "auto", True, False),
        ({"NO_COLOR": "1"}, "always", False, True),
        ({}, "never", True, False),
    ],
)
def test_colours_only_where_they_are_wanted(monkeypatch, env, choice, terminal, color):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    out = io.StringIO()
    out.isatty = lambda: terminal
    assert Screen.of(out, choice).color is color
