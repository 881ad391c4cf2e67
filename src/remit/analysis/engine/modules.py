"""Modules: imports, exports, and text that becomes code in the place where it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import ANY, BOTTOM, Anything, Lib, Module, Object, Value
from remit.analysis.engine.evaluate import Evaluator
from remit.analysis.engine.texts import literals
from remit.analysis.summaries.model import Entry

if TYPE_CHECKING:
    from remit.analysis.engine.frames import Loaded
    from remit.analysis.engine.heap import Cell
    from remit.analysis.ir import Import


class Engine(Evaluator):
    """The evaluator with its modules: the whole of Method A for Python and JavaScript."""

    # ── JavaScript exports ──

    def exports_object(self, loaded: Loaded) -> Object:
        """The object that holds what a module exports by name."""
        key = (loaded.frame.index, -8)
        found = self._allocated.get(key)
        if found is None:
            found = self._allocated[key] = self.new_object("dict", 1)
        return found

    def exports_of(self, loaded: Loaded) -> Value:
        """What `require` of the module gives."""
        self.evaluate_first(loaded)
        return self.read(loaded.exports) | {self.exports_object(loaded)}

    def exports_field(self, loaded: Loaded, name: str) -> Cell:
        """The cell of a named export."""
        return self.field(self.heap(self.exports_object(loaded)), name)

    def evaluate_first(self, loaded: Loaded) -> None:
        """A module runs before what imports it goes on (unless they import each other)."""
        if not loaded.frame.evaluated and self.depth < 20:
            self.depth += 1
            self.evaluate_frame(loaded.frame)
            self.depth -= 1

    # ── imports ──

    def imported_member(self, module: Value, term: Import, line: int) -> Value:
        """`from module import member`, `import {member} from`."""
        name = term.member or ""
        out: Value = BOTTOM
        for atom in module:
            if isinstance(atom, Lib):
                out = out | self._library_import(atom, name, line)
            elif isinstance(atom, Module):
                out = out | self._skill_import(atom, name, term, line)
            elif isinstance(atom, Anything):
                out = out | ANY
            else:
                out = out | self.member(frozenset({atom}), name, line)
        return out

    def _library_import(self, atom: Lib, name: str, line: int) -> Value:
        library = self.library()
        if name == "default":
            found = library.member(atom.name, "default")
            explicit = isinstance(found, Entry) and found.name == "default"
            if not explicit:
                return frozenset({atom})  # a CommonJS package: the default is the module itself
            assert isinstance(found, Entry)
            if found.params is None and not found.pure:
                return self.evaluate_entry(f"{atom.name}.default", found, None, line) | {atom}
            return frozenset({atom})
        if self.language() == "python" and library.member(atom.name, name) is None and library.module(f"{atom.name}.{name}") is not None:
            return frozenset({Lib(f"{atom.name}.{name}")})
        return self.library_member(atom, name, line)

    def _skill_import(self, atom: Module, name: str, term: Import, line: int) -> Value:
        loaded = self.loaded[atom.index]
        self.evaluate_first(loaded)
        if self.language() == "js":
            exports = self.exports_of(loaded)
            if name == "default":
                own = self.read(self.exports_field(loaded, "default"))
                return own or self.read(loaded.exports) or exports
            return self.member(exports, name, line)
        found = self.module_member(loaded, name, line)
        if not found and self.linker.exists(f"{term.name}.{name}" if term.name else name, self.frame.loaded):
            found = self.linker.imported(self, f"{term.name}.{name}" if term.name else name, term.level, self.frame.loaded, line)
        return found

    def import_computed(self, name: Value, line: int) -> Value:
        """A module by a computed name: each name it can be, or opaque."""
        names = literals(name)
        if names is None:
            if name:
                self.leak(name)
                return self.opaque("a module is imported by a computed name", line, "import it by its name")
            return BOTTOM
        out: Value = BOTTOM
        for word in names:
            if self.language() == "python" and word.startswith("."):
                level = len(word) - len(word.lstrip("."))
                out = out | self.linker.imported(self, word.lstrip("."), level, self.frame.loaded, line)
            else:
                out = out | self.linker.imported(self, word, 0, self.frame.loaded, line)
        return out

    # ── text that becomes code ──

    def run_text(self, language: str, code: Value, line: int) -> None:
        """`eval` and `exec`: the text sees the names of the module, and the module sees what the text binds."""
        self.world.run_code(language, code, self.site(line))
        here = self.frame.loaded
        for loaded in self.loaded[here.index + 1 :]:
            if loaded.index in self.guests.get(here.index, set()):
                continue
            if loaded.file == here.file and loaded.program.file == "" and loaded.program.language == here.program.language:
                self.guests.setdefault(here.index, set()).add(loaded.index)
                self.hosts.setdefault(loaded.index, set()).add(here.index)
                here.star.append(frozenset({Module(loaded.index)}))

    def shared_names(self, loaded: Loaded, name: str, line: int) -> Value:
        """A name that evaluated text takes from the module that evaluates it."""
        out: Value = BOTTOM
        for index in self.hosts.get(loaded.index, ()):
            out = out | self.read(self.loaded[index].frame.cell(name))
        return out
