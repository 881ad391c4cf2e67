"""The mutants of `make mutate`: what is changed, which are drawn, and that a check which is deleted is noticed."""

import ast
import json
import os
import subprocess
import sys
import time
from functools import cache

import mutation_cover
import mutation_kill
import pytest
from mutation_cover import digest, entered, functions, marked, read_cover
from mutation_edits import WEIGHTS
from mutation_kill import KILLED, SURVIVED, TIME, in_child
from mutation_load import Live
from mutation_sample import HERE, ROOT, core_files, diff, draw, every_mutant, mutants_of, spoiled_tree
from mutation_tell import read_equivalent

from each_row import each_row
from remit.core.errors import DataError

CHECKS = """
def f(a, b):
    '''A text with 1 number.'''
    {line}
    return a
"""


def _changes(line):
    text = CHECKS.format(line=line)
    plain = ast.unparse(ast.parse(text)).splitlines()
    found = set()
    for one in mutants_of("m.py", text):
        spoiled = ast.unparse(spoiled_tree(one, text)).splitlines()
        found.add((one.kind, "; ".join(line.strip() for line in spoiled if line not in plain)))
    return found


@each_row(
    ("line", "changes"),
    [
        ("if a: raise b", {("check deleted", "if False:"), ("condition negated", "if not a:")}),
        ("if not a: return b", {("check deleted", "if False:"), ("not dropped", "if a:")}),
        ("if bad := a: raise b(bad)", {("check deleted", "if (bad := a) and False:"), ("condition negated", "if not (bad := a):")}),
        ("a = b if a else 0", {("condition fixed", "a = b"), ("condition fixed", "a = 0"), ("number off by one", "a = b if a else 1")}),
        ("a = a < b", {("comparison changed", "a = a <= b")}),
        ("a = a in b", {("comparison changed", "a = a not in b")}),
        ("a = a and b", {("and/or swapped", "a = a or b"), ("operand dropped", "a = a"), ("operand dropped", "a = b")}),
        ("a = True", {("boolean flipped", "a = False")}),
        ("a = 5", {("number off by one", "a = 6")}),
        ("a = {'x', 'y'}", {("member dropped", "a = {'y'}"), ("member dropped", "a = {'x'}")}),
        ("a = [c for c in a if c]", {("filter dropped", "a = [c for c in a]")}),
        ("a = all(b)", {("call made permissive", "a = True")}),
        ("verify(a)", {("call made permissive", "pass")}),
        ("assert a < 5", set()),
        ("a = f'{a + 1}'", set()),
    ],
)  # fmt: skip
def test_what_is_changed(line, changes):
    assert _changes(line) == changes


def test_an_exit_is_dropped_where_something_else_is_done_before():
    assert ("exit dropped", "pass") in _changes("for c in a:\n        continue")
    assert not [one for one in _changes("if a: return b") if one[0] == "exit dropped"]


def test_who_calls_a_function_that_only_raises_deletes_its_checks():
    text = "def _in_time(a) -> None:\n    if a: raise a\ndef f(a):\n    _in_time(a)\n    return a\n"
    assert "call made permissive" in {one.kind for one in mutants_of("m.py", text) if one.scope == "f"}


@cache
def everything():
    """All mutants of our own source."""
    return tuple(every_mutant(core_files()[0]))


def test_what_is_drawn_hangs_on_the_seed_and_on_each_mutant_alone():
    every = everything()
    assert len({one.id for one in every}) == len(every) > 3000
    sample = draw(every, 520, "1")
    assert sample == draw(reversed(every), 520, "1")
    assert len(set(sample) & set(draw(every, 520, "2"))) < 200
    gone = sample[0].file
    assert (
        draw([one for one in every if one.file != gone], 100, "1")
        == [one for one in draw(every, 520, "1") if one.file != gone][:100]
    )
    assert {one.kind for one in sample} == set(WEIGHTS)


def test_every_mutant_of_a_file_is_a_change_that_compiles():
    file = "remit/executor/accept.py"
    text = (ROOT / "src" / file).read_text()
    for one in mutants_of(file, text):
        compile(spoiled_tree(one, text), file, "exec")
        shown = f"\n{diff(one, text)}"
        assert "\n+" in shown or "\n-" in shown


def test_every_file_is_core_or_has_a_reason(tmp_path):
    core, out = core_files()
    assert "remit/executor/accept.py" in core
    assert all(out.values())
    table = tmp_path / "core.table"
    table.write_text("[core]\ngateway | x\npolicy | x\n")
    with pytest.raises(DataError, match="stands nowhere"):
        core_files(table)
    table.write_text("[maybe]\ngateway | x\n")
    with pytest.raises(DataError, match=r"core\.table:2"):
        core_files(table)


def test_the_list_of_those_that_change_nothing_is_of_today(tmp_path):
    every = {one.id: one for one in everything()}
    assert all(read_equivalent(HERE / "equivalent.table", every).values())
    table = tmp_path / "equivalent.table"
    table.write_text("[equivalent]\n0123456789ab | remit/executor/accept.py:_fresh | because\n")
    with pytest.raises(DataError, match="no such mutant"):
        read_equivalent(table, every)


