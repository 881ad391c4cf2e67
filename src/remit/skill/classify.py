"""The kind of a file, and the stance that follows from the file alone (rule 8).

The order is that of the systems that would run it: the magic number and shebang decide for the kernel, then the name
for tools, then the content. A file that two of them would run in two languages is a program in both.
"""

from __future__ import annotations

import re
import struct
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.patterns import lazy_pattern
from remit.core.table import read_toml
from remit.skill.model import Limits, SkillFile, Stance

if TYPE_CHECKING:
    from remit.skill.walk import RawFile


# Python runs any zip that contains `__main__.py`, and imports modules from any that a program adds to `sys.path`, whatever its
# name and whatever precedes it; Java runs one with a manifest. Python ignores the number of entries in the end record, and so
# does this module: every entry header counts. Of a file that is not kept whole only the last bytes are examined; a zip whose
# directory does not fit into them is assumed to hold code, and so is one with very many entries.
END = b"PK\x05\x06"
END_BYTES = 65_557  # that contain the end record: its own 22 and the longest comment
_ENTRY = b"PK\x01\x02"
_MAX_ENTRIES = 20_000
_LOADED = (b".py", b".pyc", b"META-INF/MANIFEST.MF")


def is_zip_program(raw: RawFile) -> bool:
    """Judged by its directory, without unpacking it: whether an interpreter would run or import from this zip. With a shebang before it, any zip counts."""
    data = raw.data if raw.data is not None else raw.tail
    ends = _places(data, END, max(0, len(data) - END_BYTES))
    if not ends:
        return False
    if raw.head.startswith(b"#!") or any(_begins_before(data, at) for at in ends):
        return True
    entries = _places(data, _ENTRY, 0)
    return len(entries) > _MAX_ENTRIES or any(_name(data, at).endswith(_LOADED) for at in entries)


def _places(data: bytes, mark: bytes, at: int) -> list[int]:
    """Return the positions of a mark, up to about as many as a directory may have entries."""
    found: list[int] = []
    while (at := data.find(mark, at)) >= 0 and len(found) <= _MAX_ENTRIES:
        found.append(at)
        at += 1
    return found


def _begins_before(data: bytes, end: int) -> bool:
    """Whether the directory of an end record begins before the data."""
    if len(data) - end < 16:
        return False
    (length,) = struct.unpack_from("<I", data, end + 12)
    return bool(length > end)


def _name(data: bytes, entry: int) -> bytes:
    if len(data) - entry < 46:
        return b""
    (length,) = struct.unpack_from("<H", data, entry + 28)
    return data[entry + 46 : entry + 46 + length]


_LINE = lazy_pattern(rb"(?:\xef\xbb\xbf)?#![ \t]*([^\r\n]*)")


class Shebang(NamedTuple):
    """The program without its folder (empty: there is no such line), and whether its options are harmless settings."""

    program: str
    plain: bool


@cache
def _launchers() -> tuple[list[list[str]], list[tuple[re.Pattern[str], re.Pattern[str]]]]:
    """Return programs that fetch and start another one, and the options of interpreters that load no code."""
    raw = read_toml(Path(__file__).with_name("data") / "shebangs.toml")
    options = [
        (lazy_pattern(rf"(?:{line['programs']})\Z"), lazy_pattern(rf"(?:(?:{line['options']}) )*\Z"))
        for line in raw["harmless"]
    ]
    return [words.split() for words in raw["launchers"]], options


def read_shebang(head: bytes) -> Shebang:
    """Parse the first line."""
    found = _LINE.match(head)
    words = found[1].decode("utf-8", "replace").split() if found else []
    if not words:
        return Shebang("", plain=True)
    before: list[str] = []
    if words[0].rsplit("/", 1)[-1] == "env":
        words = words[1:]
        while words and (words[0].startswith("-") or "=" in words[0]):
            before.append(words.pop(0))
    words = _launched([words[0].rsplit("/", 1)[-1], *words[1:]]) if words else [""]
    return Shebang(words[0], _only_tunes("env", before) and _only_tunes(words[0], words[1:]))


