"""A generator that goes wrong is found out: each piece of the module and of the probes, broken on purpose, is refuted."""

import re

import pytest
from dispatch_mutants import ALIKE, MUTANTS, mutated
from typed import CACHE, effect, manifest

from by_day import but_by_night
from each_row import each_row
from remit.proof.types import stubs
from remit.proof.types.checkers import CheckerFailure, Finding, mypy, opinions
from remit.proof.types.dispatch import dispatch
from remit.proof.types.probes import by_line
from remit.proof.types.prove import CheckerRun, pose
from remit.proof.types.verdicts import Opinion, conclude
from remit.proof.verdict import Proved, Refuted, Unknown

GIVEN = manifest("file.read ./**", "-file.read ./secret/**", "web.fetch api.example.com", "process.create git")
QUESTION = pose(GIVEN, [effect("file.read ./a"), effect("file.read ./secret/key"), effect("web.fetch api.example.com")])


def judged(question, *, with_opinions=True):
    first = mypy()
    checkers = (first, *opinions()[0]) if with_opinions else (first,)
    return CheckerRun(question, checkers, stubs.place_of(CACHE, first.identity, first.options), fresh=False).finish()


def changed(pattern, replacement, question=QUESTION):
    module, count = re.subn(pattern, replacement, question.module, count=1, flags=re.MULTILINE)
    assert count == 1
    return question._replace(module=module)


def test_as_it_is_it_is_proved():
    assert judged(QUESTION) == Proved()


HELD = r"(class FileRead:\n.*scope: )Held\d(.*\n.*\n.*Scope\[)Held\d"
MODULES = {
    "an undeclared capability in the union": (r"^    \| WebFetch$", "    | WebFetch\n    | Pay", "undeclared pay"),
    "a capability that is left out": (r"^    \| WebFetch$", "", "effect web.fetch"),
    "a scope that is Any": (HELD, r"\1Any\2Any", "the module"),
    "a scope that is a text": (HELD, r"\1str\2str", "accepts `scope file.read"),
    "a scope that is a text inside": (HELD, r"\1str\2Held1", "the module"),
    "the scopes of another": (HELD, r"\1Held2\2Held2", "file.read"),
    "a denial that is forgotten": (
        r"^    '\./\*\*',$",
        "    './**',\n    './secret/**',",
        "scope file.read ./secret/**",
    ),
    "a scope that is not held": (r"^    'git',$", "    'rm',", "held process.create git"),
    "one more scope": (r"^    'git',$", "    'git',\n    'any',", "scope process.create any"),
    "a request that is anything": (r"^Request: TypeAlias = \($", "Request: TypeAlias = (\n    object |", "request"),
    "a class that is not final": (r"^@final\n(class FileRead:)", r"\1", "heir file.read"),
    "a scope that can be replaced": (
        r"(class FileRead:\n(?:.*\n){2}.*)self\.scope: Final =",
        r"\1self.scope =",
        "thaw",
    ),
    "what is hushed up": (r"^    \| WebFetch$", "  # type: ignore[arg-type]", "there is a comment"),
}


@each_row("name", MODULES)
def test_a_module_that_is_wrong_is_refuted(name):
    pattern, replacement, named = MODULES[name]
    outcome = judged(changed(pattern, replacement), with_opinions=False)
    assert isinstance(outcome, Refuted)
    assert named in "\n".join(outcome.trace)


@pytest.mark.parametrize("name", but_by_night(MUTANTS, ALIKE))
def test_a_dispatch_that_is_wrong_is_refuted(name):
    """The source that runs, with one change: each by the checkers, or because it leaves what checkers judge."""
    question = pose(GIVEN, [effect("file.read ./a")], dispatch(mutated(name)))
    outcome = conclude(question, ()) if question.dispatch.objections else judged(question, with_opinions=False)
    assert isinstance(outcome, Refuted)
    assert outcome.trace


def test_everything_declared_is_proved():
    assert judged(pose(manifest("*"), ())) == Proved()


@each_row("sort", sorted({probe.sort for probe in QUESTION.probes}))
def test_a_probe_that_is_left_out_is_missed(sort):
    probes = list(QUESTION.probes)
    gone = next(probe for probe in probes if probe.sort == sort and probe.scope != "pay")
    probes.remove(gone)
    said = Opinion("mypy", ())
    outcome = conclude(QUESTION._replace(probes=tuple(probes)), [said])
    assert isinstance(outcome, Refuted)
    assert outcome.trace == (f"not asked: {gone.ident}",)


def test_an_opinion_that_disagrees_leaves_the_matter_open():
    lines = by_line(QUESTION.probes)
    good = expected("mypy", lines)
    other = expected("ty", lines)
    assert conclude(QUESTION, [Opinion("mypy", good), Opinion("ty", other)]) == Proved()
    outcome = conclude(QUESTION, [Opinion("mypy", good), Opinion("ty", other[1:])])
    assert isinstance(outcome, Unknown)
    assert outcome.reason.startswith("ty disagrees with mypy: ty accepts")
    outcome = conclude(QUESTION, [Opinion("mypy", good[1:]), Opinion("ty", other)])
    assert isinstance(outcome, Refuted)


def test_a_checker_without_an_answer_proves_nothing():
    lines = by_line(QUESTION.probes)
    for name in ("mypy", "ty"):
        said = [
            Opinion(other, CheckerFailure("it was ended") if other == name else expected(other, lines))
            for other in ("mypy", "ty")
        ]
        assert conclude(QUESTION, said) == Unknown(f"{name} has no answer: it was ended")


@each_row("broken", ["code", "line", "file", "twice"])
def test_an_error_elsewhere_or_of_another_kind_is_no_rejection(broken):
    lines = by_line(QUESTION.probes)
    first, *rest = expected("mypy", lines)
    wrong = {
        "code": [first._replace(code="syntax")],
        "line": [first._replace(line=1)],
        "file": [first._replace(file="remit/policy/projector.py")],
        "twice": [first, first._replace(code="misc")],
    }[broken]
    assert isinstance(conclude(QUESTION, [Opinion("mypy", (*wrong, *rest))]), Refuted)


def expected(name, lines):
    """The report of a checker that sees all that it should."""
    from remit.proof.types.probes import ACCEPTED, attempts

    return tuple(
        Finding("probes.py", number, attempts()[probe.sort].codes[name], "no")
        for number, probe in lines.items()
        if probe.sort not in ACCEPTED
    )
