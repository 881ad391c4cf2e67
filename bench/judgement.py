"""Recall and false alarms of the answer: labelled malicious skills and public benign ones, beside another scanner in one run.

    python bench/judgement.py [--malicious FOLDER …] [--benign FOLDER …] [--peer PROGRAM] [--skills N] [--blocks]

A FOLDER of malicious skills holds one folder for each package, named by its identifier. bench/data/judgement.jsonl has our own
labels of packages that were read: identifiers, labels and one line of reason each. PROGRAM is the `skill-scanner` of Cisco; it
counts as an alarm if its worst finding is HIGH or CRITICAL.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

from remit.checker.run import Options, Run
from remit.skill.find import find_skills

LABELS = Path(__file__).parent / "data/judgement.jsonl"
_ALARMS = ("HIGH", "CRITICAL")


def skill_in(package: Path, work: Path) -> Path:
    """The skill of a package; one that is a single Markdown file becomes a folder with a SKILL.md."""
    if main := min(package.rglob("SKILL.md"), default=None):
        return main.parent
    folder = work / package.name
    folder.mkdir()
    shutil.copy(min(package.rglob("*.md")), folder / "SKILL.md")
    return folder


def levels(folders: list[Path]) -> dict[Path, str]:
    """The level of each skill; `failed` where there is no answer."""
    run = Run(folders, Options(timeout=300))
    out: dict[Path, str] = {}
    for _, answer in run.answers():
        report, _ = run.report(answer)
        out[answer.folder] = "failed" if report.failure else str(report.level)
    return out


def peer_alarms(program: str, folders: list[Path]) -> set[Path]:
    """The skills at which the peer raises an alarm."""
    with tempfile.TemporaryDirectory() as work:
        for number, folder in enumerate(folders):
            (Path(work) / f"{number:05}").symlink_to(folder.resolve())
        result = Path(work) / "result.json"
        command = [program, "scan-all", work, "--format", "json", "--output", str(result)]
        subprocess.run(command, capture_output=True, check=False)
        found = json.loads(result.read_text("utf-8"))
    results = found["results"] if isinstance(found, dict) else found
    return {folders[int(Path(item["skill_path"]).name)] for item in results if item.get("max_severity") in _ALARMS}


def show(title: str, folders: list[Path], found: dict[Path, str], alarms: set[Path] | None) -> None:
    """One line of the table."""
    counts = Counter(found.get(folder, "failed") for folder in folders)
    shares = ", ".join(
        f"{name} {counts[name]} ({counts[name] / len(folders):.1%})" for name in ("block", "review", "clear")
    )
    failed = f", failed {counts['failed']}" if counts["failed"] else ""
    peer = ""
    if alarms is not None:
        number = sum(folder in alarms for folder in folders)
        peer = f"; peer alarms at {number} ({number / len(folders):.1%})"
    print(f"{title}, {len(folders)}: {shares}{failed}{peer}")


def main() -> None:
    """Both sets."""
    with tempfile.TemporaryDirectory() as work:
        _measure(Path(work))


def _measure(work: Path) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--malicious", nargs="*", type=Path, default=[])
    parser.add_argument("--benign", nargs="*", type=Path, default=[])
    parser.add_argument("--peer")
    parser.add_argument("--skills", type=int, default=0, help="at most so many benign skills, spread evenly")
    parser.add_argument("--blocks", action="store_true", help="name the benign skills that are blocked")
    args = parser.parse_args()
    os.nice(5)
    labels = [json.loads(line) for line in LABELS.read_text("utf-8").splitlines()]
    hostile_public = {item["skill"] for item in labels if item.get("level") == "block"}
    for folder in args.malicious:
        packages = {item.name: skill_in(item, work) for item in sorted(folder.iterdir())}
        every = list(packages.values())
        found = levels(every)
        alarms = peer_alarms(args.peer, every) if args.peer else None
        show(f"{folder.name}: raw label malicious", every, found, alarms)
        read = {item["id"]: item for item in labels if item.get("id") in packages}
        for label, visible in (
            ("hostile", True),
            ("hostile", False),
            ("risky", True),
            ("risky", False),
            ("harmless", True),
        ):
            some = [
                packages[name] for name, item in read.items() if (item["label"], item["visible"]) == (label, visible)
            ]
            if some:
                show(f"  read as {label}{'' if visible else ', not visible in its files'}", some, found, alarms)
    skills = [skill for folder in args.benign for skill in find_skills(folder)]
    skills = [skill for skill in skills if not any(skill.as_posix().endswith(name) for name in hostile_public)]
    if args.skills:
        skills = skills[:: max(len(skills) // args.skills, 1)][: args.skills]
    if skills:
        found = levels(skills)
        show(
            "public collections, without those read as hostile",
            skills,
            found,
            peer_alarms(args.peer, skills) if args.peer else None,
        )
        for skill in skills if args.blocks else ():
            if found.get(skill) == "block":
                print(f"  block: {skill}")


if __name__ == "__main__":
    main()
