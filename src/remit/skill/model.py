"""The types of this package: a skill, its files, and the limits for reading it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from pathlib import Path

    from remit.skill.document import Document
    from remit.skill.frontmatter import FrontMatter
    from remit.skill.walk import RawFile


class Stance(StrEnum):
    """How the analysis treats a file, judged by the file alone.

    A file that is inert by itself is still analysed when something runs it: rule 8 considers both content and reach.
    """

    ANALYSED = "analysed"
    INERT = "inert"
    OPAQUE = "opaque"


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of a skill is read. Beyond a hard limit the skill is refused (`LimitError`).

    `max_source_bytes` is soft: a larger file is hashed but not examined, and is opaque unless its kind is certainly
    inert (media, fonts).
    """

    max_files: int = 20_000
    max_file_bytes: int = 256 * 1024 * 1024
    max_total_bytes: int = 1024 * 1024 * 1024
    max_source_bytes: int = 4 * 1024 * 1024
    max_depth: int = 40
    max_name: int = 255


_PLAIN_KINDS = frozenset(
    {"text", "markdown", "json", "yaml", "toml", "table", "markup", "schema", "makefile", "package.json"}
)


@dataclass(frozen=True, slots=True)
class SkillFile:
    """One file of a skill.

    `languages` are the languages in which it runs when it is run as itself (several for a polyglot, none for data).
    """

    path: str
    size: int
    digest: str  # SHA-256 of the content, in hexadecimal; empty for a dangling link
    kind: str
    languages: tuple[str, ...]
    stance: Stance
    reason: str
    autoload: str = ""  # what runs it automatically; empty if nothing does
    extract: str = ""  # the reader of the commands that an autoloaded file holds (see `config_commands.py`)
    executable: bool = False
    link: str = ""  # for a symbolic link: the file of the skill whose content this is

    @property
    def started(self) -> tuple[str, ...]:
        """Return the languages when the file is started by its name: a shell runs a text without a shebang."""
        return self.languages or (("shell",) if self.kind in _PLAIN_KINDS else ())

    @property
    def language(self) -> str:
        """The first language; empty for data."""
        return self.languages[0] if self.languages else ""


HashedFile: TypeAlias = "SkillFile | RawFile"  # both know path, digest, executable bit and link


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill on disk. Contents are kept for files that are text or small; the others have only a digest."""

    name: str
    root: Path
    main: str  # the path of its SKILL.md
    front_matter: FrontMatter
    files: tuple[SkillFile, ...]  # sorted by path
    documents: tuple[Document, ...]
    notes: tuple[tuple[str, int, str], ...] = ()  # file, line, message for the reader
    links: Mapping[str, str] = field(default_factory=dict)  # links to folders of the skill: their files are listed once
    contents: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    by_path: Mapping[str, SkillFile] = field(default_factory=dict, repr=False)

    def read(self, path: str) -> bytes | None:
        """Return the content of a file; None if it is not a file of the skill or was too large to keep."""
        found = self.contents.get(path)
        return found if found is not None else self.contents.get(self.resolve(path))

    def file(self, path: str) -> SkillFile | None:
        """Return the file at a path, followed through links to folders."""
        return self.by_path.get(path) or self.by_path.get(self.resolve(path))

    def resolve(self, path: str) -> str:
        """Return a path with links to folders of the skill replaced; the path itself if there are none."""
        for _ in range(len(self.links) + 1):
            for link, target in self.links.items():
                if path == link or path.startswith(link + "/"):
                    path = (target + path[len(link) :]).removeprefix("/")
                    break
            else:
                return path
        return path
