"""Runs programs in small languages: which reader reads a language, and what is reported for text that none can read."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.analysis.commands.awk import read_awk
from remit.analysis.commands.jq import read_jq
from remit.analysis.commands.program_text import Program, judge_holes
from remit.analysis.commands.queries import CLIENTS, read_client, read_sqlite
from remit.analysis.commands.sed import read_sed
from remit.analysis.commands.values import texts
from remit.analysis.domain import ANY
from remit.analysis.each import each
from remit.core.patterns import lazy_pattern
from remit.core.table import read_toml

if TYPE_CHECKING:
    from remit.analysis.domain import Value
    from remit.analysis.world import Child, Site, World


# Filter graphs of ffmpeg: most filters change pictures and sounds only, some open files, and some listen for commands.

BOUND = ("file.read", "file.write", "net.listen")  # all that a filter can do besides its work
_READ_OPTIONS = lazy_pattern(r"(?<!\w)(?:textfile|fontfile|fontsdir|psfile)\s*=")
_OTHER_FILES = lazy_pattern(r"(?:file(?:name)?|path|(?<!\w)f)\s*=")
_FILTER = lazy_pattern(r"(?:^|[,;\]])\s*([A-Za-z]\w*)")
_QUOTED = lazy_pattern(r"'[^']*'|\\.", re.DOTALL)


@cache
def _filters() -> tuple[frozenset[str], frozenset[str]]:
    """The filters that only change pictures and sounds, and those that read files."""
    data = read_toml(Path(__file__).parents[1] / "data" / "ffmpeg_filters.toml")
    return frozenset(data["pure"].split()), frozenset(data["readers"].split())


def read_filter_graph(program: Program) -> bool:
    """Report the files that filters open. A graph can do no more, so that none is ever not understood."""
    pure, readers = _filters()
    names = set(_FILTER.findall(_QUOTED.sub("", program.text)))
    others = not names <= pure | readers or _OTHER_FILES.search(_READ_OPTIONS.sub("", program.text))
    if others or names & readers or _READ_OPTIONS.search(program.text):
        program.effect("file.read", ANY)
    if others and not (names <= pure | readers and names & readers):
        program.effect("file.write", ANY)
    if any("zmq" in name for name in names):
        program.effect("net.listen", ANY)
    program.place(program.text)
    return True


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


def run_program(world: World, language: str, code: Value, site: Site, child: Child, args: tuple[Value, ...]) -> None:
    """Report what the programs that a text can be do."""
    reader = _LANGUAGES[language]
    for item in each(texts(code)):
        program = Program(world, language, item, site, child, args)
        if not reader.read(program):
            program.opaque(f"`{language}` program is not understood", "write the program plainly")
        judge_holes(program, reader.bound)
