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
  remit add owner/repo --all --project           every skill of a repository, for this project only

Shows what `remit check` finds, the manifest that will apply, and where the skill will be installed; then asks once. Enter means no.
Without a terminal you must pass --yes. Remit runs no part of the skill and replaces no installed skill (see `remit update`).
A link that leaves the skill becomes a copy of its target. A skill without a manifest gets a drafted one. The guard trusts what you install.
With --yes, a skill of level `block`, or one that exceeds its own manifest, is not installed.

exit status:
  0  installed
  1  you answered no
  2  the command line is wrong, the source is refused, or there is no terminal to ask on; nothing was installed
"""
UPDATE_TITLE = "fetch installed skills again, and show what an update changes before it is installed"
UPDATE = """\
examples:
  remit update                       every skill that `remit add` installed
  remit update pdf                   one of them: shows what it could newly do, and asks
  remit update pdf --yes             do not ask; leave a skill alone that was changed by hand (see --force)
  remit update pdf --rollback        restore the previous version

The replaced version, including changes by hand, is kept in the state folder. Entries that you edited in a drafted remit.json stay.
A source that names a commit is not updated.

exit status:
  0  everything is up to date
  1  something was not updated: you answered no, or it was changed by hand
  2  the command line is wrong, or a source cannot be fetched
"""
REMOVE_TITLE = "remove a skill that `remit add` installed"
REMOVE = """\
examples:
  remit remove pdf                   remove it from its host; a copy is kept in the state folder
  remit remove pdf --force           even if it was changed by hand

exit status:
  0  removed
  2  the command line is wrong, Remit did not install it, or it was changed by hand
"""
LIST_TITLE = "list the skills that are installed for agent hosts"
LIST = """\
examples:
  remit list                         for every host: where each skill came from, and whether it was changed since
  remit list --host codex --json     for programs

The level (clear, review, block) is that of the last check of this content, if it is known; `remit list` analyses nothing.
"""


def add_add(add: argparse.ArgumentParser) -> None:
    """The arguments of `remit add`."""
    add.add_argument(
        "source",
        metavar="SOURCE",
        help="a folder, a .zip, .skill or .tar.gz file, a Git URL, or owner/repo[/path][@ref]",
    )
    add.add_argument("--path", metavar="INNER", default="", help="the skill's folder in a source with several skills")
    add.add_argument("--all", action="store_true", help="every skill of the source")
    add.add_argument("--name", metavar="NAME", help="install it under another name")
    _where(add)
    add.add_argument("--yes", action="store_true", help="do not ask")
    add.add_argument("--json", action="store_true", help="print JSON; needs --yes")


def add_update(update: argparse.ArgumentParser) -> None:
    """The arguments of `remit update`."""
    update.add_argument("name", metavar="NAME", nargs="?", help="an installed skill (default: all)")
    _where(update)
    update.add_argument("--rollback", action="store_true", help="restore the previous version")
    update.add_argument("--yes", action="store_true", help="do not ask")
    update.add_argument("--force", action="store_true", help="with --yes: also update skills that were changed by hand")
    update.add_argument("--json", action="store_true", help="print JSON; needs --yes")


def add_remove(remove: argparse.ArgumentParser) -> None:
    """The arguments of `remit remove`."""
    remove.add_argument("name", metavar="NAME", help="an installed skill")
    _where(remove)
    remove.add_argument("--force", action="store_true", help="even if it was changed by hand")
    remove.add_argument("--json", action="store_true", help="print JSON")


def add_list(command: argparse.ArgumentParser) -> None:
    """The arguments of `remit list`."""
    _where(command)
    command.add_argument("--json", action="store_true", help="print JSON")


def _where(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--host", metavar="HOST", default="", help="the agent host (default: the only one on this machine)"
    )
    scope = command.add_mutually_exclusive_group()
    scope.add_argument("--user", action="store_true", help="your skills, in every project (the default of `add`)")
    scope.add_argument("--project", action="store_true", help="skills of this project")
