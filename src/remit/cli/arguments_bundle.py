"""Arguments of `remit label`, `remit prove` and `remit verify`."""

from __future__ import annotations

import argparse

LABELLING = "print what a registry can show about a skill: level, findings, and what its code never does"
PROVING = "prove that a skill stays inside its manifest, and sign the evidence"
VERIFYING = "verify a bundle by repeating its analyses and proofs"
LABEL = """\
examples:
  remit label skills/pdf                    JSON (`remit schema label`)
  remit label skills/pdf --svg badge.svg    and a badge

A guarantee covers the code of the skill, not what an agent does because of its text, and names the locations that could
break it. `remit prove` signs the label with the bundle; `remit verify` computes it again.

exit status:
  0  the label was printed
  2  the command line is wrong, or the skill cannot be read
"""
PROVE = """\
examples:
  remit prove skills/pdf --key author.key                    all three methods; writes skills/pdf/evidence/
  remit prove skills/pdf --key author.key --level declared   containment only
  remit prove skills/pdf --key a.key --key b.key             signed with two keys
  remit prove skills/pdf --key author.key --out elsewhere    do not change the skill's folder

levels:
  declared  method A: the manifest covers everything that the skill can do
  tested    also: the skill's own tests exercised every entry of the manifest (`remit test`)
  formal    `tested`; also method B: type checkers accept the dispatch with this manifest and reject everything else; and
            method C: no session, however long, does anything that is not logged and permitted

The manifest must name skill and version. The level is the one that the manifest claims (`verification`), else formal.
Nothing is written unless the level is reached; otherwise Remit shows a counterexample. The same skill gives the same
evidence on every machine; the time is that of SOURCE_DATE_EPOCH if it is set.

exit status:
  0  the level is reached, and the bundle was written
  1  it is not; nothing was written
  2  the command line is wrong, or the skill, its manifest or a key cannot be read
"""
VERIFY = """\
examples:
  remit verify skills/pdf --trust-root trust.json                 which level holds, step by step
  remit verify skills/pdf --trust-root trust.json --format json   the same for programs
  remit verify skills/pdf --trust-root trust.json --at 2026-01-31T00:00:00Z
                                                                  as of another time; nothing is remembered

A trust root says whose signatures count, for what and until when (`remit keys trust --help`). Remit does not rely on what the
bundle says: it checks signatures, every file, the label and the version, and runs the three methods again. A failed step has
a stable code and a remedy. Remit remembers the admitted version, and refuses older ones later.

exit status:
  0  the claimed level holds
  1  it does not, or the skill has no bundle
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
        help="what to prove (default: what the manifest claims, else formal)",
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
        "--state", metavar="DIR", help="the record of admitted versions (default: below ~/.local/state)"
    )
    verify.add_argument("--checkout", action="store_true", help="the folder is a Git checkout: ignore its .git")
    verify.add_argument("--at", metavar="TIME", help="judge as of this time, as in 2026-01-31T00:00:00Z")


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise argparse.ArgumentTypeError(f"`{text}` is not a whole number")
    return int(text)
