"""Queries of databases: whether they change something, which files they name, and which of them reach beyond the database."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.analysis.commands.program_text import Program, Source, is_hole, restored, source
from remit.analysis.commands.values import cut, head, partition
from remit.analysis.domain import ANY, Text, Value, lit
from remit.analysis.injection import raw
from remit.core.patterns import lazy_pattern
from remit.core.via import Cause, Via

if TYPE_CHECKING:
    from remit.analysis.commands.evaluate import Call
    from remit.analysis.commands.model import Expr
    from remit.analysis.world import Site, World


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
_SQLITE_READS = lazy_pattern(
    r"(?:\s*(?:select|explain|values|pragma\s+\w+\s*(?:\(\w+\))?|\.\w+)\b[^;]*;?)*\s*", re.IGNORECASE
)
_SQLITE_ACTS = lazy_pattern(
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
    if not _SQLITE_READS.fullmatch(code):
        for database in program.args[:1]:
            program.effect("db.write", database)
            program.effect("file.write", database)
    for name, rest in _DOT.findall(code):
        _dot(program, name, rest.strip())
    for found in _SQLITE_ACTS.finditer(code):
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


# Statements that reach beyond the database: further files that they open or write, libraries that they load (rule 6).

_HOLE = "\x00"
_NAME = r"(?:'(?P<a>[^']*)'|\"(?P<b>[^\"]*)\"|(?P<c>[^\s;,)|]+))"
# What a statement looks like → what it does to the file that it names.
_STATEMENTS = (
    (
        lazy_pattern(rf"\battach\s+(?:database\s+)?(?:if\s+not\s+exists\s+)?{_NAME}", re.IGNORECASE),
        ("file.read", "file.write"),
    ),
    (lazy_pattern(rf"\bvacuum\s+(?:\w+\s+)?into\s+{_NAME}", re.IGNORECASE), ("file.write",)),
    (lazy_pattern(rf"\bcopy\b[^;]*\bto\s+(?=['\"\x00]){_NAME}", re.IGNORECASE), ("file.write",)),
    (lazy_pattern(rf"\bcopy\b[^;]*\bfrom\s+(?=['\"\x00]){_NAME}", re.IGNORECASE), ("file.read",)),
    (
        lazy_pattern(rf"\bread_(?:csv|csv_auto|parquet|json|json_auto|text|blob|ndjson)\s*\(\s*{_NAME}", re.IGNORECASE),
        ("file.read",),
    ),
    (lazy_pattern(r"\b(?:from|join)\s+'(?P<a>[^']*)'(?P<b>)(?P<c>)", re.IGNORECASE), ("file.read",)),
)
_JOINED = lazy_pattern(r"\s*(?:\|\||->|[-+*/(])")
_LOADS = lazy_pattern(
    r"\bload_extension\s*\(|\b(?:install|load)\s+['\"\w]+\s*(?:;|$)|\bfrom\s+program\b", re.IGNORECASE
)


def run_sql(world: World, code: Value, site: Site) -> None:
    """Report what the statements of a text do besides reading and changing tables."""
    for text in code:
        if not isinstance(text, Text):
            continue
        source = "".join(part if isinstance(part, str) else _HOLE for part in text.parts)
        if _LOADS.search(source):
            world.opaque("SQL loads a library or runs a program", site, "use plain statements")
        for pattern, capabilities in _STATEMENTS:
            for match in pattern.finditer(source):
                name = match["a"] or match["b"] or match["c"] or ""
                if _JOINED.match(source, match.end()):  # the name is computed
                    name = _HOLE
                if name in {"", ":memory:"}:
                    continue
                for capability in capabilities:
                    scope = ANY if _HOLE in name or name[0] in "?:$@%" else lit(name)
                    world.effect(capability, scope, site, Via(Cause.CODE, words="SQL names a file"))
