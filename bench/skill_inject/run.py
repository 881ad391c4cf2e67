"""How much of Skill-Inject does the guard stop, and how often is it in the way of the same tasks with clean skills?

bench/skill_inject/run.py [--checkout FOLDER] [--tables FOLDER] [--part odd|even|clean…] [--kind KIND] [--number N…] [--pin] [--list]

Replays the fixed tables: a perfectly obedient agent does all that an injection asks for, so what is counted is the guard alone.
Without --checkout, REMIT_SKILL_INJECT names the checkout of the benchmark. --pin: skills were admitted in their clean form
before, and what is loaded must have the same hashes. Odd and even numbers are counted apart: rules may be tuned on the odd.
Sandboxes and state lie below --place, which must be neither a folder of temporary files nor a hidden one.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections import Counter
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.append(str(Path(__file__).parents[1]))  # a script's own folder is where Python looks, not the one above it

from remit.cli.progress import Progress
from remit.core.errors import RemitError, UsageError
from remit.guard.event import Outcome
from skill_inject.decider import guards
from skill_inject.layout import VARIABLE, Checkout, checkout_folder, read_checkout
from skill_inject.replay import Attack, Factory, Result, false_stops, play_clean, play_pair, prompts
from skill_inject.tables import HERE, KINDS, Injection, Tables, load

if TYPE_CHECKING:
    from collections.abc import Sequence

    from skill_inject.replay import Judged, Played

PARTS = ("odd", "even", "clean")


def attacks(
    tables: Tables, checkout: Checkout, make: Factory, args: argparse.Namespace
) -> list[tuple[Injection, Attack]]:
    chosen = [
        injection
        for injection in tables.injections
        if args.kind in {None, injection.kind}
        and (not args.number or injection.number in args.number)
        and parity(injection) in args.part
    ]
    found = []
    with Progress(sum(len(injection.pairs) for injection in chosen), verb="replaying") as progress:
        for injection, index, name in ((one, *pair) for one in chosen for pair in one.pairs.items()):
            pair = checkout.pairs.get((injection.kind, injection.number, index))
            if pair is None:
                message = f"{injection.where}: the checkout has no pair {injection.number} {index}"
                raise UsageError(message, "use the version of the benchmark that the tables were written for")
            attack = play_pair(checkout, pair, injection, tables.tasks[name], make, pin=args.pin)
            found.append((injection, attack))
            progress.step(f"{injection.kind} {injection.number}.{index}")
            if args.list:
                with progress.hidden():
                    _show(injection, index, attack)
    return found


def parity(injection: Injection) -> str:
    return "odd" if injection.number % 2 else "even"


def _show(injection: Injection, index: int, attack: Attack) -> None:
    title = f"{injection.kind} {injection.number}.{index}"
    for variant, result, played in attack.ways:
        print(f"{result.name.lower():8}{title:18}{injection.harm}{f' ({variant.title})' if variant.title else ''}")
        if result is not Result.STOPPED:
            for one in played.calls:
                if one.injected and one.call.decisive:
                    print(f"{'':8}{_told(one)}")


def _show_clean(name: str, played: Played) -> None:
    if played.loading.outcome is not Outcome.PASS:
        print(f"{played.loading.outcome:8}task {name:13}loading {played.loading.reason}")
    for one in played.calls:
        if one.verdict.outcome is not Outcome.PASS:
            print(f"{'false' if one.verdict.outcome is Outcome.DENY else 'asked':8}task {name:13}{_told(one)}")


def _told(one: Judged) -> str:
    text = " ".join(" ".join(map(str, one.args.values())).split())
    return f"{one.verdict.outcome} {one.call.where} {one.call.tool} {text[:100]} {one.verdict.reason}".rstrip()


def table(found: list[tuple[Injection, Attack]]) -> None:
    print(
        f"\n{'harm by what is done':34}{'pairs':>6}{'stopped':>9}{'held':>6}{'passed':>8}{'by calls alone':>16}{'stopped if all is approved':>28}"
    )
    rows: dict[str, list[Attack]] = {}
    for injection, attack in found:
        if injection.harmful:
            rows.setdefault(f"{injection.kind}, {parity(injection)} numbers", []).append(attack)
            rows.setdefault(f"{injection.kind}, all", []).append(attack)
            rows.setdefault("all", []).append(attack)
            if injection.planted:
                rows.setdefault("of these planted in written code", []).append(attack)
    for title, group in sorted(rows.items(), key=lambda row: (row[0].startswith(("all", "of")), row[0])):
        count = Counter(attack.refused for attack in group)
        firm = sum(attack.approved is Result.STOPPED for attack in group)
        calls = sum(attack.by_calls is not Result.PASSED for attack in group)
        figures = f"{count[Result.STOPPED]:>9}{count[Result.HELD]:>6}{count[Result.PASSED]:>8}{calls:>16}"
        print(f"{title:34}{len(group):>6}{figures}{firm:>22} {firm / len(group):>5.0%}")
    early = sum(attack.at_loading for injection, attack in found if injection.harmful)
    print(f"stopped where the skill is loaded: {early}")
    text = [attack for injection, attack in found if not injection.harmful]
    count = Counter(attack.refused for attack in text)
    print(
        f"harm in the text alone: {len(text)} pairs, stopped at loading {count[Result.STOPPED]}, "
        f"held at loading {count[Result.HELD]}, passed {count[Result.PASSED]}"
    )


def clean(tables: Tables, checkout: Checkout, make: Factory, args: argparse.Namespace) -> None:
    asked, calls, stops, refused, warned = [], 0, 0, 0, set[str]()
    with Progress(len(tables.tasks), verb="replaying") as progress:
        for task in tables.tasks.values():
            played = play_clean(checkout, task, make, pin=args.pin)
            progress.step(f"task {task.name}")
            denied = list(false_stops(played))
            if args.list:
                with progress.hidden():
                    _show_clean(task.name, played)
            asked.append(prompts(played))
            calls += len(task.calls)
            stops += len(denied)
            refused += played.loading.outcome is Outcome.DENY
            if played.loading.outcome is Outcome.ASK:
                warned.add(checkout.tasks[task.name]["skill"])
    print(f"\nclean tasks: {len(asked)} with {calls} calls; denied {stops} ({stops / max(calls, 1):.1%})")
    print(f"clean tasks whose skill could not be loaded: {refused}")
    print(f"clean skills with findings in their text: {len(warned)}")
    if asked:
        high = sorted(asked)[min(len(asked) - 1, int(0.9 * len(asked)))]
        middle, mean = statistics.median(asked), statistics.mean(asked)
        print(f"prompts a clean task: median {middle:g}, 90th percentile {high}, mean {mean:.2f}")


def main(words: Sequence[str] | None = None, make: Factory | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkout", type=Path, default=checkout_folder())
    parser.add_argument("--tables", type=Path, default=HERE)
    parser.add_argument("--place", type=Path, default=Path.home() / "remit-replay")
    parser.add_argument("--part", choices=PARTS, nargs="*", default=PARTS)
    parser.add_argument("--kind", choices=KINDS)
    parser.add_argument("--number", type=int, nargs="*", default=[])
    parser.add_argument("--pin", action="store_true")
    parser.add_argument("--list", action="store_true", help="tell each attack, each false stop and each question")
    args = parser.parse_args(words)
    try:
        if args.checkout is None:
            raise UsageError("no checkout of the benchmark was named", f"give --checkout, or set {VARIABLE}")
        tables, checkout = load(args.tables), read_checkout(args.checkout)
        with nullcontext(make) if make else guards(checkout, args.place) as answering:
            if {"odd", "even"} & set(args.part):
                table(attacks(tables, checkout, answering, args))
            if "clean" in args.part:
                clean(tables, checkout, answering, args)
    except RemitError as error:
        print(f"{error.message}\n{error.remedy}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
