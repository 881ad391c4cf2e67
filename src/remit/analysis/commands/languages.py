"""Actions that read a small language inside a word: URLs, configuration files, settings, command lines in a text."""

from __future__ import annotations

import re
import shlex
from itertools import product
from typing import TYPE_CHECKING

from remit.analysis import domain
from remit.analysis.commands.find_tests import found_paths
from remit.analysis.commands.values import (
    SOME,
    begins_with_user_text,
    below,
    cut,
    derived,
    filled,
    head,
    literal,
    partition,
    texts,
)
from remit.analysis.domain import (
    ANY,
    FILE,
    NUMERIC,
    TREE,
    UNKNOWN,
    Hole,
    Text,
    Value,
    env_origin,
    hole,
    lit,
    records,
    text,
)
from remit.analysis.each import each
from remit.analysis.engine.texts import join_paths
from remit.analysis.scopes import file_url_paths
from remit.analysis.steering_variables import steers
from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    from remit.analysis.commands.evaluate import Call
    from remit.analysis.commands.model import Expr


_SCHEME = lazy_pattern(r"([a-zA-Z][\w+.-]*)://")
ALL_VARIABLES = lit("env:*")  # whatever credentials lie in them
_ASSIGNMENT = lazy_pattern(r"[A-Za-z_]\w*$")
_HERE = Text((Hole(domain.CWD),))


def run_url(call: Call, args: tuple[Expr, ...]) -> None:
    """A URL is fetched: by http, by another protocol, or from a file."""
    for value in call.values(args[0]):
        for item in each(texts(value)):
            scheme = _SCHEME.match(head(item))
            name = scheme.group(1).lower() if scheme else ""
            if name == "file":
                pass
            elif name in {"", "http", "https"}:
                if not call.posted:
                    call.effect("web.fetch", frozenset({item}))
            else:
                call.effect("net.connect", frozenset({item}))
        given = frozenset(item for item in texts(value) if begins_with_user_text(item))
        if given:
            call.world.assume("address-arguments", call.site)
        paths = file_url_paths(value - given)
        if paths:
            call.effect("file.read", paths)


def run_post(call: Call, args: tuple[Expr, ...]) -> None:
    """A request with a body, or with a method that changes something."""
    call.posted = call.posted or call.certain
    for value in call.values(args[0]):
        call.effect("web.post", value)


def run_upload(call: Call, args: tuple[Expr, ...]) -> None:
    """A file is sent to a URL, which may be that of a file."""
    for value in call.values(args[0]):
        if paths := file_url_paths(value):
            call.effect("file.write", paths)


def run_argfile(call: Call, args: tuple[Expr, ...]) -> None:
    """`@file` (also `name@file`, `name=@file`) in a value reads the file."""
    for item in call.texts(args[0]):
        start = head(item)
        found = re.match(r"[\w.\[\]-]*=?[@<]", start)
        if found and "@" in found.group():
            path = cut(item, found.end())
            split = partition(path, ";")
            path = split[0] if split else path
            if path.literal != "-":
                call.effect("file.read", frozenset({path}))
        elif any(isinstance(part, Hole) and part.alphabet != domain.NUMERIC for part in item.parts[:1]):
            call.world.assume("option-like-arguments", call.site)


def run_curlconfig(call: Call, args: tuple[Expr, ...]) -> None:
    """A file of curl options: read if it is of the skill or comes from standard input."""
    for value in call.values(args[0]):
        if literal(value) == "-":
            known = call.child.stdin
        else:
            files = call.world.skill_files(value, call.child.cwd)
            known = call.world.file_text(files[0]) if files and len(files) == 1 else domain.BOTTOM
        config = literal(known) if known else None
        words = None if config is None else _config_words(config)
        if words is None:
            call.opaque("`curl` reads its options from a file", "write the options on the command line")
            continue
        inner = call.child._replace(words=(call.program, *map(lit, words)), rest=frozenset(), stdin=frozenset())
        call.world.spawn(inner, call.site)


def _config_words(config: str) -> list[str] | None:
    out: list[str] = []
    for line in config.splitlines():
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        found = re.fullmatch(r"(-{0,2}[\w.-]+)\s*[=: ]?\s*(.*)", stripped)
        if found is None:
            return None
        name, value = found.groups()
        out.append(name if name.startswith("-") else f"--{name}")
        if value:
            out.append(value[1:-1] if value[:1] == '"' == value[-1:] else value.split()[0])
    return out


