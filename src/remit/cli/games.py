"""`remit games`: the games of docs/authority.md, as a table of what was tried and what an adversary won."""

from __future__ import annotations

import json
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from remit.gateway.games.tally import Tried

_ROUNDS = {"nbe": 3, "sm": 4}


def games(args: argparse.Namespace) -> int:
    """Play, and say what came of it."""
    chosen = tuple(_ROUNDS) if args.game == "all" else (args.game,)
    tried = [one for game in chosen for one in _played(game, args.rounds)]
    won = [one for one in tried if one.won]
    if args.format == "json":
        print(json.dumps({"tried": [one._asdict() for one in tried], "won": sum(one.won for one in tried)}, indent=2))
    else:
        print(*_table(tried), *_wins(won), sep="\n")
    return 1 if won else 0


def _played(game: str, rounds: int | None) -> tuple[Tried, ...]:
    played: tuple[Tried, ...] = import_module(f"remit.gateway.games.{game}").play(rounds or _ROUNDS[game])
    return played


def _table(tried: list[Tried]) -> Iterator[str]:
    width = max(len(one.what) for one in tried)
    yield f"{'game':5} {'what was tried':{width}} {'times':>7} {'won':>4}  how it ended"
    for one in tried:
        yield f"{one.game:5} {one.what:{width}} {one.times:>7} {one.won:>4}  {one.note or ', '.join(one.codes)}".rstrip()


def _wins(won: list[Tried]) -> Iterator[str]:
    for one in won:
        yield f"WON: {one.game}: {one.what}: {one.won} of {one.times}: {one.note or 'no note'}"
    if not won:
        yield "nobody won anything, and every control succeeded"
