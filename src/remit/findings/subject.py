"""What rules ask about a skill: its effects, flows, documents and description."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from remit.core.capability import vocabulary
from remit.core.effect import Effect, Origin
from remit.core.patterns import lazy_pattern
from remit.core.scope import SKILL, HostScope, PathScope, Scope, ScopeKind
from remit.findings.clauses import sentences_of
from remit.findings.model import Basis
from remit.findings.quotation import mentioned_lines
from remit.skill.prose.spans import Bundled

if TYPE_CHECKING:
    from remit.analysis.result import Effects
    from remit.core.flow import Flow
    from remit.core.location import Location
    from remit.findings.commandlines import CommandLine
    from remit.findings.orders import Reading
    from remit.findings.pieces import Code
    from remit.skill.document import Document, Paragraph
    from remit.skill.model import Skill

_WORD = lazy_pattern(r"[a-z0-9]+")
_LETTERS = lazy_pattern(r"[a-z][a-z0-9]{2,}")
_ADDRESSES = lazy_pattern(r"\b\w+://\S+")
# Files that show or try something: what they do is not what the skill does.
_TRIALS = lazy_pattern(
    r"(?:^|/)(?:tests?|testing|__tests__|specs?|fixtures?|test[-_]fixtures?|testdata|examples?|samples?|demos?|evals?|benchmarks?|mocks?)/"
    r"|(?:^|/)(?:test_[^/]*|[^/]*[._-](?:test|spec))\.\w+$",
    re.IGNORECASE,
)
# Files that become a part of something else.
_MATERIAL = lazy_pattern(r"(?:^|/)(assets|templates)/", re.IGNORECASE)
# A text that is run as it stands, unless it lies among what is only read.
_RECIPE = lazy_pattern(r"^(?!(?:.*/)?(?:references?|docs?|resources)/)(?:.*/)?(?:Dockerfile|Containerfile)[^/]*$")
# An order to do what another document says, and the name of one.
_CARRY_OUT = lazy_pattern(
    r"\b(?:follow|run|execute|complete|perform|carry out|work through|go through|obey|do (?:what|everything|all|exactly))\b",
    re.IGNORECASE,
)
_DOCUMENT = lazy_pattern(r"[\w./{}$-]+\.(?:mdx?|markdown|txt|rst)\b", re.IGNORECASE)
# Labels of host names that say nothing about who runs the host.
_COMMON = frozenset(
    "www api app apis cloud gateway rest graph com net org io dev ai co uk de eu us me sh app xyz info site tech v1 v2"
    " prod public data docs auth login oauth2 static cdn service services server online store example test".split()
)


class Subject:
    """One skill, as rules see it."""

    def __init__(self, skill: Skill, found: Effects) -> None:
        self.skill = skill
        self.found = found
        self.code: dict[str, Code] = {}  # filled by `pieces.code_of`
        self._lines: dict[str, tuple[str, ...]] = {}
        self._mentions: dict[str, frozenset[int]] = {}

    @property
    def effects(self) -> tuple[Effect, ...]:
        """Everything that the skill can do."""
        return self.found.effects

    @property
    def flows(self) -> tuple[Flow, ...]:
        """The data that it moves."""
        return self.found.flows

    @cached_property
    def description(self) -> str:
        """What the skill says about itself before it is loaded: name and description, or else its first paragraph."""
        front = self.skill.front_matter
        document = self.documents.get(self.skill.main)
        first = document.paragraphs[:3] if document is not None else ()
        about = front.text("description") or " ".join(part.text for part in first)
        return f"{front.text('name')} {about} {self.skill.name}".lower()

    @cached_property
    def announced(self) -> frozenset[str]:
        """The words of the description."""
        return frozenset(_WORD.findall(self.description))

    @cached_property
    def documents(self) -> dict[str, Document]:
        """Documents by their path."""
        return {document.path: document for document in self.skill.documents}

    def with_capability(self, *names: str) -> Iterator[Effect]:
        """Effects of these capabilities."""
        return (effect for effect in self.effects if effect.capability in names)

    def sending(self) -> Iterator[Effect]:
        """Effects that reach a host."""
        return (effect for effect in self.effects if vocabulary()[effect.capability].scope_kind is ScopeKind.HOST)

    def names_host(self, scope: Scope) -> bool:
        """Whether the description speaks of the host or of whoever runs it: that data goes there is what was announced."""
        if not isinstance(scope, HostScope):
            return False
        host = scope.host.removeprefix("*.").lower()
        if host in self.description:
            return True
        return bool(owner_words(host) & self.announced)

    def basis(self, where: Location, origin: Origin = Origin.SCRIPT, *, possible: bool = False) -> Basis:
        """What an effect or a flow at a location rests on."""
        if possible:
            return Basis.CONDITION
        document = self.documents.get(where.file)
        if self._is_apart(where.file) and where.file not in self.used_files:
            return Basis.SAMPLE
        if document is None or _RECIPE.search(where.file):
            return Basis.HOOK if origin is Origin.HOOK else Basis.SCRIPT
        if self._is_shown(where):
            return Basis.SAMPLE
        return Basis.HOOK if origin is Origin.HOOK else Basis.INSTRUCTED

    def _is_shown(self, where: Location) -> bool:
        """Whether a line of a document shows something, and asks for nothing."""
        document = self.documents.get(where.file)
        if document is None or _RECIPE.search(where.file):
            return False
        shown = document.role in ("reference", "people") and where.file not in self.followed
        return shown or self.is_mentioned(where)

    @cached_property
    def followed(self) -> frozenset[str]:
        """Further documents whose steps the text tells the agent to carry out."""
        if len(self.documents) == 1:
            return frozenset()
        bundled = Bundled(self.skill)
        found: set[str] = set()
        todo = [document for document in self.skill.documents if document.role in ("skill", "command")]
        while todo:
            for text in (paragraph.text for paragraph in todo.pop().paragraphs):
                for sentence in sentences_of(text) if _CARRY_OUT.search(text) else ():
                    names = _DOCUMENT.findall(sentence.text) if _CARRY_OUT.search(sentence.text) else ()
                    new = {path for name in names if (path := bundled.find(name)) in self.documents} - found
                    found |= new
                    todo += [self.documents[path] for path in new]
        return frozenset(found)

    def is_mentioned(self, where: Location) -> bool:
        """Whether a line of a document shows something that is to be recognised or refused."""
        document = self.documents.get(where.file)
        if document is None:
            return False
        known = self._mentions.get(document.path)
        if known is None:
            known = self._mentions[document.path] = mentioned_lines(document)
        return where.line in known

    def basis_of_order(self, where: Location) -> Basis:
        """What an order in prose rests on: the agent follows it under whichever heading it stands."""
        document = self.documents.get(where.file)
        trial = where.file not in self.used_files and _TRIALS.search(where.file)
        people = document is not None and document.role == "people" and where.file not in self.followed
        return Basis.SAMPLE if trial or people else Basis.INSTRUCTED

    def _is_apart(self, file: str) -> bool:
        """Whether a file shows or tries something, or is material that nothing else of the skill speaks of."""
        if _TRIALS.search(file):
            return True
        folder = None if _RECIPE.search(file) else _MATERIAL.search(file)
        if folder is None:
            return False
        ways = (file.rpartition("/")[2], f"{folder[1]}/", *(f"{mark}{folder[1]}{mark}" for mark in "\"'`"))
        return not any(way in self._speaking for way in ways)

    @cached_property
    def _speaking(self) -> str:
        """The text of all documents but those for people, and of all scripts but material."""
        people = {document.path for document in self.skill.documents if document.role == "people"}
        files = [file.path for file in self.skill.files if file.languages or file.path in self.documents]
        return "\n".join(
            "\n".join(self.lines(file)) for file in files if file not in people and not _MATERIAL.search(file)
        )

    @cached_property
    def used_files(self) -> frozenset[str]:
        """Files of the skill that its scripts read, run or import, or that its text orders to run or to follow."""
        found = {
            "/".join(effect.scope.parts)
            for effect in self.effects
            if isinstance(effect.scope, PathScope)
            and effect.scope.anchor == SKILL
            and not self._is_apart(effect.where.file)
        } | self.followed
        uses = [(where, file) for where, file in self.found.uses if not self._is_shown(where)]
        calls = (pairwise((*effect.path, effect.where)) for effect in self.effects if effect.path)
        uses += [(where, to.file) for call in calls for where, to in call if where.file != to.file]
        new = {file for where, file in uses if not self._is_apart(where.file)}
        while new - found:
            found |= new
            new = {file for where, file in uses if where.file in found}
        return frozenset(found)

    def basis_of(self, effect: Effect) -> Basis:
        """What an effect rests on."""
        return self.basis(effect.where, effect.origin, possible=effect.via.possible)

    @cached_property
    def by_line(self) -> dict[Location, tuple[Effect, ...]]:
        """Effects by the line at which they happen."""
        found: dict[Location, list[Effect]] = {}
        for effect in self.effects:
            found.setdefault(effect.where, []).append(effect)
        return {where: tuple(effects) for where, effects in found.items()}

    @cached_property
    def commands(self) -> tuple[CommandLine, ...]:
        """Every command that documents and scripts run, as far as its words are known."""
        from remit.findings.commandlines import command_lines  # noqa: PLC0415  (it needs this module)

        return tuple(command_lines(self))

    @cached_property
    def reading(self) -> Reading:
        """The sentences that the agent reads."""
        from remit.findings.orders import Reading  # noqa: PLC0415  (it needs this module)

        return Reading(self)

    @cached_property
    def written(self) -> str:
        """The text of all documents in lower case."""
        return "\n".join("\n".join(self.lines(document.path)) for document in self.skill.documents).lower()

    @cached_property
    def prose(self) -> str:
        """The sentences of all documents in lower case, without code blocks."""
        return "\n".join(part.text for document in self.skill.documents for part in document.paragraphs).lower()

    @cached_property
    def text(self) -> str:
        """The text of all documents in lower case, addresses left out."""
        lines = self.written.split("\n")
        return "\n".join([_ADDRESSES.sub(" ", line) if "://" in line else line for line in lines])

    @cached_property
    def mentioned(self) -> frozenset[str]:
        """The words of all documents, those of addresses left out."""
        return frozenset(_LETTERS.findall(self.text))

    def paragraphs(self) -> Iterator[tuple[Document, Paragraph]]:
        """The text that the agent reads, with its document; what only people read is left out."""
        for document in self.skill.documents:
            if document.role != "people":
                for paragraph in document.paragraphs:
                    yield document, paragraph

    def line(self, where: Location) -> str:
        """The text of a line."""
        lines = self.lines(where.file)
        return lines[where.line - 1].strip() if 0 < where.line <= len(lines) else ""

    def lines(self, file: str) -> tuple[str, ...]:
        """The lines of a file."""
        known = self._lines.get(file)
        if known is None:
            data = self.skill.read(file)
            text = "" if data is None or b"\0" in data[:1024] else data.decode("utf-8", "replace")
            known = self._lines[file] = tuple(text.split("\n"))
        return known


def owner_words(host: str) -> frozenset[str]:
    """The words in a host's name that say who runs it."""
    labels = host.lower().split(".")
    words = {word for label in labels[:-1] for word in _WORD.findall(label)}
    return frozenset(word for word in words if word not in _COMMON and len(word) > 2)
