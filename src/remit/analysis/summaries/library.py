"""The summarised libraries of one language, read file by file as they are needed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from remit.analysis.summaries.model import SETS, EffectLine, Entry, Expr, Parameter, Section, Sections
from remit.analysis.summaries.parser import parse
from remit.core.errors import DataError

# Standard modules that libraries import and so carry as members; a closing line does not speak for them.
_IMPORTED_EVERYWHERE = frozenset(
    ["asyncio", "builtins", "codecs", "ctypes", "ftplib", "gc", "glob", "http", "importlib", "inspect", "io", "multiprocessing", "os",
     "pathlib", "pickle", "platform", "posix", "pty", "runpy", "shelve", "shutil", "signal", "smtplib", "socket", "sqlite3", "ssl",
     "subprocess", "sys", "tempfile", "threading", "types", "urllib", "webbrowser", "zipfile"]
)  # fmt: skip
KEPT = "._kept"  # the class of what a library keeps objects in: every member of it is what the library was given
# Attributes that say where an object reads, writes or connects.
_TARGETS = frozenset(
    "address api_base api_url base base_url cwd directory endpoint file filename folder host hostname path port proxies proxy server "
    "session transport uri url".split()
)
_HARMLESS = Entry(SETS, 0, (Parameter("self"), Parameter("value")), (), Expr("const", "none"))
FOLDERS = {"python": "python", "js": "node"}


class Library:
    """What is known about the modules that a language can import.

    `extra` are summary files that a user names. They describe further libraries: what is shipped cannot be described again,
    because a description that calls a known module harmless would hide what it does.
    """

    def __init__(self, language: str, extra: Iterable[Path] = ()) -> None:
        self.language = language
        self._folder = Path(__file__).parents[1] / "data" / FOLDERS[language]
        self._files = {entry.name for entry in self._folder.iterdir() if entry.name.endswith(".sum")}
        self._read: set[str] = set()
        self.sections: Sections = {}
        self._add(extra)
        self._members: dict[tuple[str, str], Entry | Section | None] = {}
        self._unlisted: Sections = {}  # submodules that somebody imported; what is a member of what must not hang on who came before

    def _add(self, extra: Iterable[Path]) -> None:
        added: Sections = {}
        for path in extra:
            found = parse(path.read_text(encoding="utf-8"), str(path))
            if not path.is_relative_to(self._folder):
                self._refuse_shipped(found)
            added.update(found)
        self.sections = added | self.sections

    def _refuse_shipped(self, found: Sections) -> None:
        """DataError for a section of a module that is shipped, or of one inside it."""
        for key, section in found.items():
            top = self.top_of(key)
            self._load(top)
            inner = re.split(r"[./]", key[len(top) :].strip("./")) if key != top else []
            names = [top + "".join(f".{part}" for part in inner[:count]) for count in range(len(inner) + 1)]
            taken = next((name for name in (key, *names) if name in self.sections), "")
            if taken:
                message = (
                    f"{section.file}:{section.line}: `{taken}` is described by Remit, and cannot be described again"
                )
                remedy = "describe only modules that Remit does not know; report what is wrong in Remit's own"
                raise DataError(message, remedy)

    def _load(self, top: str) -> None:
        name = top.replace("/", "+") + ".sum"
        if top in self._read:
            return
        self._read.add(top)
        if name in self._files:
            self._parse(name)
        else:
            for shared in sorted(entry for entry in self._files if entry.startswith("_small")):
                if shared not in self._read:
                    self._read.add(shared)
                    self._parse(shared)

    def _parse(self, name: str) -> None:
        source = (self._folder / name).read_text(encoding="utf-8")
        for key, section in parse(source, name).items():
            self.sections.setdefault(key, section)

    def top_of(self, name: str) -> str:
        """The package that a qualified name belongs to: `os` of `os.path.join`, `@a/b` of `@a/b.C`."""
        if self.language == "python":
            return name.partition(".")[0]
        head = name.split("/")
        if name.startswith("@") and len(head) > 1:
            return f"{head[0]}/{head[1].partition('.')[0]}"
        return head[0].partition(".")[0]

    def section(self, name: str) -> Section | None:
        """The module or class of this name, if it is summarised."""
        found = self._written(name)
        if found is None and name.endswith(KEPT):
            every = Entry(".*", 0, None, (), Expr("data", "any"), (), pure=True)
            self._unlisted.setdefault(name, Section(name, is_class=True, file="", line=0, rest=every))
        return found if found is not None else self._unlisted.get(name)

    def _written(self, name: str) -> Section | None:
        """Likewise, if a summary names it."""
        found = self.sections.get(name)
        if found is None:
            self._load(self.top_of(name))
            found = self.sections.get(name)
        return found

    def module(self, name: str) -> Section | None:
        """The module of this name; a submodule of a closed module is closed in the same way."""
        found = self.section(name)
        if found is not None:
            return None if found.is_class else found
        parent, _, leaf = name.rpartition("." if self.language == "python" else "/")
        if not parent:
            return None
        if self.language == "python" and leaf.startswith("_") and not leaf.startswith("__"):
            return None  # a closing line speaks for public names only
        above = self.module(parent)
        if above is None or above.rest is None or leaf in above.entries:
            return None
        if self.language != "python" and self._acts(self.top_of(name)):
            return None  # the files of a package that acts may act, too
        made = Section(name, is_class=False, file=above.file, line=above.line, rest=above.rest)
        self._unlisted[name] = made
        return made

    def _acts(self, package: str) -> bool:
        """Whether anything that is listed of a package has an effect."""
        return any(
            entry.effects
            for key, section in self.sections.items()
            if self.top_of(key) == package
            for entry in section.entries.values()
        )

    def member(self, owner: str, name: str) -> Entry | Section | None:
        """A member of a module or class: an entry, a class or submodule section, or None if it is not listed."""
        key = (owner, name)
        if key not in self._members:
            self._members[key] = self._find(owner, name)
        return self._members[key]

    def listed(self, owner: str, name: str) -> Entry | None:
        """The entry that lists a member by this name, here or in a base; a closing line lists none."""
        found = self.member(owner, name)
        return found if isinstance(found, Entry) and found.name == name else None

    def setter(self, owner: str, name: str) -> Entry | None:
        """What assigning an attribute does, if the class, module or a base lists it (`sets *`: any attribute). A class that is closed
        as pure and lists none promises that an attribute changes nothing, unless its name says where something goes."""
        for wanted in (SETS + name, f"{SETS}*"):
            if (found := self.listed(owner, wanted)) is not None:
                return found
        section = self.section(owner)
        if section is None or not section.is_class or name in _TARGETS or self._lists_setters(section, set()):
            return None
        rest = self._rest(section, set())
        return _HARMLESS if rest is not None and rest.pure else None

    def _lists_setters(self, section: Section, seen: set[str]) -> bool:
        seen.add(section.name)
        above = [found for base in section.bases if base not in seen and (found := self.section(base)) is not None]
        return any(name.startswith(SETS) for name in section.entries) or any(
            self._lists_setters(one, seen) for one in above
        )

    def _find(self, owner: str, name: str) -> Entry | Section | None:
        section = self.section(owner)
        if section is None:
            return None
        found = self._listed(section, name, set())
        if found is not None:
            return found
        if name.startswith("_") and not name.startswith("__") and self.language == "python":
            return None  # a closing line speaks for public names only
        rest = self._rest(section, set())
        if (
            not section.is_class
            and self.language == "python"
            and name in _IMPORTED_EVERYWHERE
            and rest is not None
            and rest.pure
        ):
            return None  # a module's own imports are its members too: `shutil.os` is `os`, whatever `shutil` promises
        if rest is None and section.is_class and self.language == "js":
            every_object = self.section("globals.Prototype")
            return every_object.entries.get(name) if every_object is not None else None
        return rest

    def _listed(self, section: Section, name: str, seen: set[str]) -> Entry | Section | None:
        entry = section.entries.get(name)
        if entry is not None:
            return entry
        if not section.is_class:
            return self._written(f"{section.name}.{name}") or self.sections.get(f"{section.name}/{name}")
        seen.add(section.name)
        for base in section.bases:
            above = self.section(base)
            if above is not None and above.name not in seen:
                found = self._listed(above, name, seen)
                if found is not None:
                    return found
        return None

    def _rest(self, section: Section, seen: set[str]) -> Entry | None:
        if section.rest is not None:
            return section.rest
        seen.add(section.name)
        for base in section.bases:
            above = self.section(base)
            if above is None:
                unknown = EffectLine("opaque", f"base class `{base}` has no summary")
                return Entry(".*", section.line, None, (unknown,), Expr("any"))
            if above.name not in seen:
                found = self._rest(above, seen)
                if found is not None:
                    return found
        return None

    def derives(self, name: str, ancestor: str) -> bool:
        """Whether a class is, or inherits from, another."""
        if name == ancestor:
            return True
        section = self.section(name)
        return section is not None and any(self.derives(base, ancestor) for base in section.bases)