def _launched(words: list[str]) -> list[str]:
    """Return the program behind one that fetches and starts it (`npx tsx`), with its options."""
    for launcher in _launchers()[0]:
        rest = words[len(launcher) :]
        if words[: len(launcher)] == launcher and rest and not rest[0].startswith("-"):
            return [rest[0].partition("@")[0], *rest[1:]]
    return words


def _only_tunes(program: str, words: list[str]) -> bool:
    line = "".join(f"{word} " for word in words)
    return not words or any(name.match(program) and known.match(line) for name, known in _launchers()[1])


class FileKind(NamedTuple):
    """A line of data/kinds.toml."""

    name: str
    languages: tuple[str, ...]
    stance: Stance
    reason: str
    surely: bool


class Autoload(NamedTuple):
    """A rule of data/autoload.toml."""

    pattern: re.Pattern[str]
    by: str
    extract: str
    keys: re.Pattern[str] | None


@cache
def _tables() -> tuple[
    dict[str, FileKind], dict[str, FileKind], dict[str, FileKind], list[tuple[re.Pattern[str], FileKind]]
]:
    raw = read_toml(Path(__file__).with_name("data") / "kinds.toml")
    interpreters = raw.pop("interpreters")
    kinds: dict[str, FileKind] = {}
    endings: dict[str, FileKind] = {}
    names: dict[str, FileKind] = {}
    if "package" in raw:  # TOML parses `[package.json]` as a table in a table
        raw["package.json"] = raw.pop("package")["json"]
    for name, line in raw.items():
        languages, stance = tuple(line.get("languages", ())), Stance(line["stance"])
        kind = FileKind(name, languages, stance, line.get("reason", ""), line.get("surely", False))
        kinds[name] = kind
        endings |= dict.fromkeys(line.get("endings", ()), kind)
        names |= dict.fromkeys(line.get("names", ()), kind)
    patterns = [(lazy_pattern(rf"(?:{text})(?:\.exe)?\Z"), kinds[name]) for name, text in interpreters.items()]
    return kinds, endings, names, patterns


def _glob(pattern: str) -> str:
    """Return a path pattern as a regular expression: anchored at a folder's beginning, `*` within one name."""
    return "".join(
        ".*" if part == "**" else "[^/]*" if part == "*" else re.escape(part)
        for part in re.split(r"(\*\*|\*)", pattern)
    )


@cache
def _autoload_table() -> tuple[dict[str, Any], ...]:
    return tuple(read_toml(Path(__file__).with_name("data") / "autoload.toml")["rule"])


def _names(rule: dict[str, Any]) -> str:
    """Return the paths of a rule, as the alternatives of a regular expression."""
    return "|".join(map(_glob, rule["patterns"]))


@cache
def _autoload_rules() -> tuple[Autoload, ...]:
    return tuple(
        Autoload(
            lazy_pattern(rf"(?:.*/)?(?:{_names(rule)})\Z", re.DOTALL),
            rule["by"],
            rule["extract"],
            lazy_pattern(rule["keys"]) if "keys" in rule else None,
        )
        for rule in _autoload_table()
    )


@cache
def _any_autoload() -> re.Pattern[str]:
    return lazy_pattern(rf"(?:.*/)?(?:{'|'.join(map(_names, _autoload_table()))})\Z", re.DOTALL)


_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\x7fELF", "a native program (ELF)"),
    (b"\xfe\xed\xfa\xce", "a native program (Mach-O)"),
    (b"\xfe\xed\xfa\xcf", "a native program (Mach-O)"),
    (b"\xce\xfa\xed\xfe", "a native program (Mach-O)"),
    (b"\xcf\xfa\xed\xfe", "a native program (Mach-O)"),
    (b"\xca\xfe\xba\xbe", "compiled code (Java or Mach-O)"),
    (b"MZ", "a native program (PE)"),
    (b"\x00asm", "compiled code (WebAssembly)"),
    (b"!<arch>\n", "compiled code (library)"),
    (b"\x1bLua", "compiled code (Lua)"),
    (b"dex\n", "compiled code (Dalvik)"),
    (b"BC\xc0\xde", "compiled code (LLVM)"),
)
_MEDIA_MAGIC = lazy_pattern(
    rb"\x89PNG\r\n|\xff\xd8\xff|GIF8[79]a|RIFF....(?:WEBP|WAVE|AVI )|%PDF-|\x00\x01\x00\x00|OTTO|wOF[F2]|ID3|fLaC|OggS|....ftyp|SQLite format 3\x00",
    re.DOTALL,
)
_CODE_BLOCK = lazy_pattern(rb"^[ \t>]*(?:```|~~~)", re.MULTILINE)
_RERUN = lazy_pattern(
    rb"""["']?exec["']?\s+["']?(?:/usr/bin/env\s+)?["']?(python|node|bun|deno|ruby|perl|php|tclsh|wish)[\w.]*["']?[^\n]*["']?\$(?:0|\{0\}|\{BASH_SOURCE)"""
)


