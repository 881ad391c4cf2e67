"""Tries a mutant: a forked child puts it in place and runs the tests that enter its block, until one fails.

A *warm* child is forked from a process that has collected all tests: functions get other code where they are. What is decided when
modules are imported is tried in a *cold* child, forked before any module of ours is there.
"""

from __future__ import annotations

import ctypes
import os
import re
import resource
import select
import shutil
import signal
import sys
import time
from collections import Counter, defaultdict
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from mutation_cover import OPTIONS, bounded, steady
from mutation_load import Live, install
from mutation_sample import ROOT, SOURCE, Mutant, spoiled_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mutation_cover import Covered, Test

KILLED, TIME, SURVIVED, UNSEEN = "killed", "time", "survived", "not entered"
UNFIT = "unfit"  # its code needs other names of the function around it: it is tried cold
BUDGET = 20.0  # seconds that all tests of one mutant compute
QUICK = 0.2
CPU = 20  # seconds of computing that a child may use beyond three times its tests
WALL = 120  # and of waiting, beyond ten times: the machine may be busy
MEMORY = 6 << 30
_SUBREAPER = 36
ENDS = re.compile("survived|unfit|failed ")


class Tried(NamedTuple):
    """What became of a mutant, the test by which, and how many there were to run."""

    state: str
    by: str
    tests: int
    seconds: float


class Choice:
    """Which tests are run for a mutant, and in which order."""

    def __init__(self, covered: Covered, budget: float = BUDGET) -> None:
        self._budget = budget
        self._by_block: dict[str, list[Test]] = defaultdict(list)
        self._by_file: dict[str, dict[str, Test]] = defaultdict(dict)
        self._every, self._imported = covered.tests, covered.imported
        self.killers: Counter[tuple[str, str]] = Counter()
        for test in covered.tests:
            for block in test.blocks:
                self._by_block[block].append(test)
                self._by_file[block.partition(":")[0]][test.node] = test

    def cold(self, mutant: Mutant) -> bool:
        """Whether it changes what happens when modules are imported."""
        return not mutant.inside or f"{mutant.file}:{mutant.block}" in self._imported

    def _importing(self, mutant: Mutant) -> list[Test]:
        """Tests that enter anything of its file, and those that stand in files which name its module."""
        found = dict(self._by_file[mutant.file])
        parent, _, name = mutant.module.rpartition(".")
        named = re.compile(rf"{re.escape(mutant.module)}\b|from {re.escape(parent)} import [^\n]*\b{name}\b")
        files = {one.file for one in self._every}
        naming = {one for one in files if named.search((ROOT / one).read_text("utf-8"))}
        return list((found | {one.node: one for one in self._every if one.file in naming}).values())

    def tests(self, mutant: Mutant) -> list[Test]:
        """Tests of one file together: first those that noticed others in this file, quick ones before slow ones."""
        found = self._importing(mutant) if self.cold(mutant) else self._by_block[f"{mutant.file}:{mutant.block}"]
        cost: Counter[str] = Counter()
        for one in found:
            cost[one.file] += one.seconds
        found = sorted(
            found,
            key=lambda one: (
                one.seconds > QUICK, -self.killers[mutant.file, one.file], cost[one.file], one.file, one.seconds, one.node,
            ),
        )  # fmt: skip
        spent, kept = 0.0, []
        for one in found:
            if spent + one.seconds <= self._budget or not kept:
                spent += one.seconds
                kept.append(one)
        return kept


class Stopping:
    """A plugin that tells each test before it begins, and leaves the process at the first that fails."""

    def __init__(self, tell: Callable[[str], None], nodes: Sequence[str] = ()) -> None:
        self._tell = tell
        self._place = {node: place for place, node in enumerate(nodes)}

    def pytest_collection(self, session: Any) -> None:
        steady()

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        bounded(items)
        if self._place:
            items[:] = sorted(
                (one for one in items if one.nodeid in self._place), key=lambda one: self._place[one.nodeid]
            )

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self._tell(f"failed {report.nodeid}")
            os._exit(0)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._tell(f"begins {nodeid}")

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self._tell(f"failed {report.nodeid}")
            os._exit(0)


