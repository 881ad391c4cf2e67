"""Arguments of `remit test`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

TITLE = "run the tests of a skill in a sandbox, and compare what they do with its manifest"
TEXT = """\
examples:
  remit test skills/pdf                            the tests that the skill names, else the conventional ones
  remit test skills/pdf --command tests/all.sh     this command instead; may be repeated
  remit test skills/pdf --generate                 write tests: each script on sample inputs, each entry exercised
  remit test skills/pdf --format json              the record, as in the evidence
  remit test skills/pdf --output tests.json        write the record to a file

A skill names its tests in `tests` of remit.json; else Remit uses `tests/test*.py`, `test_*.py`, `scripts.test` of package.json and the
target `test` of a Makefile. It also runs the cases of `tests/remit-cases.json`; --generate writes them, and you can edit them.
Each command runs in a copy of the skill, in bubblewrap: no network but loopback, an empty home, its own temporary folder, no
capabilities, and limits. strace records from outside what happens. Every effect must be inside the manifest, and every entry that
grants must be exercised, for each of its capabilities and scopes that a test can show.

exit status:
  0  the level `tested` is reached
  1  it is not: a test fails, something is outside of the manifest, an entry was not exercised, or the observation is incomplete
  2  the command line is wrong, the skill has no manifest or no tests, or this machine cannot provide the sandbox
"""


def add_test(test: argparse.ArgumentParser, natural: Callable[[str], int]) -> None:
    """The arguments of the command."""
    test.add_argument("path", metavar="PATH", help="the skill")
    test.add_argument(
        "--command", dest="lines", metavar="CMD", action="append", default=[], help="a test command; may be repeated"
    )
    test.add_argument(
        "--generate", action="store_true", help="write tests from the skill into tests/remit-cases.json, and run them"
    )
    test.add_argument("--manifest", metavar="FILE", help="the manifest (default: the one next to SKILL.md)")
    test.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    test.add_argument("--output", metavar="FILE", help="write the record to a file, in the form of the evidence")
    test.add_argument(
        "--timeout", metavar="SECONDS", type=natural, default=60, help="time for one command (default: 60)"
    )
    test.add_argument("-v", "--verbose", action="store_true", help="everything that was observed, and all output")
    test.add_argument("-q", "--quiet", action="store_true", help="one line, and no progress bar")
    test.add_argument(
        "--color", choices=("auto", "always", "never"), default="auto", help="default: auto, and NO_COLOR is respected"
    )
