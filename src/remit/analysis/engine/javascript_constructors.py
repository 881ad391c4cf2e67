"""What `new Map`, `new Promise` and their like make."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import ANY, BOTTOM, PERHAPS, UNKNOWN, Atom, Bound, Const, Data, Lib, Text, Value
from remit.analysis.each import each
from remit.analysis.engine.absence import or_missing
from remit.analysis.engine.frames import Args
from remit.analysis.engine.marks import BUILTIN_MEMBER, ONE, ZERO
from remit.analysis.engine.run import EnginePart

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.frames import Handler


class JavaScriptConstructors(EnginePart):
    """Collections and promises of JavaScript."""

    calls: engine.Calls
    cells: engine.Cells
    elements: engine.Elements
    objects: engine.Objects
    stores: engine.Stores
    work: engine.WorkList

    def handlers(self) -> dict[str, Handler]:
        """Intrinsic name → code."""
        return {
            "Map": self._new_map, "Set": self._new_set, "Promise": self._new_promise, "Array": self._new_array,
            "util.promisify": self._promisify, "WeakRef": self._same, "Promise.withResolvers": self._with_resolvers,
        }  # fmt: skip

    def _same(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.objects.made_here("weakref", line)
        self.cells.write(self.objects.heap(made).bag, args.at(0))
        return frozenset({made})

    def _new_map(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.objects.made_here("map", line)
        heap = self.objects.heap(made)
        for pair in each(self.elements.elements(frozenset(a for a in args.at(0) if not isinstance(a, Const)), line)):
            one: Value = frozenset({pair})
            self.stores.put(heap, self.elements.item(one, ZERO, line), self.elements.item(one, ONE, line))
        return frozenset({made})

    def _new_set(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.objects.collected("set", self.elements.elements(args.at(0), line), line)

    def _new_array(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.objects.made_here("list", line)
        for value in args.everything():
            self.cells.write(self.objects.heap(made).bag, value)
            if any(not isinstance(atom, Text) for atom in value):  # a number of places with nothing in them
                self.cells.write(self.objects.heap(made).bag, PERHAPS)
        return frozenset({made})

    def _new_promise(self, receiver: Atom | None, args: Args, line: int) -> Value:
        holder = self.objects.made_here("promise", line)
        resolve = Bound(Lib(f"{BUILTIN_MEMBER}function.resolve"), holder)
        self.calls.call(
            args.at(0),
            Args([frozenset({resolve}), frozenset({Bound(Lib(f"{BUILTIN_MEMBER}function.reject"), holder)})]),
            line,
        )
        kept = or_missing(self.cells.read(self.objects.heap(holder).bag))  # `resolve()`
        return kept or (frozenset({Data(UNKNOWN)}) if self.work.settle(BOTTOM) else BOTTOM)

    def _with_resolvers(self, receiver: Atom | None, args: Args, line: int) -> Value:
        holder = self.objects.allocate(self.objects.call_slot("holder"), "promise", line)
        made = self.objects.made_here("dict", line)
        heap = self.objects.heap(made)
        self.objects.write(
            heap,
            "promise",
            self.cells.read(self.objects.heap(holder).bag) or (ANY if self.work.settle(BOTTOM) else BOTTOM),
        )
        for name in ("resolve", "reject"):
            self.objects.write(heap, name, frozenset({Bound(Lib(f"{BUILTIN_MEMBER}function.{name}"), holder)}))
        return frozenset({made})

    def _promisify(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return args.at(0)
