"""The programs of a skill: every text that someone can run, ready for a front end.

A script is a program as it stands. The fences of one document in one language form one program, because a reader runs
them one after the other; a fence that would break the others (a syntax error, an open quote) is a program of its own.
"""

from __future__ import annotations

import ast
import posixpath
import textwrap
import tomllib
import warnings
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from remit.core.effect import Origin
from remit.skill import commands
from remit.skill.extract import extract
from remit.skill.frontmatter import hook_commands
from remit.skill.held import Held
from remit.skill.makefile import recipes
from remit.skill.model import Stance
from remit.skill.notebook import cells, split_magics
from remit.skill.placeholders import Finder, fill_host

if TYPE_CHECKING:
    from collections.abc import Mapping

    from remit.skill.document import Document, Fence
    from remit.skill.model import Skill, SkillFile


@dataclass(frozen=True, slots=True)
class SourceProgram:
    """One text to be run. `language` is that of a front end, or the name of one that does not exist (then it is opaque).

    `lines[n - 1]` is the line of the file where line n of the source stands; empty if they are the same. `holes` and
    `anchors` say which characters of the source are placeholders (see `placeholders.py`).
    """

    file: str
    language: str
    source: bytes
    origin: Origin
    form: str  # `file`, `fences`, `span`, `bang`, `hook`, `cells`, `recipe`, `script`
    lines: tuple[int, ...] = ()
    holes: Mapping[str, str] = field(default_factory=dict)
    anchors: Mapping[str, str] = field(default_factory=dict)
    note: str = ""  # what runs it, or why it is opaque
    opaque: str = ""  # set if the text cannot be analysed at all, with the reason

    def line(self, number: int) -> int:
        """The line of the file for a line of the source."""
        if not self.lines:
            return number
        return self.lines[min(max(number, 1), len(self.lines)) - 1]


@cache
def _tags() -> tuple[dict[str, str], dict[str, str], dict[str, str], frozenset[str]]:
    raw = tomllib.loads(files("remit.skill").joinpath("data/fences.toml").read_text("utf-8"))
    tables = [
        {tag: language for language, tags in raw[part].items() for tag in tags}
        for part in ("analysed", "session", "opaque")
    ]
    return tables[0], tables[1], tables[2], frozenset(raw["unlabelled"]["tags"])


def programs(skill: Skill) -> tuple[SourceProgram, ...]:
    """Everything of the skill that can be run, in the order of its files."""
    builder = _Builder(skill)
    for file in skill.files:
        builder.file(file)
    for document in skill.documents:
        builder.document(document)
    return tuple(builder.out)


