"""Facts and terms: what each does or gives in an activation, and which bodies are run, until nothing changes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from remit.analysis import ir
from remit.analysis.domain import ANY, BOTTOM, Class, Closure, Const, Data, Num, Object, Text, Value
from remit.analysis.each import each
from remit.analysis.engine.data_flow import OUTPUTS, PROCESS
from remit.analysis.engine.run import EnginePart, Run
from remit.analysis.engine.tables import CAUGHT, PRIVATE_METHODS, PROTOCOLS

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.frames import Frame
    from remit.analysis.ir import Term


class Evaluator(EnginePart):
    """Runs facts to a fixpoint."""

    data_flow: engine.DataFlow
    host: engine.Host
    kept: engine.KeptObjects
    lost: engine.Lost
    modules: engine.Modules
    terms: engine.Terms

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self._with_anything: set[Closure] = set()

    def solve(self) -> None:
        """Evaluate until nothing changes; then once more with what nothing reached taken as anything."""
        self._drain()
        self._activate_the_rest()
        self.lost.count_held()
        self._drain()
        if not self.work.final:  # what is evaluated from now on is seen so at once
            self.work.final = True
            self.work.look_again(reader for frame in list(self.work.frames) for reader in frame.facts if reader.hollow)
        settled = False
        while not settled and not self.work.exhausted:
            self._drain()
            self._activate_the_rest()
            self.lost.count_held()
            self.lost.count_lost()
            settled = not self.work.queue

    def _drain(self) -> None:
        while self.work.queue and not self.work.exhausted:
            frame = self.work.queue.popleft()
            frame.queued = False
            self.evaluate_frame(frame)

    def _activate_the_rest(self) -> None:
        """Every body is live: functions that nobody calls may still be called, with anything."""
        done = (-1, False)
        while done != (len(self.work.frames), self.calls.calls_unknown) and not self.work.exhausted:
            done = (len(self.work.frames), self.calls.calls_unknown)
            for frame in list(self.work.frames):
                self._activate_uncalled(frame)
            self._drain()

    def _activate_uncalled(self, frame: Frame) -> None:
        for index in frame.function.inner:
            function = frame.loaded.program.functions[index]
            if function.is_class_body or not self.host.live_unasked(function, frame):
                continue
            closure = Closure(frame.loaded.first_function + index, frame.index)
            if closure not in self._with_anything and (
                not self.calls.is_activated(closure) or self._called_by_others(function, frame)
            ):
                self._with_anything.add(closure)
                leaks = (
                    frame.loaded.program.language == "js" or self.programs.entries is not None
                )  # whoever calls it gets the result
                self.leaks.activate_with_anything(closure, leaks=leaks)

    def called_without_its_name(self, function: ir.Function, frame: Frame) -> bool:
        """Whether a function may be called by somebody who does not name it.

        That is so of what a running function makes, of decorated functions, and in a class that someone mentions of special methods
        and overrides.
        """
        if function.decorated:
            return True
        outer: Frame | None = frame
        while outer is not None and outer.function.is_class_body:
            outer = outer.parent
        if outer is None or outer.parent is not None:
            return True
        special = function.name.startswith("_") and function.name.endswith(
            "_"
        )  # `__del__`, and `_missing_` of enumerations
        stands_in = (
            function.class_index is not None and function.name in PROTOCOLS
        )  # for a file, a mapping: libraries call it
        return (special or stands_in or self._called_by_others(function, frame)) and self._mentioned(frame)

    def _mentioned(self, body: Frame) -> bool:
        """Whether anyone gets hold of the class with this body; functions of no class are taken as mentioned."""
        cls = self.class_members.classes_of_body.get(body.index)
        if cls is None or self.programs.classes[cls].info.decorated or body.parent is None:
            return True
        cell = body.parent.variables.get(self.programs.classes[cls].info.name)
        return cell is None or bool(cell.readers) or Class(cls) in self.leaks.leaked_atoms

    def _called_by_others(self, function: ir.Function, frame: Frame) -> bool:
        """Whether a function is called without a call in the source: special methods, overrides of a library's methods."""
        if function.decorated:
            return True
        name = function.name
        if name == "__call__":  # a call of an object that is known to have it is seen
            return self.calls.calls_unknown
        if name.startswith("__") and name.endswith("__"):
            return name not in _CALLED_EXPLICITLY
        cls = self.class_members.classes_of_body.get(frame.index)
        if cls is None:
            return False
        if name.startswith("_") and frame.loaded.program.language == "python":
            return any(
                name in PRIVATE_METHODS.get(base.partition(".")[0], ()) for base in self.calls.library_bases(cls)
            )
        if self.class_members.builtin_base(cls) is not None and frame.loaded.program.language == "js":
            return name in _CALLED_BY_COLLECTIONS
        return self.calls.has_unknown_base(cls, set()) or any(
            base not in _PLAIN_BASES for base in self.calls.library_bases(cls)
        )

    def evaluate_frame(self, frame: Frame) -> None:
        """The facts of one activation: all the first time, then those that read what has changed."""
        self.host.tick()
        outer = getattr(self.run, "frame", frame), getattr(self.run, "reader", frame.whole)
        self.run.frame, self.run.reader = frame, frame.whole
        flows = self.run.flows
        read, call = flows.context, flows.call
        flows.call = None
        frame.evaluated = True
        flows.context = set()
        for parameter, default in frame.defaults:  # it may have grown since the call
            self.cells.write(parameter, default.value)
        for reader in frame.facts:
            if reader.due:
                self.work.steps += 1
                reader.due = reader.hollow = False
                self.run.reader = reader
                flows.context = set()
                _FACTS[type(reader.fact)](self, reader.fact)
        if self.work.steps > self.work.budget and not self.work.exhausted:
            self.work.exhausted = True
            self.run.opaque("the analysis budget is spent", frame.function.line, "split the script into smaller ones")
        self.run.frame, self.run.reader = outer
        flows.context, flows.call = read, call

    # ── facts ──

    def _bind(self, fact: ir.Bind) -> None:
        handed_on = self.run.frame.function.is_class_body and type(fact.term) not in _DEFINITIONS
        value = (self.lost.reference if handed_on else self.terms.eval)(fact.term)
        owner = self.run.frame.owner(fact.owner)
        if owner is not None and fact.name == "%thrown":
            self.data_flow.thrown(value)
        if owner is not None and value:
            if fact.name == "%thrown" or (self.run.language() == "python" and type(fact.term) is not ir.Import):
                self.cells.hold(
                    value
                )  # in JavaScript a declaration takes an import apart: only what goes elsewhere counts
            self.cells.write(owner.cell(fact.name), value)

    def _set_attr(self, fact: ir.SetAttr) -> None:
        base = self.work.settle(self.terms.eval(fact.base))
        target, self.run.flows.context = self.run.flows.context, set()
        value = self.lost.reference(fact.term)
        for atom in each(base):
            self.data_flow.stored(atom, value, target, fact)
            self.intrinsics.store_attr(atom, fact.name, value, fact.line)

    def _item_stored(self, fact: ir.SetItem) -> None:
        base = self.work.settle(self.terms.eval(fact.base))
        target, self.run.flows.context = self.run.flows.context, set()
        key, value = self.terms.eval(fact.key), self.lost.reference(fact.term)
        for atom in each(base):
            self.data_flow.stored(atom, value, target, fact)
            self.intrinsics.store_item(atom, key, value, fact.line)

    def _delete(self, fact: ir.Delete) -> None:
        base, key = self.work.settle(self.terms.eval(fact.base)), self.terms.eval(fact.key)
        for atom in each(base):
            self.stores.delete_item(atom, key, fact.line)

    def _evaluate(self, fact: ir.Evaluate) -> None:
        self.terms.eval(fact.term)

    def _return(self, fact: ir.Return) -> None:
        value = self.lost.reference(fact.term)
        if self.run.frame.leaks_result:
            self.leaks.leak(value)
        self.cells.hold(value)
        if self.run.frame.function.generator and not fact.yields and self.run.language() == "python":
            self.kept.note_caught(value)  # as the value of `StopIteration`
            self.data_flow.thrown(value)
        self.cells.write(self.run.frame.yields if fact.yields else self.run.frame.result, value)

    def _star_import(self, fact: ir.StarImport) -> None:
        module = self.run.linker.imported(self.run, fact.name, fact.level, self.run.frame.loaded, fact.line)
        self.summaries.import_effects(module, fact.line)
        self.data_flow.imported(module)
        if module not in self.run.frame.loaded.star:
            self.run.frame.loaded.star.append(module)
            for frame in self.work.frames:
                if frame.loaded is self.run.frame.loaded and frame is not self.run.frame:
                    self.work.enqueue(frame)

    def _export(self, fact: ir.Export) -> None:
        value = self.lost.reference(fact.term)
        exports = self.run.frame.loaded.exports
        self.cells.hold(value)
        if fact.name is None:
            self.cells.write(exports, value)
        else:
            self.cells.write(self.modules.exports_field(self.run.frame.loaded, fact.name), value)


