"""Functions of query texts: whether they change something, and which files they name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.analysis.commands.embedded import foreign, restored, source
from remit.analysis.commands.values import texts
from remit.analysis.domain import ANY, Value
from remit.analysis.each import each

if TYPE_CHECKING:
    from remit.analysis.commands.evaluate import Call
    from remit.analysis.commands.model import Expr

_STRING = re.compile(r"'(?:[^']|'')*'")
_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)
_READS = re.compile(
    r"\s*(?:(?:select|show|explain|describe|desc|values|table|with|from|summarize|use)\b.*|\\[dl]\S*.*)?",
    re.IGNORECASE | re.DOTALL,
)
# Words and functions by which a statement that begins as a question changes something.
_CHANGES = re.compile(
    r"\b(?:insert|update|delete|drop|create|alter|truncate|grant|revoke|merge|replace|into|call|copy|export|attach|install|load|set|nextval|setval"
    r"|set_config|dblink\w*|lo_\w+|pg_(?!catalog|class|stat|tables|indexes|namespace|type|attribute|database|size|total|relation)\w+|load_file|sys_\w+|analyze)\b",
    re.IGNORECASE,
)
_FILE = re.compile(r"'([^'\n]*(?:[./]|[\U000F0000-\U000F0FFF])[^'\n]*)'")


def written(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """The second argument, if a statement of the first changes something; nothing if all of them only read."""
    programs = [source(item) for value in call.values(args[0]) for item in texts(value)]
    changing = [program for program in programs if foreign(call, program) or not _only_reads(program)]
    return call.values(args[1]) if changing else []


def _only_reads(program: str) -> bool:
    plain = _STRING.sub("''", _COMMENT.sub(" ", program))
    return not _CHANGES.search(plain) and all(map(_READS.fullmatch, plain.split(";")))


def quoted(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """The quoted words of a query that can be paths."""
    out: list[Value] = []
    for value in call.values(args[0]):
        for item in each(texts(value)):
            program = source(item)
            if foreign(call, program):
                out.append(ANY)
            out.extend(frozenset({restored(found[1], program)}) for found in _FILE.finditer(program))
    return out
