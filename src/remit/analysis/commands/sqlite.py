"""The sqlite3 shell: SQL, and commands that begin with a dot."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.analysis.commands.program_text import restored
from remit.analysis.commands.queries import place_values, plain
from remit.analysis.commands.values import cut, head, partition
from remit.analysis.domain import ANY
from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    from remit.analysis.commands.program_text import Program
    from remit.analysis.domain import Text

_DOT = lazy_pattern(r"^[ \t]*\.(\w+)[ \t]*(.*)$", re.MULTILINE)
_FILES = {
    "read": "file.read", "import": "file.read", "open": "file.write", "output": "file.write", "once": "file.write",
    "backup": "file.write", "save": "file.write", "restore": "file.read", "log": "file.write",
    "archive": "file.write", "ar": "file.write", "clone": "file.write", "trace": "file.write", "iotrace": "file.write",
}  # fmt: skip
# Commands that only print, or change how something is printed.
_QUIET = frozenset(
    """
    bail binary changes databases dbconfig dbinfo dbtotxt dump echo eqp exit expert explain filectrl fullschema headers header help imposter indexes
    indices intck limit lint mode nullvalue parameter print progress prompt quit recover scanstats schema separator sha3sum show stats tables timeout timer
    version vfsinfo vfslist vfsname width crlf crnl
    """.split()
)
_READS = lazy_pattern(r"(?:\s*(?:select|explain|values|pragma\s+\w+\s*(?:\(\w+\))?|\.\w+)\b[^;]*;?)*\s*", re.IGNORECASE)
_ACTS = lazy_pattern(
    r"\b(readfile|writefile|edit|load_extension|fsdir|zipfile|sqlar_\w+|\w+_store_directory)\b", re.IGNORECASE
)
_ATTACH = lazy_pattern(
    r"\b(?:attach(?:\s+database)?|vacuum(?:\s+\w+)?\s+into)\b\s*('[^']*'|\"[^\"]*\")?\s*(?=(as\b|;|$)?)", re.IGNORECASE
)
_URI = lazy_pattern(r"file:(?://(?:localhost)?(?=/))?")


def database_file(name: Text) -> Text | None:
    """The file of a database, which may be written as a URI; None if it lies in memory."""
    uri = _URI.match(head(name))
    if uri is None:
        return None if name.literal in {":memory:", ""} else name
    path = cut(name, uri.end())
    query = partition(path, "?")
    return query[0] if query else path


def read_sqlite(program: Program) -> bool:
    """Report what a text for the sqlite3 shell does; its argument is the database."""
    code = plain(program.text)
    if not _READS.fullmatch(code):
        for database in program.args[:1]:
            program.effect("db.write", database)
            program.effect("file.write", database)
    for name, rest in _DOT.findall(code):
        _dot(program, name, rest.strip())
    for found in _ACTS.finditer(code):
        verb = found.group(1).lower()
        program.effect("file.read" if verb in {"readfile", "fsdir"} else "file.write", ANY)
        if verb in {"edit", "load_extension"}:
            program.opaque("`sqlite3` runs a program or loads a library", "use plain SQL")
    for found in _ATTACH.finditer(code):
        if found[1] is None or found[2] is None:  # an expression
            program.effect("file.write", ANY)
        else:
            file = database_file(restored(found[1].strip("'\""), program.text))
            if file is not None:
                program.effect("file.write", frozenset({file}))
    place_values(program)
    return True


_PIPED = lazy_pattern(r"(?:^|\s)(['\"]?)\|(.*)\1", re.DOTALL)  # `.import '|command' table`


def _short(name: str, *commands: str) -> bool:
    """Whether a command that begins with a dot, which may be shortened, can be one of these."""
    return any(command.startswith(name) for command in commands)


def _dot(program: Program, name: str, rest: str) -> None:
    words = rest.replace('"', "").replace("'", "").split()
    files = [word for word in words if not word.startswith("-")]
    piped = _PIPED.search(rest)
    program.place(rest)
    if name in _QUIET:
        return
    if _short(name, "shell", "system") or piped:
        program.shell(program.value(rest if piped is None else piped[2]))
    elif _short(name, "excel", "www") or (_short(name, "once", "output") and {"-e", "-x", "-w"} & set(words)):
        program.opaque("`sqlite3` opens what it prints with another program", "write it to a file")
    elif _short(name, *_FILES):
        if files and files[0] != "stdout":
            for capability in {_FILES[known] for known in _FILES if _short(name, known)}:
                program.effect(capability, program.value(files[0]))
            if _short(name, "read"):
                program.opaque("`sqlite3` reads further commands from a file", "pass the commands themselves")
    elif not _short(name, *_QUIET):
        program.opaque(f"`.{name}` of `sqlite3` is not understood", "use plain SQL")