_CALLED_EXPLICITLY = frozenset({"__init__", "__new__", "__enter__", "__post_init__"})
# What constructors and methods of JavaScript's collections call on an instance of a subclass.
_CALLED_BY_COLLECTIONS = frozenset(
    "set add has get keys values entries join push toJSON toString valueOf then constructor".split()
)
# Library classes that call nothing of what a subclass defines.
_PLAIN_BASES = frozenset(
    ["builtins.object", "abc.ABC", "typing.Protocol", "typing.Generic", "typing.NamedTuple", "typing.TypedDict", "enum.Enum", "enum.IntEnum",
     "enum.StrEnum", "enum.Flag", "builtins.Exception", "builtins.BaseException", "builtins.ValueError", "builtins.RuntimeError",
     "builtins.KeyError", "builtins.TypeError", "builtins.OSError", "globals.Error", "pydantic.BaseModel"]
)  # fmt: skip
_DEFINITIONS = frozenset({ir.MakeFunction, ir.MakeClass, ir.Decorate})
_FACTS: dict[type, Callable[[Evaluator, Any], None]] = {
    ir.Bind: Evaluator._bind, ir.SetAttr: Evaluator._set_attr, ir.SetItem: Evaluator._item_stored, ir.Delete: Evaluator._delete,
    ir.Evaluate: Evaluator._evaluate, ir.Return: Evaluator._return, ir.StarImport: Evaluator._star_import, ir.Export: Evaluator._export,
}  # fmt: skip


