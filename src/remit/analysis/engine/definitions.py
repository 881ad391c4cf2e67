"""Definitions: functions and classes that a program makes, with their defaults, bases and hooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import BOTTOM, Anything, Class, Closure, Value, unsited_classes
from remit.analysis.each import each
from remit.analysis.engine.frames import Args
from remit.analysis.engine.programs import ClassState
from remit.analysis.engine.run import EnginePart

if TYPE_CHECKING:
    from remit.analysis import ir
    from remit.analysis.engine import engine

_ENUM_HOOKS = ("_generate_next_value_", "_missing_")  # what the language calls to make members, and to find one


class Definitions(EnginePart):
    """What a def, an arrow or a class statement makes."""

    calls: engine.Calls
    cells: engine.Cells
    class_members: engine.ClassMembers
    evaluator: engine.Evaluator
    intrinsics: engine.Intrinsics
    leaks: engine.Leaks
    objects: engine.Objects
    programs: engine.Programs
    python_objects: engine.PythonObjects
    terms: engine.Terms
    references: engine.References
    work: engine.WorkList

    def define_function(self, term: ir.MakeFunction) -> Value:
        """A function, as a value."""
        loaded = self.run.frame.loaded
        self.evaluate_defaults(term.index)
        return frozenset({Closure(loaded.first_function + term.index, self.run.frame.index)})

    def evaluate_defaults(self, index: int) -> None:
        """Default values are evaluated where the function is made."""
        for param in self.run.frame.loaded.program.functions[index].params:
            if param.default is not None:
                value = self.references.reference(param.default)
                self.cells.hold(value)
                self.cells.write(self.run.frame.cell(f"default {index} {param.name}"), value)

    def define_class(self, term: ir.MakeClass) -> Value:
        """A class, as a value."""
        key = (self.run.frame.index, term.index)
        info = self.run.frame.loaded.program.classes[term.index]
        found = self.class_members.made_classes.get(key)
        if found is None:
            body = self.work.new_frame(
                self.run.frame.loaded.program.functions[info.body], self.run.frame.loaded, self.run.frame
            )
            body.path = self.run.frame.path
            state = ClassState(len(self.programs.classes), info, self.run.frame.loaded, body)
            self.programs.classes.append(state)
            state.instance = self.objects.new_object("instance", info.line, state.index)
            self.objects.heap(state.instance).sure = set(info.present)
            found = self.class_members.made_classes[key] = Class(state.index)
            self.class_members.classes_of_body[body.index] = state.index
        state = self.programs.classes[found.index]
        for base in info.bases:
            value = unsited_classes(self.terms.eval(base))
            self.cells.write(state.bases, value)
            for atom in each(value):
                if isinstance(atom, Class) and atom != found:
                    self.programs.classes[atom.index].subclasses.add(found.index)
                if isinstance(atom, Anything):
                    self.run.opaque(f"the base class of `{info.name}` is not known", info.line)
        words = {name or "": self.terms.eval(word) for name, word in info.keywords}
        meta = words.pop("metaclass", BOTTOM)
        if self.intrinsics.only_makes_instances(meta):
            state.makers.update(atom.index for atom in meta if isinstance(atom, Class))
        elif not self.intrinsics.is_plain_metaclass(meta):
            self.run.opaque(f"class `{info.name}` has a metaclass that runs code", info.line)
        if not state.body.evaluated:
            self.evaluator.evaluate_frame(state.body)
            self.class_members.class_names.update(state.body.variables)
        self._initialise_subclass(found, words, info.line)
        for hook in _ENUM_HOOKS if self.python_objects.is_enum(found.index) else ():
            self.leaks.leak(self.class_members.class_member(found.index, hook))
        return frozenset({found})

    def _initialise_subclass(self, cls: Class, words: dict[str, Value], line: int) -> None:
        """`__init_subclass__` of the bases runs with the keywords of the class statement."""
        hooks = BOTTOM
        for base in each(self.cells.read(self.programs.classes[cls.index].bases)):
            if isinstance(base, Class) and base != cls:
                hooks = hooks | self.class_members.class_member(base.index, "__init_subclass__")
        self.calls.call(hooks, Args([frozenset({cls})], words), line)
        if not hooks:
            for value in words.values():
                self.leaks.leak(value)
