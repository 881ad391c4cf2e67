"""Arguments of `remit replay`, and the option of `remit check` that writes what it reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

TITLE = "replay sessions that led outside of a manifest, and say whether they still do"
TEXT = """\
examples:
  remit check skills/pdf --counterexample escape.json   a session for each thing outside of the manifest
  remit replay escape.json skills/pdf                   is each step still there?
  remit replay escape.json skills/pdf --manifest new.json --format json

A session is the line that tells the agent to run something (or a hook), the envelope that it would send, the scripts that are
started, the calls in them, and the effect that no entry of the manifest holds. Nothing is run: the skill is analysed anew, and
every step is looked for in it.

exit status:
  0  every session is gone: a step is no longer there, or an entry grants or denies the effect. Other sessions may lead
     outside; `remit check` says so
  1  a session still holds, or this is unknown because a file on the path is not understood
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
    replay.add_argument("--manifest", metavar="FILE", help="the manifest (default: the one beside SKILL.md)")
    replay.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
