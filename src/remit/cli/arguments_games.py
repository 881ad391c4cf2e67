"""What can be written after `remit games`, and what it teaches."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

GAMES_TITLE = "play the games that the two authorities must win, against processes of their own"
GAMES = """\
examples:
  remit games                    all of them, a few rounds each
  remit games nbe --rounds 50    one of them, longer
  remit games sap --rounds 2000  transcripts of one policy server: 2,000 to train on, 2,000 to tell apart

games:
  nbe  no effect without the proofs of two servers for exactly this request, and none twice
  sm   secrets stay out of an agent's sight
  sap  one policy server learns its leakage (docs/leakage.md) and nothing else
  lies one party that lies decides nothing, and a policy server that does is named
  scs  a skill in a capsule reaches nothing but what it was granted

An installation is made in a temporary folder, with keys, a policy and a mail server of its own; the state of this machine is not touched.

exit status:
  0  no adversary won, and every control succeeded
  1  an adversary won, or a control failed: the line says where
  2  the parties did not come up
"""


def add_games(into: argparse.ArgumentParser, natural: Callable[[str], int]) -> None:
    """Options of `remit games`."""
    into.add_argument(
        "game", nargs="?", choices=("all", "nbe", "lies", "sm", "sap", "scs"), default="all", help="which one"
    )
    into.add_argument("--rounds", type=natural, metavar="N", help="how many rounds (each game has its own default)")
    into.add_argument("--format", choices=("text", "json"), default="text", help="how it is said")
