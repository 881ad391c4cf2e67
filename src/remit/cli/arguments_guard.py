"""Arguments of `remit guard`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from remit.cli.arguments_mcp import TEXT as MCP_TEXT
from remit.cli.arguments_mcp import TITLE as MCP
from remit.cli.arguments_mcp import add_mcp
from remit.cli.arguments_words import add_words

if TYPE_CHECKING:
    import argparse

TITLE = "hold skills to their manifests inside of real agents"
TEXT = """\
  remit guard install claude-code           ask the guard before every call of a tool
  remit guard doctor claude-code            does it answer, and which ways lead past it?
  remit guard status                        where does it stand?
  remit guard uninstall claude-code         leave everything as it was
  remit guard trust                         let the defaults and the lock of this workspace count
  remit guard answers                       which questions are answered already?
  remit guard rules                         what stops a call?
  remit guard broker                        who is asked where a host cannot ask?
  remit guard task --allow 'file.* ./docs/**'
                                            narrow a session to a task
  remit guard mcp -- COMMAND …              an MCP server, for any client
"""
INSTALL = """\
examples:
  remit guard install claude-code                  for this user: ~/.claude/settings.json
  sudo remit guard install claude-code --managed   for all users; they cannot turn it off
  remit guard install claude-code --dry-run        show the change, write nothing
  remit guard install claude-code --through-authority --credential agent.cred
                                                   every effect needs both policy servers (`remit up`)

The guard is asked through hooks, at every event that the host has. The rest of the file keeps its order and indentation, and the
file as it was is kept beside it (settings.json.before-remit). Installing again changes nothing, or writes what is missing.

With --managed no hooks run but those of managed settings. This closes traps that a user cannot close: hooks that a skill or
project brings, and settings of a project that turn hooks off. `remit guard doctor` lists them.

With --through-authority the host's own tools that have effects (Bash, Write, WebFetch …) are denied, and the gateway's `act` is its MCP
server: an effect happens when both policy servers allow it. `remit gateway give` makes the credential. Installing again without the
flag gives the tools back, and uninstalling takes out all of it.

exit status:
  0  the guard is installed, or was already
  2  the settings cannot be read or written, or would lose something; nothing was changed
"""
UNINSTALL = """\
examples:
  remit guard uninstall claude-code
  sudo remit guard uninstall claude-code --managed
  remit guard uninstall claude-code --dry-run      show the change, write nothing

Settings that were not changed since are restored byte by byte; otherwise only what the guard wrote is taken out.

exit status:
  0  the guard is not installed any more, or was not
  2  the settings cannot be read or written; nothing was changed
"""
STATUS = """\
examples:
  remit guard status                       all hosts
  remit guard status claude-code
  remit guard status --format json         for programs

exit status:
  0  in every host that is listed the guard is asked at every event
  1  in some it is not
  2  the command line is wrong
"""
DOCTOR = """\
examples:
  remit guard doctor claude-code                   in the current folder
  remit guard doctor claude-code --project ~/work  as if the host were started there
  remit guard doctor claude-code --format json     for programs

Every known way past the hooks of a host is reported: closed, open with what to do, or outside of what settings can close. Two
probes are fired through the very command in the settings: a call that does nothing must pass, and what is no event
must be denied.

exit status:
  0  no trap is open
  1  some are
  2  the command line is wrong
"""
ANSWERS = """\
examples:
  remit guard answers                      which questions were answered with yes, for which skill and workspace
  remit guard answers --remove 3f9a2c11d0  ask about it again
  remit guard answers --format json        for programs

A question that a person agrees to, in the prompt of the host or with `remit approvals approve --always`, is not asked again for the
same skill as it is now, in the same workspace and about the same thing. A grant that answers one is in `remit approvals grants`.

exit status:
  0  done
  2  there is no such answer, or the state folder cannot be used
"""
RULES = """\
examples:
  remit guard rules                        identifier, what it does here, and what it finds
  remit guard rules --format json          for programs

`settings.json` in the state folder switches a rule: {"rules": {"not-understood": "notice"}}. It does one of deny, ask, notice and
off. Rules that protect the guard itself, or say what an entry denies, cannot be switched.

exit status:
  0  done
  2  the settings cannot be read
"""


def add_guard(
    guard: argparse.ArgumentParser, add: Callable[..., argparse.ArgumentParser], natural: Callable[[str], int]
) -> None:
    """The arguments of `remit guard`."""
    inner = guard.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, title, text in (
        ("install", "ask the guard in a host", INSTALL),
        ("uninstall", "ask it no more", UNINSTALL),
    ):
        command = add(inner, name, title, text)
        command.add_argument("host", metavar="HOST", help="claude-code")
        command.add_argument("--managed", action="store_true", help="in the settings that an administrator keeps")
        command.add_argument("--dry-run", action="store_true", help="show the change, and write nothing")
        _places(command)
        if name == "install":
            _authority(command)
    status = add(inner, "status", "say where the guard is asked", STATUS)
    status.add_argument("host", metavar="HOST", nargs="?", help="default: all hosts")
    _places(status)
    doctor = add(inner, "doctor", "try the hooks, and look for ways past them", DOCTOR)
    doctor.add_argument("host", metavar="HOST", help="claude-code")
    doctor.add_argument("--project", metavar="FOLDER", default=".", help="where the host works (default: here)")
    _places(doctor)
    answers = add(inner, "answers", "show and remove answers that are remembered", ANSWERS)
    answers.add_argument("--remove", metavar="ID", help="forget an answer: the guard asks again")
    answers.add_argument("--state", metavar="FOLDER", help="the guard's state folder")
    rules = add(inner, "rules", "list the rules by which calls are stopped", RULES)
    rules.add_argument("--state", metavar="FOLDER", help="the guard's state folder")
    for command in (answers, rules):
        command.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    add_mcp(add(inner, "mcp", MCP, MCP_TEXT))
    add_words(inner, add, natural)


def _authority(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--through-authority",
        action="store_true",
        help="deny the host's tools with effects; let `act` of the gateway do them",
    )
    command.add_argument("--credential", metavar="FILE", help="with --through-authority: the agent's credential")
    command.add_argument("--folder", metavar="FOLDER", help="with --through-authority: the folder of `remit up`")
    command.add_argument("--at", metavar="ADDRESS", help="with --through-authority: a gateway elsewhere, tls:HOST:PORT")
    command.add_argument("--tls", metavar="DIR", help="with --at: the certificate, `agent/tls` of `remit deploy`")


def _places(command: argparse.ArgumentParser) -> None:
    command.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    command.add_argument(
        "--managed-folder", metavar="FOLDER", help="folder of the managed settings (default: where the host looks)"
    )
