"""`remit games`: plays the security games of docs/authority.md, and prints what was tried and what an adversary won."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING

from remit.capsule.helper.build import helper
from remit.capsule.probes import COMMAND, ProbeOutcome, probe_all
from remit.checker.cache import folder
from remit.core.errors import CapsuleError, UsageError
from remit.gateway.games.installation import Tally, Tried
from remit.policy.command_permits import permit_for

if TYPE_CHECKING:
    import argparse


_ROUNDS = {"nbe": 3, "lies": 200, "sm": 4, "sap": 200}
_SCS = "attempts to get out of a capsule"


def games(args: argparse.Namespace) -> int:
    """Play, and print the results."""
    chosen = (*_ROUNDS, "scs") if args.game == "all" else (args.game,)
    tried = [one for game in chosen for one in _played(game, args.rounds)]
    won = [one for one in tried if one.won]
    if args.format == "json":
        print(json.dumps({"tried": [one._asdict() for one in tried], "won": sum(one.won for one in tried)}, indent=2))
    else:
        print(*_table(tried), *_wins(won), sep="\n")
    return 1 if won else 0


def _played(game: str, rounds: int | None) -> tuple[Tried, ...]:
    if sys.stderr.isatty():
        print(f"playing {game} …", file=sys.stderr)  # it takes a while, without output before the end
    if game == "scs":
        return _confined()
    played: tuple[Tried, ...] = import_module(f"remit.gateway.games.{game}").play(rounds or _ROUNDS[game])
    return played


def _confined() -> tuple[Tried, ...]:
    """Return the attempts of `remit capsule probe`. One that failed in an unforeseen way counts as won: it shows
    nothing.
    """
    tally = Tally("SCS")
    try:
        permit = permit_for("probe", COMMAND)
        found = probe_all(permit, (), helper(permit, folder() / "capsule"), lambda _: None)
    except (CapsuleError, UsageError) as error:
        tally.add(_SCS, won=False, note=f"not here: {error.message}")
        return tally.tried()
    for one in found:
        won = one.standing in (ProbeOutcome.GOT_OUT, ProbeOutcome.UNCLEAR)
        what = "attempts that do not succeed outside either" if one.standing is ProbeOutcome.NOT_SHOWN else _SCS
        tally.add(what, won=won, note=f"{one.name}: {one.standing}" if won else "")
    return tally.tried()


def _table(tried: list[Tried]) -> Iterator[str]:
    width = max(len(one.what) for one in tried)
    yield f"{'game':5} {'what was tried':{width}} {'times':>7} {'won':>4}  how it ended"
    for one in tried:
        yield f"{one.game:5} {one.what:{width}} {one.times:>7} {one.won:>4}  {one.note or ', '.join(one.codes)}".rstrip()


def _wins(won: list[Tried]) -> Iterator[str]:
    for one in won:
        yield f"WON: {one.game}: {one.what}: {one.won} of {one.times}: {one.note or 'no note'}"
    if not won:
        yield "no adversary won, and every control succeeded"
