"""Speed and memory, side by side in one run: Remit, bandit and the Cisco skill scanner over the same skills.

    bench/speed.py [FOLDER…]        default: examples/, and the folder that REMIT_CORPUS names (of anthropics/skills, say)

The others come from PyPI into an environment of their own below build/, and are skipped with a word if that is not possible. Absolute times
depend on the machine and on what else it does; the ratios are measured within one run, and seconds of the processor depend less on
what else the machine does than seconds of waiting.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from remit.skill.find import find_skills

ROOT = Path(__file__).resolve().parent.parent
PEERS = ROOT / "build" / "peers"
REMIT = Path(sys.executable).with_name("remit")
SMALL = ROOT / "examples" / "sales-report"


class Run(NamedTuple):
    """Seconds of the processor (all processes together), seconds of waiting, peak memory in MB, and how it ended."""

    work: float
    seconds: float
    memory: float
    status: int


def measure(command: list[str], env: dict[str, str] | None = None) -> Run:
    """Run a command; the memory is that of its largest process."""
    start = time.perf_counter()
    wanted = {**os.environ, **(env or {})}
    wanted.pop("PYTHONDONTWRITEBYTECODE", None)  # nobody is to compile again in every run
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=wanted)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    return Run(usage.ru_utime + usage.ru_stime, seconds, usage.ru_maxrss / 1024, process.returncode)


def best(command: list[str], times: int = 3, env: dict[str, str] | None = None) -> Run:
    """The fastest of several runs: what else the machine does only ever adds."""
    return min(measure(command, env) for _ in range(times))


def total(commands: list[list[str]], times: int = 1) -> Run:
    """Commands one after the other."""
    runs = [best(command, times) for command in commands]
    return Run(
        sum(r.work for r in runs),
        sum(r.seconds for r in runs),
        max(r.memory for r in runs),
        max(r.status for r in runs),
    )


def peer(package: str, program: str) -> Path | None:
    """A program of a package, installed apart."""
    folder = PEERS / package
    found = folder / "bin" / program
    if not found.exists():
        print(f"installing {package} …", file=sys.stderr, flush=True)
        python = folder / "bin/python"
        pip = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", package]
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=False, capture_output=True)
        if not python.exists() or subprocess.run(pip, check=False, capture_output=True).returncode:
            shutil.rmtree(folder, ignore_errors=True)
    return found if found.exists() else None


def remit(*words: str, cache: Path | None = None) -> tuple[list[str], dict[str, str]]:
    """Our command, with a cache of its own or none."""
    command = [str(REMIT), "check", *words, "--format", "json", "--fail-on", "never"]
    return (command, {"XDG_CACHE_HOME": str(cache)}) if cache else ([*command, "--no-cache"], {})


def compare(folders: list[str]) -> None:
    """All skills: ours beside theirs."""
    skills = [str(path) for folder in folders for path in find_skills(folder)]
    scripts = [path for folder in folders for path in Path(folder).rglob("*.py")]
    lines = sum(path.read_bytes().count(b"\n") for path in scripts)
    print(f"{len(skills)} skills, {len(scripts)} Python files of {lines:,} lines, {os.cpu_count()} cores\n")
    rows: list[tuple[str, Run | None]] = []
    command, env = remit(*folders)
    rows.append(("remit", best(command, env=env)))
    command, env = remit("--jobs", "1", *folders)
    rows.append(("remit, one process", best(command, env=env)))
    bandit = peer("bandit", "bandit")
    rows.append(("bandit (Python only)", best([str(bandit), "-q", "-r", *folders]) if bandit else None))
    cisco = peer("cisco-ai-skill-scanner", "skill-scanner")
    scans = [[str(cisco), "scan-all", folder, "--recursive"] for folder in folders]
    rows.append(("Cisco skill-scanner", total(scans) if cisco else None))
    ours = rows[0][1]
    print("| scanner | seconds | times ours | of the processor | times ours | peak memory of a process |")
    print("|---|---:|---:|---:|---:|---:|")
    for name, run in rows:
        if run is None or ours is None:
            print(f"| {name} | not installed | | | | |")
        else:
            failed = f" (status {run.status})" if run.status > 1 else ""
            waited = f"{run.seconds:.2f} | {run.seconds / ours.seconds:.1f}"
            worked = f"{run.work:.2f} | {run.work / ours.work:.1f}"
            print(f"| {name}{failed} | {waited} | {worked} | {run.memory:.0f} MB |")


def small() -> None:
    """One small skill, cold; and again from the cache."""
    command, env = remit(str(SMALL))
    cold = best(command, 5, env)
    imported = best([sys.executable, "-c", "import remit"], 5).work - best([sys.executable, "-c", "pass"], 5).work
    print(f"\n`import remit`: {1000 * imported:.0f} ms of the processor")
    print(f"one small skill, no cache: {cold.seconds:.2f} s ({cold.work:.2f} s of the processor), {cold.memory:.0f} MB")


def cached(folders: list[str]) -> None:
    """The second run against the first."""
    with tempfile.TemporaryDirectory() as cache:
        command, env = remit(*folders, cache=Path(cache))
        first = measure(command, env)
        second = best(command, 3, env)
    print(
        f"second run from the cache: {second.seconds:.2f} s ({second.work:.2f} s of the processor) after {first.seconds:.2f} s: {first.seconds / second.seconds:.1f} times faster"
    )


def curve() -> None:
    """The same scripts 1, 10 and 100 times in one skill."""
    print(
        "\n| copies of the scripts | lines | seconds of the processor | by line, less start-up | peak memory |\n|---:|---:|---:|---:|---:|"
    )
    start = best([str(REMIT), "--version"], 5).work
    for copies in (1, 10, 100):
        with tempfile.TemporaryDirectory() as folder:
            skill = Path(folder) / "skill"
            shutil.copytree(SMALL, skill)
            for number in range(1, copies):
                for script in sorted((SMALL / "scripts").iterdir()):
                    shutil.copy(script, skill / "scripts" / f"{script.stem}_{number}{script.suffix}")
            lines = sum(path.read_bytes().count(b"\n") for path in skill.rglob("*") if path.is_file())
            command, env = remit("--jobs", "1", str(skill))
            run = best(command, 3 if copies < 100 else 1, env)
        print(
            f"| {copies} | {lines:,} | {run.work:.2f} | {1e6 * (run.work - start) / lines:.0f} µs | {run.memory:.0f} MB |"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*")
    args = parser.parse_args()
    corpus = os.environ.get("REMIT_CORPUS")
    folders = args.folders or [str(ROOT / "examples"), *([corpus] if corpus else [])]
    compare(folders)
    small()
    cached(folders)
    curve()
    return 0


if __name__ == "__main__":
    sys.exit(main())
