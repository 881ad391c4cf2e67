"""Definitions: functions and classes that a program makes, with their defaults, bases and hooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import (
    BOTTOM,
    Anything,
    Class,
    Closure,
    Value,
    unsited_classes,
)
from remit.analysis.each import each
from remit.analysis.engine.base import ClassState
from remit.analysis.engine.frames import Args
from remit.analysis.engine.operators import Operators

if TYPE_CHECKING:
    from remit.analysis import ir
    from remit.analysis.ir import Term

_ENUM_HOOKS = ("_generate_next_value_", "_missing_")  # what the language calls to make members, and to find one


class Definitions(Operators):
    """What a def, an arrow or a class statement makes."""

    def _make_function(self, term: ir.MakeFunction) -> Value:
        loaded = self.frame.loaded
        self.evaluate_defaults(term.index)
        return frozenset({Closure(loaded.first_function + term.index, self.frame.index)})

    def evaluate_defaults(self, index: int) -> None:
        """Default values are evaluated where the function is made."""
        for param in self.frame.loaded.program.functions[index].params:
            if param.default is not None:
                value = self.reference(param.default)
                self.hold(value)
                self.write(self.frame.cell(f"default {index} {param.name}"), value)

    def _make_class(self, term: ir.MakeClass) -> Value:
        key = (self.frame.index, term.index)
        info = self.frame.loaded.program.classes[term.index]
        found = self._classes.get(key)
        if found is None:
            body = self.new_frame(self.frame.loaded.program.functions[info.body], self.frame.loaded, self.frame)
            body.path = self.frame.path
            state = ClassState(len(self.classes), info, self.frame.loaded, body)
            self.classes.append(state)
            state.instance = self.new_object("instance", info.line, state.index)
            self.heap(state.instance).sure = set(info.present)
            found = self._classes[key] = Class(state.index)
            self.classes_of_body[body.index] = state.index
        state = self.classes[found.index]
        for base in info.bases:
            value = unsited_classes(self.eval(base))
            self.write(state.bases, value)
            for atom in each(value):
                if isinstance(atom, Class) and atom != found:
                    self.classes[atom.index].subclasses.add(found.index)
                if isinstance(atom, Anything):
                    self.opaque(f"the base class of `{info.name}` is not known", info.line)
        words = {name or "": self.eval(word) for name, word in info.keywords}
        meta = words.pop("metaclass", BOTTOM)
        if self.only_makes_instances(meta):
            state.makers.update(atom.index for atom in meta if isinstance(atom, Class))
        elif not self.is_plain_metaclass(meta):
            self.opaque(f"class `{info.name}` has a metaclass that runs code", info.line)
        if not state.body.evaluated:
            self.evaluate_frame(state.body)
            self.class_names.update(state.body.variables)
        self._initialise_subclass(found, words, info.line)
        for hook in _ENUM_HOOKS if self.is_enum(found.index) else ():
            self.leak(self.class_member(found.index, hook))
        return frozenset({found})

    def _initialise_subclass(self, cls: Class, words: dict[str, Value], line: int) -> None:
        """`__init_subclass__` of the bases runs with the keywords of the class statement."""
        hooks = BOTTOM
        for base in each(self.read(self.classes[cls.index].bases)):
            if isinstance(base, Class) and base != cls:
                hooks = hooks | self.class_member(base.index, "__init_subclass__")
        self.call(hooks, Args([frozenset({cls})], words), line)
        if not hooks:
            for value in words.values():
                self.leak(value)

    # contracts

    def eval(self, term: Term) -> Value:
        """See `terms`."""
        raise AssertionError

    def reference(self, term: Term) -> Value:
        """See `terms`."""
        raise AssertionError
