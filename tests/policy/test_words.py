"""Words as shells read them: exactly where it is certain, generously for denials."""

import shlex
import subprocess

from hypothesis import given, settings
from hypothesis import strategies as st

from by_day import many
from each_row import each_row
from remit.manifest.patterns import denied
from remit.policy.words import MAX_TEXTS, plain_words, spoken

texts = st.text(st.sampled_from(list("ab'\"\\ \t$`;&|<>(){}*?[]~#=!-:\n")), max_size=12)


@settings(max_examples=many(1500))
@given(texts)
def test_plain_words_are_those_of_shlex(text):
    found = plain_words(text)
    if found is not None:
        assert list(found) == shlex.split(text)


@settings(max_examples=8)
@given(st.lists(texts.map(lambda text: f"x {text}"), min_size=150, max_size=150))
def test_plain_words_are_those_of_a_shell(many):
    """What is called plain is one command with these words, and nothing happens besides."""
    plain = [(text, words) for text in many if (words := plain_words(text)) and words[0] == "x" and "\0" not in text]
    script = "x() { printf '%s\\0' x \"$@\"; printf '\\1'; }\n" + "".join(f"{text}\n" for text, _ in plain)
    for shell in ("bash", "dash"):
        done = subprocess.run([shell, "-f", "-c", script], capture_output=True, text=True, timeout=300, check=False)
        shown = [tuple(part.split("\0")[:-1]) for part in done.stdout.split("\1")[:-1]]
        assert shown == [words for _, words in plain], done.stderr


@given(st.lists(st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"])), min_size=1, max_size=4))
def test_what_is_quoted_is_plain(words):
    if words[0] and "=" not in words[0]:
        assert plain_words(shlex.join(words)) == tuple(words)


def found(text, pattern="^rm -rf"):
    commands = spoken(text)
    return commands is None or denied([pattern], text, commands) is not None


@each_row(
    "text",
    [
        "rm -rf /",
        "r''m  -rf /",
        "\\rm\t-rf /",
        "'rm' \"-rf\" /",
        "/bin/rm -rf /",
        "cd x; rm -rf y",
        "cd x\nrm -rf y",
        "true && rm -rf y",
        "echo $(rm -rf y)",
        'echo "$(rm -rf y)"',
        "echo `rm -rf y`",
        "(rm -rf y)",
        "{ rm -rf y; }",
        "bash -c 'rm -rf y'",
        "bash -lc 'cd x; rm -rf y'",
        "bash -c \"bash -c 'rm -rf y'\"",
        "su --command='rm -rf y'",
        "su --command 'rm -rf y'",
        "eval rm -rf y",
        "eval 'rm -rf y'",
        "x 'unfinished; rm -rf y",
        "cat a | (cd b && rm -rf c)",
    ],
)
def test_no_spelling_hides_a_denied_command(text):
    assert found(text)


@each_row("text", ["echo rm -rf", "git commit -m 'rm -rf is bad'", "git commit -m 'x; rm -rf y'", "rmdir x"])
def test_words_that_are_only_words_are_left_alone(text):
    assert not found(text)


def test_a_tangle_is_denied():
    assert spoken("eval " * 500 + "x") is None
    assert spoken(";".join(f"sh -c 'a{number}'" for number in range(2 * MAX_TEXTS))) is None


def test_as_many_texts_as_may_be_are_all_read():
    inner = [f"a{number}" for number in range(MAX_TEXTS - 1)]  # the text itself is one
    text = "su " + " ".join(f"--command={one}" for one in inner)
    assert {(one,) for one in inner} < set(spoken(text))
    assert spoken(text + " --command=more") is None
