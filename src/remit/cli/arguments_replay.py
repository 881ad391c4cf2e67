"""Arguments of `remit replay`, and the option of `remit check` that writes what it reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

TITLE = "check whether recorded escapes from a manifest still exist"
TEXT = """\
examples:
  remit check skills/pdf --counterexample escape.json   write a session for each effect outside of the manifest
  remit replay escape.json skills/pdf                   check whether each step still exists
  remit replay escape.json skills/pdf --manifest new.json --format json

A session consists of the line that tells the agent to run something (or a hook), the call that the agent would send, the scripts that it
starts, the calls in them, and the effect that no entry of the manifest covers. Nothing is run: Remit analyses the skill again and looks for
every step.

exit status:
  0  every session is gone: a step no longer exists, or an entry grants or denies the effect. Other escapes may exist;
     `remit check` lists them
  1  a session still escapes, or this is unknown because a file on its way is not understood
  2  the command line is wrong, or the sessions, the skill or its manifest cannot be read
"""


def add_counterexample(check: argparse.ArgumentParser) -> None:
    """The option that writes sessions."""
    check.add_argument(
        "--counterexample",
        metavar="FILE",
        help="write the sessions that lead outside of the manifest, for `remit replay`; one skill",
    )


def add_replay(replay: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    replay.add_argument("sessions", metavar="SESSION", help="what `remit check --counterexample` wrote")
    replay.add_argument("path", metavar="PATH", help="the skill")
    replay.add_argument("--manifest", metavar="FILE", help="the manifest (default: the one next to SKILL.md)")
    replay.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