_LENGTHS = frozenset(
    "length size byteLength status status_code statusCode ok returncode exitCode st_size st_mtime".split()
)
_COUNTED = frozenset({Num, Const})


class Terms(EnginePart):
    """Evaluates terms."""

    operators: engine.Operators
    lost: engine.Lost
    data_flow: engine.DataFlow
    decorators: engine.Decorators
    kept: engine.KeptObjects
    modules: engine.Modules

    # ── terms ──

    def eval(self, term: Term) -> Value:
        """The value of a term in the current frame."""
        self.work.steps += 1
        return self._handlers[type(term)](term)

    @cached_property
    def _handlers(self) -> dict[type, Callable[[Any], Value]]:
        """How each kind of term is evaluated."""
        return {
            ir.Known: lambda term: term.value,
            ir.Var: self._var,
            ir.Global: lambda term: self.intrinsics.global_name(term.name, term.line),
            ir.Attr: self._attr,
            ir.Item: self._item,
            ir.Slice: lambda term: self.elements.slice(self.eval(term.base), term.start, term),
            ir.Star: lambda term: self.elements.iterate(self.eval(term.term), 0),
            ir.MakeFunction: self.class_members.define_function,
            ir.MakeClass: self.class_members.define_class,
            ir.Iterate: lambda term: self.elements.iterate(self.work.settle(self.eval(term.term)), term.line),
            ir.Keys: lambda term: self.elements.keys(self.work.settle(self.eval(term.term))),
            ir.Element: self._unpacked,
            ir.Rest: lambda term: self.elements.slice(self.eval(term.term), term.start, term, term.behind),
            ir.Enter: lambda term: self.decorators.enter(self.work.settle(self.eval(term.term)), term.line),
            ir.Await: lambda term: self.decorators.awaited(self.work.settle(self.eval(term.term)), term.line),
            ir.Part: self._part,
            ir.Throw: self._throw,
            ir.Catch: self._catch,
            ir.Decorate: self._decorate,
            ir.Super: lambda term: self.intrinsics.super_of(term.cls, term.line),
            ir.Import: self._import,
            ir.DynamicImport: lambda term: self.modules.import_computed(self.eval(term.name), term.line),
            ir.Unknown: lambda term: self.run.opaque(term.reason, term.line),
            **self.collections.handlers(),
            **self.operators.handlers(),
        }

    def _var(self, term: ir.Var) -> Value:
        owner = self.run.frame.owner(term.owner)
        if owner is None:
            return ANY
        cell = owner.variables.get(term.name) or owner.cell(term.name)
        cell.readers[self.run.reader] = None
        self.run.flows.context.add(cell)
        return cell.value

    def _attr(self, term: ir.Attr) -> Value:
        flows = self.run.flows
        outer = set(flows.context) if term.name in _LENGTHS else None
        base = self.work.settle(self.eval(term.base))
        if term.name in OUTPUTS and not base.isdisjoint(PROCESS):
            flows.context.add(self.data_flow.output())
        value = self.members.member(base, term.name, term.line)
        if outer is not None and _COUNTED.issuperset(map(type, value)):
            flows.context = outer  # how long something is, and how it ended, tells nothing of what it holds
        return value

    def _item(self, term: ir.Item) -> Value:
        base, key = self.work.settle(self.eval(term.base)), self.eval(term.key)
        if self.run.language() == "python":
            self.kept.note_caught(key)
        return self.elements.item(base, key, term.line)

    def _unpacked(self, term: ir.Element) -> Value:
        base = self.work.settle(self.eval(term.term))
        drawn = self.elements.drawn_from(base, term.line) if self.run.language() == "js" else BOTTOM
        return drawn | self.elements.item(base, frozenset({Num(term.index, term.index)}), term.line)

    def _part(self, term: ir.Part) -> Value:
        value = self.eval(term.term)
        self.run.flows.context |= self.data_flow.content(value)
        if all(isinstance(atom, (Data, Text, Num)) for atom in value):
            return value
        self.leaks.leak(value)
        return ANY if value else BOTTOM

    def _throw(self, term: ir.Throw) -> Value:
        if self.run.language() == "js":  # an error of the language: inert
            value = self.eval(term.term)
        else:
            value = self.lost.reference(term.term)
            self.leaks.expose(value)
        self.data_flow.thrown(value)
        return BOTTOM

    def _catch(self, term: ir.Catch) -> Value:
        """Instances of the skill's own classes where the types are known; what they carry was exposed when they were thrown."""
        value = self.eval(term.types)
        self.lost.looked_at(value)
        self.data_flow.caught()
        types = frozenset(
            kind
            for atom in each(value)
            for kind in (self.elements.iterate(frozenset({atom}), term.line) if isinstance(atom, Object) else (atom,))
        )
        if all(isinstance(kind, Class) for kind in types):
            return frozenset(
                found
                for kind in types
                if isinstance(kind, Class)
                for found in self.leaks.instances_of(kind.index, set())
            )
        return ANY | self.kept.called_by(CAUGHT) if self.run.language() == "python" else ANY

    def _decorate(self, term: ir.Decorate) -> Value:
        return self.decorators.decorate(self.work.settle(self.eval(term.decorator)), self.eval(term.target), term.line)

    def _import(self, term: ir.Import) -> Value:
        module = self.run.linker.imported(self.run, term.name, term.level, self.run.frame.loaded, term.line)
        self.summaries.import_effects(module, term.line)
        self.data_flow.imported(module)
        if term.member is None:
            return module
        return self.modules.imported_member(module, term, term.line)
