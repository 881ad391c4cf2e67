"""Arguments and help texts of `remit audit`."""

from __future__ import annotations

import argparse
from collections.abc import Callable

TITLE = "read, verify and export the audit log"
TEXT = """\
examples:
  remit audit log --outcome deny --since 2h     what was denied in the last two hours
  remit audit show 17                           everything about one record
  remit audit verify                            is the log complete and unchanged?
  remit audit report --by skill                 who used what, and what is unusual
  remit audit biconditional --before before.json --workspace .
                                                did exactly what was admitted happen?
"""
LOG = """\
examples:
  remit audit log                               the last 50 records, one per line
  remit audit log --session s1 --skill pdf      one session, one skill
  remit audit log --since 2026-11-01 --limit 0  everything since that day
  remit audit log --tool Bash --text example.org
  remit audit log --outcome deny --format json  one JSON object per line, for programs

exit status:
  0  done
  2  the command line is wrong, or the log cannot be read
"""
SHOW = """\
exit status:
  0  done
  2  there is no such record, or the log cannot be read
"""
VERIFY = """\
examples:
  remit audit verify                            the log of this machine
  remit audit verify --head kept.head           against a head that was kept elsewhere
  remit audit verify log.jsonl --key audit.key.pub
                                                an export, on any machine

Remit hashes every record again and checks every signed head. It cannot detect that records after the last signed head were cut off.
If the log and its heads were cut back to the same older head, it detects that only with a head that was kept elsewhere:
`remit audit head` prints one.

exit status:
  0  the log is complete and unchanged
  1  it is broken, cut off or replaced, or cannot be checked here; the first bad record is named
  2  the command line is wrong, or there is no log
"""
REPORT = """\
examples:
  remit audit report                            calls, prompts, files and hosts of each skill
  remit audit report --by session --since 7d    of each session of the last week
  remit audit report --by tool --format json    for programs

The log is verified first. If it is broken, only the part before the break is reported.

exit status:
  0  the log is complete and unchanged
  1  it is broken, cut off or replaced, or cannot be checked here; the report says so first
  2  the command line is wrong, or there is no log
"""
EXPORT = """\
examples:
  remit audit export --jsonl > log.jsonl
  remit audit export --jsonl --output log.jsonl

exit status:
  0  done
  2  the log cannot be read
"""
HEAD = """\
Signs the current end of the log, and prints the signed head as one line. Keep it where no user of this machine can write:
with it, `remit audit verify --head` detects a log that was cut back together with its own heads.

exit status:
  0  done
  2  the log cannot be read or signed
"""
PICTURE = """\
examples:
  remit audit picture . --output before.json    before a session; then `remit audit biconditional --before before.json`

A picture contains the path, kind, mode and digest of everything below a folder, and the git refs. Keep it outside of the folder.

exit status:
  0  done
  2  the folder cannot be read, or the file cannot be written
"""
BICONDITIONAL = """\
examples:
  remit audit biconditional                     only the calls: was each call that ran admitted, with the same input?
  remit audit biconditional --before before.json --workspace .
                                                also every change of the workspace since a picture

  matched    admitted, recorded and observed
  bypass     observed, but not admitted
  forgery    recorded, but not observed
  rewritten  the input that ran differs from the judged input
  unknown    not decidable: a crash between acting and recording, or a path that cannot be read

exit status:
  0  no contradiction; unknown cases are listed
  1  a bypass, a forgery or a rewritten call
  2  the command line is wrong, or the log or a picture cannot be read
"""
SINCE = "2026-11-15, 2026-11-15T14:00 (UTC), or 30m, 2h, 7d ago"
OUTCOMES = (
    "admit", "deny", "person-approved", "person-denied", "asked", "executed", "failed", "undone", "unknown",
)  # fmt: skip


def add_audit(audit: argparse.ArgumentParser, add: Callable[..., argparse.ArgumentParser]) -> None:
    """The arguments of `remit audit`."""
    inner = audit.add_subparsers(dest="action", metavar="ACTION", required=True)
    log = add(inner, "log", "list records, one per line", LOG)
    _filters(log)
    log.add_argument("--since", metavar="WHEN", help=SINCE)
    log.add_argument("--until", metavar="WHEN", help="only records before this time; same form as `--since`")
    log.add_argument("--limit", metavar="N", type=_whole, default=50, help="the last N (default: 50; 0: all)")
    log.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="default: auto")
    _common(log)
    show = add(inner, "show", "show everything about one record", SHOW)
    show.add_argument("number", metavar="NUMBER", type=_whole)
    _common(show)
    verify = add(inner, "verify", "check whether the log is complete and unchanged", VERIFY)
    verify.add_argument("file", nargs="?", metavar="FILE", help="an export (default: the log of this machine)")
    verify.add_argument("--head", metavar="FILE", action="append", default=[], help="a head that was kept elsewhere")
    verify.add_argument("--key", metavar="FILE", action="append", default=[], help="a public key that signs heads")
    _common(verify)
    report = add(inner, "report", "summarise the log: who used what, and what is unusual", REPORT)
    report.add_argument("--by", choices=("skill", "tool", "session", "host"), default="skill", help="default: skill")
    report.add_argument("--since", metavar="WHEN", help=SINCE)
    report.add_argument("--top", metavar="N", type=_whole, default=20, help="entries of a list (default: 20)")
    report.add_argument("--key", metavar="FILE", action="append", default=[], help="a public key that signs heads")
    report.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="default: auto")
    _common(report)
    export = add(inner, "export", "print the whole log", EXPORT)
    export.add_argument("--jsonl", action="store_true", required=True, help="as lines of JSON, the only format")
    export.add_argument("--output", metavar="FILE", help="a new file (default: standard output)")
    _state(export)
    _state(add(inner, "head", "sign the current end of the log, and print it", HEAD))
    picture = add(inner, "picture", "record the current state of a workspace", PICTURE)
    picture.add_argument("folder", metavar="FOLDER")
    picture.add_argument("--output", metavar="FILE", help="a new file (default: standard output)")
    both = add(inner, "biconditional", "check whether exactly what was admitted happened", BICONDITIONAL)
    both.add_argument("--session", metavar="NAME", default="", help="only this session")
    both.add_argument("--after", metavar="N", type=_whole, default=0, help="only records after this one")
    both.add_argument("--before", metavar="FILE", help="a picture of the workspace from before")
    both.add_argument("--workspace", metavar="FOLDER", help="the current workspace (default: the one of the picture)")
    both.add_argument("-v", "--verbose", action="store_true", help="also show what matched")
    _common(both)


def _filters(command: argparse.ArgumentParser) -> None:
    command.add_argument("--session", metavar="NAME", default="")
    command.add_argument("--skill", metavar="NAME", default="", help="the skill on whose behalf it acted")
    command.add_argument("--tool", metavar="NAME", default="", help="the tool, as the host names it")
    command.add_argument("--outcome", choices=OUTCOMES, default="")
    command.add_argument("--text", metavar="WORDS", default="", help="text that the record contains")


def _common(command: argparse.ArgumentParser) -> None:
    command.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    _state(command)


def _state(command: argparse.ArgumentParser) -> None:
    command.add_argument("--state", metavar="DIR", help="the state folder of the guard (default: that of this user)")


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise argparse.ArgumentTypeError(f"`{text}` is not a whole number")
    return int(text)
