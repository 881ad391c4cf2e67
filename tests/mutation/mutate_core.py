"""Makes small mistakes in the core, one at a time, and looks whether a model or a test notices: docs/mutation.md.

mutate_core.py                          the sample, from where the last run stopped
mutate_core.py --seed 2 --count 150     another sample
mutate_core.py --only gateway/handles   what lies there, all of it
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest  # noqa: F401  imported before children are forked, as all that is not ours
from mutation_cover import Covered, cover, read_cover
from mutation_kill import BUDGET, UNFIT, Choice, try_cold, try_warm
from mutation_results import Result, Results
from mutation_sample import HERE, ROOT, Mutant, core_files, draw, every_mutant
from mutation_tell import GOAL, Progress, as_json, figures, read_equivalent, survivors, table

from remit.core.errors import DataError
from remit.core.table import read_table

if TYPE_CHECKING:
    from collections.abc import Sequence

CACHE = ROOT / ".mutation"
CONTROLS = 20  # every so many mutants one more child in which nothing is changed: nothing may be noticed there


def main(argv: Sequence[str] | None = None) -> int:
    """Run, tell, and say by the exit status whether enough was noticed."""
    options = _options(argv)
    CACHE.mkdir(exist_ok=True)
    core, _ = core_files()
    every = {one.id: one for one in every_mutant(core)}
    equivalent = read_equivalent(HERE / "equivalent.table", every)
    wanted = [one for one in every.values() if any(part in one.file for part in options.only.split(","))]
    sample = wanted if options.only and not options.count else draw(wanted, options.count or 520, options.seed)
    if options.fresh:
        shutil.rmtree(CACHE)
        CACHE.mkdir()
    covered = _covered(core, options.jobs)
    results = Results(CACHE / "results.jsonl", options.budget)
    work = [(one, False) for one in sample] + [(one, True) for one in sample[::CONTROLS]]
    _try(work, Choice(covered, options.budget), results, every, options.jobs)
    known = results.read(every)
    found = [known[one.id, False] for one in sample]
    noisy = [known[one.id, True] for one in sample[::CONTROLS] if known[one.id, True].noticed]
    return _told(found, noisy, every, equivalent, options)


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", default="1", help="another seed draws another sample")
    parser.add_argument("--count", type=int, default=0, help="how many mutants (520)")
    parser.add_argument("--only", default="", metavar="TEXT,…", help="only files whose name has one of these in it")
    parser.add_argument("--jobs", type=int, default=2, help="how many processes try mutants")
    parser.add_argument(
        "--budget", type=float, default=BUDGET, help="seconds that the tests of one mutant compute at most"
    )
    parser.add_argument("--fresh", action="store_true", help="forget what earlier runs found")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every mutant with what became of it")
    return parser.parse_args(argv)


def _test_files() -> list[str]:
    used, out = [], set()
    for row in read_table(HERE / "tests.table", 2):
        (used.append if row.section == "used" else out.add)(row.cells[0])
    found = []
    for name in used:
        path = ROOT / name
        found += [path] if path.is_file() else sorted(path.rglob("test_*.py"))
    names = [path.relative_to(ROOT).as_posix() for path in found]
    return [name for name in dict.fromkeys(names) if name not in out]


def _covered(core: list[str], jobs: int) -> Covered:
    """What the tests enter; those whose file has changed are run again."""
    files, lines = _test_files(), CACHE / "covered.jsonl"
    _, stale = read_cover(lines, files)
    if stale:
        print(f"which tests enter what: {len(stale)} files of tests are run", file=sys.stderr)
        parts = [part for job in range(jobs) if (part := stale[job::jobs])]
        children = [
            _child(lambda part=part: cover(part, core, lines), f"covering{job}") for job, part in enumerate(parts)
        ]
        for child in children:
            os.waitpid(child, 0)
    covered, missing = read_cover(lines, files)
    if missing:
        raise DataError(
            f"`{missing[0]}` cannot be collected or has no test that ends", f"see {CACHE.name}/covering0.log"
        )
    return covered


def _child(work: object, name: str) -> int:
    child = os.fork()
    if child:
        return child
    log = os.open(CACHE / f"{name}.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(log, 1)
    os.dup2(log, 2)
    try:
        work()
    finally:
        os._exit(0)


def _try(
    work: list[tuple[Mutant, bool]], choice: Choice, results: Results, every: dict[str, Mutant], jobs: int
) -> None:
    """Try what is not known yet: warm ones first, then those that must be imported anew."""
    known = results.read(every)
    todo = [(one, control) for one, control in work if (one.id, control) not in known]
    warm = [one for one in todo if not choice.cold(one[0])]
    folder = Path(tempfile.mkdtemp(prefix="mut"))
    try:
        files = _test_files()
        _together(
            [lambda job=job: try_warm(files, warm[job::jobs], choice, results.add, folder / str(job)) for job in range(jobs)],
            warm, results, every, "warm",
        )  # fmt: skip
        known = results.read(every)
        cold = [
            one for one in todo if (one[0].id, one[1]) not in known or known[one[0].id, one[1]].tried.state == UNFIT
        ]

        def one_by_one(job: int) -> None:
            for mutant, control in cold[job::jobs]:
                results.add(mutant, control, try_cold(mutant, control, choice, folder / f"cold{job}"))

        _together([lambda job=job: one_by_one(job) for job in range(jobs)], cold, results, every, "cold")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _together(
    works: Sequence[object], todo: list[tuple[Mutant, bool]], results: Results, every: dict[str, Mutant], name: str
) -> None:
    """Let children work, and tell how far they are."""
    if not todo:
        return
    children = {_child(work, f"{name}{number}") for number, work in enumerate(works)}
    progress = Progress(name, len(todo))
    while children:
        time.sleep(1)
        children -= {child for child in children if os.waitpid(child, os.WNOHANG)[0]}
        known = results.read(every)
        done = [
            known[one.id, control]
            for one, control in todo
            if (one.id, control) in known and known[one.id, control].tried.state != UNFIT
        ]
        progress.tell(len(done), Counter(one.tried.state for one in done))


def _told(
    found: list[Result],
    noisy: list[Result],
    every: dict[str, Mutant],
    equivalent: dict[str, str],
    options: argparse.Namespace,
) -> int:
    counted = [one for one in found if one.noticed or one.mutant not in equivalent]
    all_of_them, real = figures(found), figures(counted)
    print("\n".join(table(found, every, lambda one: one.file.removeprefix("remit/"), "file")), end="\n\n")
    print("\n".join(table(found, every, lambda one: one.kind, "kind")))
    print("\n".join(survivors(found, every, equivalent)), end="\n\n")
    print(
        f"{real.mutants - real.survived} of {real.mutants} noticed ({real.share:.1%}): {real.model} by models, {real.test} by tests, {real.time} by time"
    )
    print(f"with those that change nothing: {all_of_them.share:.1%} of {all_of_them.mutants}")
    for one in noisy:
        print(f"a test fails without any change: {one.tried.by}")
    if options.json:
        told = {"seed": options.seed, "figures": real._asdict(), "mutants": as_json(found, every, equivalent)}
        options.json.write_text(json.dumps(told, indent=1) + "\n")
    return 0 if real.share >= GOAL and not noisy else 1


if __name__ == "__main__":
    if os.environ.get("PYTHONHASHSEED") != "0":
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "PYTHONHASHSEED": "0"})
    sys.exit(main())
