"""Words that are not fully known: holes, globs, alternatives, any number of words."""

import getopt
import re

from fake_world import HERE_SITE, FakeWorld, run, word
from hypothesis import given
from hypothesis import strategies as st

from each_row import each_row
from remit.analysis.commands import spawn
from remit.analysis.commands.argv import ArgvReader
from remit.analysis.commands.catalog import Catalog
from remit.analysis.commands.values import matches
from remit.analysis.domain import ANY, lit
from remit.analysis.world import Child


def test_argument_of_the_caller_is_an_assumption():
    world, _ = run("sed -n p {ARG}")
    assert world.assumed == ["option-like-arguments"]
    assert world.effects == [("process.create", "sed"), ("file.read", "<arg>")]


@each_row(
    ("line", "capability"),
    [
        ("tar cf x {GLOB}", "shell.execute"),
        ("sed -n p {FILE}", "file.write"),
        ("sort {FILE}", "file.write"),
        ("find {FILE}", "file.delete"),
        ("curl {NET}", "file.write"),
        ("git log {FILE}", "file.write"),
        ("ssh {NET}", "shell.execute"),
        ("rsync {FILE} d", "file.delete"),
        ("zip a {GLOB}", "shell.execute"),
    ],
)
def test_foreign_word_may_be_an_option(line, capability):
    assert capability in run(line)[0].capabilities


@each_row(
    "line",
    [
        "tar cf x ./{GLOB}",
        "tar cf x -- {GLOB}",
        "sort -- {FILE}",
        "find ./{FILE}",
        "sort /{FILE}",
        "sort -k {FILE} a",
        "sort -n{NUM}",
    ],
)
def test_word_that_cannot_be_an_option(line):
    world, _ = run(line)
    assert not {"shell.execute", "file.delete", "file.write"} & (
        world.capabilities - ({"file.write"} if "tar" in line else set())
    )


def test_glob_with_an_ending_can_only_be_a_value():
    world, _ = run("sort {GLOB}.csv")
    assert ("file.write", "<any>.csv") in world.effects


def test_options_that_add_nothing_are_an_assumption():
    world, _ = run("cat {GLOB}.md")
    assert world.assumed == ["option-like-arguments"]
    assert world.effects == [("process.create", "cat"), ("file.read", "<file:seg>.md")]


def test_rest_may_be_every_operand():
    world, _ = run("cp a", rest="{FILE}")
    assert ("file.write", "<file>") in {(cap, scope.split("|")[0]) for cap, scope in world.effects}


def test_rest_may_be_options():
    assert "file.write" in run("sort a", rest="-o{ARG}")[0].capabilities
    assert "file.write" in run("curl -o", rest="{ARG}")[0].capabilities


def test_unknown_program():
    assert run("{ARG} x")[0].effects == [("process.create", "<arg>")]
    assert not run("{ENV} x")[0].opaques
    assert run("{FILE} x")[0].opaques
    assert run("git {FILE}")[0].opaques


def test_script_of_the_caller_is_not_standard_input():
    world, _ = run("python3 {ARG}")
    assert world.scripts == [("python", "<arg>", ())]
    assert not world.codes
    assert run("python3 {FILE}")[0].codes


def test_alternatives():
    world = FakeWorld()
    child = Child((lit("rm") | lit("touch"), lit("-v") | lit("x")))
    spawn(world, child, HERE_SITE)
    assert {("file.delete", "x"), ("file.write", "x")} <= set(world.effects)


def test_any_value_as_word():
    world = FakeWorld()
    spawn(world, Child((lit("rm"), ANY)), HERE_SITE)
    assert ("file.delete", "<any>") in world.effects


def test_xargs_words_from_input():
    assert ("file.delete", "a|b") in run("xargs rm", stdin="a b")[0].effects
    assert ("file.delete", "d/a b|d/c") in run("xargs -I@ rm d/@", stdin="a b\nc")[0].effects  # whole lines


def test_hole_in_code_is_passed_on():
    assert run("sh -c 'rm {ARG}'")[0].codes == [("shell", "rm <arg>", ())]


def test_foreign_text_in_a_sed_program():
    assert run("sed s/a/{ARG}/ f")[0].assumed == ["text-in-programs"]
    assert "source.execute" in run("sed s/a/{NET}/ f")[0].capabilities
    assert not run("sed s/a/{NUM}/ f")[0].assumed


@each_row(
    ("text", "pattern", "expected"),
    [
        ("a", "a|b", True),
        ("c", "a|b", False),
        ("{SKILL}/a", "-|/dev/stdin", False),
        ("{FILE}", "-|/dev/stdin", None),
        ("{ARG}", "-", False),
        ("{ARG}/a", "-", False),
        ("https://{ARG}", "https?:.*", True),
        ("{ARG}", "https?:.*", None),
        ("ht{ARG}", "https?:.*", None),
        ("./{ARG}", "https?:.*", False),
        ("{ARG}.lua", ".*[.]lua", True),
        ("{ARG}.py", ".*[.]lua", False),
        ("{NUM}", "on|off", False),
        ("a{ARG}", "[^a].*", None),
        ("images/{FILE}.jpg", "(?i)(msl|x):.*", False),
        ("MSL:{FILE}", "(?i)(msl|x):.*", True),
        ("m{FILE}", "(?i)(msl|x):.*", None),
    ],
)
def test_conditions_on_what_is_partly_known(text, pattern, expected):
    assert matches([word(text)], pattern, unsure=False) is expected


@given(
    st.text("ab-/", max_size=4),
    st.text("ab-/", max_size=3),
    st.sampled_from(["a|b", "-", "a?b", "a.*", ".*b", ".*a.*", "ab|-a", "[^a].*", "(?i)(A|b-)/.*", "a(b|-)?"]),
)
def test_conditions_agree_with_every_completion(prefix, filling, pattern):
    answer = matches([word(prefix + "{FILE}")], pattern, unsure=False)
    real = re.fullmatch(pattern, prefix + filling) is not None
    assert answer is None or answer == real


SPEC = Catalog([("spec.cmd", "[t]\nflags -a -b --alpha --beta\nvalues -c --gamma\nargs WORD...\n")])
WORDS = st.lists(
    st.one_of(
        st.sampled_from(
            ["-a", "-b", "-c", "-ab", "-abc", "-cab", "--alpha", "--alp", "--gamma=x", "--gamma", "--", "-", "--beta"]
        ),
        st.text("ab-=", max_size=4),
    ),
    max_size=6,
)


@given(WORDS)
def test_options_are_read_as_getopt_reads_them(words):
    try:
        options, operands = getopt.gnu_getopt(words, "abc:", ["alpha", "beta", "gamma="])
    except getopt.GetoptError:
        return
    reading = ArgvReader(SPEC.get("t"), [lit(word) for word in words], frozenset()).read()
    given_names = {name for name, _ in options}
    assert reading.sure == given_names
    assert reading.operands == [lit(operand) for operand in operands]


@given(
    st.sampled_from(["rm", "tar", "git", "curl", "find", "xargs", "env", "sed", "awk", "docker", "npx", "ssh", "dd"]),
    WORDS,
    WORDS,
)
def test_no_command_line_is_a_crash(name, words, rest):
    world = FakeWorld()
    line = (lit(name), *(word(item) for item in words))
    spawn(world, Child(line, rest=frozenset().union(*(lit(item) for item in rest))), HERE_SITE)
    assert world.effects
