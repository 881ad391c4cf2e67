"""`process` and the global object of JavaScript."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import (
    ANY,
    ARG,
    BOTTOM,
    TREE,
    UNDEFINED,
    UNKNOWN,
    Atom,
    Hole,
    Instance,
    Lib,
    Text,
    Value,
    env_origin,
    hole,
    lit,
)
from remit.analysis.engine.absence import or_missing
from remit.analysis.engine.heap import Cell, Heap
from remit.analysis.engine.javascript_objects import ENVIRONMENT
from remit.analysis.engine.marks import PROTOTYPE
from remit.analysis.engine.run import EnginePart, Run
from remit.analysis.engine.texts import literals, texts_of
from remit.core.via import function

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.frames import Args, Handler

REQUIRE = "globals.Require"
INTERPRETER: Value = frozenset({Text(("/", Hole(UNKNOWN, TREE)))})  # an absolute path


WHOLE_ENVIRONMENT = "process.env"  # the node of all variables, where a program hands them on


class JavaScriptProcess(EnginePart):
    """Variables, words and globals of a Node program."""

    cells: engine.Cells
    data_flow: engine.DataFlow
    collections: engine.Collections
    elements: engine.Elements
    environments: engine.Environments
    host: engine.Host
    js_intrinsics: engine.JavaScriptIntrinsics
    js_options: engine.JavaScriptOptions
    leaks: engine.Leaks
    members: engine.Members
    objects: engine.Objects
    stores: engine.Stores
    work: engine.WorkList

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.globals: dict[str, Value] = {}  # what the skill sets on the global object

    def handlers(self) -> dict[str, Handler]:
        """Intrinsic name → code."""
        return {
            "process.argv": self._process_argv, "process.env": self._process_env,
        }  # fmt: skip

    def _process_argv(self, receiver: Atom | None, args: Args, line: int) -> Value:
        known = self.host.program_words()
        made = self.objects.allocate_shared(
            "process.argv" if known is None else f"process.argv of {known.name}", "list", line
        )
        heap = self.objects.heap(made)
        heap.bag = self.environments.argv
        self.run.flows.context.add(self.run.flows.node(("in", self.run.frame.loaded.started)))
        if known is None:
            self.objects.write_at(heap, 0, INTERPRETER)
            self.objects.write_at(heap, 1, self.js_intrinsics.filename(receiver, args, line))
            self.cells.write(heap.bag, hole(ARG))
        else:
            self.elements.place_words(heap, (INTERPRETER, *known.words))
        return frozenset({made})

    def _process_env(self, receiver: Atom | None, args: Args, line: int) -> Value:
        self.run.flows.context.add(self.run.flows.node(WHOLE_ENVIRONMENT))
        return frozenset({Instance(ENVIRONMENT)})

    def instance_member(self, atom: Instance, name: str, line: int) -> Value:
        """A variable of the environment is a member of `process.env`; other objects have what the skill gave them, too."""
        if atom.cls == ENVIRONMENT:
            self.run.flows.context.discard(self.run.flows.node(WHOLE_ENVIRONMENT))
            self.run.world.effect("env.read", lit(name), self.run.site(line), function("process.env"))
            return self.environments.variable(name) | {UNDEFINED}
        added = self.members.instance_fields.get((atom.cls, name))
        if added is None or self.run.language() != "js":
            return self.js_options.option_member(atom, name, line)
        known = self.run.library().member(atom.cls, name)
        return self.cells.read(added) | (
            self.js_options.option_member(atom, name, line) if known is not None else BOTTOM
        )

    def computed_member(self, atom: Atom, key: Value, line: int) -> Value:
        """`process.env[name]`."""
        if isinstance(atom, Instance) and atom.cls == ENVIRONMENT and literals(key) is None:
            self.run.world.effect("env.read", frozenset(texts_of(key)), self.run.site(line), function("process.env"))
            return or_missing(self.environments.variable("*"))
        return self.elements.plain_computed_member(atom, key, line)

    def spread_other(self, heap: Heap, atom: Atom) -> None:
        """`{...process.env}`."""
        if isinstance(atom, Instance) and atom.cls == ENVIRONMENT:
            self.run.world.effect("env.read", ANY, self.run.site(self.run.current_line), function("process.env"))
            self.cells.write(heap.keys, hole(env_origin("*")))
            self.cells.write(heap.bag, self.environments.variable("*"))
        else:
            self.collections.plain_spread_other(heap, atom)

    def store_global(self, atom: Atom, name: str, value: Value, line: int) -> None:
        """`process.env.X = …`, `globalThis.x = …`."""
        if isinstance(atom, Instance) and atom.cls == ENVIRONMENT:
            self.run.world.effect("env.write", lit(name), self.run.site(line), function("process.env"))
            self.environments.put_into_environment(name, value, line)
            return
        if isinstance(atom, Lib) and atom.name == "globals" and self.run.library().member("globals", name) is None:
            self.run.flows.node(("global", name)).into |= self.run.flows.context | self.data_flow.content(value)
            known = self.globals.get(name)
            grown = value | (known or BOTTOM)
            if grown != known:
                self.globals[name] = grown
                self.cells.hold(value)
                for frame in self.work.frames:
                    if frame.loaded.program.language == "js":
                        self.work.enqueue(frame)
            return
        if isinstance(atom, Instance) and self.run.language() == "js":
            self.cells.write(
                self.members.instance_fields.setdefault((atom.cls, name), Cell(self.members.function_parts)), value
            )
        self.stores.plain_store_attr(atom, name, value, line)

    def leak_atom(self, atom: Atom) -> None:
        """Whoever gets `process.env` itself may read all of it; whoever gets `require` may load anything."""
        if isinstance(atom, Lib) and atom.name.startswith(PROTOTYPE):
            return  # it does nothing by itself, and storing to it is noticed where it happens
        if isinstance(atom, Instance) and atom not in self.leaks.leaked_atoms:
            if atom.cls == ENVIRONMENT:
                flows = self.run.flows
                outer, flows.context = flows.context, set()
                self.run.world.effect(
                    "env.read", ANY, self.run.site(self.run.current_line), function("process.env", "{} is handed on")
                )
                flows.node(WHOLE_ENVIRONMENT).into |= flows.context
                flows.context = outer
            elif atom.cls == REQUIRE:
                self.run.opaque(
                    "`require` is handed to code that is not seen",
                    self.run.current_line,
                    "import modules by their names",
                )
        self.leaks.leak_plain_atom(atom)
