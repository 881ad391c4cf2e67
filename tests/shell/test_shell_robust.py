"""No input may raise, hang, or go unread in silence."""

import random

from fakeworld import FakeWorld, run, run_script
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_shell_effects import DELETE_V

from by_day import many
from each_row import each_row

TOKENS = [
    "$", "(", ")", "{", "}", "((", "))", "[[", "]]", "`", '"', "'", "\\", "\n", ";", ";;", "&", "|", "<", ">", "<<EOF\n", "EOF\n", "<<<", "$(", "${", "${x",
    "$((", "#", "if ", "then ", "fi ", "do ", "done ", "for ", "case ", "esac ", "in ", "while ", "function ", "x=", "a[", "]=", "!", "~", "*", "?", "{a,b}",
    "\x00", "\ue000", "\U000f0001", "\U00100000", "\udc80", "é", "\r", "eval ", "source ", '"$@"', "${!x}", "${x@P}", "&>", ">&", "coproc ", "time ", "select ",
]  # fmt: skip


@settings(max_examples=many(400), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(st.one_of(st.sampled_from(TOKENS), st.sampled_from(DELETE_V), st.text(max_size=4)), max_size=14).map(
        "".join
    )
)
def test_never_raises(code):
    run(code, steps=3000)


@each_row("seed", range(40))
def test_mutated_programs(seed):
    rng = random.Random(seed)
    code = list("\n".join(rng.sample(DELETE_V, 6)))
    for _ in range(rng.randrange(1, 12)):
        at = rng.randrange(len(code))
        code[at : at + rng.randrange(3)] = rng.choice(TOKENS)
    run("".join(code), steps=5000)


@each_row(
    "code",
    [
        "(" * 5000,
        "$(" * 5000,
        "${x:-" * 3000,
        "`" * 5001,
        "if true; then " * 3000,
        "{ " * 4000,
        '"$(' * 2000,
        "a" * 200_000,
        "x=" + "$x" * 5000,
        "for i in {1..99999999}; do rm $i; done",
        "f() { f; f; f; }; f",
        "f() { g; g; }; g() { f; f; }; f",
        "f() { f $1x $1y; }; f a",
        "while :; do while :; do while :; do x=$x$x; done; done; done",
        "x=a; " + "x=$x$x; " * 60 + "rm $x",
        "case x in " + "a) " * 500,
        "echo " + "{a,b}" * 40,
        "x=$((" + "(" * 3000 + "1" + ")" * 3000 + "))",
        "[[ " + "( " * 2000 + "a" + " )" * 2000 + " ]]",
        "shopt -s expand_aliases\nalias a=b\nalias b=a\na x",
        "eval 'eval \"eval $0\"'",
        'x="${x#' + "*a" * 200 + '}"',
        "x=" + "a" * 5000 + '; echo "${x##' + "*a" * 30 + 'b}"',
        "trap 'trap x EXIT' EXIT",
    ],
)
def test_hostile_programs_end(code):
    run(code, steps=20_000)


@each_row(
    ("first", "opaque"),
    [
        ("#!/bin/zsh", True),
        ("#!/usr/bin/env fish", True),
        ("#!/bin/sh", False),
        ("#!/usr/bin/env -S bash -e", False),
        ("# x", False),
    ],
)
def test_the_first_line_names_the_shell(first, opaque):
    assert bool(run(first + "\nrm v").opaques) is opaque


def test_sh_reads_some_things_differently():
    assert ("file.write", "b") in run("#!/bin/sh\n[[ a > b ]]").names()
    assert run("#!/bin/sh\n((x = 1))").opaques
    spawned = run("#!/bin/sh\nrm {a,b}").spawned
    assert "rm a b" in spawned
    assert "rm {a,b}" in spawned


def test_a_missing_file_text_is_no_crash():
    world = FakeWorld({"scripts/lib": ""})
    run_script(world, "scripts/run.sh", '. "$(dirname "$0")/lib"')
    assert not world.opaques
