"""Arguments of `remit label`, `remit prove` and `remit verify`."""

from __future__ import annotations

import argparse

LABELLING = "print what a registry can show of a skill: level, findings, and what its code never does"
PROVING = "prove that a skill stays inside its manifest, and sign the evidence"
VERIFYING = "find out again what a bundle claims, and say which level holds"
LABEL = """\
examples:
  remit label skills/pdf                    JSON (`remit schema label`)
  remit label skills/pdf --svg badge.svg    and a badge

A guarantee covers the code of the skill, not what an agent does because of its text, and names the locations that would
break it. `remit prove` signs the label with the bundle; `remit verify` finds it out again.

exit status:
  0  the label was printed
  2  the command line is wrong, or the skill cannot be read
"""
PROVE = """\
examples:
  remit prove skills/pdf --key author.key                    all three methods; writes skills/pdf/evidence/
  remit prove skills/pdf --key author.key --level declared   containment alone
  remit prove skills/pdf --key a.key --key b.key             signed by two
  remit prove skills/pdf --key author.key --out elsewhere    leave the skill as it is

levels:
  declared  method A: the manifest covers everything that the skill can do
  tested    and its own tests exercised every entry of the manifest (`remit test`)
  formal    method A, and method B: the dispatch is typed with the manifest and real type checkers refuse all else, and
            method C: no session, however long, does what is not logged and allowed

The manifest must name skill and version. The level is the one that the manifest claims (`verification`), or else formal.
Nothing is written unless the level holds: what does not hold is shown with a counterexample. The same skill gives the same
evidence on every machine; the time is that of SOURCE_DATE_EPOCH if it is set.

exit status:
  0  the level holds, and the bundle was written
  1  it does not hold; nothing was written
  2  the command line is wrong, or the skill, its manifest or a key cannot be read
"""
VERIFY = """\
examples:
  remit verify skills/pdf --trust-root trust.json                 which level holds, step by step
  remit verify skills/pdf --trust-root trust.json --format json   the same for programs
  remit verify skills/pdf --trust-root trust.json --at 2026-01-31T00:00:00Z
                                                                  as of another time; nothing is remembered

A trust root says whose word counts, for what and until when (`remit keys trust --help`). Nothing that the bundle says is
believed: signatures, every file, the label and the version are checked, and the three methods run again. A step that fails
has a stable code and a remedy. What was admitted is remembered, so that an older version is refused later.

exit status:
  0  the level that is claimed holds
  1  it does not, or the skill brings no bundle along
  2  the command line is wrong, or the skill or the trust root cannot be read
"""


def add_label(label: argparse.ArgumentParser) -> None:
    """The arguments of `remit label`."""
    label.add_argument("path", metavar="PATH", help="a skill")
    label.add_argument("--svg", metavar="FILE", help="write a badge")


def add_prove(prove: argparse.ArgumentParser) -> None:
    """The arguments of `remit prove`."""
    prove.add_argument("path", metavar="PATH", help="a skill")
    prove.add_argument(
        "--key", dest="keys", metavar="FILE", action="append", required=True, help="a private key; may be repeated"
    )
    prove.add_argument(
        "--level",
        choices=("declared", "tested", "formal"),
        help="what to prove (default: what the manifest claims, or else formal)",
    )
    prove.add_argument(
        "--bound", metavar="K", type=_whole, default=100, help="envelopes of a session for method C (default: 100)"
    )
    prove.add_argument(
        "--tests", metavar="FILE", help="a record of `remit test --output` (default: the one in PATH/evidence)"
    )
    prove.add_argument("--out", metavar="DIR", help="the folder for the evidence (default: PATH/evidence)")
    prove.add_argument("--format", choices=("text", "json"), default="text", help="default: text")


def add_verify(verify: argparse.ArgumentParser) -> None:
    """The arguments of `remit verify`."""
    verify.add_argument("path", metavar="PATH", help="a skill")
    verify.add_argument("--trust-root", metavar="FILE", required=True, help="whose signatures count, and for what")
    verify.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    verify.add_argument(
        "--state", metavar="DIR", help="where it is remembered what was admitted (default: below ~/.local/state)"
    )
    verify.add_argument(
        "--checkout", action="store_true", help="it is a checkout of Git: judge what is shipped of it, without .git"
    )
    verify.add_argument("--at", metavar="TIME", help="judge as of this time, as in 2026-01-31T00:00:00Z")


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise argparse.ArgumentTypeError(f"`{text}` is not a whole number")
    return int(text)
