"""Patterns: what they catch through quotes and spacing, what is refused with its place, and that none is an attack."""

import re
import shlex
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from by_day import many
from each_row import each_row
from remit.core.errors import ManifestError
from remit.manifest.constructs import find_unknown
from remit.manifest.patterns import check_pattern, denied, matches_whole

RM = r"\brm\s+-[a-z]*r[a-z]*f"


def judged(pattern, command):
    """The words as a shell reads one simple command."""
    return denied([pattern], command, [shlex.split(command)])


@each_row(
    "command",
    [
        "rm -rf /",
        "r''m -rf /",
        '"rm"  -rf /',
        "\\rm -rf /",
        "rm '-rf' /",
        "rm\t-'r'f /",
        "/bin/rm -rf /",
        "'/bin/r'm -rf /",
    ],
)
def test_quotes_escapes_and_spacing_hide_nothing(command):
    assert judged(RM, command) == RM
    assert judged("^rm -rf /$", command)


@each_row("command", ["rmdir -p x", "echo ok", "git rm file", "rm -i x"])
def test_what_does_not_match_passes(command):
    assert judged(RM, command) is None


def test_each_command_of_a_line_is_looked_at():
    parsed = [["cd", "/tmp"], ["git", "push", "--force"]]
    assert denied(["^git push"], "cd /tmp && g\\it push --force", parsed) == "^git push"
    assert denied(["^git pull", "--force"], "x", parsed) == "--force"
    assert denied(["^push"], "cd /tmp && git push", parsed) is None


def test_a_line_that_goes_on_is_one_command():
    assert denied(["^rm -rf /$"], "rm \\\n  -rf /", [["rm", "-rf", "/"]])


def test_the_raw_text_counts_too():
    assert denied(["&& *rm"], "cd / && rm x", [["cd", "/"], ["rm", "x"]])
    assert denied(["eval"], "e$X eval", [])


def test_a_point_is_any_character_for_denials():
    assert denied(["rm.*-rf"], "", [["rm", "a\nb", "-rf"]])
    assert not matches_whole("a.b", "a\nb")


def test_bytes_that_are_no_text_hide_nothing():
    assert denied(["rm.*-rf"], "rm \udcff -rf", [])
    assert denied(["rm .* -rf"], "", [["rm", "\ud800", "-rf"]])
    assert not matches_whole(".*", "\udcff")


def test_arguments_match_as_a_whole():
    assert matches_whole("[a-z]+", "abc")
    assert not matches_whole("[a-z]+", "abc;")
    assert not matches_whole("a$", "a\n")


def test_no_patterns_deny_nothing():
    assert denied([], "rm -rf /", [["rm", "-rf", "/"]]) is None


REFUSED = [
    (r"(a)\1", "a back-reference", r"\1", 4),
    (r"(?P<n>a)(?P=n)", "a back-reference", "(?P=", 9),
    (r"\k<n>", "a back-reference", r"\k", 1),
    (r"x\g{1}", "a back-reference", r"\g", 2),
    (r"[\1]", "a back-reference", r"\1", 2),
    (r"rm(?= -rf)", "a look-ahead", "(?=", 3),
    (r"git (?!status)", "a look-ahead", "(?!", 5),
    (r"(?<=a)b", "a look-behind", "(?<=", 1),
    (r"(?<!a)b", "a look-behind", "(?<!", 1),
    (r"(?>a+)", "an atomic group", "(?>", 1),
    (r"a++", "a possessive repetition", "++", 2),
    (r"ab*+", "a possessive repetition", "*+", 3),
    (r"a{2,3}+", "a possessive repetition", "{2,3}+", 2),
    (r"(?(1)a|b)", "a conditional", "(?(", 1),
    (r"\((?R)\)", "a recursion", "(?R", 3),
    (r"(?1)", "a recursion", "(?1", 1),
    (r"(?-1)", "a recursion", "(?-1", 1),
    (r"(?&n)", "a recursion", "(?&", 1),
    (r"(?P>n)", "a recursion", "(?P>", 1),
    (r"(?#note)", "a comment", "(?#", 1),
    (r"(?|a|b)", "a branch reset", "(?|", 1),
    (r"(?'n'a)", "a named group", "(?'", 1),
    (r"(?x) a", "a flag", "(?x", 1),
    (r"(?i-x:a)", "a flag", "(?i-x", 1),
    (r"(*FAIL)", "a verb", "(*", 1),
    (r"a\Z", "an end of text", r"\Z", 2),
    (r"\K", "a reset", r"\K", 1),
    (r"\R", "a line end", r"\R", 1),
    (r"\h", "a blank", r"\h", 1),
    (r"\v", "in two ways", r"\v", 1),
    (r"a{,3}", "in two ways", "{,3}", 2),
    (r"\Q(?=\E(?=a)", "a look-ahead", "(?=", 8),
    (r"[]\]](?=a)", "a look-ahead", "(?=", 6),
    (r"[[:alpha:]](?=a)", "a look-ahead", "(?=", 12),
]