class _Builder:
    """Collects the programs of one skill."""

    def __init__(self, skill: Skill) -> None:
        self.skill = skill
        self.out: list[SourceProgram] = []
        self.scripts = frozenset(file.path for file in skill.files if file.languages)
        self.finder = Finder((skill.name, skill.root.resolve().name))

    def file(self, file: SkillFile) -> None:
        data = self.skill.contents.get(file.path)
        if data is None or (file.link and self._same_as_target(file)):
            return
        origin = Origin.HOOK if file.autoload else Origin.SCRIPT
        if file.extract not in {"", "program", "opaque"}:
            for held in extract(file.extract, data):
                if held.form == "include":
                    self._include(file, held)
                else:
                    self._held(file.path, held, f"run by {file.autoload}")
        if file.stance is not Stance.ANALYSED:
            return
        if file.kind == "notebook":
            self._notebook(file.path, data)
        elif file.kind == "makefile":
            for held in recipes(data):
                self._held(file.path, held, "run by make")
        note = f"run by {file.autoload}" if file.autoload else ""
        self.out += [SourceProgram(file.path, language, data, origin, "file", note=note) for language in file.languages]

    def _include(self, file: SkillFile, held: Held) -> None:
        """A plugin names the file of its hooks: relative to the plugin's root, which is above `.claude-plugin`."""
        folder = posixpath.dirname(file.path)
        root = posixpath.dirname(folder) if folder.rsplit("/", 1)[-1].startswith(".") else folder
        path = posixpath.normpath(posixpath.join(root, held.text))
        data = self.skill.read(path)
        known = self.skill.file(path)
        if data is None or known is None:
            self._held(
                file.path,
                Held(
                    "",
                    held.line,
                    language="configuration",
                    opaque=f"its hooks are in `{held.text}`, which is not a file of the skill",
                ),
                "",
            )
        elif not known.extract:
            for inner in extract("hooks", data):
                if inner.form != "include":
                    self._held(path, inner, f"run by {file.autoload}")

    def _same_as_target(self, file: SkillFile) -> bool:
        """A link whose target is read in the same languages says nothing new."""
        target = self.skill.file(file.link)
        return target is not None and target.languages == file.languages and not file.autoload

    def _held(self, path: str, held: Held, note: str) -> None:
        origin = Origin.SCRIPT if held.asked else Origin.HOOK
        lines = held.lines or (held.line,) * (held.text.count("\n") + 1)
        text, holes, anchors = held.text, held.holes, {}
        if held.form == "hook":
            filled = fill_host(text)
            text, holes, anchors = filled.text, {**filled.holes, **held.holes}, filled.anchors
        self.out.append(
            SourceProgram(
                path,
                held.language,
                text.encode("utf-8", "surrogatepass"),
                origin,
                held.form,
                lines,
                holes,
                anchors,
                held.note or note,
                held.opaque,
            )
        )

    def _notebook(self, path: str, data: bytes) -> None:
        for held in cells(data):
            self._held(path, held, "a notebook")

    def document(self, document: Document) -> None:
        note = "a text for people" if document.role == "people" else ""
        if document.problem:
            self.out.append(
                SourceProgram(document.path, "text", b"", Origin.INSTRUCTED, "fences", opaque=document.problem)
            )
        for bang in document.bangs:
            filled = fill_host(bang.text, arguments=True)
            count = bang.text.count("\n") + 1
            lines = tuple(range(bang.line, bang.line + count))
            self.out.append(
                SourceProgram(
                    document.path,
                    "shell",
                    filled.text.encode(),
                    Origin.HOOK,
                    "bang",
                    lines,
                    filled.holes,
                    filled.anchors,
                    "run while the text is loaded",
                )
            )
        for command, line in hook_commands(document.front_matter):
            filled = fill_host(command)
            self.out.append(
                SourceProgram(
                    document.path,
                    "shell",
                    filled.text.encode(),
                    Origin.HOOK,
                    "hook",
                    (line,) * (command.count("\n") + 1),
                    filled.holes,
                    filled.anchors,
                    "a hook of the front matter",
                )
            )
        self._fences(document, note)
        self._spans(document, note)

    def _fences(self, document: Document, note: str) -> None:
        groups: dict[str, list[_Piece]] = {}
        for fence in document.fences:
            for language, piece in self._pieces(fence):
                groups.setdefault(language, []).append(piece)
        for language, pieces in groups.items():
            joined = [piece for piece in pieces if _joins(piece.text, language)]
            if joined:
                self._emit(document.path, language, joined, note)
            for piece in pieces:
                if piece not in joined:
                    self._emit(document.path, language, [piece], note)

    def _emit(self, path: str, language: str, pieces: list[_Piece], note: str, form: str = "fences") -> None:
        text = "\n".join(piece.text for piece in pieces)
        lines = tuple(line for piece in pieces for line in piece.lines)
        filled = self.finder.fill(text, language)
        known = set(_tags()[2].values())
        opaque = f"{language} code, which is not analysed" if language in known else ""
        self.out.append(
            SourceProgram(
                path,
                language,
                filled.text.encode("utf-8", "surrogatepass"),
                Origin.INSTRUCTED,
                form,
                lines,
                filled.holes,
                filled.anchors,
                note,
                opaque,
            )
        )

    def _pieces(self, fence: Fence) -> list[tuple[str, _Piece]]:
        """The runnable parts of a fence, by language."""
        analysed, session, opaque, unlabelled = _tags()
        tag = fence.language
        text = (
            fence.text.removesuffix("\n").expandtabs(8)
            if "\t" in fence.text and tag in analysed and analysed[tag] == "python"
            else fence.text.removesuffix("\n")
        )
        if not text.strip():
            return []
        language = analysed.get(tag) or session.get(tag)
        if language is None and tag in opaque:
            return [(opaque[tag], _Piece.whole(text, fence.line))]
        if language is None and tag in unlabelled:
            return self._unlabelled(text, fence.line)
        if language == "shell":
            found = commands.unprompt(text, session=tag in session, scripts=self.scripts)
            return [
                ("shell", _Piece.picked(found, fence.line) if found is not None else _Piece.whole(text, fence.line))
            ]
        if language == "python":
            return _python_pieces(text, fence.line)
        return [(language, _Piece.whole(text, fence.line))] if language else []

    def _unlabelled(self, text: str, line: int) -> list[tuple[str, _Piece]]:
        """A block without a language is shell as far as its lines read as commands, Python if it is a Python session."""
        if (statements := commands.unprompt_python(text)) is not None and ">>>" in text:
            return [("python", _Piece.picked(statements, line))]
        if (found := commands.unprompt(text, session=True)) is not None and any(
            commands.is_command(command, self.scripts) for _, command in found
        ):
            return [("shell", _Piece.picked(found, line))]
        rows = text.split("\n")
        code = [row for row in rows if row.strip() and not row.lstrip().startswith("#")]
        fitting = [commands.is_command(row, self.scripts) for row in code]
        if not any(fitting):
            return []
        if fitting[0] and sum(fitting) * 2 >= len(fitting):
            return [("shell", _Piece.whole(text, line))]
        return [("shell", _Piece.picked(_with_continuations(rows, self.scripts), line))]

    def _spans(self, document: Document, note: str) -> None:
        """Inline code that reads as a command with arguments, in a sentence that asks for it."""
        pieces: list[_Piece] = []
        for span in document.spans:
            text = span.text.strip()
            if " " not in text or span.in_heading or len(text) > 1000:
                continue
            text = text.removeprefix("$ ")
            if (
                commands.is_command(text, self.scripts, bare=False)
                and commands.is_instruction(span.sentence, span.heading)
                and commands.balanced(text)
            ):
                pieces.append(_Piece(text, (span.line,)))
        if pieces:
            self._emit(document.path, "shell", pieces, note, "span")


