"""Facts: what each does to cells and objects, and which bodies are run, until nothing changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from remit.analysis import ir
from remit.analysis.domain import Class, Closure
from remit.analysis.each import each
from remit.analysis.engine.run import EnginePart, Run
from remit.analysis.engine.tables import PRIVATE_METHODS, PROTOCOLS

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.frames import Frame


class Evaluator(EnginePart):
    """Runs facts to a fixpoint."""

    calls: engine.Calls
    data_flow: engine.DataFlow
    cells: engine.Cells
    class_members: engine.ClassMembers
    host: engine.Host
    intrinsics: engine.Intrinsics
    kept: engine.KeptObjects
    leaks: engine.Leaks
    lost: engine.Lost
    modules: engine.Modules
    programs: engine.Programs
    stores: engine.Stores
    summaries: engine.Summaries
    terms: engine.Terms
    references: engine.References
    work: engine.WorkList

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
        value = (self.references.reference if handed_on else self.terms.eval)(fact.term)
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
        value = self.references.reference(fact.term)
        for atom in each(base):
            self.data_flow.stored(atom, value, target, fact)
            self.intrinsics.store_attr(atom, fact.name, value, fact.line)

    def _item_stored(self, fact: ir.SetItem) -> None:
        base = self.work.settle(self.terms.eval(fact.base))
        target, self.run.flows.context = self.run.flows.context, set()
        key, value = self.terms.eval(fact.key), self.references.reference(fact.term)
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
        value = self.references.reference(fact.term)
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
        value = self.references.reference(fact.term)
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
