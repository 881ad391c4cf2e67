"""Arguments and help texts of `remit undo`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

TITLE = "restore files that calls of an agent changed"
TEXT = """\
examples:
  remit undo --list                  what can be undone, the newest first
  remit undo                         the newest call that is not undone yet; shows it and asks
  remit undo --dry-run               show what would be restored, and do nothing
  remit undo --session s1            all calls of a session, the newest first
  remit undo --call toolu_01         one call

Remit does not know who changed a file while a call ran: read the list before you agree. If a file was changed after the call, Remit
names it and keeps it; --force restores the old state there too, and the later changes are lost. Repositories (.git) stay as they are,
except for what a command inside walls did in them. If an undo is interrupted, run it again to continue.

exit status:
  0  everything was restored
  1  something was kept, or you answered no
  2  the command line is wrong, or there is nothing to undo
"""


def add_undo(undo: argparse.ArgumentParser) -> None:
    """The arguments of `remit undo`."""
    which = undo.add_mutually_exclusive_group()
    which.add_argument("--session", metavar="S", help="all calls of this session")
    which.add_argument("--call", metavar="ID", help="this call, or the snapshot of this name")
    undo.add_argument("--list", action="store_true", help="list what can be undone")
    undo.add_argument("--dry-run", action="store_true", help="show what would be restored")
    undo.add_argument(
        "--force", action="store_true", help="also restore files that were changed since; those changes are lost"
    )
    undo.add_argument("--yes", action="store_true", help="do not ask")
    undo.add_argument("--state", metavar="FOLDER", help="the guard's state folder (default: that of this user)")
