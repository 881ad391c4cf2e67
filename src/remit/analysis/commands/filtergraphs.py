"""Filter graphs of ffmpeg: most filters change pictures and sounds only, some open files, and some listen for commands."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from remit.analysis.domain import ANY
from remit.core.patterns import lazy_pattern
from remit.core.table import read_toml

if TYPE_CHECKING:
    from remit.analysis.commands.program_text import Program

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
