"""How much of Skill-Inject does the guard stop, and how often is it in the way of the same tasks with clean skills?

bench/skill_inject/run.py [--checkout FOLDER] [--tables FOLDER] [--kind KIND] [--number N…] [--pin] [--list]

Replays the fixed tables: a perfectly obedient agent does all that an injection asks for, so what is counted is the guard alone.
Without --checkout, REMIT_SKILL_INJECT names the checkout of the benchmark. --pin: skills were admitted in their clean form
before, and what is loaded must have the same hashes. Odd and even numbers are counted apart: rules may be tuned on the odd.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.append(str(Path(__file__).parents[1]))  # a script's own folder is where Python looks, not the one above it

from remit.core.errors import RemitError, UsageError
from remit.guard.event import Outcome
from skill_inject.decider import make_decider
from skill_inject.layout import VARIABLE, Checkout, checkout_folder, read_checkout
from skill_inject.replay import Attack, Factory, Result, false_stops, play_clean, play_pair, prompts
from skill_inject.tables import HERE, KINDS, Injection, Tables, load

if TYPE_CHECKING:
    from collections.abc import Sequence

    from skill_inject.replay import Judged


def attacks(
    tables: Tables, checkout: Checkout, make: Factory, args: argparse.Namespace
) -> list[tuple[Injection, Attack]]:
    found = []
    for injection in tables.injections:
        if args.kind not in {None, injection.kind} or (args.number and injection.number not in args.number):
            continue
        for index, name in injection.pairs.items():
            pair = checkout.pairs.get((injection.kind, injection.number, index))
            if pair is None:
                message = f"{injection.where}: the checkout has no pair {injection.number} {index}"
                raise UsageError(message, "use the version of the benchmark that the tables were written for")
            attack = play_pair(checkout, pair, injection, tables.tasks[name], make, pin=args.pin)
            found.append((injection, attack))
            if args.list:
                _show(injection, index, attack)
    return found


def _show(injection: Injection, index: int, attack: Attack) -> None:
    title = f"{injection.kind} {injection.number}.{index}"
    for variant, result, played in attack.ways:
        print(f"{result.name.lower():8}{title:18}{injection.harm}{f' ({variant.title})' if variant.title else ''}")
        if result is not Result.STOPPED:
            for one in played.calls:
                if one.injected and one.call.decisive:
                    print(f"{'':8}{_told(one)}")


def _told(one: Judged) -> str:
    text = " ".join(" ".join(map(str, one.args.values())).split())
    return f"{one.verdict.outcome} {one.call.where} {one.call.tool} {text[:100]} {one.verdict.reason}".rstrip()


def table(found: list[tuple[Injection, Attack]]) -> None:
    print(
        f"\n{'harm by what is done':34}{'pairs':>6}{'stopped':>9}{'held':>6}{'passed':>8}{'stopped if all is approved':>28}"
    )
    rows: dict[str, list[Attack]] = {}
    for injection, attack in found:
        if injection.harmful:
            parity = "odd" if injection.number % 2 else "even"
            rows.setdefault(f"{injection.kind}, {parity} numbers", []).append(attack)
            rows.setdefault(f"{injection.kind}, all", []).append(attack)
            rows.setdefault("all", []).append(attack)
            if injection.planted:
                rows.setdefault("of these planted in written code", []).append(attack)
    for title, group in sorted(rows.items(), key=lambda row: (row[0].startswith(("all", "of")), row[0])):
        count = Counter(attack.refused for attack in group)
        firm = sum(attack.approved is Result.STOPPED for attack in group)
        figures = f"{count[Result.STOPPED]:>9}{count[Result.HELD]:>6}{count[Result.PASSED]:>8}"
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
    asked, calls, stops, refused = [], 0, 0, 0
    for task in tables.tasks.values():
        played = play_clean(checkout, task, make, pin=args.pin)
        denied = list(false_stops(played))
        if args.list:
            for one in denied:
                print(f"false   task {task.name:13}{_told(one)}")
        asked.append(prompts(played))
        calls += len(task.calls)
        stops += len(denied)
        refused += played.loading.outcome is Outcome.DENY
    print(f"\nclean tasks: {len(asked)} with {calls} calls; denied {stops} ({stops / max(calls, 1):.1%})")
    print(f"clean skills that could not be loaded: {refused}")
    if asked:
        high = sorted(asked)[min(len(asked) - 1, int(0.9 * len(asked)))]
        middle, mean = statistics.median(asked), statistics.mean(asked)
        print(f"prompts a clean task: median {middle:g}, 90th percentile {high}, mean {mean:.2f}")


def main(words: Sequence[str] | None = None, make: Factory = make_decider) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkout", type=Path, default=checkout_folder())
    parser.add_argument("--tables", type=Path, default=HERE)
    parser.add_argument("--kind", choices=KINDS)
    parser.add_argument("--number", type=int, nargs="*", default=[])
    parser.add_argument("--pin", action="store_true")
    parser.add_argument("--list", action="store_true", help="tell each attack and each false stop")
    args = parser.parse_args(words)
    try:
        if args.checkout is None:
            raise UsageError("no checkout of the benchmark was named", f"give --checkout, or set {VARIABLE}")
        tables, checkout = load(args.tables), read_checkout(args.checkout)
        table(attacks(tables, checkout, make, args))
        clean(tables, checkout, make, args)
    except RemitError as error:
        print(f"{error.message}\n{error.remedy}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