@each_row(("pattern", "what", "text", "position"), REFUSED)
def test_what_cannot_be_run_is_named_with_its_place_and_what_to_write(pattern, what, text, position):
    with pytest.raises(ManifestError) as error:
        check_pattern(pattern)
    assert what in error.value.message
    assert f"`{text}` at position {position}" in error.value.message
    assert error.value.remedy


@each_row(
    ("pattern", "reason"),
    [
        ("(", "missing )"),
        ("[a", "missing ]"),
        ("a**", "`**` at position 2"),
        ("*a", "no argument"),
        ("a{1001}", "invalid repetition size `{1001}` at position 2"),
        ("[z-a]", "`z-a` at position 2"),
        ("\\", "trailing"),
        (r"\p{Nothing}", "position 1"),
        (r"(\w+\s?){900}!", "7205 steps"),
        (r"(\pL|\pN){1000}", "too large"),
    ],
)
def test_other_mistakes_are_refused_in_the_words_of_the_engine(pattern, reason):
    with pytest.raises(ManifestError) as error:
        check_pattern(pattern)
    assert reason in error.value.message
    assert error.value.remedy


@each_row(
    "pattern",
    [
        RM,
        "(?i)drop table",
        "(?im-s:a)",
        "(?P<n>a)",
        "(?<n>a)",
        "[(?=]",
        r"\(?=a",
        r"\\1",
        r"\x{2028}\p{Greek}\pL",
        "a+?b*?c??",
        "[]a]",
        "[](?=]",
        "[^](?=]",
        r"\Q(?=x)\E",
        "a{x",
        "(?:a|b){2,5}$",
        "[^+]+",
        r"a\++",
    ],
)
def test_what_can_be_run_is_taken(pattern):
    check_pattern(pattern)


@given(st.text("()[]{}?*+\\|^$:=!<>&#PRimsUx-,019abkgQEZ", max_size=12))
def test_every_pattern_is_taken_or_refused_and_never_a_crash(pattern):
    try:
        check_pattern(pattern)
    except ManifestError as error:
        assert error.remedy  # noqa: PT017
        return
    assert find_unknown(pattern) is None
    denied([pattern], "git push -f", [["git", "push"]])


@settings(max_examples=many(300))
@given(
    st.text("ab.|*+?(){}[]^-12,\\\\dwsbn:i", max_size=10),
    st.lists(st.text("ab1-. {}[]n", max_size=8), min_size=3, max_size=6),
)
def test_what_is_taken_means_what_the_usual_engines_read(pattern, texts):
    try:
        check_pattern(pattern)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            usual = re.compile(pattern, re.DOTALL)
    except (ManifestError, re.error):
        return
    for text in texts:
        assert (denied([pattern], text, []) is not None) == bool(usual.search(text)), text


# Patterns on which a back-tracking engine takes exponential or high polynomial time.
SLOW = [
    (r"(a+)+$", "a", "!"),
    (r"(a|a)*$", "a", "!"),
    (r"(a|aa)+$", "a", "!"),
    (r"(.*a){20}$", "a", "!"),
    (r"^(([a-z])+.)+[A-Z]([a-z])+$", "a", "!"),
    (r"(\w+\s?)*!$", "ab ", "?"),
    (r"(x+x+)+y", "x", "z"),
]


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("pattern", "part", "end"), SLOW)
def test_time_grows_with_the_text_alone(pattern, part, end):
    """It takes some milliseconds; with quadratic growth it would take an hour."""
    check_pattern(pattern)
    denied([pattern], part * 2_000_000 + end, [])
