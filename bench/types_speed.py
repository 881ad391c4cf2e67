"""Method B: how long the checkers take over the types of a manifest, cold and with what they remember of their own stubs.

    bench/types_speed.py [FOLDER…]        default: the examples; each skill with its manifest, or with one that grants what it does

Then manifests that grow: everything declared, and hundreds of scopes. Seconds of the processor (of the checkers, together) depend less on
what else the machine does than seconds of waiting.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.analysis.session import analyse
from remit.core import Effect, Location, Scope, parse_scope
from remit.manifest import Decision, Manifest, Permission, own_manifest
from remit.proof.types.prove import prove_types
from remit.proof.verdict import Proved
from remit.skill.find import find_skills
from remit.skill.load import load_skill

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remit.proof.types.evidence import TypesProof

ROOT = Path(__file__).resolve().parent.parent


class Case(NamedTuple):
    """A manifest and what a skill can do."""

    name: str
    manifest: Manifest
    effects: Sequence[Effect]


class Time(NamedTuple):
    """Seconds of waiting, and of the processor in the checkers."""

    seconds: float
    work: float


def skills(folders: Sequence[str]) -> Iterator[Case]:
    for folder in folders:
        for path in find_skills(folder):
            effects = analyse(load_skill(path)).effects
            own = own_manifest(path)
            scopes: dict[str, dict[Scope, None]] = {}
            for effect in effects:
                scopes.setdefault(effect.capability, {})[effect.scope] = None
            drafted = tuple(Permission(name, tuple(held), Decision.ALLOW) for name, held in scopes.items())
            yield Case(path.name, own.manifest if own else Manifest("remit.json", drafted), effects)


def grown() -> Iterator[Case]:
    def path(text: str):
        return parse_scope("path", text)

    yield Case("every capability", Manifest("remit.json", (Permission("*", effect=Decision.ALLOW),)), ())
    for count in (30, 100, 300):
        held = tuple(path(f"./part{n}/**") for n in range(count // 3))
        entries = tuple(Permission(f"file.{verb}", held, Decision.ALLOW) for verb in ("read", "write", "delete"))
        effects = [
            Effect("file.read", path(f"./part{n}/file.txt"), Location("a", 1), "") for n in range(count * 2 // 3)
        ]
        yield Case(f"{count} scopes of 5 capabilities", Manifest("remit.json", entries), effects)


def timed(case: Case, cache: Path | None) -> tuple[Time, TypesProof]:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    proof = prove_types(case.manifest, case.effects, cache_dir=cache)
    seconds = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Time(seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime), proof


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*")
    args = parser.parse_args()
    print(f"\n{os.cpu_count()} cores; load {os.getloadavg()[0]:.1f}\n")
    print("| manifest | accepted | rejected | bits an envelope | cold | work | warm | work | verdict |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---|")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for case in (*skills(args.folders or [str(ROOT / "examples")]), *grown()):
            cold, _ = timed(case, None)
            timed(case, Path(folder))
            runs = [timed(case, Path(folder)) for _ in range(3)]
            warm, proof = min(runs, key=lambda run: run[0])
            failed += not isinstance(proof.outcome, Proved)
            print(
                f"| {case.name} | {len(proof.obligations)} | {len(proof.rejected)} | {proof.bits} "
                f"| {cold.seconds:.2f} s | {cold.work:.2f} s | {warm.seconds:.2f} s | {warm.work:.2f} s "
                f"| {type(proof.outcome).__name__.lower()} |",
                flush=True,
            )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
