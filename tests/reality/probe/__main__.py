"""Probe the summaries of commands and libraries against the real ones. Exit status 1 if an effect is not covered.

    python -m probe                      everything that is installed here
    python -m probe mv coreutils.cmd     some blocks, or files, of the command summaries
    python -m probe shutil node:fs       some Python modules, or built-in modules of Node
    python -m probe --replay             what was found once, against today's summaries; rewrites open.txt

What is found is added to found/. Packages that are not in this environment are looked for in the folders of REMIT_PROBE_PACKAGES.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import traceback
from collections import Counter
from typing import NamedTuple

from harness.sandbox import has_bubblewrap, has_node, has_strace

from probe import known
from probe.batch import probe_place
from probe.commands import blocks, probe_block
from probe.known import Found, still_uncovered
from probe.lines import start
from probe.node_calls import MODULES, described, probe_node
from probe.python_calls import installed, modules, probe_module
from remit.analysis.commands.catalog import default_catalog


class Task(NamedTuple):
    """One thing to probe."""

    kind: str  # `command`, `python`, `node`
    name: str
    seconds: float | None


class Done(NamedTuple):
    """What came of it."""

    task: Task
    probed: int  # options or functions
    steps: int
    found: list[Found]
    problem: str = ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, help="for each command, about: fewer options are tried (default: all)")
    parser.add_argument("--replay", action="store_true")
    args = parser.parse_args()
    if args.replay:
        return replay()
    if not (has_strace() and has_bubblewrap()):
        print("probe: strace and bubblewrap are not both usable here; run: apt-get install -y strace bubblewrap")
        return 2
    tasks = [task for task in wanted(args.seconds) if not args.names or named(task, args.names)]
    if args.names:  # in the order that was asked for
        tasks.sort(key=lambda task: args.names.index(task.name) if task.name in args.names else 0)
    done: list[Done] = []
    with multiprocessing.Pool(args.jobs) as pool:
        for one in pool.imap_unordered(perform, tasks):
            done.append(one)
            print(f"{one.task.kind} {one.task.name}: {one.probed} in {one.steps} steps", flush=True)
            known.add(one.found)
            for entry in one.found:
                print(f"not covered: {entry.key} {', '.join(entry.objects)}\n    {entry.script.strip()}", flush=True)
            if one.problem:
                print(f"problem: {one.task.kind} {one.task.name}: {one.problem}", flush=True)
    return report(done, whole=not args.names)


def wanted(seconds: float | None) -> list[Task]:
    """Everything that can be probed here."""
    tasks = [Task("command", command.label, seconds) for command in blocks() if start(command)]
    tasks += [Task("python", name, seconds) for name in modules() if installed(name, packages())]
    return tasks + [Task("node", name, seconds) for name in (MODULES if has_node() else ())]


def named(task: Task, names: list[str]) -> bool:
    """Whether a task was asked for."""
    if task.kind == "command":
        command = default_catalog().get(task.name)
        return task.name in names or (command is not None and command.file.rpartition("/")[2] in names)
    return (task.name if task.kind == "python" else f"node:{task.name}") in names


def packages() -> list[str]:
    """Further folders of Python packages."""
    return [folder for folder in os.environ.get("REMIT_PROBE_PACKAGES", "").split(":") if folder]


def perform(task: Task) -> Done:
    """Probe one thing."""
    try:
        if task.kind == "command":
            command = default_catalog().get(task.name)
            assert command
            block = probe_block(command, seconds=task.seconds)
            return Done(task, block.options, block.ran, block.found) if block else Done(task, 0, 0, [], "not installed")
        if task.kind == "node":
            functions = described()[task.name]
            module = Done(task, 0, 0, [], functions) if isinstance(functions, str) else probe_node(task.name, functions)
        else:
            module = probe_module(task.name, packages())
    except Exception:
        return Done(task, 0, 0, [], traceback.format_exc(limit=-2))
    return (
        module if isinstance(module, Done) else Done(task, module.functions, module.calls, module.found, module.reason)
    )


def report(done: list[Done], *, whole: bool) -> int:
    """Print what was probed, and what was not."""
    counts: Counter[str] = Counter()
    for one in done:
        counts[one.task.kind] += not one.problem
        counts[one.task.kind, "probed"] += one.probed
        counts[one.task.kind, "steps"] += one.steps
    missed = {entry.key: entry for one in done for entry in one.found}
    if whole:
        # what another machine has probed stays: it has programs that this one has not
        labels = {command.label for command in blocks()}
        before = labels.intersection(known.PROBED.read_text("utf-8").splitlines())
        here = {one.task.name for one in done if one.task.kind == "command" and not one.problem}
        known.PROBED.write_text("".join(f"{name}\n" for name in sorted(before | here)))
        names = {one.task.name for one in done if one.task.kind == "command"}
        left = [command.label for command in blocks() if command.label not in names]
        print(f"unprobed blocks of the command summaries: {len(left)} (reasons: {known.UNPROBED.name})")
        print(
            "unprobed Python modules:",
            sum(not installed(name, packages()) for name in modules()),
            "that are not installed",
        )
    print(
        f"probe: {counts['command']} blocks with {counts['command', 'probed']} options in {counts['command', 'steps']} lines, "
        f"{counts['python']} Python and {counts['node']} Node modules with {counts['python', 'probed'] + counts['node', 'probed']} functions "
        f"in {counts['python', 'steps'] + counts['node', 'steps']} calls; {len(missed)} effects that are not covered"
    )
    return 1 if missed else 0


def replay() -> int:
    """Look at everything that was found once; rewrite the list of what is open."""
    left: list[str] = []
    total = 0
    with probe_place() as place:
        for file in sorted(known.FOUND.glob("*.jsonl")):
            entries = known.load(file)
            total += len(entries)
            for entry in entries:
                if missing := still_uncovered(entry, place):
                    left.append(entry.key)
                    print(f"{entry.file}: {entry.key} {', '.join(missing)}\n    {entry.script.strip()}")
    known.OPEN.write_text("".join(f"{key}\n" for key in sorted(left)))
    print(f"probe: {total} effects were found, {len(left)} of them are not covered yet")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
