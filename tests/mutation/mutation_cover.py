"""Which tests enter which block of the core, and how long each takes: one run of all of them over marked code.

What is known of a file of tests counts while that file is the same, and every function that its tests enter: who enters another function now
was called by one that has changed.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from hypothesis import Phase, settings
from mutation_load import Live, install
from mutation_sample import ROOT, SOURCE
from mutation_walk import FUNCTIONS, Block, Spot, walk

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

SEEN: set[str] = set()
EXAMPLES = 40
# that plugins are imported already is no mistake here
OPTIONS = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-W", "ignore::pytest.PytestAssertRewriteWarning")


class Test(NamedTuple):
    """A test that passes, with the seconds that it computes and what it enters."""

    node: str
    seconds: float
    blocks: frozenset[str]

    @property
    def file(self) -> str:
        """Where it stands."""
        return self.node.partition("::")[0]


def marked(file: str, text: str) -> ast.Module:
    """The module, with a mark at the beginning of every block of a function."""
    tree = ast.parse(text)
    for one in list(walk(tree)):
        if isinstance(one, Block) and not one.key.startswith("#"):
            call = ast.parse(f"__seen__({f'{file}:{one.key}'!r})").body[0]
            first = one.body[0]
            described = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
            one.body.insert(1 if described else 0, ast.copy_location(call, first))
    return ast.fix_missing_locations(tree)


@cache
def functions(file: str) -> dict[str, str]:
    """The outermost functions of a file below src, with digests of what they do; comments and where they stand do not count."""
    path = SOURCE / file
    found: dict[str, str] = {}
    for one in walk(ast.parse(path.read_text("utf-8"))) if path.exists() else ():
        if isinstance(one, Spot) and isinstance(one.node, FUNCTIONS) and one.outer is None:
            name = f"{one.scope}.{one.node.name}".lstrip(".")
            found[name] = _short(found.get(name, "").encode() + ast.dump(one.node).encode())
    return found


def entered(blocks: Iterable[str]) -> dict[str, str]:
    """The functions in which blocks lie, as they are now."""
    names = {block.rpartition("#")[0].partition(".<locals>")[0] for block in blocks}
    return {name: functions(name.partition(":")[0]).get(name.partition(":")[2], "") for name in sorted(names)}


def _short(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


@cache
def digest(path: Path) -> str:
    """Of a file's content when it was first asked for."""
    return _short(path.read_bytes())


def steady() -> None:
    """Hypothesis tries the same in every run, looks for no smaller example, and remembers nothing."""
    base = settings.get_profile("remit")
    settings.register_profile("mutants", base, derandomize=True, database=None, phases=(Phase.explicit, Phase.generate))
    settings.load_profile("mutants")


def bounded(items: Iterable[Any]) -> None:
    """Let no property be tried with more examples than `EXAMPLES`, however many its test wants."""
    for function in {getattr(item, "function", None) for item in items} - {None}:
        wanted = getattr(function, "_hypothesis_internal_use_settings", None)
        if wanted is not None and wanted.max_examples > EXAMPLES:
            function._hypothesis_internal_use_settings = settings(wanted, max_examples=EXAMPLES)


class Covering:
    """A plugin that writes, when the tests of a file are over, what each that passed has entered."""

    def __init__(self, out: Path) -> None:
        self._out, self._live, self._passed = out, None, False
        self._imported: list[str] = []
        self._tests: list[tuple[str, float, list[str]]] = []

    def pytest_collection(self, session: Any) -> None:
        steady()

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self, session: Any) -> None:
        bounded(session.items)
        self._live = Live(str(SOURCE))
        self._imported = sorted(SEEN)

    def pytest_runtest_logreport(self, report: Any) -> None:
        self._passed &= report.passed

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: Any, nextitem: Any) -> Any:
        self._live.forget()
        SEEN.clear()
        self._passed, start = True, _computed()
        done = yield
        if self._passed:
            self._tests.append((item.nodeid, round(_computed() - start, 3), sorted(SEEN)))
        file = item.nodeid.partition("::")[0]
        if nextitem is None or nextitem.nodeid.partition("::")[0] != file:
            code = entered(block for _, _, blocks in self._tests for block in blocks)
            line = {
                "file": file, "digest": digest(ROOT / file), "code": code, "imported": self._imported, "tests": self._tests,
            }  # fmt: skip
            with self._out.open("a") as out:
                out.write(json.dumps(line) + "\n")
            self._tests = []
        return done


def _computed() -> float:
    """Seconds of computing by this process and those that it waited for: how busy the machine is does not matter."""
    return sum(os.times()[:4])


def cover(files: Iterable[str], core: Iterable[str], out: Path) -> None:
    """In this process: run the tests of files over marked code."""
    import builtins

    builtins.__seen__ = SEEN.add
    install({_module(one): (lambda text, one=one: marked(one, text)) for one in core})
    os.chdir(ROOT)
    pytest.main([*files, *OPTIONS], plugins=[Covering(out)])


def _module(file: str) -> str:
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


class Covered(NamedTuple):
    """What tests enter, and what is entered before them, when modules are imported."""

    tests: tuple[Test, ...]
    imported: frozenset[str]


def read_cover(out: Path, files: Iterable[str]) -> tuple[Covered, list[str]]:
    """What is known of files of tests, and the files of which nothing is, or not as they are now."""
    lines = [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []
    known = {one["file"]: one for one in lines}
    current = [name for name in files if name in known and _holds(known[name])]
    tests = tuple(
        Test(node, cost, frozenset(blocks)) for name in current for node, cost, blocks in known[name]["tests"]
    )
    imported = frozenset(block for name in current for block in known[name]["imported"])
    return Covered(tests, imported), [name for name in files if name not in current]


def _holds(line: dict[str, Any]) -> bool:
    return line["digest"] == digest(ROOT / line["file"]) and line["code"] == entered(
        f"{name}#" for name in line["code"]
    )