def _interpreter(program: str) -> FileKind | None:
    if not program:
        return None
    kinds, _, _, patterns = _tables()
    return next((kind for pattern, kind in patterns if pattern.match(program)), kinds["other-program"])


def interpreter(head: bytes) -> tuple[str, bool]:
    """Return the language by the first line (a shell without one), and whether no option there can run other code."""
    line = read_shebang(head)
    kind = _interpreter(line.program)
    if kind is None:
        return "shell", line.plain
    return (kind.languages[0] if kind.languages else kind.name), line.plain


def by_name(path: str) -> FileKind | None:
    """Return the kind that the name alone suggests."""
    _, endings, names, _ = _tables()
    name = path.rsplit("/", 1)[-1]
    if name in names:
        return names[name]
    parts = name.lower().split(".")
    if len(parts) > 2 and (kind := endings.get(".".join(parts[-2:]))):
        return kind
    return endings.get(parts[-1]) if len(parts) > 1 else None


PROGRAM_BYTES = 1 << 19  # the longest program of 3,017 public skills is shorter
_CONTROLS = bytes((*range(9), *range(14, 27)))


def looks_text(head: bytes) -> bool:
    """Whether a file begins like text: no NUL, and UTF-8 but for a cut at the end or a few legacy bytes."""
    sample = head[:8192]
    if b"\0" in sample:
        return sample[:2] in {b"\xff\xfe", b"\xfe\xff"}
    return (len(sample) - len(sample.translate(None, _CONTROLS))) * 50 <= len(sample)


def classify(raw: RawFile, limits: Limits) -> SkillFile:
    """Return the stance of one file."""
    kind, languages, stance, reason = _judge(raw, limits)
    if is_long(raw, stance, languages):
        languages, stance, reason = (), Stance.OPAQUE, f"longer than {PROGRAM_BYTES} bytes, so that it is not analysed"
    elif (languages or kind == "notebook") and is_outside(raw):
        languages, stance = (), Stance.OPAQUE
        reason = f"a symbolic link to `{raw.link}`, a program that loads files from there, outside of the skill"
    by, extract = "", ""
    if _any_autoload().match(raw.path):
        by, extract = _position(raw)
        if extract == "opaque" and stance is not Stance.OPAQUE:
            stance, reason = Stance.OPAQUE, f"run by {by}, in a form that is not analysed"
        elif extract == "program" and stance is Stance.INERT:
            # Tools that run hooks pass a hook without shebang or exec bit to a shell.
            kind, languages, stance = "shell", ("shell",), Stance.ANALYSED
        elif extract not in {"", "program", "opaque"} and stance is Stance.INERT:
            stance = Stance.ANALYSED
    return SkillFile(
        raw.path, raw.size, raw.digest, kind, languages, stance, reason, by, extract, raw.executable, raw.link
    )


def is_outside(raw: RawFile) -> bool:
    """Whether a file is a link out of the skill. A program behind it finds other files beside it than the skill has."""
    return raw.link.startswith("../")


def is_long(raw: RawFile, stance: Stance, languages: tuple[str, ...]) -> bool:
    """Whether a program or document is too long to analyse; of other files only digests and endings count."""
    return raw.size > PROGRAM_BYTES and (bool(languages) or stance is Stance.ANALYSED)


