"""Actions of single tools whose words have a form of their own: media files, databases, make, terminals."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.analysis.commands.embedded import foreign, source
from remit.analysis.commands.values import cut, head, literal, texts
from remit.analysis.domain import ANY, FILE, NUMERIC, TREE, UNKNOWN, Hole, Text, concat, lit, text

if TYPE_CHECKING:
    from remit.analysis.commands.evaluate import Call
    from remit.analysis.commands.model import Expr

_SCHEME = re.compile(r"([A-Za-z][\w+.-]*):(//)?")
_COUNTER = re.compile(r"%0?\d*d")
_STREAMS = frozenset({"-", "pipe:", "pipe:0", "pipe:1", "NUL", "/dev/null", "/dev/stdin", "/dev/stdout"})
# Filters that open files by themselves.
_FILE_FILTERS = re.compile(
    r"(?<!\w)(a?movie|subtitles|ass|lut3d|lut1d|textfile|fontfile|sendcmd|asendcmd|filename|file|models?|ladspa|frei0r)="
)


def _items(call: Call, expr: Expr) -> list[Text]:
    return [item for value in call.values(expr) for item in texts(value)]


def run_ffinput(call: Call, args: tuple[Expr, ...]) -> None:
    """An input of ffmpeg: a file, a stream, a device or a source that is made up."""
    for item in _items(call, args[0]):
        start = head(item)
        found = _SCHEME.match(start)
        if item.literal in _STREAMS or re.match(r"[a-z]*src2?[=@]|color=|anullsrc|testsrc", start):
            continue
        if start.startswith("/dev/video"):
            call.effect("camera.capture", ANY)
        elif found is None:
            call.effect("file.read", frozenset({item}))
        elif found.group(1).lower() in {"http", "https"}:
            call.effect("web.fetch", frozenset({item}))
        elif found.group(2):
            call.effect("net.connect", frozenset({item}))
        else:  # `concat:a|b`, `crypto:…`, `file:…`: protocols that wrap others
            call.effect("file.read", ANY)


def run_ffoutput(call: Call, args: tuple[Expr, ...]) -> None:
    """An output of ffmpeg: a file, a numbered series, or a stream."""
    for item in _items(call, args[0]):
        start = head(item)
        found = _SCHEME.match(start)
        if item.literal in _STREAMS:
            continue
        if found is None:
            call.effect("file.write", frozenset({_numbered(item)}))
        elif found.group(1).lower() in {"http", "https"}:
            call.effect("web.post", frozenset({item}))
        elif found.group(2):
            call.effect("net.connect", frozenset({item}))
        else:
            call.effect("file.write", ANY)


def _numbered(item: Text) -> Text:
    """`frame_%03d.png` stands for a series."""
    out = Text(())
    for part in item.parts:
        if isinstance(part, Hole):
            out = concat(out, Text((part,)))
            continue
        for index, piece in enumerate(_COUNTER.split(part)):
            if index:
                out = concat(out, Text((Hole(UNKNOWN, NUMERIC, False),)))
            out = concat(out, text(piece))
    return out


def run_fffilter(call: Call, args: tuple[Expr, ...]) -> None:
    """A filter graph: some filters open files."""
    for item in _items(call, args[0]):
        program = source(item)
        if foreign(call, program) or _FILE_FILTERS.search(program):
            call.effect("file.read", ANY)
        if re.search(r"print[^,;]*file=", program):
            call.effect("file.write", ANY)


def run_opentarget(call: Call, args: tuple[Expr, ...]) -> None:
    """A target for the desktop: a page goes to the browser, a file to its program."""
    for item in _items(call, args[0]):
        start = head(item)
        found = _SCHEME.match(start)
        if found is not None and found.group(1).lower() != "file":
            call.effect("web.interact", frozenset({item}))
        else:
            call.effect("file.read", frozenset({item}))
            if not start:
                call.effect("web.interact", frozenset({item}))


def run_argurl(call: Call, args: tuple[Expr, ...]) -> None:
    """`file://path` and `fileb://path` in a word read the file."""
    for item in _items(call, args[0]):
        found = re.search(r"fileb?://", head(item))
        if found:
            call.effect("file.read", frozenset({cut(item, found.end())}))


_DOT = re.compile(r"^\s*\.(\w+)\s*(.*)$", re.MULTILINE)
_DOT_FILES = {
    "read": "file.read", "import": "file.read", "open": "file.write", "output": "file.write", "once": "file.write",
    "backup": "file.write", "save": "file.write", "restore": "file.read", "log": "file.write", "excel": "file.write",
    "archive": "file.write", "ar": "file.write", "clone": "file.write", "trace": "file.write",
}  # fmt: skip
# Statements that change nothing; a hole among them may hold anything and is covered by an assumption.
_READS = re.compile(r"(?:\s*(?:select|explain|values|pragma\s+\w+\s*(?:\(\w+\))?|\.\w+)\b[^;]*;?)*\s*", re.IGNORECASE)
_SQL_ACTS = re.compile(r"\b(readfile|writefile|edit|load_extension|fsdir)\s*\(", re.IGNORECASE)
_ATTACH = re.compile(
    r"\b(?:attach\s+(?:database\s+)?|vacuum\s+(?:\w+\s+)?into\s+)('[^']*'|\"[^\"]*\"|[^\s;]+)", re.IGNORECASE
)


def run_sqlite(call: Call, args: tuple[Expr, ...]) -> None:
    """Text for the sqlite shell: SQL, and commands that begin with a dot."""
    for item in _items(call, args[0]):
        program = source(item)
        if not _READS.fullmatch(program):
            for database in call.values(args[1]):
                call.effect("db.write", database)
                call.effect("file.write", database)
        if foreign(call, program):
            call.effect("shell.execute", ANY)
            continue
        for name, rest in _DOT.findall(program):
            _dot(call, name, rest.strip())
        for found in _SQL_ACTS.finditer(program):
            verb = found.group(1).lower()
            call.effect("file.read" if verb in {"readfile", "fsdir"} else "file.write", ANY)
            if verb in {"edit", "load_extension"}:
                call.opaque("`sqlite3` runs a program or loads a library", "use plain SQL")
        for found in _ATTACH.finditer(program):
            name = found.group(1).strip("'\"")
            call.effect("file.write", lit(name) if name != ":memory:" else lit("-"))


_PIPED = re.compile(r"(?:^|\s)(['\"]?)\|(.*)\1", re.DOTALL)  # `.import '|command' table`


def _short(name: str, *commands: str) -> bool:
    """Whether a command that begins with a dot, which may be shortened, can be one of these."""
    return any(command.startswith(name) for command in commands) and len(name) > 1


def _dot(call: Call, name: str, rest: str) -> None:
    words = rest.replace('"', "").replace("'", "").split()
    files = [word for word in words if not word.startswith("-")]
    piped = _PIPED.search(rest)
    if _short(name, "shell", "system") or piped:
        call.effect("shell.execute", lit("sh"))
        call.world.run_code("shell", lit(rest if piped is None else piped[2]), call.site, child=call.child)
    elif _short(name, "load"):
        call.opaque("`sqlite3` loads a library", "use plain SQL")
    elif files and files[0] != "stdout":
        for capability in {_DOT_FILES[known] for known in _DOT_FILES if _short(name, known)}:
            call.effect(capability, lit(files[0]))
        if _short(name, "read"):
            call.opaque("`sqlite3` reads further commands from a file", "pass the commands themselves")


def run_makefile(call: Call, args: tuple[Expr, ...]) -> None:
    """make: the rules of a makefile of the skill, or of a project that is not known."""
    targets = tuple(call.reading.operands)
    names = call.values(args[0]) or [lit("GNUmakefile"), lit("makefile"), lit("Makefile"), lit("build.ninja")]
    found = [name for name in names if call.world.skill_files(name, call.child.cwd)]
    for name in found:
        call.world.run_file("make", name, call.site, args=targets, child=call.child)
    if not found:
        call.effect("source.execute", names[-1] if len(names) == 1 else lit("Makefile"))
        call.opaque("a makefile outside the skill is run", "run the commands of the target themselves")


def run_tests(call: Call, args: tuple[Expr, ...]) -> None:
    """A test runner: tests of the skill are analysed, those of a project are not known."""
    values = call.values(args[0])
    known = [value for value in values if call.world.skill_files(value, call.child.cwd)]
    for value in known:
        call.world.run_file("", value, call.site, child=call.child)
    if not known or len(known) < len(values):
        call.effect("source.execute", lit("tests"))
        call.opaque("tests of a project are run", "name the test files of the skill")


_KEY = re.compile(
    r"(?:[CMS]-)+\S|Enter|Escape|Tab|Space|BSpace|Up|Down|Left|Right|Home|End|PageUp|PageDown|F\d+|DC|IC|NPage|PPage|BTab"
)


def run_keys(call: Call, args: tuple[Expr, ...]) -> None:
    """Keys that are typed into a terminal: what is not the name of a key is a command line."""
    words, rest = call.words(args[0])
    typed = [word for word in words if not _KEY.fullmatch(literal(word) or "")]
    call.effect("repl.execute", lit("tmux"))
    if rest or len(typed) > 1:
        typed.append(rest or lit(""))
    for word in typed:
        if literal(word) != "":
            call.effect("shell.execute", lit("sh"))
            call.world.run_code("shell", word, call.site, child=call.child)


_REPOSITORY = frozenset({text(".git"), Text((".git/", Hole(FILE, TREE, False)))})


def run_metadata(call: Call, args: tuple[Expr, ...]) -> None:  # noqa: ARG001  (it has none)
    """Names of branches and remotes, settings: the state of a repository. In a document, files that describe it."""
    if call.site.hosted:
        call.effect("file.read", _REPOSITORY)
    else:
        call.effect("commit.read", lit("."))


TOOLS = {
    "metadata": run_metadata,
    "ffinput": run_ffinput,
    "ffoutput": run_ffoutput,
    "fffilter": run_fffilter,
    "opentarget": run_opentarget,
    "argurl": run_argurl,
    "sqlite": run_sqlite,
    "makefile": run_makefile,
    "tests": run_tests,
    "keys": run_keys,
}
