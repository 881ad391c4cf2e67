"""Functions of the standard library that need code: operator, shlex, heapq, importlib, sys."""

from __future__ import annotations

import shlex
from functools import partial
from typing import TYPE_CHECKING

from remit.analysis.domain import (
    ANY,
    ARG,
    BOTTOM,
    NOTHING,
    SOME_TEXT,
    Atom,
    Const,
    Instance,
    Module,
    Object,
    Text,
    Value,
    hole,
    lit,
)
from remit.analysis.each import each
from remit.analysis.engine.frames import Args
from remit.analysis.engine.run import EnginePart
from remit.analysis.engine.texts import concat_values, derived, literals, quoted, texts_of

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.frames import Handler
    from remit.analysis.engine.heap import Heap


class PythonLibrary(EnginePart):
    """What summaries of the standard library mark `! intrinsic`."""

    calls: engine.Calls
    cells: engine.Cells
    collections: engine.Collections
    elements: engine.Elements
    environments: engine.Environments
    host: engine.Host
    leaks: engine.Leaks
    members: engine.Members
    objects: engine.Objects
    programs: engine.Programs
    stores: engine.Stores
    work: engine.WorkList

    def handlers(self) -> dict[str, Handler]:
        """Intrinsic name → code."""
        return {
            "sys.argv": self._sys_argv, "attrgetter": partial(self._getter, "attr"), "methodcaller": partial(self._getter, "call"),
            "itemgetter": partial(self._getter, "item"), "heappush": self._heappush, "spec_from_file_location": self._spec_from_file,
            "module_from_spec": self._module_from_spec, "shlex.split": self._shlex_split, "shlex.join": self._shlex_join,
        }  # fmt: skip

    def _sys_argv(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """One list for all modules, because what one appends another finds."""
        known = self.host.program_words()
        made = self.objects.allocate_shared("argv" if known is None else f"argv of {known.name}", "list", line)
        heap = self.objects.heap(made)
        heap.bag = self.environments.argv  # shared by all, so that a change is seen by all
        self.run.flows.context.add(self.run.flows.node(("in", self.run.frame.loaded.started)))
        if known is None:
            self.cells.write(self.environments.argv, hole(ARG))
        else:
            self.elements.place_words(heap, known.words)
        return frozenset({made})

    def _getter(self, kind: str, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.objects.made_here("getter", line)
        heap = self.objects.heap(made)
        heap.origin = kind
        for i, value in enumerate(args.positional):
            self.objects.write_at(heap, i, value)
        return frozenset({made})

    def call_getter(self, heap: Heap, args: Args, line: int) -> Value:
        """`attrgetter("a.b")(x)`, `itemgetter(0)(x)`, `methodcaller("m", 1)(x)`."""
        subject = args.at(0)
        names = [self.cells.read(cell) for cell in heap.prefix]
        if heap.origin == "item":
            return BOTTOM.union(*(self.elements.item(subject, name, line) for name in names))
        found: Value = BOTTOM
        for name in names[: 1 if heap.origin == "call" else None]:
            words = literals(name)
            if words is None:
                found = found | self.run.opaque("a member is chosen by a computed name", line)
                continue
            for word in words:
                value = subject
                for piece in word.split("."):
                    value = self.members.member(value, piece, line)
                found = found | value
        return self.calls.call(found, Args(names[1:]), line) if heap.origin == "call" else found

    def _heappush(self, receiver: Atom | None, args: Args, line: int) -> Value:
        for atom in each(args.at(0)):
            if isinstance(atom, Object):
                self.cells.write(self.objects.heap(atom).bag, args.at(1))
            else:
                self.leaks.leak(args.at(1))
        return NOTHING

    def _shlex_split(self, receiver: Atom | None, args: Args, line: int) -> Value:
        out: set[Atom] = set()
        for atom in each(args.at(0)):
            made = self.objects.allocate_each(self.run.call_term or line, atom, "list", line)
            try:
                split = shlex.split(atom.literal or "") if isinstance(atom, Text) and atom.literal is not None else None
            except ValueError:
                continue  # it is refused
            if split is None:
                self.stores.fill(self.objects.heap(made), [], derived(frozenset({atom})))
            else:
                self.stores.fill(self.objects.heap(made), [lit(word) for word in split])
            out.add(made)
        return frozenset(out)

    def _shlex_join(self, receiver: Atom | None, args: Args, line: int) -> Value:
        prefix, rest = self.collections.spread(args.at(0), line)
        pieces: list[Value] = []
        for word in [*map(quoted, prefix), *([SOME_TEXT] if rest else [])]:  # several words may follow, or none
            pieces.extend((lit(" "), word) if pieces else (word,))
        return concat_values(pieces)

    def _spec_from_file(self, receiver: Atom | None, args: Args, line: int) -> Value:
        location = args.at(1) or args.keywords.get("location", BOTTOM)
        path: Value = frozenset(texts_of(self.work.settle(location)))
        if not path:
            return BOTTOM
        self.run.world.run_file("python", path, self.run.site(line))
        made = self.objects.made_here("instance", line)
        heap = self.objects.heap(made)
        files = self.run.world.skill_files(path)
        modules: Value = ANY
        if files is not None:
            modules = frozenset(
                Module(found.index)
                for found in self.programs.loaded
                if found.file in files and found.program.language == "python"
            )
        self.objects.write(heap, " module", modules)
        self.objects.write(heap, "loader", frozenset({Instance("importlib._FileLoader")}))
        return frozenset({made})

    def _module_from_spec(self, receiver: Atom | None, args: Args, line: int) -> Value:
        out: Value = BOTTOM
        for atom in each(args.at(0)):
            if isinstance(atom, Object) and " module" in self.objects.heap(atom).fields:
                out = out | self.cells.read(self.objects.heap(atom).fields[" module"])
            elif not isinstance(atom, Const):
                out = out | ANY
        return out
