"""No test fails because a machine is busy: what is measured by a clock is not asserted. A test that may hang has a time-out instead."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from each_row import each_row

TESTS = Path(__file__).parent.parent
CLOCKS = frozenset(
    name + unit for name in "time monotonic perf_counter process_time thread_time".split() for unit in ("", "_ns")
)
READS_CLOCK = re.compile(rf"\b({'|'.join(CLOCKS)})\(")


def judges(tree: ast.AST) -> list[int]:
    """The lines of assertions that compare how long something took: by a clock, or by a name of the file for such a time."""
    named = _elapsed_names(tree)
    return sorted(
        test.lineno
        for test in ast.walk(tree)
        if isinstance(test, ast.Assert)
        and any(_is_elapsed(part, named) for part in ast.walk(test.test) if isinstance(part, ast.Compare))
    )


def _elapsed_names(tree: ast.AST) -> frozenset[str]:
    """What a time that passed is kept in, what is made of it, and functions that return it."""
    made = list(_made(tree))
    known: frozenset[str] = frozenset()
    while more := {name for name, value in made if name not in known and _is_elapsed(value, known)}:
        known |= more
    return known


def _made(tree: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Names, and what is assigned to them or returned by them."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=targets, value=value):
                yield from ((name, value) for target in targets for name in _stored(target))
            case (
                ast.AugAssign(target=target, value=value)
                | ast.AnnAssign(target=target, value=ast.expr() as value)
                | ast.NamedExpr(target=target, value=value)
            ):
                yield from ((name, value) for name in _stored(target))
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield from (
                    (name, part.value) for part in ast.walk(node) if isinstance(part, ast.Return) and part.value
                )


def _stored(target: ast.expr) -> Iterator[str]:
    for part in ast.walk(target):
        if isinstance(part, ast.Name | ast.Attribute) and isinstance(part.ctx, ast.Store):
            yield _name_of(part)


def _name_of(node: ast.Name | ast.Attribute) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr


def _is_elapsed(value: ast.expr, known: frozenset[str]) -> bool:
    """Whether a clock is part of a difference in it, or a time that passed is named."""
    return any(
        (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and any(map(_reads_clock, ast.walk(node))))
        or (isinstance(node, ast.Name | ast.Attribute) and _name_of(node) in known)
        for node in ast.walk(value)
    )


def _reads_clock(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="time"), attr=name) | ast.Name(id=name)):
            return name in CLOCKS
    return False


def test_no_assertion_compares_how_long_something_took():
    texts = {path: path.read_text("utf-8") for path in TESTS.rglob("*.py")}
    found = [
        f"{path.relative_to(TESTS)}:{line}"
        for path, text in sorted(texts.items())
        if READS_CLOCK.search(text)  # most do not
        for line in judges(ast.parse(text))
    ]
    assert not found, "assert what happens instead, or mark the test with `pytest.mark.timeout`"


@each_row(
    "code",
    [
        "assert time.monotonic() - begun < 3",
        "assert 0.6 < time.time() - begun < 10",
        "assert (time.process_time() - start) / 5 < LIMIT",
        "assert abs(stamp - time.time()) < 60",
        "assert perf_counter() - start <= 1",
        "assert done and time.perf_counter_ns() - start < 10**9",
        "took = time.monotonic() - begun\nassert took < 3",
        "assert (took := time.thread_time() - begun) < 3",
        "slowest = max(slowest, time.monotonic() - begun)\nshown = slowest * 1000\nassert shown < 5",
        "self.slowest += time.monotonic() - begun\nassert count.slowest < BUDGET",
        "def timed():\n    return time.monotonic() - begun\nassert min(timed(), timed()) < 3",
    ],
)
def test_a_judgement_by_time_is_refused(code):
    assert judges(ast.parse(code))
    inside = "def test_it(self):\n" + "".join(f"    {line}\n" for line in code.split("\n"))
    assert judges(ast.parse(inside))


@each_row(
    "code",
    [
        "end = time.monotonic() + 60\nwhile not done():\n    assert time.monotonic() < end, 'it does not come'",
        "before = int(time.time())\nassert before <= stamp <= time.time()",
        "print(time.monotonic() - begun)\nassert done",
        "assert len(found) - 1 < 3",
        "assert session.time() - 1 < 3",
    ],
)
def test_what_is_no_judgement_passes(code):
    assert not judges(ast.parse(code))
