"""What people read, as it is printed."""

import io

import pytest
from report_samples import REPORTS

from remit.report.as_text import TextReport
from remit.report.screen import Screen, visible, width_of, wrap


def printed(name, *, width=100, color=False, verbose=False, quiet=False, encoding="utf-8"):
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding=encoding)
    screen = Screen(out, color=color, width=width)
    text = TextReport(screen, verbose=verbose, quiet=quiet)
    screen.write(text.skill(REPORTS[name]))
    out.flush()
    return raw.getvalue().decode(encoding)


@pytest.mark.parametrize("name", REPORTS)
def test_text(name, snapshot):
    assert printed(name) == snapshot


@pytest.mark.parametrize("name", ["undeclared", "escapes", "contained", "denied"])
def test_text_in_full(name, snapshot):
    assert printed(name, verbose=True) == snapshot


def test_text_on_a_narrow_screen(snapshot):
    assert printed("escapes", width=60) == snapshot


def test_text_in_colour(snapshot):
    assert printed("escapes", color=True).replace("\x1b", "ESC") == snapshot


def test_one_line_when_quiet():
    for name in REPORTS:
        assert printed(name, quiet=True, width=140).count("\n") == 1


@pytest.mark.parametrize("name", REPORTS)
def test_plain_letters_where_the_encoding_has_no_others(name):
    text = printed(name, encoding="ascii")
    assert "…" not in text
    assert "?" not in text.replace("? not understood", "")


@pytest.mark.parametrize("name", REPORTS)
@pytest.mark.parametrize("verbose", [False, True])
def test_nothing_of_a_skill_steers_the_terminal(name, verbose):
    text = printed(name, verbose=verbose)
    assert all(char == "\n" or char.isprintable() for char in text)


@pytest.mark.parametrize("width", [40, 60, 100, 140])
def test_lines_fit_the_screen(width):
    for name in ("undeclared", "escapes", "contained"):
        for line in printed(name, width=width).splitlines():
            # what cannot be broken stands alone
            assert width_of(line) <= width or len(line.split()) <= 2, line


def test_every_escape_and_every_opaque_place_has_a_remedy():
    text = printed("escapes")
    outside, _, rest = text.partition("? not understood")
    assert outside.count("→") == 4  # one for each of its groups
    assert rest.count("→") == 2


def test_the_worst_comes_first():
    text = printed("undeclared")
    scripts = text[text.index("its scripts can") :]
    order = [
        scripts.index(f"  {name}  ") for name in ("file.delete", "file.read", "web.post", "secret.read", "env.read")
    ]
    assert order == sorted(order)


def test_the_summary_counts_verdicts():
    screen = Screen(io.StringIO(), color=False)
    text = TextReport(screen)
    for report in REPORTS.values():
        list(text.skill(report))
    assert list(text.summary()) == [
        "8 skills: 2 contained, 1 escapes, 2 opaque, 3 undeclared; 5 with opaque places; 2 not read to the end"
    ]


@pytest.mark.parametrize(
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