def test_marks_tell_which_blocks_are_entered():
    seen = set()
    names = {"__seen__": seen.add}
    exec(compile(marked("m.py", "def f(a):\n    'x'\n    if a:\n        return 1\n    return 2\n"), "m", "exec"), names)
    assert names["f"](0) == 2
    assert seen == {"m.py:f#0"}
    assert names["f"](1) == 1
    assert seen == {"m.py:f#0", "m.py:f#1"}


def test_what_tests_enter_is_known_until_they_or_what_they_enter_change(tmp_path, monkeypatch):
    monkeypatch.setattr(mutation_cover, "SOURCE", tmp_path)
    monkeypatch.setattr(mutation_cover, "ROOT", tmp_path)
    code, tests, lines = tmp_path / "m.py", tmp_path / "test_m.py", tmp_path / "covered.jsonl"
    code.write_text("class A:\n    def f(self):\n        return lambda: 1\ndef g():\n    return 2\n")
    tests.write_text("1")
    blocks = ["m.py:A.f#0", "m.py:A.f.<locals>.h#0"]
    known = {"imported": [], "tests": [["test_m.py::t", 0.1, blocks]]}
    lines.write_text(
        json.dumps({"file": "test_m.py", "digest": digest(tests), "code": entered(blocks), **known}) + "\n"
    )

    def stale(path, old, new):
        path.write_text(path.read_text().replace(old, new))
        functions.cache_clear()
        digest.cache_clear()
        return read_cover(lines, ["test_m.py"])[1] == ["test_m.py"]

    assert set(entered(blocks)) == {"m.py:A.f"}
    assert not stale(code, "class", "# a comment\nclass")
    assert not stale(code, "return 2", "return 3")
    assert stale(code, "lambda: 1", "lambda: 2")
    assert not stale(code, "lambda: 2", "lambda: 1")
    assert stale(tests, "1", "2")


def test_functions_get_other_code_where_they_are(tmp_path):
    path = str(tmp_path / "m.py")
    text = "def make(a):\n    def inner():\n        return a < 1\n    return inner\n"
    names = {}
    exec(compile(text, path, "exec"), names)
    inner = names["make"](1)
    live = Live(str(tmp_path))
    assert inner() is False
    assert live.put(compile(text.replace("<", "<="), path, "exec"))
    assert inner() is True
    assert not live.put(compile(text.replace("a < 1", "True"), path, "exec"))  # `inner` needs no `a` any more


def test_nothing_is_remembered_of_other_code():
    asked = []
    remembering = cache(lambda: asked.append(1))
    remembering.__module__ = "remit.x"
    live = Live("/nowhere")
    remembering()
    live.forget()
    remembering()
    assert len(asked) == 2


def test_what_becomes_of_a_child(monkeypatch):
    monkeypatch.setattr(mutation_kill, "WALL", 1)
    assert in_child(lambda _: None, 0) == (SURVIVED, "")
    assert in_child(lambda tell: tell("failed t.py::x"), 0) == (KILLED, "t.py::x")
    assert in_child(lambda tell: (tell("begins t.py::x"), time.sleep(60)), 0) == (TIME, "t.py::x")
    assert in_child(lambda tell: (tell("begins t.py::x"), os._exit(3)), 0) == (KILLED, "t.py::x")


def test_nothing_that_a_child_started_outlives_it(tmp_path):
    def starts(_):
        apart = subprocess.Popen(["/bin/sleep", "60"], start_new_session=True)
        (tmp_path / "pid").write_text(str(apart.pid))

    assert in_child(starts, 0) == (SURVIVED, "")
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


TRIES = """
import sys
from pathlib import Path
from mutation_cover import Covered, Test
from mutation_kill import Choice, try_cold, try_warm
from mutation_sample import SOURCE, mutants_of
file, tests = "remit/gateway/transactions.py", "tests/gateway/test_transactions.py"
every = mutants_of(file, (SOURCE / file).read_text())
mutant = next(one for one in every if one.scope == "_committed" and one.kind == "check deleted")
one = Test(tests + "::test_who_may_commit[event3-1800000000-TX_CALLER]", 0.1, frozenset({file + ":" + mutant.block}))
choice = Choice(Covered((one,), frozenset()))
folder = Path(sys.argv[1])
states = [try_cold(mutant, control, choice, folder / "t").state for control in (False, True)]
try_warm([tests], [(mutant, False), (mutant, True)], choice, lambda _, __, tried: states.append(tried.state), folder / "t")
(folder / "states").write_text(" ".join(states))
"""


def test_a_check_that_is_deleted_is_noticed_and_nothing_else(tmp_path):
    subprocess.run(
        [sys.executable, "-c", TRIES, tmp_path],
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{HERE}"},
        cwd=ROOT, capture_output=True, check=True,
    )  # fmt: skip
    assert (tmp_path / "states").read_text().split() == [KILLED, SURVIVED] * 2
