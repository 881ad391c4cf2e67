"""Modules: imports, exports, and text that becomes code in the place where it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import ANY, BOTTOM, SKILL, Anything, Hole, Lib, Module, Object, Text, Value
from remit.analysis.domain import text as normal_text
from remit.analysis.each import each
from remit.analysis.engine.run import EnginePart, Run
from remit.analysis.engine.texts import literals, local, texts_of
from remit.analysis.python.names import shared

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.frames import Frame, Loaded
    from remit.analysis.engine.heap import Cell
    from remit.analysis.ir import Import

_LOADED = (".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".tsx", ".jsx", ".json", ".node")
_ENDINGS = ("", ".js", ".mjs", ".cjs", ".ts", "/index.js", "/index.ts", ".json")  # that a loader tries


class Modules(EnginePart):
    """Finds what is imported, and runs text as code."""

    evaluator: engine.Evaluator
    library_members: engine.LibraryMembers

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.guests: dict[int, set[int]] = {}  # module → texts that it evaluates
        self.hosts: dict[int, set[int]] = {}  # evaluated text → the activations that evaluate it
        self.guest_spaces: dict[int, set[Object]] = {}  # evaluated text → the dictionaries that it runs in

    # ── JavaScript exports ──

    def exports_object(self, loaded: Loaded) -> Object:
        """The object that holds what a module exports by name."""
        return self.objects.kept_as((loaded.frame.index, -8), "dict", 1)

    def exports_of(self, loaded: Loaded) -> Value:
        """What `require` of the module gives."""
        self.evaluate_first(loaded)
        return self.cells.read(loaded.exports) | {self.exports_object(loaded)}

    def exports_field(self, loaded: Loaded, name: str) -> Cell:
        """The cell of a named export."""
        return self.objects.field(self.objects.heap(self.exports_object(loaded)), name)

    def evaluate_first(self, loaded: Loaded) -> None:
        """A module runs before what imports it goes on (unless they import each other)."""
        if not loaded.frame.evaluated and self.calls.depth < 20:
            self.calls.depth += 1
            self.evaluator.evaluate_frame(loaded.frame)
            self.calls.depth -= 1

    # ── imports ──

    def imported_member(self, module: Value, term: Import, line: int) -> Value:
        """`from module import member`, `import {member} from`."""
        name = term.member or ""
        out: Value = BOTTOM
        for atom in each(module):
            if isinstance(atom, Lib):
                out = out | self._library_import(atom, name, line)
            elif isinstance(atom, Module):
                out = out | self._skill_import(atom, name, term, line)
            elif isinstance(atom, Anything):
                out = out | ANY
            else:
                out = out | self.members.member(frozenset({atom}), name, line)
        return out

    def _library_import(self, atom: Lib, name: str, line: int) -> Value:
        library = self.run.library()
        if name == "default":
            found = library.listed(atom.name, "default")
            if found is not None and found.params is None and not found.pure:
                return self.summaries.evaluate_entry(f"{atom.name}.default", found, None, line) | {atom}
            return frozenset({atom})  # a CommonJS package: the default is the module itself
        if (
            self.run.language() == "python"
            and library.member(atom.name, name) is None
            and library.module(f"{atom.name}.{name}") is not None
        ):
            return frozenset({Lib(f"{atom.name}.{name}")})
        return self.library_members.library_member(atom, name, line)

    def _skill_import(self, atom: Module, name: str, term: Import, line: int) -> Value:
        loaded = self.programs.loaded[atom.index]
        self.evaluate_first(loaded)
        if self.run.language() == "js":
            exports = self.exports_of(loaded)
            if name == "default":
                own = self.cells.read(self.exports_field(loaded, "default"))
                return own or self.cells.read(loaded.exports) or exports
            return self.members.member(exports, name, line)
        found = self.members.module_member(loaded, name, line)
        if not found and self.run.linker.exists(f"{term.name}.{name}" if term.name else name, self.run.frame.loaded):
            found = self.run.linker.imported(
                self.run, f"{term.name}.{name}" if term.name else name, term.level, self.run.frame.loaded, line
            )
        return found

    def import_computed(self, name: Value, line: int, package: Value = BOTTOM) -> Value:
        """A module by a computed name: each name it can be, or opaque. `package` is what a relative name starts from."""
        if self.run.language() == "js":
            return self._import_texts(name, line)
        names = literals(name)
        if names is None:
            if name:
                self.leaks.leak(name)
                return self.run.opaque("a module is imported by a computed name", line, "import it by its name")
            return BOTTOM
        out: Value = BOTTOM
        for word in names:
            if self.run.language() == "python" and word.startswith("."):
                level = len(word) - len(word.lstrip("."))
                for base in literals(package) or ():
                    above = base.split(".")[: len(base.split(".")) - level + 1]
                    out = out | self.run.linker.imported(
                        self.run, ".".join([*above, word.lstrip(".")]), 0, self.run.frame.loaded, line
                    )
                if package:
                    continue
                out = out | self.run.linker.imported(self.run, word.lstrip("."), level, self.run.frame.loaded, line)
            else:
                out = out | self.run.linker.imported(self.run, word, 0, self.run.frame.loaded, line)
        self.summaries.import_effects(out, line)
        return out

    def _import_texts(self, name: Value, line: int) -> Value:
        """JavaScript: by specifiers, or by paths of files of the skill (`path.join(__dirname, …)`, a URL of the module)."""
        out: Value = BOTTOM
        for given in texts_of(name):
            text = given if given.literal is not None else local(given) or given
            first = text.parts[0] if text.parts else ""
            if text.literal is not None:
                out = out | self.run.linker.imported(self.run, text.literal, 0, self.run.frame.loaded, line)
            elif (
                isinstance(first, Hole)
                and first.origin == SKILL
                and len(text.parts) == 2
                and isinstance(text.parts[1], str)
            ):
                path = text.parts[1].lstrip("/")
                out = out | self.run.linker.own_file(self.run, path, path, line)
            else:
                out = out | self._import_chosen(text, name, line)
        self.summaries.import_effects(out, line)
        return out

    def _import_chosen(self, text: Text, name: Value, line: int) -> Value:
        """One of the files of the skill that a path with holes can name: `./commands/${name}.js`."""
        first = text.parts[0] if text.parts else ""
        if isinstance(first, str) and first.startswith(("./", "../")):
            folder = self.run.frame.loaded.file.rpartition("/")[0]
            text = normal_text(Hole(SKILL), f"/{folder}/" if folder else "/", *text.parts)
        found: list[str] = []
        for ending in _ENDINGS if self._begins_in_skill(text) else ():
            found += self.run.world.skill_files(frozenset({normal_text(*text.parts, ending)})) or ()
        modules = [path for path in dict.fromkeys(found) if path.endswith(_LOADED)]
        if not modules:
            self.leaks.leak(name)
            return self.run.opaque("a module is imported by a computed name", line, "import it by its name")
        return BOTTOM.union(*(self.run.linker.own_file(self.run, path, path, line) for path in modules))

    def _begins_in_skill(self, text: Text) -> bool:
        first = text.parts[0] if text.parts else ""
        return isinstance(first, Hole) and first.origin == SKILL

    # ── text that becomes code ──

    def run_text(self, language: str, code: Value, line: int, spaces: Value = BOTTOM) -> Value:
        """`eval` and `exec`: the text sees the names of the place that runs it, and that place sees what the text binds.

        `spaces` are the dictionaries that it runs in. The value is that of the text's expressions.
        """
        site = self.run.site(line)
        self.run.world.run_code(language, code, site)
        here = self.run.frame.loaded
        out: Value = BOTTOM
        for loaded in self.programs.loaded[here.index + 1 :]:
            if loaded.file != here.file or loaded.program.file or loaded.program.language != here.program.language:
                continue
            if loaded.index not in self.guests.setdefault(here.index, set()):
                self.guests[here.index].add(loaded.index)
                here.star.append(frozenset({Module(loaded.index)}))
            self.hosts.setdefault(loaded.index, set()).add(self.run.frame.index)
            if loaded.lines is not None and loaded.lines.get(1) == site.where.line:
                out = out | self._run_guest(loaded, spaces)
        return out

    def _run_guest(self, loaded: Loaded, spaces: Value) -> Value:
        known = self.guest_spaces.setdefault(loaded.index, set())
        known.update(atom for atom in spaces if isinstance(atom, Object))
        self.evaluate_first(loaded)
        for atom in each(known):
            heap = self.objects.heap(atom)
            for name, cell in list(loaded.frame.variables.items()):
                if heap.fields is not loaded.frame.variables:
                    self.objects.write(heap, name, self.cells.read(cell))
        return self.cells.read(loaded.frame.result)

    def shared_names(self, loaded: Loaded, name: str, line: int) -> Value:
        """A name that evaluated text takes from where it is evaluated, or from another text that is evaluated there."""
        out: Value = BOTTOM
        for index in self.hosts.get(loaded.index, ()):
            frame: Frame | None = self.work.frames[index]
            while frame is not None:
                out = out | self.cells.read(frame.cell(name)) | self.cells.read(frame.cell(shared(name)))
                frame = frame.parent
            for guest in self.guests.get(self.work.frames[index].loaded.index, ()):
                out = out | self.cells.read(self.programs.loaded[guest].frame.cell(name))
        for atom in each(self.guest_spaces.get(loaded.index, ())):
            out = out | self.cells.read(self.objects.field(self.objects.heap(atom), name))
        return out
