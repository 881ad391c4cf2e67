"""A generator that goes wrong is found out: each piece of the module and of the probes, broken on purpose, is refuted."""

import re

import pytest
from typed import CACHE, effect, manifest

from remit.proof.types import stubs
from remit.proof.types.checkers import Failed, Finding, mypy, opinions
from remit.proof.types.probes import by_line
from remit.proof.types.prove import Run, pose
from remit.proof.types.verdicts import Opinion, conclude
from remit.proof.verdict import Proved, Refuted, Unknown

GIVEN = manifest("file.read ./**", "-file.read ./secret/**", "web.fetch api.example.com", "process.create git")
QUESTION = pose(GIVEN, [effect("file.read ./a"), effect("file.read ./secret/key")])


def judged(question, *, with_opinions=True):
    first = mypy()
    checkers = (first, *opinions()[0]) if with_opinions else (first,)
    return Run(question, checkers, stubs.place_of(CACHE, first.identity, first.options), fresh=False).finish()


def changed(pattern, replacement, question=QUESTION):
    module, count = re.subn(pattern, replacement, question.module, count=1, flags=re.MULTILINE)
    assert count == 1
    return question._replace(module=module)


def test_as_it_is_it_is_proved():
    assert judged(QUESTION) == Proved()


MODULES = {
    "an undeclared capability in the union": (r"^    \| WebFetch$", "    | WebFetch\n    | Pay", "undeclared pay"),
    "an undeclared capability in the union and the match": (
        r"^        case _:$",
        "        case Pay():\n            return Outcome('pay', 'any')\n        case _:",
        "the module",
    ),
    "a capability that is left out": (r"^    \| WebFetch$", "", "the module"),
    "a missing case": (r"^        case WebFetch\(\):\n            return host_web_fetch\(call\)\n", "", "the module"),
    "a scope that is Any": (r"(class FileRead:\n.*scope: )Held\d", r"\1Any", "the module"),
    "a scope that is a text": (r"(class FileRead:\n.*scope: )Held\d", r"\1str", "accepts `scope file.read"),
    "a scope that is an object": (r"(class FileRead:\n.*scope: )Held\d", r"\1object", "accepts `scope file.read"),
    "the scopes of another": (r"(class FileRead:\n.*scope: )Held\d", r"\1Held2", "file.read"),
    "a denial that is forgotten": (
        r"^    '\./\*\*',$",
        "    './**',\n    './secret/**',",
        "scope file.read ./secret/**",
    ),
    "a scope that is not held": (r"^    'git',$", "    'rm',", "held process.create git"),
    "one more scope": (r"^    'git',$", "    'git',\n    'any',", "scope process.create any"),
    "a host function that takes anything": (
        r"(def host_file_read\(call: )FileRead(.*\n.*)call\.scope",
        r"\1object\2'any'",
        "crossed file.read",
    ),
    "a host function that takes a call of another too": (
        r"(def host_file_read\(call: FileRead)",
        r"\1 | ProcessCreate | WebFetch",
        "exact file.read host",
    ),
    "a dispatch that takes anything": (
        r"(def dispatch\(call: )Permitted(\) -> Outcome:\n)(.*\n)*",
        r"\1object\2    return Outcome('any', 'any')\n",
        "undeclared",
    ),
    "a dispatch that does nothing checked": (
        r"def dispatch\(call: Permitted\) -> Outcome:",
        "def dispatch(call):",
        "the module",
    ),
    "a class that is not final": (r"^@final\n(class FileRead:)", r"\1", "heir file.read"),
    "a scope that can be replaced": (
        r"(class FileRead:\n.*\n.*)self\.scope: Final = scope",
        r"\1self.scope = scope",
        "thaw",
    ),
    "a host function for what is not declared": (
        r"^def dispatch",
        "def host_pay(call: Pay) -> Outcome:\n    return Outcome('pay', 'any')\n\n\ndef dispatch",
        "unhosted pay",
    ),
    "a missing case that is hushed up": (
        r"^        case WebFetch\(\):\n.*\n((.*\n)*        case _:\n.*)",
        r"\1  # type: ignore[arg-type]",
        "there is a comment",
    ),
    "an escape hatch": (
        r"^def dispatch\(call: Permitted\)",
        "def dispatch(call: Permitted, more: object = None)",
        "more",
    ),
}


@pytest.mark.parametrize("name", MODULES)
def test_a_module_that_is_wrong_is_refuted(name):
    pattern, replacement, named = MODULES[name]
    outcome = judged(changed(pattern, replacement), with_opinions=False)
    assert isinstance(outcome, Refuted)
    assert named in "\n".join(outcome.trace)


EVERYTHING = pose(manifest("*"), ())
PARTS = {
    "a part that misses a case": (r"^        case Pay\(\):\n.*\n", "", "the module"),
    "a part that is left out": (r"^    if isinstance\(call, \(FileRead.*\n.*\n", "", "the module"),
    "a part that takes another's": (r"(Part1: TypeAlias = \()", r"\1Pay | ", "the module"),
    "a call to the wrong host": (r"host_pay\(call\)", "host_publish(call)", "the module"),
}


@pytest.mark.parametrize("name", [None, *PARTS])
def test_a_dispatch_in_parts_is_judged_as_well(name):
    if name is None:
        assert judged(EVERYTHING) == Proved()
        return
    pattern, replacement, named = PARTS[name]
    outcome = judged(changed(pattern, replacement, EVERYTHING), with_opinions=False)
    assert isinstance(outcome, Refuted)
    assert named in "\n".join(outcome.trace)


@pytest.mark.parametrize("sort", sorted({probe.sort for probe in QUESTION.probes}))
def test_a_probe_that_is_left_out_is_missed(sort):
    probes = list(QUESTION.probes)
    gone = next(probe for probe in probes if probe.sort == sort and probe.scope != "pay")
    probes.remove(gone)
    said = Opinion("mypy", ())
    outcome = conclude(QUESTION._replace(probes=tuple(probes)), [said])
    assert isinstance(outcome, Refuted)
    if sort != "crossed":
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
            Opinion(other, Failed("it was ended") if other == name else expected(other, lines))
            for other in ("mypy", "ty")
        ]
        assert conclude(QUESTION, said) == Unknown(f"{name} has no answer: it was ended")


@pytest.mark.parametrize("broken", ["code", "line", "file", "twice"])
def test_an_error_elsewhere_or_of_another_kind_is_no_rejection(broken):
    lines = by_line(QUESTION.probes)
    first, *rest = expected("mypy", lines)
    wrong = {
        "code": [first._replace(code="syntax")],
        "line": [first._replace(line=1)],
        "file": [first._replace(file="dispatch.py")],
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
