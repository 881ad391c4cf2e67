"""How narrow are drafts, and how often do they ask? Drafts manifests for a random sample of skills and counts their entries.

    bench/drafts.py FOLDER… [--count 300] [--seed 1] [--show]

FOLDER holds skills at any depth. The same folders, count and seed give the same sample. Prints the share of grants without a scope,
the share that asks (`confirm`), how many questions a draft has, and whether every skill stays inside its draft. `--show` lists
each grant without a scope with its evidence. Writes nothing.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from multiprocessing import Pool
from pathlib import Path
from statistics import median
from typing import NamedTuple

from remit.analysis.session import analyse
from remit.checker.extras import objections
from remit.checker.report import judge
from remit.core.capability import vocabulary
from remit.core.errors import RemitError
from remit.core.scope import ANY_SCOPE, ScopeKind
from remit.findings.assess import find
from remit.manifest.draft.draft import draft
from remit.manifest.model import Decision, Permission
from remit.skill.find import find_skills
from remit.skill.load import load_skill

WANTED = {"without a scope": 0.12, "confirm": 0.30}  # at most
FEW = 2  # questions of a typical draft


class Sampled(NamedTuple):
    """The draft of one skill; `refused` if the skill cannot be read."""

    path: str
    grants: tuple[Permission, ...] = ()
    denials: int = 0
    escapes: int = 0
    refused: str = ""

    @property
    def questions(self) -> int:
        return sum(entry.effect is Decision.CONFIRM for entry in self.grants)


def sample(folders: list[str], count: int, seed: int) -> list[str]:
    """Skills below the folders, at most `count`."""
    found = sorted({str(path) for folder in folders for path in find_skills(folder)})
    return random.Random(seed).sample(found, min(count, len(found)))


def draft_one(path: str) -> Sampled:
    try:
        skill = load_skill(Path(path))
        found = analyse(skill)
        against = objections(skill, found, find(skill, found))
        manifest = draft(skill, found.effects, found.commands, found.uses, against).manifest
    except RemitError as error:
        return Sampled(path, refused=error.message)
    grants = tuple(entry for entry in manifest.permissions if entry.effect is not Decision.DENY)
    escapes = len(judge(found, manifest).containment.escapes)
    return Sampled(path, grants, len(manifest.permissions) - len(grants), escapes)


def is_unscoped(entry: Permission) -> bool:
    """Whether an entry could have a scope and has none."""
    return ANY_SCOPE in entry.scopes and vocabulary()[entry.capability].scope_kind is not ScopeKind.NONE


def table(drafts: list[Sampled]) -> list[str]:
    """Grants by capability, the most frequent first."""
    count: Counter[str] = Counter()
    unscoped: Counter[str] = Counter()
    asks: Counter[str] = Counter()
    for entry in (entry for one in drafts for entry in one.grants):
        count[entry.capability] += 1
        unscoped[entry.capability] += is_unscoped(entry)
        asks[entry.capability] += entry.effect is Decision.CONFIRM
    lines = [f"{'capability':20} grants  without a scope  confirm"]
    return lines + [f"{name:20} {number:6} {unscoped[name]:16} {asks[name]:8}" for name, number in count.most_common()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--show", action="store_true")
    args = parser.parse_args()
    with Pool(args.jobs, maxtasksperchild=50) as pool:
        drafts = pool.map(draft_one, sample(args.folders, args.count, args.seed), chunksize=1)
    made = [one for one in drafts if not one.refused]
    grants = [entry for one in made for entry in one.grants]
    if not grants:
        print("no skill below these folders has a draft that grants something", file=sys.stderr)
        return 2
    if args.show:
        for one in made:
            for entry in filter(is_unscoped, one.grants):
                first = entry.evidence[0]
                print(f"{one.path}/{first.file}:{first.line}: {entry.capability}: {first.text[:100]} ({first.rule})")
    print("\n".join(table(made)))
    shares = {
        "without a scope": sum(map(is_unscoped, grants)) / len(grants),
        "confirm": sum(entry.effect is Decision.CONFIRM for entry in grants) / len(grants),
    }
    questions = [one.questions for one in made]
    few = sum(number <= FEW for number in questions) / len(made)
    print(
        f"\n{len(made)} skills, {len(drafts) - len(made)} refused; {len(grants)} grants, {sum(one.denials for one in made)} denials"
    )
    allowed = sum(is_unscoped(entry) and entry.effect is Decision.ALLOW for entry in grants) / len(grants)
    print(f"allowed without a scope: {allowed:.1%} of grants")
    for name, share in shares.items():
        print(f"{name}: {share:.1%} of grants (at most {WANTED[name]:.0%})")
    print(
        f"questions in a draft: median {median(questions):g}, most {max(questions)}; at most {FEW} in {few:.0%} of drafts"
    )
    escaping = [one.path for one in made if one.escapes]
    print(f"skills outside of their draft: {len(escaping)}", *escaping, sep="\n  ")
    return 1 if escaping or any(share > WANTED[name] for name, share in shares.items()) else 0


if __name__ == "__main__":
    sys.exit(main())