def _position(raw: RawFile) -> tuple[str, str]:
    """Return what runs a file because of its location, and the reader of its commands."""
    for rule in _autoload_rules():
        if not rule.pattern.match(raw.path):
            continue
        if raw.path.endswith(".sample") or (rule.by == "git" and raw.path.endswith((".gitignore", "/husky.sh", ".md"))):
            return "", ""
        if rule.extract == "inert-unless":
            assert rule.keys is not None
            text = (raw.data or raw.head).decode("utf-8", "replace")
            return (rule.by, "opaque") if rule.keys.search(text) else ("", "")
        return rule.by, rule.extract
    return "", ""


def _judge(raw: RawFile, limits: Limits) -> tuple[str, tuple[str, ...], Stance, str]:  # noqa: PLR0911  one case for each kind of file
    kinds = _tables()[0]
    if raw.link and not raw.digest:
        return "link", (), Stance.OPAQUE, f"a symbolic link to `{raw.link}`, which does not exist"
    named = by_name(raw.path)
    for magic, what in _MAGIC:
        if raw.head.startswith(magic) and (magic != b"MZ" or not looks_text(raw.head)):
            return "binary", (), Stance.OPAQUE, what
    if is_zip_program(raw):
        return "zipapp", (), Stance.OPAQUE, "a zip archive that code can be loaded from"
    if named and named.surely and not read_shebang(raw.head).program:
        return named.name, (), named.stance, named.reason
    if raw.data is None:
        reason = f"larger than {limits.max_source_bytes} bytes, so that it is not looked into"
        return named.name if named else "large", (), Stance.OPAQUE, reason
    line = read_shebang(raw.head)
    ran = _interpreter(line.program)
    if not line.plain:
        kind = ran or kinds["other-program"]
        return kind.name, (), Stance.OPAQUE, "its first line gives the interpreter options that can run other code"
    if ran:
        return _run_kind(raw, ran, named)
    if named:
        if named.languages and not looks_text(raw.head):
            return named.name, named.languages, Stance.ANALYSED, "a program by its name, though not text"
        if named.name == "text" and _CODE_BLOCK.search(raw.data):
            return "text", (), Stance.ANALYSED, "text with code blocks"
        return named.name, named.languages, named.stance, named.reason
    return _unnamed(raw, kinds)


def _run_kind(raw: RawFile, ran: FileKind, named: FileKind | None) -> tuple[str, tuple[str, ...], Stance, str]:
    """Return the kind of a file with a shebang, which may contradict its name or start another language."""
    if ran.name == "javascript" and named and named.name in {"typescript", "tsx"}:
        return named.name, named.languages, named.stance, named.reason
    if ran.stance is Stance.OPAQUE:
        return ran.name, ran.languages, ran.stance, ran.reason
    again = _RERUN.search(raw.head[:4096]) if ran.name == "shell" else None
    other = _interpreter(again[1].decode()) if again else named
    if other and other.languages and other.languages != ran.languages:
        reason = f"a program in two languages ({ran.name}, {other.name})"
        return ran.name, ran.languages + other.languages, Stance.ANALYSED, reason
    if again and other and other.stance is Stance.OPAQUE:
        return other.name, (), Stance.OPAQUE, other.reason
    return ran.name, ran.languages, ran.stance, ran.reason


def _unnamed(raw: RawFile, kinds: dict[str, FileKind]) -> tuple[str, tuple[str, ...], Stance, str]:
    """Return the kind of a file without a shebang and without a known name."""
    if raw.size == 0:
        return "text", (), Stance.INERT, "empty"
    if looks_text(raw.head):
        if raw.executable and "." not in raw.path.rsplit("/", 1)[-1].lstrip("."):
            # The kernel refuses it, and every shell then runs it as its own script.
            shell = kinds["shell"]
            return "shell", shell.languages, shell.stance, "an executable text without a shebang"
        if _CODE_BLOCK.search(raw.head):
            return "text", (), Stance.ANALYSED, "text with code blocks"
        return "text", (), Stance.INERT, "text"
    if raw.executable:
        return "binary", (), Stance.OPAQUE, "an executable of an unknown format"
    if raw.head.startswith((b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05")):
        return "pickle", (), Stance.OPAQUE, kinds["pickle"].reason
    if _MEDIA_MAGIC.match(raw.head):
        return "media", (), Stance.INERT, "media"
    return "data", (), Stance.INERT, "data of an unknown format"
