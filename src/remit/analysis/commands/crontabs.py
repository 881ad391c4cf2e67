"""Tables of cron: the commands of their lines are shell programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    from remit.analysis.commands.embedded import Program

_LINE = lazy_pattern(r"\s*(?:@\w+|(?:[^\s#]\S*\s+){4}\S+)\s+(?P<command>[^\n]+)")
_OTHER = lazy_pattern(r"\s*(?:#.*|\w+\s*=.*)?")


def read_crontab(program: Program) -> bool:
    """Run the command of each line; False if a line has another form."""
    for line in program.text.split("\n"):
        found = _LINE.fullmatch(line)
        if found is not None and not _OTHER.fullmatch(line):
            program.place(found["command"])
            program.shell(program.value(found["command"].replace("%", "\n")))
        elif not _OTHER.fullmatch(line):
            return False
    return True
