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

TITLE = "enforce manifests while an agent works"
TEXT = """\
  remit guard install claude-code           run the guard before every tool call of this host
  remit guard doctor claude-code            does the guard answer, and which ways lead past it?
  remit guard status                        in which hosts is the guard installed?
  remit guard uninstall claude-code         restore the settings of the host
  remit guard trust                         trust the defaults and the lock of this workspace
  remit guard answers                       your remembered answers
  remit guard rules                         the rules that stop a call
  remit guard broker                        who answers if a host cannot ask
  remit guard task --allow 'file.* ./docs/**'
                                            narrow a session to a task
  remit guard mcp -- COMMAND …              guard an MCP server, for any client
"""
INSTALL = """\
examples:
  remit guard install claude-code                  for this user: ~/.claude/settings.json
  sudo remit guard install claude-code --managed   for all users; they cannot turn it off
  remit guard install claude-code --dry-run        show the change, write nothing
  remit guard install claude-code --through-authority --credential agent.cred
                                                   every effect needs both policy servers (`remit up`)

The host calls the guard through hooks, at every event that it supports. The rest of the settings file keeps its order and indentation,
and a copy of the old file is kept next to it (settings.json.before-remit). Installing again only writes what is missing.

With --managed, only hooks of managed settings run. This closes gaps that a user cannot close: hooks that a skill or project
brings, and settings of a project that turn hooks off. `remit guard doctor` lists them.

With --through-authority, the host's own tools that have effects (Bash, Write, WebFetch …) are denied, and the host gets the gateway's
`act` as an MCP server: an effect happens only if both policy servers allow it. `remit gateway give` creates the credential. Install again
without the flag to restore the tools; uninstalling removes everything.

exit status:
  0  the guard is installed, or was already
  2  the settings cannot be read or written, or would lose something; nothing was changed
"""
UNINSTALL = """\
examples:
  remit guard uninstall claude-code
  sudo remit guard uninstall claude-code --managed
  remit guard uninstall claude-code --dry-run      show the change, write nothing

If the settings were not changed since, they are restored byte by byte; otherwise only what the guard wrote is removed.

exit status:
  0  the guard is no longer installed, or was not installed
  2  the settings cannot be read or written; nothing was changed
"""
STATUS = """\
examples:
  remit guard status                       all hosts
  remit guard status claude-code
  remit guard status --format json         for programs

exit status:
  0  every listed host calls the guard at every event
  1  some do not
  2  the command line is wrong
"""
DOCTOR = """\
examples:
  remit guard doctor claude-code                   in the current folder
  remit guard doctor claude-code --project ~/work  as if the host were started there
  remit guard doctor claude-code --format json     for programs

Lists every known way past the hooks of a host: closed, open (with what to do), or impossible to close by settings. Then sends two
test events through the installed hook command: a call that does nothing must pass, and an invalid event must be denied.

exit status:
  0  no known way is open
  1  some are
  2  the command line is wrong
"""
ANSWERS = """\
examples:
  remit guard answers                      your remembered approvals, by skill and workspace
  remit guard answers --remove 3f9a2c11d0  ask again
  remit guard answers --format json        for programs

If a person approves a question, in the prompt of the host or with `remit approvals approve --always`, the guard does not ask it again for
the same content of the skill, the same workspace and the same request. `remit approvals grants` lists grants that answer questions.

exit status:
  0  done
  2  there is no such answer, or the state folder cannot be used
"""
RULES = """\
examples:
  remit guard rules                        each rule: identifier, action on this machine, and what it finds
  remit guard rules --format json          for programs

To change the action of a rule, edit `settings.json` in the state folder: {"rules": {"not-understood": "notice"}}. The actions are deny, ask,
notice and off. Rules that protect the guard itself or enforce a denial cannot be changed.

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
        ("install", "install the guard in a host", INSTALL),
        ("uninstall", "remove the guard from a host", UNINSTALL),
    ):
        command = add(inner, name, title, text)
        command.add_argument("host", metavar="HOST", help="claude-code")
        command.add_argument("--managed", action="store_true", help="in the managed settings of an administrator")
        command.add_argument("--dry-run", action="store_true", help="show the change, and write nothing")
        _places(command)
        if name == "install":
            _authority(command)
    status = add(inner, "status", "show in which hosts the guard is installed", STATUS)
    status.add_argument("host", metavar="HOST", nargs="?", help="default: all hosts")
    _places(status)
    doctor = add(inner, "doctor", "test the hooks, and list ways past them", DOCTOR)
    doctor.add_argument("host", metavar="HOST", help="claude-code")
    doctor.add_argument(
        "--project", metavar="FOLDER", default=".", help="the project folder (default: the current one)"
    )
    _places(doctor)
    answers = add(inner, "answers", "show and remove remembered answers", ANSWERS)
    answers.add_argument("--remove", metavar="ID", help="forget an answer: the guard asks again")
    answers.add_argument("--state", metavar="FOLDER", help="the guard's state folder")
    rules = add(inner, "rules", "list the rules that stop calls", RULES)
    rules.add_argument("--state", metavar="FOLDER", help="the guard's state folder")
    for command in (answers, rules):
        command.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    add_mcp(add(inner, "mcp", MCP, MCP_TEXT))
    add_words(inner, add, natural)


def _authority(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--through-authority",
        action="store_true",
        help="deny the host's tools that have effects; use `act` of the gateway instead",
    )
    command.add_argument("--credential", metavar="FILE", help="with --through-authority: the agent's credential")
    command.add_argument("--folder", metavar="FOLDER", help="with --through-authority: the folder of `remit up`")
    command.add_argument(
        "--at", metavar="ADDRESS", help="with --through-authority: a gateway on another machine, tls:HOST:PORT"
    )
    command.add_argument("--tls", metavar="DIR", help="with --at: the certificate, `agent/tls` of `remit deploy`")


def _places(command: argparse.ArgumentParser) -> None:
    command.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    command.add_argument(
        "--managed-folder", metavar="FOLDER", help="folder of the managed settings (default: where the host looks)"
    )
