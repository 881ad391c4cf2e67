"""Where in a skill an effect comes from: how it is presented decides how much it counts."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from remit.core.effect import Effect, Origin
from remit.core.via import Cause
from remit.manifest.draft.code_blocks import is_fault
from remit.manifest.model import Evidence
from remit.skill.commands import is_warning_heading

if TYPE_CHECKING:
    from remit.core.location import Location
    from remit.skill.document import Document
    from remit.skill.model import Skill

# Blocks of these languages are commands; so are blocks without a language, as in the analysis.
_SHELLS = frozenset(
    " bash sh shell zsh fish console terminal text shellsession shell-session powershell pwsh ps1 cmd bat batch dos".split(
        " "
    )
)
_SETTINGS = frozenset(
    "yaml yml json jsonc json5 toml ini xml dockerfile hcl terraform nginx properties diff markdown md mdx".split()
)
_MATERIAL = re.compile(
    r"(?:.*/)?(?:assets?|templates?|examples?|resources|samples?|fixtures?|starters?|boilerplates?|tests?)/"
)
_LONGEST = 12  # lines of one command
_WORD = re.compile(r"[\w.-]+")


class Locations:
    """The documents and scripts of one skill, and which of its scripts the text presents."""

    def __init__(self, skill: Skill, uses: Iterable[tuple[Location, str]] = ()) -> None:
        self.main = skill.main
        self.documents = {document.path: document for document in skill.documents}
        self.presented = _presented(skill, uses)
        self.read = _read(skill)
        self._contents = skill.contents
        self._languages: dict[str, dict[int, str]] = {}
        self._lines: dict[str, list[str]] = {}
        self._examples: dict[str, frozenset[int]] = {}

    def kind(self, effect: Effect) -> str:  # noqa: PLR0911  one case for each kind of scope
        """Return the kind of clue that an effect is (data/weights.table)."""
        document = self.documents.get(effect.where.file)
        if effect.origin is Origin.HOOK:
            return "hook"
        if effect.origin is Origin.INSTRUCTED and document is None:
            return "script"  # a command of the text runs it
        if document is None or effect.origin is not Origin.INSTRUCTED:
            return "script" if effect.where.file in self.presented else "loose"
        if effect.via.cause is Cause.SETTING:
            return "grant"
        if effect.via.cause is Cause.SENTENCE:
            return "mention"
        if document.role == "people" or document.path not in self.read:
            return "people"
        if self.is_example(effect.where):
            return "example"
        shell = self.language(effect) in _SHELLS
        if document.path == self.main or document.role == "command":
            return "command" if shell else "code"
        return "reference" if shell else "sample"

    def is_example(self, where: Location) -> bool:
        """Whether a line of a document shows a fault, an attack or an example, or is part of a settings file."""
        document = self.documents[where.file]
        if where.file not in self._examples:
            self._examples[where.file] = frozenset(_example_lines(document))
        return where.line in self._examples[where.file]

    def evidence(self, where: Location, why: str) -> Evidence:
        """Return a location as evidence: its line, and why it counts."""
        shown = self._from(where, 1).strip()
        return Evidence(where.file, max(where.line, 1), shown[:300] or why, why)

    def script(self, file: str) -> str:
        """Return the text of a script; empty for a document, whose blocks are run one by one."""
        return "" if file in self.documents else self._contents.get(file, b"").decode("utf-8", "replace")

    def command_at(self, where: Location) -> str:
        """Return the lines of a command that begins at a location, up to a limit."""
        return self._from(where, _LONGEST)

    def _from(self, where: Location, count: int) -> str:
        if where.file not in self._lines:
            text = self._contents.get(where.file, b"").decode("utf-8", "replace")
            self._lines[where.file] = text.split("\n")
        at = max(where.line, 1) - 1
        return "\n".join(self._lines[where.file][at : at + count])

    def language(self, effect: Effect) -> str:
        """Return the language of the block that contains an effect of a document."""
        document = self.documents.get(effect.where.file)
        if document is None:
            return ""
        if document.path not in self._languages:
            self._languages[document.path] = _languages(document)
        return self._languages[document.path].get(effect.where.line, "")


def _example_lines(document: Document) -> Iterator[int]:
    """Return the lines of blocks that show a fault or settings, and of sections about what not to do."""
    for fence in document.fences:
        if fence.language in _SETTINGS or is_fault(fence) or is_warning_heading(fence.heading):
            yield from range(fence.line, fence.line + max(1, fence.text.count("\n") + 1))
    for paragraph in document.paragraphs:
        if is_warning_heading(paragraph.heading):
            yield from range(paragraph.line, paragraph.line + paragraph.text.count("\n") + 1)


def _languages(document: Document) -> dict[int, str]:
    """Return the language of the block for each line of a document that is in one."""
    out: dict[int, str] = {}
    for fence in document.fences:
        for line in range(fence.line, fence.line + max(1, fence.text.count("\n"))):
            out.setdefault(line, fence.language)
    return out


def _presented(skill: Skill, uses: Iterable[tuple[Location, str]]) -> frozenset[str]:
    """Return the scripts that SKILL.md names or uses, and those that these name or use in turn.

    A script among templates and examples is material to copy: being named does not mean that it is run.
    """
    scripts = {
        file.path: set(_WORD.findall(skill.contents.get(file.path, b"").decode("utf-8", "replace")))
        for file in skill.files
        if file.languages and not _MATERIAL.match(file.path)
    }
    if not scripts:
        return frozenset()
    used: dict[str, set[str]] = defaultdict(set)
    for where, path in uses:
        used[where.file].add(path)
    words = set(_WORD.findall(skill.contents[skill.main].decode("utf-8", "replace")))
    todo = [(words, used[skill.main])]
    found: set[str] = set()
    while todo:
        words, using = todo.pop()
        for path, inside in scripts.items():
            if path not in found and (path in using or _names(path) & words):
                found.add(path)
                todo.append((inside, used[path]))
    return frozenset(found)


def _read(skill: Skill) -> frozenset[str]:
    """Return the documents that an agent reads: SKILL.md, and those that it or one of those names by file or folder."""
    texts = {
        document.path: skill.contents.get(document.path, b"").decode("utf-8", "replace") for document in skill.documents
    }
    found = {document.path for document in skill.documents if document.role == "command"} | {skill.main}
    todo = list(found)
    while todo:
        text = texts[todo.pop()]
        named = {path for path in texts if path not in found and _is_named(path, text)}
        found |= named
        todo += named
    return frozenset(found)


def _is_named(path: str, text: str) -> bool:
    folder, _, name = path.rpartition("/")
    return name in text or (bool(folder) and f"{folder.rpartition('/')[2]}/" in text)


def _names(path: str) -> set[str]:
    """Return how a text or program names a file: by its name, or without its ending if that is no usual word."""
    name = path.rsplit("/", 1)[-1]
    stem = name.partition(".")[0]
    return {name, stem} if len(stem) > 4 else {name}
