"""Facts: what each does to cells and objects, and which bodies are run, until nothing changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from remit.analysis import ir
from remit.analysis.domain import (
    NOTHING,
    Class,
    Closure,
    Module,
)
from remit.analysis.each import each
from remit.analysis.engine.tables import PRIVATE_METHODS, PROTOCOLS
from remit.analysis.engine.terms import Terms

if TYPE_CHECKING:
    from collections.abc import Callable

    from remit.analysis.engine.frames import Frame
    from remit.analysis.ir import Fact


class Evaluator(Terms):
    """Runs facts to a fixpoint."""

    def run(self) -> None:
        """Evaluate until nothing changes; then once more with what nothing reached taken as anything."""
        self._drain()
        self._activate_the_rest()
        self.count_held()
        self._drain()
        if not self.final:  # what is evaluated from now on is seen so at once
            self.final = True
            self.look_again(reader for frame in list(self.frames) for reader in frame.facts if reader.hollow)
        settled = False
        while not settled and not self.exhausted:
            self._drain()
            self._activate_the_rest()
            self.count_held()
            self.count_lost()
            settled = not self.queue

    def _drain(self) -> None:
        while self.queue and not self.exhausted:
            frame = self.queue.popleft()
            frame.queued = False
            self.evaluate_frame(frame)

    def _activate_the_rest(self) -> None:
        """Every body is live: functions that nobody calls may still be called, with anything."""
        done = (-1, False)
        while done != (len(self.frames), self.calls_unknown) and not self.exhausted:
            done = (len(self.frames), self.calls_unknown)
            for frame in list(self.frames):
                self._activate_uncalled(frame)
            self._drain()

    def _activate_uncalled(self, frame: Frame) -> None:
        for index in frame.function.inner:
            function = frame.loaded.program.functions[index]
            if function.is_class_body or not self._live_unasked(function, frame):
                continue
            closure = Closure(frame.loaded.first_function + index, frame.index)
            if closure not in self._with_anything and (
                not self.is_activated(closure) or self._called_by_others(function, frame)
            ):
                self._with_anything.add(closure)
                leaks = (
                    frame.loaded.program.language == "js" or self.entries is not None
                )  # whoever calls it gets the result
                self.activate_with_anything(closure, leaks=leaks)

    def _live_unasked(self, function: ir.Function, frame: Frame) -> bool:
        """Whether a function may be called although nobody is seen to call it.

        In a package whose users are known, a name that they do not reach is not called.
        """
        return (
            self.entries is None or frame.loaded.file in self.entries or self.called_without_its_name(function, frame)
        )

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
        cls = self.classes_of_body.get(body.index)
        if cls is None or self.classes[cls].info.decorated or body.parent is None:
            return True
        cell = body.parent.variables.get(self.classes[cls].info.name)
        return cell is None or bool(cell.readers) or Class(cls) in self._leaked

    def _called_by_others(self, function: ir.Function, frame: Frame) -> bool:
        """Whether a function is called without a call in the source: special methods, overrides of a library's methods."""
        if function.decorated:
            return True
        name = function.name
        if name == "__call__":  # a call of an object that is known to have it is seen
            return self.calls_unknown
        if name.startswith("__") and name.endswith("__"):
            return name not in _CALLED_EXPLICITLY
        cls = self.classes_of_body.get(frame.index)
        if cls is None:
            return False
        if name.startswith("_") and frame.loaded.program.language == "python":
            return any(name in PRIVATE_METHODS.get(base.partition(".")[0], ()) for base in self.library_bases(cls))
        if self.builtin_base(cls) is not None and frame.loaded.program.language == "js":
            return name in _CALLED_BY_COLLECTIONS
        return self.has_unknown_base(cls, set()) or any(base not in _PLAIN_BASES for base in self.library_bases(cls))

    def evaluate_frame(self, frame: Frame) -> None:
        """The facts of one activation: all the first time, then those that read what has changed."""
        outer = getattr(self, "frame", frame), getattr(self, "reader", frame.whole)
        self.frame, self.reader = frame, frame.whole
        frame.evaluated = True
        for parameter, default in frame.defaults:  # it may have grown since the call
            self.write(parameter, default.value)
        for reader in frame.facts:
            if reader.due and reader.fact is not None:
                self.steps += 1
                reader.due = reader.hollow = False
                self.reader = reader
                self.fact(reader.fact)
        if self.steps > self.budget and not self.exhausted:
            self.exhausted = True
            self.opaque("the analysis budget is spent", frame.function.line, "split the script into smaller ones")
        self.frame, self.reader = outer

    # ── facts ──

    def fact(self, fact: Fact) -> None:
        """Carry out one fact."""
        _FACTS[type(fact)](self, fact)

    def _bind(self, fact: ir.Bind) -> None:
        handed_on = self.frame.function.is_class_body and type(fact.term) not in _DEFINITIONS
        value = (self.reference if handed_on else self.eval)(fact.term)
        owner = self.frame.owner(fact.owner)
        if owner is not None and value:
            if fact.name == "%thrown" or (self.language() == "python" and type(fact.term) is not ir.Import):
                self.hold(value)  # in JavaScript a declaration takes an import apart: only what goes elsewhere counts
            self.write(owner.cell(fact.name), value)

    def _set_attr(self, fact: ir.SetAttr) -> None:
        base, value = self.settle(self.eval(fact.base)), self.reference(fact.term)
        for atom in each(base):
            self.store_attr(atom, fact.name, value, fact.line)

    def _item_stored(self, fact: ir.SetItem) -> None:
        base, key, value = self.settle(self.eval(fact.base)), self.eval(fact.key), self.reference(fact.term)
        for atom in each(base):
            self.store_item(atom, key, value, fact.line)

    def _delete(self, fact: ir.Delete) -> None:
        base, key = self.settle(self.eval(fact.base)), self.eval(fact.key)
        for atom in each(base):
            self.delete_item(atom, key, fact.line)

    def _evaluate(self, fact: ir.Evaluate) -> None:
        self.eval(fact.term)

    def _return(self, fact: ir.Return) -> None:
        value = self.reference(fact.term)
        if self.frame.leaks_result:
            self.leak(value)
        self.hold(value)
        if self.frame.function.generator and not fact.yields and self.language() == "python":
            self.note_caught(value)  # as the value of `StopIteration`
        self.write(self.frame.yields if fact.yields else self.frame.result, value)

    def _star_import(self, fact: ir.StarImport) -> None:
        module = self.linker.imported(self, fact.name, fact.level, self.frame.loaded, fact.line)
        self.import_effects(module, fact.line)
        if module not in self.frame.loaded.star:
            self.frame.loaded.star.append(module)
            for frame in self.frames:
                if frame.loaded is self.frame.loaded and frame is not self.frame:
                    self.enqueue(frame)

    def _export(self, fact: ir.Export) -> None:
        value = self.reference(fact.term)
        exports = self.frame.loaded.exports
        self.hold(value)
        if fact.name is None:
            self.write(exports, value)
        else:
            self.write(self.exports_field(self.frame.loaded, fact.name), value)


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
__all__ = ["NOTHING", "Evaluator", "Module"]
