"""Programs in the languages of the engine: read from files, documents and texts, lowered, and given to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from remit.analysis.domain import ANCHORS, MODEL, UNKNOWN, Hole, Text, Value
from remit.analysis.injection import opened, raw
from remit.analysis.python import lower_python
from remit.analysis.scopes import giver
from remit.analysis.skillfiles import given
from remit.analysis.world import HERE, Site, World
from remit.core.effect import Origin
from remit.core.location import Location
from remit.core.via import WHOLE, Cause, Via

if TYPE_CHECKING:
    from remit.analysis.engine.frames import Loaded
    from remit.analysis.engine.state import Programs
    from remit.analysis.ir import Program
    from remit.skill.model import Skill
    from remit.skill.program import SourceProgram

# Every name of a language that a front end reads → the language whose library it uses.
LANGUAGES = {
    "python": "python", "javascript": "js", "typescript": "js", "js": "js", "cjs": "js", "mjs": "js", "jsx": "js",
    "ts": "js", "mts": "js", "cts": "js", "tsx": "js",
}  # fmt: skip
_DIALECTS = {"javascript": "jsx", "js": "jsx", "cjs": "jsx", "mjs": "jsx", "jsx": "jsx", "tsx": "tsx"}


def lower(language: str, source: bytes | str, file: str, holes: Mapping[str, Value]) -> Program:
    """The common form of a source text."""
    program = _lowered(language, source, file, holes)
    for function in program.functions[1:]:
        if function.owner is not None:
            program.functions[function.owner].inner.append(function.index)
    return program


@lru_cache(maxsize=64)
def _lower_file(language: str, source: bytes, file: str) -> Program:
    """The common form of a file: skills of a collection have copies of the same ones. Nothing changes a program that is loaded."""
    return lower(language, source, file, {})


def _lowered(language: str, source: bytes | str, file: str, holes: Mapping[str, Value]) -> Program:
    if LANGUAGES[language] == "python":
        return lower_python(source, file, holes=holes)
    from remit.analysis.javascript import lower_javascript  # noqa: PLC0415  the parsers load when a script needs them

    data = source if isinstance(source, bytes) else source.encode("utf-8", "surrogateescape")
    dialect = _DIALECTS.get(language, "tsx" if file.endswith(".tsx") else "ts")
    return lower_javascript(data, file, dialect, holes=holes)


class Loader:
    """Loads a program once, and says what of it cannot be read. `before` is told of each text that is to be read."""

    programs: Programs

    def __init__(self, skill: Skill, world: World, before: Callable[[bytes], None] | None = None) -> None:
        self._skill = skill
        self._world = world
        self._before = before
        self._loaded: dict[tuple[str, str], Loaded | None] = {}
        self._texts: set[tuple[object, ...]] = set()

    def knows(self, path: str, language: str) -> bool:
        """Whether a file is loaded."""
        return (path, language) in self._loaded

    def program(self, program: SourceProgram, language: str) -> None:
        """A program that is run by itself."""
        if program.form != "file":
            self._load(program)
        elif not self.knows(program.file, language):
            self._loaded[program.file, language] = self._load(program)

    def _load(self, program: SourceProgram) -> Loaded:
        holes, file = _holes(program), program.file if program.form == "file" else ""
        same = (program.language, program.source, file)
        lowered = _lower_file(*same) if file and not holes else lower(*same, holes)
        loaded = self.programs.load(lowered, program.file, program.origin)
        if program.lines:
            loaded.lines = {i + 1: line for i, line in enumerate(program.lines)}
        for reason, line in lowered.opaque:
            self._world.opaque(reason, Site(Location(program.file, program.line(line)), program.origin))
        return loaded

    def module(self, path: str, language: str) -> Loaded | None:
        """A file of the skill that an import means."""
        key = (path, language)
        if key not in self._loaded:
            self._loaded[key] = None
            source = self._skill.read(path)
            if source is None:
                self._world.opaque(f"`{path}` cannot be read", Site(Location(path)))
            else:
                self._loaded[key] = self.source(path, language, source)
        return self._loaded[key]

    def source(self, path: str, language: str, source: bytes) -> Loaded:
        """A file with this text."""
        if self._before is not None:
            self._before(source)
        dialect = path.rpartition(".")[2] if language == "js" else language
        lowered = _lower_file(dialect if dialect in LANGUAGES else language, source, path)
        loaded = self.programs.load(lowered, path, Origin.SCRIPT)
        for reason, line in lowered.opaque:
            self._world.opaque(reason, Site(Location(path, line)))
        return loaded

    def text(self, language: str, source: str, holes: dict[str, Value], site: Site, cwd: Value = HERE) -> None:
        """A text that stands in no file, or in another program."""
        if self._before is not None:
            self._before(source.encode("utf-8", "replace"))
        key = (language, source, frozenset(holes.values()), site.where, cwd)
        if key in self._texts:
            return
        self._texts.add(key)
        lowered = lower(language, source, "", holes)
        loaded = self.programs.load(lowered, site.where.file, site.origin)
        site_of = self.site_of(source, site)
        loaded.lines = {line: site_of(line).where.line for line in range(1, source.count("\n") + 2)}
        loaded.cwd = None if cwd == HERE else cwd
        loaded.started = site.where
        for reason, line in lowered.opaque:
            self._world.opaque(reason, site_of(line))

    def site_of(self, source: str, site: Site) -> Callable[[int], Site]:
        """Return the site of each line of a text that is run as code: where it stands in the file, if it stands there as it is."""
        whole = (self._skill.read(site.where.file) or b"").decode("utf-8", "replace") if "\n" in source else ""
        at = whole.find(source.strip("\n")) if source.strip() else -1
        if at < 0 or whole.find(source.strip("\n"), at + 1) >= 0:
            return lambda _line: site
        first = whole.count("\n", 0, at) + 1 - (len(source) - len(source.lstrip("\n")))
        return lambda line: site._replace(where=Location(site.where.file, first + line - 1))

    def open_code(self, language: str, text: Text, site: Site, cwd: Value = HERE) -> None:
        """Code with holes: what stands in it is read, and what is put into it may be code as well."""
        holes = [part for part in text.parts if isinstance(part, Hole) and raw(part)]
        for index, part in enumerate(text.parts):
            if isinstance(part, Hole) and raw(part):
                whole = _is_statements(text, index)
                words = f"text that is not part of the skill is {'run as' if whole else 'put into'} code"
                via = Via(Cause.CODE, option=WHOLE if whole else "", words=words)
                self._world.effect("source.execute", giver(part), site, via)
        code = opened(LANGUAGES[language], text)
        if code is not None:
            self.text(language, code.source, code.holes, site, cwd)
        elif all(map(given, holes)) and not any(isinstance(part, str) for part in text.parts):
            return  # the caller's own code
        if code is None or any(part.origin == UNKNOWN for part in holes):
            self._world.opaque("text that is not known is run as code", site, "run code of the skill")


def _is_statements(text: Text, index: int) -> bool:
    """Whether what is put into code fills lines of its own: it is code, and no word or value in it."""
    before, after = text.parts[:index], text.parts[index + 1 :]
    alone = not before or (isinstance(before[-1], str) and before[-1].endswith("\n"))
    return alone and (not after or (isinstance(after[0], str) and after[0].startswith("\n")))


def placeholders(program: SourceProgram) -> dict[str, Hole]:
    """Placeholders of a document are what the model fills in."""
    out = {char: Hole(MODEL) for char in program.holes}
    out.update({char: Hole(anchor) for char, anchor in program.anchors.items() if anchor in ANCHORS})
    return out


def _holes(program: SourceProgram) -> dict[str, Value]:
    """The same as values."""
    return {char: frozenset({Text((found,))}) for char, found in placeholders(program).items()}
