"""Runs programs in small languages: which reader reads a language, and what is reported for text that none can read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from remit.analysis.commands.awk import read_awk
from remit.analysis.commands.filtergraphs import BOUND, read_filter_graph
from remit.analysis.commands.jq import read_jq
from remit.analysis.commands.program_text import Host, Program, judge_holes
from remit.analysis.commands.queries import CLIENTS, read_client, read_sqlite
from remit.analysis.commands.sed import read_sed
from remit.analysis.commands.values import texts
from remit.analysis.each import each
from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    from remit.analysis.domain import Value

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


class _Language(NamedTuple):
    read: Callable[[Program], bool]  # reports what a program does; False if it is not understood
    bound: tuple[str, ...] = ()  # all that a program of the language can do, where that is little


_LANGUAGES = {
    "awk": _Language(read_awk),
    "sed": _Language(read_sed),
    "jq": _Language(read_jq, ("env.read", "file.read")),
    "sqlite3": _Language(read_sqlite),
    "crontab": _Language(read_crontab),
    "ffmpeg": _Language(read_filter_graph, BOUND),
    **dict.fromkeys(CLIENTS, _Language(read_client)),
}
PROGRAM_LANGUAGES = frozenset(_LANGUAGES)


def run_program(language: str, code: Value, host: Host) -> None:
    """Report what the programs that a text can be do."""
    reader = _LANGUAGES[language]
    for item in each(texts(code)):
        program = Program(host, language, item)
        if not reader.read(program):
            program.opaque(f"`{language}` program is not understood", "write the program plainly")
        judge_holes(program, reader.bound)