def in_child(work: Callable[[Callable[[str], None]], None], seconds: float) -> tuple[str, str]:
    """Fork, let the child work within its time, and hear what it tells: the state, and the test by which."""
    ctypes.CDLL(None).prctl(_SUBREAPER, 1)  # what a test started and left becomes a child of this process
    before = _children()
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reads)
        os.setsid()
        cpu = int(CPU + 3 * seconds)
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        try:
            work(lambda line: os.write(writes, f"{line}\n".encode()) and None)
            os.write(writes, b"survived\n")
        except BaseException as error:
            os.write(writes, f"failed {type(error).__name__}: {error}\n".encode()[:400])
        os._exit(0)
    os.close(writes)
    told, ended = _heard(reads, time.monotonic() + WALL + 10 * seconds)
    os.close(reads)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # it, and whatever it left running
    _, status = os.waitpid(child, 0)
    while left := _children() - before:  # and those that went to a group of their own
        for one in left:
            os.kill(one, signal.SIGKILL)
            os.waitpid(one, 0)
    last = next((line for line in told if ENDS.match(line)), told[-1] if told else "")
    if last in (SURVIVED, UNFIT):
        return last, ""
    if last.startswith("failed "):
        return KILLED, last.removeprefix("failed ")
    over = not ended or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU)
    return TIME if over else KILLED, last.removeprefix("begins ")


def _children() -> set[int]:
    return set(map(int, Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()))


def _heard(reads: int, until: float) -> tuple[list[str], bool]:
    """All lines, and whether whoever wrote has ended."""
    data = b""
    while (left := until - time.monotonic()) > 0:
        if select.select([reads], [], [], min(left, 5))[0]:
            more = os.read(reads, 65536)
            data += more
            if not more or any(
                map(ENDS.match, data.decode(errors="replace").split("\n")[:-1])
            ):  # something that a test left running may hold the pipe open
                return data.decode(errors="replace").splitlines(), True
    return data.decode(errors="replace").splitlines(), False


class Warm:
    """A plugin that, when all tests are collected, tries mutants one after the other."""

    def __init__(
        self, mutants: Sequence[tuple[Mutant, bool]], choice: Choice, done: Callable[[Mutant, bool, Tried], None]
    ) -> None:
        self._mutants, self._choice, self._done, self._live = mutants, choice, done, None

    def pytest_collection(self, session: Any) -> None:
        steady()

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self, session: Any) -> None:
        bounded(session.items)
        self._live = Live(str(SOURCE))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: Any) -> bool:
        items = {item.nodeid: item for item in session.items}
        plugins = session.config.pluginmanager
        folder = session.config._tmp_path_factory.getbasetemp()
        for mutant, is_control in self._mutants:
            tests = self._choice.tests(mutant)
            chosen = [items[one.node] for one in tests if one.node in items]
            start = time.monotonic()

            def work(
                tell: Callable[[str], None], mutant: Any = mutant, chosen: Any = chosen, real: bool = not is_control
            ) -> None:
                plugins.register(Stopping(tell))
                if real and not self._put(mutant):
                    tell(UNFIT)
                    os._exit(0)
                for item, following in zip(chosen, [*chosen[1:], None], strict=True):
                    item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)

            state, by = in_child(work, sum(one.seconds for one in tests)) if chosen else (UNSEEN, "")
            self._choice.killers[mutant.file, by.partition("::")[0]] += state == KILLED
            self._done(mutant, is_control, Tried(state, by, len(chosen), time.monotonic() - start))
            for path in folder.iterdir():
                shutil.rmtree(path, ignore_errors=True)
        return True

    def _put(self, mutant: Mutant) -> bool:
        text = (SOURCE / mutant.file).read_text("utf-8")
        install({mutant.module: lambda _: spoiled_tree(mutant, text)})
        code = compile(spoiled_tree(mutant, text), str(SOURCE / mutant.file), "exec", dont_inherit=True)
        return mutant.module not in sys.modules or self._live.put(code)


def try_warm(
    files: Sequence[str], mutants: Sequence[tuple[Mutant, bool]], choice: Choice, done: Any, folder: Path
) -> None:
    """In this process: collect the tests, and try mutants and controls."""
    plugin = Warm(mutants, choice, done)
    pytest.main([*files, *OPTIONS, f"--basetemp={folder}"], plugins=[plugin])


def try_cold(mutant: Mutant, is_control: bool, choice: Choice, folder: Path) -> Tried:
    """Import everything anew, with the mutant in it."""
    tests = choice.tests(mutant)
    if not tests:
        return Tried(UNSEEN, "", 0, 0.0)
    text, start = (SOURCE / mutant.file).read_text("utf-8"), time.monotonic()

    def work(tell: Callable[[str], None]) -> None:
        if not is_control:
            install({mutant.module: lambda _: spoiled_tree(mutant, text)})
        nodes = [one.node for one in tests]
        files = list(dict.fromkeys(one.file for one in tests))
        code = pytest.main([*files, *OPTIONS, f"--basetemp={folder}"], plugins=[Stopping(tell, nodes)])
        if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            tell(f"failed {code!r}")
            os._exit(0)

    state, by = in_child(work, sum(one.seconds for one in tests) + 20)
    return Tried(state, by, len(tests), time.monotonic() - start)
