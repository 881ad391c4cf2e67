"""Actions of single tools whose words have a form of their own: media files, make, terminals."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.analysis.commands.values import below, cut, filled, head, literal, partition
from remit.analysis.domain import ANY, FILE, NUMERIC, TREE, UNKNOWN, Hole, Text, lit, text
from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    from remit.analysis.commands.evaluate import Call
    from remit.analysis.commands.model import Expr

_SCHEME = lazy_pattern(r"([A-Za-z][\w+.-]*):(//)?")
_COUNTER = lazy_pattern(r"%0?\d*d")
_STREAMS = frozenset({"-", "pipe:", "pipe:0", "pipe:1", "NUL", "/dev/null", "/dev/stdin", "/dev/stdout"})


def run_ffinput(call: Call, args: tuple[Expr, ...]) -> None:
    """An input of ffmpeg: a file, a stream, a device or a source that is made up."""
    for item in call.texts(args[0]):
        start = head(item)
        if item.literal in _STREAMS or re.match(r"[a-z]*src2?[=@]|color=|anullsrc|testsrc", start):
            continue
        if start.startswith("/dev/video"):
            call.effect("camera.capture", ANY)
        else:
            _file_or_address(call, item, item, "file.read", "web.fetch")


def run_ffoutput(call: Call, args: tuple[Expr, ...]) -> None:
    """An output of ffmpeg: a file, a numbered series, or a stream."""
    for item in call.texts(args[0]):
        if item.literal not in _STREAMS:
            _file_or_address(call, item, _numbered(item), "file.write", "web.post")


def _file_or_address(call: Call, item: Text, path: Text, on_file: str, on_page: str) -> None:
    """A file, or what a protocol names; `concat:a|b`, `crypto:…`, `file:…` wrap others."""
    found = _SCHEME.match(head(item))
    if found is None:
        call.effect(on_file, frozenset({path}))
    elif found.group(1).lower() in {"http", "https"}:
        call.effect(on_page, frozenset({item}))
    elif found.group(2):
        call.effect("net.connect", frozenset({item}))
    else:
        call.effect(on_file, ANY)


def _numbered(item: Text) -> Text:
    """`frame_%03d.png` stands for a series."""
    return filled(item, _COUNTER, Hole(UNKNOWN, NUMERIC, False))


def run_opentarget(call: Call, args: tuple[Expr, ...]) -> None:
    """A target for the desktop: a page goes to the browser, a file to its program."""
    for item in call.texts(args[0]):
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
    for item in call.texts(args[0]):
        found = re.search(r"fileb?://", head(item))
        if found:
            call.effect("file.read", frozenset({cut(item, found.end())}))


_WORD = lazy_pattern(r"[-+]?[\d.,:%]*[kKmMgGsh]?|true|false|yes|no|on|off|auto|none|always|never", re.IGNORECASE)
# Names and values of the options of a client that speak of a file on this machine.
_FILE_OPTION = lazy_pattern(
    r".*(file|filename|path)s?|(out|workspace|cache|work)?dir|directory|folder|out|output|log|cert|config|cache|save|dump|download|report"
)
_FORMATS = lazy_pattern(
    r"jsonl?|ya?ml|table|text|csv|tsv|wide|name|html|markdown|md|xml|raw|plain|pretty|id|none|default|value"
)
_PATH = lazy_pattern(
    r"(?:[\w.-]+=)?(?:(?:~?/|\.\.?/)\S*|[^\s:{},]+\.(?:jsonl?|ya?ml|toml|ini|cfg|conf|env|txt|md|csv|tsv|sql|xml|html?|log|pem|crt|cer|key|p12|pfx"
    r"|jks|sh|py|[cm]?[jt]sx?|zip|t?gz|tar|bin|db|sqlite|pdf|png|jpe?g|gif|svg|webp|mp[34]|wav|mov|docx?|xlsx?|pptx?|tfvars|hcl|proto|wasm|out|patch|diff))$"
)
_FILE_MARK = lazy_pattern(r"(?:[\w.-]+=)?(?:fileb?://|@(?=[\w./~-]))")


def run_maybefile(call: Call, args: tuple[Expr, ...]) -> None:
    """Words that may name files, which may be read and written. Numbers and words such as `auto` name none."""
    for item in [item for arg in args for item in call.texts(arg)]:
        split = partition(item, "=")
        named = [] if head(item).startswith("-") else [item]
        for path in [*named, split[1]] if split else named:
            if not _is_plain(path):
                _read_and_written(call, path)


def run_workfiles(call: Call, args: tuple[Expr, ...]) -> None:
    """A tool that works in the folder in which it runs: it may read and write what lies there, and what words name elsewhere."""
    _read_and_written(call, below(Text((".",))))
    for item in [item for arg in args for item in call.texts(arg)]:
        split = partition(item, "=")
        for path in [item, split[1]] if split else [item]:
            if _is_elsewhere(path) and not head(path).startswith("-"):
                _read_and_written(call, path)
                _read_and_written(call, below(path))


def _is_elsewhere(path: Text) -> bool:
    """Whether a path may lead out of the folder: it begins elsewhere, goes up, or holds what is not known."""
    if path.literal is None:
        return not _is_plain(path)
    return path.literal.startswith(("/", "~")) or ".." in path.literal.split("/")


def _is_plain(item: Text) -> bool:
    """Whether a text is a number or a word that switches something."""
    if item.literal is not None:
        return bool(_WORD.fullmatch(item.literal))
    return all(isinstance(part, Hole) and part.alphabet == NUMERIC for part in item.parts)


def _read_and_written(call: Call, path: Text) -> None:
    for name in ("file.read", "file.write"):
        call.effect(name, frozenset({path}))


def run_field(call: Call, args: tuple[Expr, ...]) -> None:
    """An option of a client whose options are fields of a request: `@file` and `file://` are read, and a value is a file
    that is read or written if it looks like a path or the option is named for one."""
    options = [item.literal or "" for item in call.texts(args[0])]
    named = any(_FILE_OPTION.fullmatch(word) for option in options for word in re.split(r"[-_.]+", option.lower()))
    for item in call.texts(args[1]):
        start = head(item)
        known = item.literal or (start if start.startswith(("/", "./", "../", "~/")) else "")
        mark = _FILE_MARK.match(start)
        if mark:
            call.effect("file.read", frozenset({cut(item, mark.end())}))
        elif (named and not _FORMATS.fullmatch(item.literal or "")) or _PATH.match(known):
            split = partition(item, "=")
            path = split[1] if split and "/" not in head(split[0]) else item
            if not _is_plain(path):
                _read_and_written(call, path)


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
    for item in call.texts(args[0]):
        for path in (below(item), *_module_path(item)):
            for file in call.world.skill_files(frozenset({path}), call.child.cwd) or ():
                if file.endswith(_TESTS):
                    call.world.run_skill_file("", file, call.site, (), call.child)
    if not known or len(known) < len(values):
        call.effect("source.execute", lit("tests"))
        call.opaque("tests of a project are run", "name the test files of the skill")


def _module_path(item: Text) -> tuple[Text, ...]:
    """The file of a module that is named with dots."""
    word = item.literal or ""
    return (text(f"{word.replace('.', '/')}.py"),) if "." in word and "/" not in word else ()


_TESTS = (".py", ".js", ".mjs", ".cjs", ".ts", ".tsx", ".jsx")  # files of a folder that a test runner may load
_KEY = lazy_pattern(
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
