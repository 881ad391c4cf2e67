"""Texts of queries: whether they change something, which files they name, and which of them reach beyond the database."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.analysis.commands.program_text import is_hole, restored, source
from remit.analysis.injection import raw
from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    from remit.analysis.commands.evaluate import Call
    from remit.analysis.commands.model import Expr
    from remit.analysis.commands.program_text import Program, Source
    from remit.analysis.domain import Value

_STRING = lazy_pattern(r"'(?:[^']|'')*'")
_COMMENT = lazy_pattern(r"('(?:[^']|'')*'|\"[^\"]*\")|--[^\n]*|/\*.*?\*/", re.DOTALL)
_READS = lazy_pattern(
    r"\s*(?:(?:select|show|explain|describe|desc|values|table|with|from|summarize|use)\b.*|\\[dl]\S*.*)?",
    re.IGNORECASE | re.DOTALL,
)
# Words and functions by which a statement that begins as a question changes something.
_CHANGES = lazy_pattern(
    r"\b(?:insert|update|delete|drop|create|alter|truncate|grant|revoke|merge|replace|into|call|copy|export|attach|install|load|set|nextval|setval"
    r"|set_config|dblink\w*|lo_\w+|pg_(?!catalog|class|stat|tables|indexes|namespace|type|attribute|database|size|total|relation)\w+|load_file|sys_\w+|analyze)\b",
    re.IGNORECASE,
)
_FILE = lazy_pattern(r"'([^'\n]*(?:[./]|[\U000F0000-\U000F0FFF])[^'\n]*)'")


def written(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """The second argument, if a statement of the first changes something; nothing if all of them only read."""
    programs = map(source, call.texts(args[0]))
    changing = any(_may_begin(program) or not _only_reads(program) for program in programs)
    return call.values(args[1]) if changing else []


def _only_reads(program: str) -> bool:
    code = _STRING.sub("''", plain(program))
    return not _CHANGES.search(code) and all(map(_READS.fullmatch, code.split(";")))


def _may_begin(program: Source) -> bool:
    """Whether a statement begins with unknown text."""
    code = _STRING.sub("''", plain(program))
    starts = {part.strip()[:1] for part in code.split(";")}
    return any(is_hole(char) and raw(restored(char, program).parts[0]) for char in starts)  # type: ignore[arg-type]


def plain(program: str) -> str:
    """A text of SQL without its comments."""
    return _COMMENT.sub(lambda found: found[1] or " ", program)


def place_values(program: Program) -> None:
    """Place the holes of a text of SQL that begin no statement."""
    for statement in plain(program.text).split(";"):
        program.place(statement.strip()[1:])


def quoted(call: Call, args: tuple[Expr, ...]) -> list[Value]:
    """The quoted words of a query that can be paths."""
    out: list[Value] = []
    for program in map(source, call.texts(args[0])):
        out.extend(frozenset({restored(found[1], program)}) for found in _FILE.finditer(program))
    return out


# What a text for a client must hold to do more than a query: files, other programs, shells.
_ACTS = {
    "psql": r"\\(?:.*`|lo_|!|o|g|i|w|s|e|copy|include|setenv|gexec|watch|password)|\b(?:from|to)\s+program\b",
    "mysql": r"\\!|\bsystem\b|\bsource\b|\btee\b|\\[.T]|outfile|dumpfile|load_file|infile|\bpager\b|\bedit\b|\\[Pe]",
    "duckdb": r"(?:^|\n) *[.](?:sh|sys|o|re|once|ex|im|log|trace|cd|sav|ba|clone|edit|lo)|\b(?:install|load)\b",
    "mongo": r"require|process|import|load|[.]fs|child_process|eval|Function|globalThis|constructor|rogram *[(]|File *[(]"
    r"|\b(?:run|cat|ls|mkdir|cd|edit|snippet)\b *[(]",
    "client": r"\\[!oicw]|!!|system|outfile|into file|:r |:!!|\b(?:file|url|s3|executable|remote|input)\b *[(]|\b(?:copy|source|capture)\b",
    "dc": r"!",
    "editor": r"",
    "expect": r"",
    "m4": r"",
    "sftp": r"(?:^|\n)[ @-]*!",
    "ftp": r"(?:^|\n) *!",
}
CLIENTS = {name: lazy_pattern(acts, re.IGNORECASE) for name, acts in _ACTS.items()}


def read_client(program: Program) -> bool:
    """A text for a client or calculator: False if it may do more than ask questions."""
    place_values(program)
    return not CLIENTS[program.language].search(program.text)
