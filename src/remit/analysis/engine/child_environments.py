"""What a child is given with its environment: what the skill puts there, since the rest is its parent's anyway."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple

from remit.analysis.domain import BOTTOM, Const, Instance, Object, Text, Value
from remit.analysis.engine.marks import ENVIRONMENTS
from remit.analysis.engine.run import EnginePart
from remit.analysis.summaries.model import Section

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.frames import Args
    from remit.analysis.engine.heap import Cell, Heap
    from remit.analysis.flows import Node


class Variables(NamedTuple):
    """The argument that is the environment of a child, or that holds it under the key `env`."""

    place: int
    name: str
    keyed: bool


class ChildEnvironments(EnginePart):
    """Tells what the environment of a child holds from what it inherits."""

    cells: engine.Cells
    data_flow: engine.DataFlow
    environments: engine.Environments
    objects: engine.Objects

    def variables(self, name: str) -> tuple[Variables, ...]:
        """Where a function of a library is given the environment of a program that it starts, as its summary says."""
        owner, _, member = name.rpartition(".")
        library = self.run.library()
        section = library.section(name)
        found = section or library.member(owner, member)
        if isinstance(found, Section):
            found = found.entries.get("__init__" if found.is_class else "default")
        if found is None or found.params is None:
            return ()
        names = [param.name for param in found.params if param.name != "self"]
        given = {expr for effect in found.effects for key, expr in effect.keywords if key == "env"}
        holders = {(expr.args[0] if expr.op == "key" else expr).text: expr.op == "key" for expr in given}
        return tuple(Variables(names.index(name), name, keyed) for name, keyed in holders.items() if name in names)

    def given(self, args: Args, variables: tuple[Variables, ...]) -> set[Node]:
        """What a call is given. A child has the variables of its parent anyway: of its environment only what the skill puts there counts."""
        flows, known = self.run.flows, args.flow
        values: dict[int | str, Value] = dict(enumerate(args.positional)) | args.keywords
        apart: dict[int | str, set[Node]] = {}
        for where in variables if known is not None else ():
            at = where.name if where.name in args.keywords else where.place
            given = (self._options_given if where.keyed else self.environment_given)(values.get(at, BOTTOM))
            if given is not None:
                apart[at] = given
        if known is not None and apart:
            contexts: dict[int | str, set[Node]] = dict(enumerate(known.positional)) | known.keywords
            flows.context = known.rest.union(known.callee, *(apart.get(at, one) for at, one in contexts.items()))
        for value in (args.star, args.keyword_star, *(value for at, value in values.items() if at not in apart)):
            if Object in map(type, value):
                flows.context |= self.data_flow.content(value)
        return flows.context

    def environment_given(self, value: Value) -> set[Node] | None:
        """What the environment of a child holds besides a copy of the parent's; None if that cannot be told apart."""
        out: set[Node] = set()
        for atom in value:
            if isinstance(atom, Object):
                heap = self.objects.heap(atom)
                if not _is_plain_mapping(heap):
                    return None
                out |= self._members(heap, heap.fields, rest=not self.environments.is_copy(heap))
            elif not isinstance(atom, Const) and not (isinstance(atom, Instance) and atom.cls in ENVIRONMENTS):
                return None
        return out

    def _options_given(self, value: Value) -> set[Node] | None:
        """What options hold, with an environment under the key `env`; None if that cannot be told apart."""
        out: set[Node] = set()
        for atom in value:
            heap = self.objects.heap(atom) if isinstance(atom, Object) else None
            if heap is None or not _is_plain_mapping(heap) or "env" not in heap.fields:
                return None
            given = self.environment_given(self.cells.look(heap.fields["env"]))
            if given is None:
                return None
            rest = bool(self.cells.look(heap.bag)) or not self.environments.is_copy(heap)
            out |= given | self._members(heap, heap.fields.keys() - {"env"}, rest=rest)
        return out

    def _members(self, heap: Heap, names: Collection[str], *, rest: bool) -> set[Node]:
        """What some members of a mapping hold. `rest`: and those whose names are not known."""
        cells = [heap.fields[name] for name in names if not self._is_fixed(heap.fields[name])]
        cells += [heap.bag, heap.keys] if rest else []
        return set(cells).union(*(self.data_flow.content(self.cells.look(cell)) for cell in cells))

    def _is_fixed(self, cell: Cell) -> bool:
        """Whether a cell holds nothing but texts that stand in the program: no data, whatever was read when they were put there."""
        return all(isinstance(atom, Text) and atom.literal is not None for atom in self.cells.look(cell))


def _is_plain_mapping(heap: Heap) -> bool:
    return heap.kind == "dict" and heap.cls < 0 and heap.proto is None and not heap.escaped
