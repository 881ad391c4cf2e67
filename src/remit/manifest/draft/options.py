"""Files that the commands of a block name by their options: `-o report.md` is written, `--input survey.csv` is read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.core.scope import ScopeKind, parse_scope
from remit.core.source import as_source
from remit.manifest.draft.clue import Clue
from remit.manifest.draft.weights import worth
from remit.manifest.model import Evidence
from remit.skill.prose.spans import DATA_ENDING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.skill.document import Fence

# The value must look like a file or folder: `-o json` and `--output table` choose a format.
_OPTION = re.compile(
    r"(?:^|\s)(?:(?P<out>-o|--out|--output|--output-?(?:file|path|dir|folder)|--out-?(?:file|dir))"
    r"|(?P<in>-i|--input|--input-?(?:file|path|dir|folder)|--in-?file|--data-?file))"
    rf"(?:=|\s+)[\"']?(?P<path>[\w./~$<>{{}}*-]*(?:/|{DATA_ENDING}|\.[a-z]{{2,4}}))(?=[\"'\s]|\Z)",
    re.MULTILINE,
)


def option_clues(fence: Fence, file: str) -> Iterator[Clue]:
    """What the options of the commands in a block read and write."""
    for found in _OPTION.finditer(fence.text):
        asked = "file.write" if found["out"] else "file.read"
        asked = as_source(asked, parse_scope(ScopeKind.PATH, "./" + re.sub(r"[^\w./-]", "_", found["path"]))) or asked
        line = fence.line + fence.text.count("\n", 0, found.start("path"))
        place = Evidence(file, line, " ".join(found[0].split()), "option")
        yield Clue(asked, worth("command", asked), "command", place)