@dataclass(slots=True)
class _Piece:
    """A text with the line of the file for each of its lines."""

    text: str
    lines: tuple[int, ...]

    @classmethod
    def whole(cls, text: str, line: int) -> _Piece:
        return cls(text, tuple(range(line, line + text.count("\n") + 1)))

    @classmethod
    def picked(cls, rows: list[tuple[int, str]], line: int) -> _Piece:
        return cls("\n".join(text for _, text in rows), tuple(line + index for index, _ in rows))


def _with_continuations(rows: list[str], scripts: frozenset[str]) -> list[tuple[int, str]]:
    out: list[tuple[int, str]] = []
    continued = False
    for index, row in enumerate(rows):
        if continued or commands.is_command(row, scripts):
            out.append((index, row.strip()))
            continued = row.rstrip().endswith("\\")
    return out


def _python_pieces(text: str, line: int) -> list[tuple[str, _Piece]]:
    """Python with its session prompts removed, its notebook magics apart, and at the left margin."""
    if (statements := commands.unprompt_python(text)) is not None:
        piece = _Piece.picked(statements, line)
    else:
        piece = _Piece.whole(textwrap.dedent(text), line)
    python, shell = split_magics(piece.text)
    out = [("python", _Piece(python, piece.lines))] if python.strip() else []
    return out + [("shell", _Piece(command, (piece.lines[index],))) for index, command in shell]


def _joins(text: str, language: str) -> bool:
    """Whether this text can stand among others without breaking them."""
    if language == "shell":
        return commands.balanced(text)
    if language != "python":
        return True
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