def run_variable(call: Call, args: tuple[Expr, ...]) -> None:
    """`NAME=value … command words`: the variables are set for the command."""
    words, rest = call.words(args[0])
    env = dict(call.child.env or {})
    remaining = list(words)
    while remaining:
        found = texts(remaining[0])
        splits = [partition(item, "=") for item in found]
        names = [split[0].literal if split else None for split in splits]
        if not all(name is not None and _ASSIGNMENT.match(name) for name in names):
            break
        here: dict[str, Value] = {}
        for split, name in zip(splits, names, strict=True):
            assert split is not None
            assert name is not None
            here[name] = here.get(name, domain.BOTTOM) | {split[1]}
        if len(here) > 1:  # the word sets one of them: the others keep what they had
            here = {name: value | env.get(name, domain.BOTTOM) for name, value in here.items()}
        env |= here
        remaining.pop(0)
    if remaining or rest:
        call.start(call.inner(remaining or [rest], rest)._replace(env=env))
    else:  # assignments alone: the whole environment is printed
        call.effect("env.read", domain.ANY)
        call.effect("secret.read", ALL_VARIABLES)


def run_nested(call: Call, args: tuple[Expr, ...]) -> None:
    """A command line in one word, without a shell (`env -S`), followed by further words."""
    words, rest = call.words(args[1]) if len(args) > 1 else ([], frozenset())
    for value in call.values(args[0]):
        first = _split_words(call, literal(value))
        if not first:
            call.opaque("a command line in a text is not understood", "write the command as separate words")
            continue
        call.start(call.inner([lit("env"), *first, *words], rest))


_VARIABLE = lazy_pattern(r"\$\{([A-Za-z_]\w*)\}")
_MARK = 0x10F000  # stands for a variable while a text is split


def _split_words(call: Call, known: str | None) -> list[Value] | None:
    """The words of a text, in which `${NAME}` is a variable; None for escapes and quotes that are read in another way than a shell does."""
    names = _VARIABLE.findall(known or "")
    if known is None or (names and "'" in known) or set(_VARIABLE.sub("", known)) & set("\\$#"):
        return None
    marks = iter(range(len(names)))
    try:
        split = shlex.split(_VARIABLE.sub(lambda _: chr(_MARK + next(marks)), known))
    except ValueError:
        return None
    out: list[Value] = []
    for word in split:
        pieces = [call.variable(names[ord(c) - _MARK]) if ord(c) >= _MARK else lit(c) for c in word]
        out.append(frozenset(text(*(p for one in way for p in one.parts)) for way in product(*map(texts, pieces))))
    return out


def run_filter(call: Call, args: tuple[Expr, ...]) -> None:
    """xargs: the words of standard input are added at the end, or put in the place of a mark."""
    words, rest = call.words(args[0])
    words = words or [lit("echo")]
    mark = _replacement(call)
    added = _input_words(call, lines=mark is not None)
    if mark is None:
        child = call.inner(words, rest | added)._replace(ends=None)
    else:
        child = call.inner([_replace(word, mark, added) for word in words], rest)
    call.start(child._replace(stdin=frozenset()))


# What xargs takes for one word, or for one line where words are put in the place of a mark.
_QUOTED = r"'[^'\n]*'|\"[^\"\n]*\"|\\.|"
_WORDS = lazy_pattern(rf"(?:{_QUOTED}[^\s'\"\\])+", re.DOTALL)
_LINES = lazy_pattern(rf"(?![ \t])(?:{_QUOTED}[^\n'\"\\])+", re.DOTALL)
_PIECES = lazy_pattern(r"'([^'\n]*)'|\"([^\"\n]*)\"|\\(.)|([^'\"\\]+)", re.DOTALL)


def _unquoted(word: str) -> str:
    return "".join("".join(pieces) for pieces in _PIECES.findall(word))


_OTHER_ENDS = frozenset({"-0", "-d"})  # words end at another character than a blank


def _input_words(call: Call, *, lines: bool) -> Value:
    """The words (or whole lines) that xargs makes of its input, or of a file that is named instead."""
    given = call.reading.sure | call.reading.maybe
    if "-a" in given:
        return hole(domain.FILE, exact=False)
    if call.child.stdin and "-0" in call.reading.sure and "-d" not in given:
        names = [records(item) for item in texts(call.child.stdin)]
        return derived(call.child.stdin) if None in names else frozenset(name for one in names for name in one or ())
    known = literal(call.child.stdin) if call.child.stdin and not given & _OTHER_ENDS else None
    known = None if known and "\0" in known else known
    found = [_unquoted(word) for word in (_LINES if lines else _WORDS).findall(known)] if known else []
    if found:
        return frozenset(text(one) for one in found)
    return derived(call.child.stdin) if call.child.stdin else SOME


def _replacement(call: Call) -> str | None:
    for name in ("-I", "-J", "-i"):
        if name in call.reading.sure:
            values = call.reading.bound.get("MARK", [])
            return (literal(values[-1]) if values else None) or "{}"
    return None


def _replace(word: Value, mark: str, added: Value) -> Value:
    out: set[Text] = set()
    for item in texts(word):
        if not any(isinstance(part, str) and mark in part for part in item.parts):
            out.add(item)
            continue
        for extra in texts(added):
            parts: list[str | Hole] = []
            for part in item.parts:
                first, *others = part.split(mark) if isinstance(part, str) else [part]
                parts.append(first)
                for piece in others:
                    parts += [*extra.parts, piece]
            out.add(text(*parts))
    return frozenset(out)


