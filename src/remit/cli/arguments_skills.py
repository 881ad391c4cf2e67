"""Arguments and help texts of `remit add`, `update`, `remove` and `list`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

ADD_TITLE = "fetch a skill, check it, and install it for an agent host"
ADD = """\
examples:
  remit add skills/pdf                           a folder
  remit add pdf.skill --host claude-code         an archive: .zip, .skill, .tar.gz
  remit add owner/repo/skills/pdf@v2             a folder of a repository on GitHub, at a branch, tag or commit
  remit add https://git.example/skills.git#v2 --path pdf
                                                 any Git repository: https, ssh, git@host:path, file
  remit add owner/repo --all --project           every skill of a repository, for this project alone

Shows what `remit check` finds, the manifest that the skill will be held to, and where it will be installed; then asks once. Enter means no.
Without a terminal, --yes is needed. Nothing of the skill is run, nothing that is installed is replaced (see `remit update`).
A link that leaves the skill becomes a copy of its target. A skill without a manifest gets a drafted one. What you install, the guard trusts.
With --yes, a skill of the level `block`, or that does more than its own manifest says, is not installed.

exit status:
  0  installed
  1  the answer was no
  2  the command line is wrong, the source is refused, or no person can be asked; nothing was installed
"""
UPDATE_TITLE = "fetch installed skills again, and say what an update changes before it is made"
UPDATE = """\
examples:
  remit update                       every skill that `remit add` installed
  remit update pdf                   one of them: shows what it could do that it cannot do now, and asks
  remit update pdf --yes             do not ask; a skill that was changed by hand is left alone (see --force)
  remit update pdf --rollback        put the version before back

The version that is replaced is kept in the state folder, with all that was changed in it by hand. Entries that you edited in a drafted
remit.json stay. A source that names a commit is not updated.

exit status:
  0  everything is up to date
  1  something stays as it is: the answer was no, or it was changed by hand
  2  the command line is wrong, or a source cannot be fetched
"""
REMOVE_TITLE = "remove a skill that `remit add` installed"
REMOVE = """\
examples:
  remit remove pdf                   take it away from its host; the folder is kept in the state folder
  remit remove pdf --force           also if it was changed by hand

exit status:
  0  removed
  2  the command line is wrong, Remit did not install it, or it was changed by hand
"""
LIST_TITLE = "list the skills that are installed for agent hosts"
LIST = """\
examples:
  remit list                         for every host: where each skill came from, and whether it was changed since
  remit list --host codex --json     for programs

The level (clear, review, block) is that of the last check of this content, if it is still known; nothing is analysed.
"""


def add_add(add: argparse.ArgumentParser) -> None:
    """The arguments of `remit add`."""
    add.add_argument(
        "source",
        metavar="SOURCE",
        help="a folder, a .zip, .skill or .tar.gz file, a Git URL, or owner/repo[/path][@ref]",
    )
    add.add_argument("--path", metavar="INNER", default="", help="the skill's folder in a source that holds several")
    add.add_argument("--all", action="store_true", help="every skill of the source")
    add.add_argument("--name", metavar="NAME", help="install it under another name")
    _where(add)
    add.add_argument("--yes", action="store_true", help="do not ask")
    add.add_argument("--json", action="store_true", help="print JSON; needs --yes")


def add_update(update: argparse.ArgumentParser) -> None:
    """The arguments of `remit update`."""
    update.add_argument("name", metavar="NAME", nargs="?", help="an installed skill (default: all)")
    _where(update)
    update.add_argument("--rollback", action="store_true", help="put the version before back")
    update.add_argument("--yes", action="store_true", help="do not ask")
    update.add_argument("--force", action="store_true", help="with --yes: also what was changed by hand")
    update.add_argument("--json", action="store_true", help="print JSON; needs --yes")


def add_remove(remove: argparse.ArgumentParser) -> None:
    """The arguments of `remit remove`."""
    remove.add_argument("name", metavar="NAME", help="an installed skill")
    _where(remove)
    remove.add_argument("--force", action="store_true", help="also if it was changed by hand")
    remove.add_argument("--json", action="store_true", help="print JSON")


def add_list(command: argparse.ArgumentParser) -> None:
    """The arguments of `remit list`."""
    _where(command)
    command.add_argument("--json", action="store_true", help="print JSON")


def _where(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--host", metavar="HOST", default="", help="the agent host (default: the only one that is found here)"
    )
    scope = command.add_mutually_exclusive_group()
    scope.add_argument("--user", action="store_true", help="skills of yours, in every project (the default of `add`)")
    scope.add_argument("--project", action="store_true", help="skills of this project")
