"""How much of public skills is understood: no crash, the share of scripts without an opaque place, and why not the rest.

bench/corpus.py FOLDER…             prints shares and ranked reasons
bench/corpus.py --write FOLDER…     also puts them into docs/caveats.md
bench/corpus.py --show REASON FOLDER…   prints the places of the reasons that contain a text
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import sys
import time
import traceback
from collections import Counter, defaultdict
from multiprocessing import Pool
from pathlib import Path
from typing import NamedTuple

from remit.analysis.session import analyse
from remit.core.errors import RemitError
from remit.skill.find import find_skills
from remit.skill.load import load_skill

ROOT = Path(__file__).resolve().parent.parent
CAVEATS = ROOT / "docs" / "caveats.md"
BEGIN, END = "<!-- corpus: begin -->", "<!-- corpus: end -->"
LANGUAGES = {"python": "Python", "shell": "shell", "js": "JavaScript and TypeScript", "ts": "JavaScript and TypeScript"}
WANTED = {"Python": 85, "shell": 80, "JavaScript and TypeScript": 75}
SECONDS = 120  # for one skill, on a busy machine


class Found(NamedTuple):
    """What the analysis of one skill gave. `error` is a crash, `refused` an input error with its own message."""

    skill: str
    seconds: float
    scripts: tuple[tuple[str, str, str, int], ...] = ()  # path, language, digest, lines
    opaque: tuple[tuple[str, str, int], ...] = ()  # reason, file, line
    error: str = ""
    refused: str = ""


def _late(_signal: int, _frame: object) -> None:
    raise TimeoutError(f"no answer within {SECONDS} s")


def look(folder: str) -> Found:
    """Analyse one skill."""
    signal.signal(signal.SIGALRM, _late)
    signal.alarm(SECONDS)
    start = time.perf_counter()
    try:
        skill = load_skill(Path(folder))
        effects = analyse(skill)
    except RemitError as error:
        return Found(folder, time.perf_counter() - start, refused=error.message)
    except BaseException as error:  # noqa: BLE001  a crash of any kind is what this looks for
        return Found(folder, time.perf_counter() - start, error="".join(traceback.format_exception(error)[-4:]))
    finally:
        signal.alarm(0)
    scripts = tuple(
        (file.path, LANGUAGES[file.language], file.digest, (skill.read(file.path) or b"").count(b"\n"))
        for file in skill.files
        if file.language in LANGUAGES
    )
    places = tuple((item.reason, item.where.file, item.where.line) for item in effects.opaque)
    return Found(folder, time.perf_counter() - start, scripts, places)


def survey(folders: list[str], jobs: int) -> list[Found]:
    """Analyse every skill below the folders."""
    skills = [str(path) for folder in folders for path in find_skills(folder)]
    found: list[Found] = []
    with Pool(jobs, maxtasksperchild=50) as pool:
        for one in pool.imap_unordered(look, skills):
            found.append(one)
            if sys.stderr.isatty():
                print(f"\r{len(found)}/{len(skills)}", end="", file=sys.stderr, flush=True)
    return sorted(found)


def _general(reason: str) -> str:
    """A reason without the names that are particular to one place."""
    return re.sub(r"`[^`]*`", "`…`", reason)


def summary(found: list[Found]) -> list[str]:
    """Lines of Markdown: shares, then reasons by the number of scripts that they spoil."""
    total: Counter[str] = Counter()
    clear: Counter[str] = Counter()
    spoiled: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
    examples: defaultdict[str, Counter[str]] = defaultdict(Counter)
    seen: set[tuple[str, str]] = set()
    for one in found:
        by_file = defaultdict(list)
        for reason, file, _line in one.opaque:
            by_file[file].append(reason)
        for path, language, digest, _lines in one.scripts:
            if (language, digest) in seen:  # many collections hold copies of the same script
                continue
            seen.add((language, digest))
            total[language] += 1
            clear[language] += not by_file[path]
            for reason in by_file[path]:
                spoiled[_general(reason)].add((one.skill, path))
                for name in re.findall(r"`([^`/]*)`", reason)[:1]:  # paths are particular to a skill
                    examples[_general(reason)][name] += 1
    lines = ["| language | scripts | without an opaque location | share |", "|---|---:|---:|---:|"]
    lines += [
        f"| {language} | {total[language]} | {clear[language]} | {100 * clear[language] / total[language]:.1f} % |"
        for language in WANTED
        if total[language]
    ]
    lines += ["", "| scripts | reason | most often |", "|---:|---|---|"]
    for reason, places in sorted(spoiled.items(), key=lambda item: (-len(item[1]), item[0]))[:20]:
        often = ", ".join(f"`{_cell(name)}`" for name, _ in examples[reason].most_common(4) if name)
        lines.append(f"| {len(places)} | {_cell(reason)} | {often} |")
    return lines


def _cell(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("|", "\\|")[: 60 if "`" not in text else 200]


def write(lines: list[str]) -> None:
    """Replace the generated part of docs/caveats.md."""
    text = CAVEATS.read_text("utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    CAVEATS.write_text(before + "\n".join([BEGIN, *lines, END]) + after, "utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", help="folders of skills (default: those in the folder REMIT_CORPUS)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--show", metavar="REASON")
    args = parser.parse_args()
    folders = args.folders or [os.environ.get("REMIT_CORPUS") or str(ROOT / "examples")]
    start = time.perf_counter()
    found = survey(folders, args.jobs)
    crashed = [one for one in found if one.error]
    refused = [one for one in found if one.refused]
    lines = sum(size for one in found for *_, size in one.scripts)
    scripts = sum(len(one.scripts) for one in found)
    print(f"{len(found)} skills, {scripts} scripts, {lines:,} lines in {time.perf_counter() - start:.1f} s")
    print(f"{len(crashed)} crashes, {len(refused)} refused with a reason\n")
    for one in refused:
        print(f"refused: {one.skill}: {one.refused}")
    for one in crashed:
        print(f"CRASH {one.skill}\n{one.error}")
    slow = sorted(found, key=lambda one: -one.seconds)[:3]
    print("slowest: " + ", ".join(f"{Path(one.skill).name} {one.seconds:.1f} s" for one in slow) + "\n")
    if args.show:
        for one in found:
            for reason, file, line in one.opaque:
                if args.show in reason:
                    print(f"{one.skill}/{file}:{line}: {reason}")
        return 0
    table = summary(found)
    print("\n".join(table))
    if args.write:
        write(
            [f"{len(found)} skills, {scripts} scripts, {lines:,} lines of scripts; {len(crashed)} crashes.", "", *table]
        )
    return 1 if crashed else 0


if __name__ == "__main__":
    sys.exit(main())
