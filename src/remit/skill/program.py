"""The programs of a skill: every text that can be run, ready for a front end.

A script is a program by itself. The fences of one document in one language form one program, because a reader runs them
in sequence; a fence that would break the others (a syntax error, an open quote) is a program of its own.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING

from remit.core.effect import Origin
from remit.core.patterns import lazy_pattern
from remit.skill import fences
from remit.skill.config_commands import ConfigProgram, extract, unread
from remit.skill.fences import Piece
from remit.skill.frontmatter import hook_commands
from remit.skill.makefile import recipes
from remit.skill.model import Skill, SkillFile, Stance
from remit.skill.notebook import cells
from remit.skill.placeholders import Finder, fill_host
from remit.skill.prose.requests import Request, requests

if TYPE_CHECKING:
    from remit.skill.document import Document


HOST_FORMS = frozenset({"hook", "server"})  # commands of settings, which a host or tool starts automatically


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
    form: str  # `file`, `fences`, `span`, `bang`, `hook`, `server`, `cells`, `recipe`, `script`
    lines: tuple[int, ...] = ()
    holes: Mapping[str, str] = field(default_factory=dict)
    anchors: Mapping[str, str] = field(default_factory=dict)
    note: str = ""  # what runs it, or why it is opaque
    opaque: str = ""  # set if the text cannot be analysed at all, with the reason
    starts: tuple[int, ...] = ()  # the lines of the source at which another block begins, perhaps in a new shell

    def line(self, number: int) -> int:
        """Return the line of the file for a line of the source."""
        if not self.lines:
            return number
        return self.lines[min(max(number, 1), len(self.lines)) - 1]


def programs(skill: Skill, asked: tuple[Request, ...] | None = None) -> tuple[SourceProgram, ...]:
    """Return all that can be run, in the order of the files. `asked`: what the skill's texts ask for, if known."""
    builder = _Builder(skill)
    for file in skill.files:
        builder.file(file)
    for document in skill.documents:
        builder.document(document)
    builder.asked(requests(skill) if asked is None else asked)
    return tuple(builder.out)


_MAKE = frozenset({"make", "makefile", "mk"})
_READ_WHOLE = {"notebook": (cells, "a notebook"), "makefile": (recipes, "run by make")}  # by kind of file
_SAVES = lazy_pattern(r"\b(?:save|write|store|put|create|add|copy|run)\b", re.IGNORECASE)


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
        read, runner = _READ_WHOLE.get(file.kind, (None, ""))
        for held in read(data) if read is not None else ():
            self._held(file.path, held, runner)
        note = f"run by {file.autoload}" if file.autoload else ""
        self.out += [SourceProgram(file.path, language, data, origin, "file", note=note) for language in file.languages]

    def _include(self, file: SkillFile, held: ConfigProgram) -> None:
        """A plugin names the file of its hooks: relative to the plugin's root, which is above `.claude-plugin`."""
        folder = posixpath.dirname(file.path)
        root = posixpath.dirname(folder) if folder.rsplit("/", 1)[-1].startswith(".") else folder
        path = posixpath.normpath(posixpath.join(root, held.text))
        data = self.skill.read(path)
        known = self.skill.file(path)
        if data is None or known is None:
            reason = f"its hooks are in `{held.text}`, which is not a file of the skill"
            self._held(file.path, unread(held.line, reason), "")
        elif not known.extract:
            for inner in extract("hooks", data):
                if inner.form != "include":
                    self._held(path, inner, f"run by {file.autoload}")

    def _same_as_target(self, file: SkillFile) -> bool:
        """Whether a link's target is read in the same languages, so that the link adds nothing."""
        target = self.skill.file(file.link)
        return target is not None and target.languages == file.languages and not file.autoload

    def _held(self, path: str, held: ConfigProgram, note: str) -> None:
        origin = Origin.SCRIPT if held.asked else Origin.HOOK
        lines = held.lines or (held.line,) * (held.text.count("\n") + 1)
        text, holes, anchors = held.text, held.holes, {}
        if held.form in HOST_FORMS or held.form == "bang":
            filled = fill_host(text, arguments=held.form == "bang")
            text, holes, anchors = filled.text, {**filled.holes, **held.holes}, filled.anchors
        source, note = text.encode("utf-8", "surrogatepass"), held.note or note
        self.out.append(
            SourceProgram(path, held.language, source, origin, held.form, lines, holes, anchors, note, held.opaque)
        )

    def document(self, document: Document) -> None:
        note = "a text for people" if document.role == "people" else ""
        problem = document.front_matter.problem
        if problem and document.role in {"skill", "command"}:
            reason = f"the front matter cannot be read, so that its hooks are unknown: {problem}"
            self._held(document.path, unread(1, reason), "")
        for bang in document.bangs:
            lines = tuple(range(bang.line, bang.line + bang.text.count("\n") + 1))
            held = ConfigProgram(bang.text, bang.line, form="bang", lines=lines)
            self._held(document.path, held, "run while the text is loaded")
        for command, line in hook_commands(document.front_matter):
            self._held(document.path, ConfigProgram(command, line), "a hook of the front matter")
        self._fences(document, note)
        if pieces := fences.from_spans(document, self.scripts):
            self._emit(document.path, "shell", pieces, note, "span")

    def _fences(self, document: Document, note: str) -> None:
        groups: dict[str, list[Piece]] = {}
        for fence in document.fences:
            if fence.language in _MAKE and _SAVES.search(fence.before):
                for held in recipes(b"\n" * (fence.line - 1) + fence.text.encode("utf-8", "surrogatepass")):
                    self._held(document.path, held, "run by make")
            for language, piece in fences.from_fence(fence, self.scripts):
                groups.setdefault(language, []).append(piece)
        for language, pieces in groups.items():
            judged = [(piece, fences.joins(piece.text, language)) for piece in pieces]
            if joined := [piece for piece, joins in judged if joins]:
                self._emit(document.path, language, joined, note)
            for piece, joins in judged:
                if not joins:
                    self._emit(document.path, language, [piece], note)

    def asked(self, found: tuple[Request, ...]) -> None:
        """Return commands in a text without code marks."""
        pieces: dict[str, list[Piece]] = {}
        for request in found:
            pieces.setdefault(request.file, []).extend(Piece(line, (request.line,)) for line in request.commands)
        for path, listed in pieces.items():
            if listed:
                self._emit(path, "shell", listed, "", "span")

    def _emit(self, path: str, language: str, pieces: list[Piece], note: str, form: str = "fences") -> None:
        text = "\n".join(piece.text for piece in pieces)
        ends = accumulate(piece.text.count("\n") + 1 for piece in pieces[:-1])
        lines = tuple(line for piece in pieces for line in piece.lines)
        text, holes, anchors = self.finder.fill(text, language)
        source, starts = text.encode("utf-8", "surrogatepass"), tuple(end + 1 for end in ends)
        opaque = f"{language} code, which is not analysed" if language in fences.tags().opaque.values() else ""
        self.out.append(
            SourceProgram(path, language, source, Origin.INSTRUCTED, form, lines, holes, anchors, note, opaque, starts)
        )