def run_findrun(call: Call, args: tuple[Expr, ...]) -> None:
    """find: the command is run with `{}` replaced by a path below the starting points; with a third argument in the folder of each."""
    words, _ = call.words(args[0])
    starts = call.texts(args[1]) if len(args) > 1 else []
    inside: Value = frozenset(map(below, starts or [text(".")]))
    cwd, found = call.child.cwd, found_paths(call, [frozenset({item}) for item in starts], "-exec") or inside
    found = SOME if "LIST" in call.reading.bound else found  # the starting points are lines of a file
    if len(args) > 2:
        cwd, found = join_paths(cwd, inside), frozenset({text("./", Hole("file", domain.SEGMENT))})
    if words:
        child = call.inner([_replace(word, "{}", found) for word in words])
        call.start(child._replace(stdin=frozenset(), cwd=cwd))


def run_setting(call: Call, args: tuple[Expr, ...]) -> None:
    """A setting, given as `key=value` or as two words: its block is `kind/key`, in small letters, or `kind/*`."""
    kind = literal(call.values(args[0])[0]) or ""
    if len(args) > 2:
        pairs = list(product(call.texts(args[1]), call.texts(args[2]) or [text()]))
    else:
        pairs = [partition(item, "=") or partition(item, " ") or (item, text()) for item in call.texts(args[1])]
    for key, value in pairs:
        name = key.literal
        if name is None:
            call.opaque(f"a setting of `{call.label}` is not known", "write the name of the setting")
        elif not call.block(f"{kind}/{name.strip().lower()}", [frozenset({value})]):
            call.opaque(f"setting `{name}` of `{call.label}` has no summary", "add a block for it")


_SCP = lazy_pattern(r"(?:[^/:@]+@)?([\w.-]+):(?!//)")


def run_remote(call: Call, args: tuple[Expr, ...]) -> None:
    """A repository to fetch from: a URL, `host:path`, a folder, or the name of a remote that only the repository knows."""
    for item in call.texts(args[0]):
        start = head(item)
        scheme = _SCHEME.match(start)
        scp = _SCP.match(start)
        if start.startswith("ext::"):
            call.opaque("a transport of git is a command", "fetch from a URL")
        elif start.startswith(("/", "./", "../", "~")) or item.literal == ".":
            _read_folder(call, item)
        elif scheme and scheme.group(1) not in {"http", "https"}:
            call.effect("net.connect", frozenset({item}))
        elif scheme or not start:
            call.effect("web.fetch", frozenset({item}))
        elif scp:
            call.effect("net.connect", lit(scp.group(1)))
        else:
            call.effect("web.fetch", domain.ANY)
            if "/" in start or "." in start:  # no name that people give to a remote: rather a folder or a bundle
                _read_folder(call, item)


def _read_folder(call: Call, item: Text) -> None:
    for path in (item, below(item)):
        call.effect("file.read", frozenset({path}))


def run_chdir(call: Call, args: tuple[Expr, ...]) -> None:
    """What follows is run in another folder."""
    for value in call.values(args[0]):
        there = seen_from(call.child.cwd, value)
        call.child = call.child._replace(cwd=there if call.certain else there | call.child.cwd)


def run_settings(call: Call, args: tuple[Expr, ...]) -> None:
    """The program loads its settings from another folder as well."""
    for value in call.values(args[0]):
        call.load_settings(seen_from(call.child.cwd, value))


def run_forget(call: Call, args: tuple[Expr, ...]) -> None:
    """What follows may not see a variable that the skill has set, or any of them: then it is as whoever starts the skill has it."""
    names = {item.literal for arg in args for item in call.texts(arg)}
    env = call.child.env or {}
    gone = {name: value | hole(env_origin(name)) for name, value in env.items() if not args or {name, None} & names}
    call.child = call.child._replace(env={**env, **gone} or None)


def seen_from(cwd: Value, folder: Value) -> Value:
    """A folder, seen from those in which the command was started; a relative one is seen from the first of all anyway."""
    out: set[Text] = set()
    for item in each(texts(folder)):
        first = item.parts[0] if item.parts else ""
        fixed = first.origin in domain.ANCHORS if isinstance(first, Hole) else first.startswith("/")
        if fixed or isinstance(first, Hole):
            out.add(item)
        if not fixed:
            out.update(item if base == _HERE else text(*base.parts, "/", *item.parts) for base in texts(cwd))
    return frozenset(out)


def run_steered(call: Call, args: tuple[Expr, ...]) -> None:
    """A variable that the skill has set for the command: data/steering.toml says which values are harmless."""
    for value in call.values(args[0]):
        reason = steers(call.option, value)
        if reason:
            call.opaque(reason, "set the variable to a plain value, or call the program by its path")


# Actions of single tools whose words have a form of their own: media files, make, terminals.

_PROTOCOL = lazy_pattern(r"([A-Za-z][\w+.-]*):(//)?")
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
    found = _PROTOCOL.match(head(item))
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
        found = _PROTOCOL.match(start)
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
