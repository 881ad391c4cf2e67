"""Python's own intrinsics: conversions, reflection, argparse, partial application."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from remit.analysis.domain import (
    ANY,
    BOTTOM,
    NOT_NEGATIVE,
    NOTHING,
    SOME_BOOL,
    SOME_NUM,
    SOME_TEXT,
    Atom,
    Closure,
    Const,
    Lib,
    Num,
    Object,
    Value,
    unsited,
)
from remit.analysis.each import each
from remit.analysis.engine.frames import Args
from remit.analysis.engine.run import EnginePart

if TYPE_CHECKING:
    from remit.analysis.engine import engine


Handler = "Callable[[Atom | None, Args, int], Value]"


class PythonIntrinsics(EnginePart):
    """What builtins.sum and a few others mark `! intrinsic`."""

    python_names: engine.PythonNames
    python_library: engine.PythonLibrary
    calls: engine.Calls
    cells: engine.Cells
    class_members: engine.ClassMembers
    collections: engine.Collections
    containers: engine.ContainerMethods
    mappings: engine.MappingMethods
    decorators: engine.Decorators
    elements: engine.Elements
    environments: engine.Environments
    host: engine.Host
    intrinsics: engine.Intrinsics
    leaks: engine.Leaks
    library_members: engine.LibraryMembers
    members: engine.Members
    model_fields: engine.ModelFields
    objects: engine.Objects
    programs: engine.Programs
    python_objects: engine.PythonObjects
    python_options: engine.PythonOptions
    python_search: engine.PythonSearch
    python_texts: engine.PythonTexts
    reflection: engine.PythonReflection
    stores: engine.Stores
    summaries: engine.Summaries
    work: engine.WorkList

    @cached_property
    def table(self) -> dict[str, Callable[[Atom | None, Args, int], Value]]:
        """Intrinsic name → code."""
        return {
            "str": self._str, "bytearray": self._str, "memoryview": self._str, "int": self._number_of,
            "float": self._number_of, "complex": self._number_of, "bool": self._truth, "range": self._range,
            "enumerate": self._enumerate, "shuffle": self._shuffled, "list": self._list_of, "tuple": self._list_of,
            "set": self._set_of, "frozenset": self._set_of, "dict": self._dict_of, "object": self._object,
            "slice": self._object, "delattr": self._quiet, "hasattr": self._truth, "isinstance": self._truth,
            "callable": self._truth, "property": self._property, "staticmethod": self._static_function,
            "classmethod": self._class_function, "dataclass": self._dataclass, "namedtuple": self._namedtuple,
            "partial": self._partial, "singledispatch": self._dispatcher, "SimpleNamespace": self._namespace_record,
            "defaultdict": self._defaultdict, "Counter": self._counter, "setitem": self._setitem, **self.reflection.handlers(),
            **self.python_search.handlers(), **self.python_options.handlers(), **self.model_fields.handlers(),
            **self.python_library.handlers(), **self.python_texts.handlers(),
        }  # fmt: skip

    # ── conversions ──

    def _str(self, receiver: Atom | None, args: Args, line: int) -> Value:
        self.summaries.show(self.containers.first(args), line)
        return self.python_names.text_of(self.containers.first(args)) if args.positional or args.star else SOME_TEXT

    def _number_of(self, receiver: Atom | None, args: Args, line: int) -> Value:
        numbers = frozenset(atom for atom in self.containers.first(args) if isinstance(atom, Num))
        return numbers if numbers and numbers == self.containers.first(args) else SOME_NUM

    def _truth(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return SOME_BOOL

    def _quiet(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return NOTHING

    def _range(self, receiver: Atom | None, args: Args, line: int) -> Value:
        start = self.containers.first(args) if len(args.positional) > 1 else NOT_NEGATIVE
        lows = [atom.low if isinstance(atom, Num) else None for atom in start]
        upwards = len(args.positional) < 3 and not args.star and None not in lows
        numbers = frozenset(Num(low) for low in lows) if upwards else SOME_NUM
        return self.objects.collection(self.run.call_term or line, "iter", numbers, line)

    def _enumerate(self, receiver: Atom | None, args: Args, line: int) -> Value:
        start = self.containers.first(args, 1) | args.keywords.get("start", BOTTOM)
        numbers = frozenset(Num(atom.low) if isinstance(atom, Num) else Num() for atom in start) or NOT_NEGATIVE
        items = self.elements.elements(self.containers.first(args) | args.keywords.get("iterable", BOTTOM), line)
        made = self.containers.allocate_at(line, "iter")
        pair = self.objects.allocate(self.mappings.slot(made, "pair"), "tuple", line)
        self.cells.write(self.calls.position(self.objects.heap(pair), 0), SOME_NUM if args.star else numbers)
        self.cells.write(self.calls.position(self.objects.heap(pair), 1), items)
        self.cells.write(self.objects.heap(made).bag, frozenset({pair}))
        return frozenset({made})

    def _shuffled(self, receiver: Atom | None, args: Args, line: int) -> Value:
        for atom in each(self.containers.first(args) | args.keywords.get("x", BOTTOM)):
            if isinstance(atom, Object):
                self.stores.lose_order(self.objects.heap(atom))
        self.calls.call(self.containers.first(args, 1), Args(), line)
        return NOTHING

    def _list_of(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.containers.allocate_at(line, "list")
        given = self.containers.first(args)
        if given or not args.positional:
            self.stores.fill(self.objects.heap(made), *self.collections.spread(given, line))
        return frozenset({made})

    def _set_of(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.objects.collection(
            self.run.call_term or line, "set", self.elements.elements(self.containers.first(args), line), line
        )

    def _dict_of(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.containers.allocate_at(line, "dict")
        self.mappings.update(self.objects.heap(made), made, args, line)
        return frozenset({made})

    def _setitem(self, receiver: Atom | None, args: Args, line: int) -> Value:
        for atom in each(self.containers.first(args)):
            self.intrinsics.store_item(atom, self.containers.first(args, 1), self.containers.first(args, 2), line)
        return NOTHING

    def _object(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return frozenset({Const("object")})

    # ── reflection (rule 5) ──

    def _property(self, receiver: Atom | None, args: Args, line: int) -> Value:
        self.summaries.leak_all(args)
        return ANY

    def _dispatcher(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.members.dispatch(self.containers.first(args))

    def _static_function(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self._bound_function(args, "static")

    def _class_function(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self._bound_function(args, "class")

    def _bound_function(self, args: Args, binding: str) -> Value:
        """`staticmethod(f)` in the body of a class: the function, and how it is bound where it is found."""
        for atom in each(self.containers.first(args)):
            if isinstance(atom, Closure):
                self.class_members.bound_as[unsited(atom)] = binding
        return self.containers.first(args)

    def _dataclass(self, receiver: Atom | None, args: Args, line: int) -> Value:
        if args.positional:
            return self.containers.first(args)
        return frozenset({Lib("dataclasses.dataclass")})

    def _namedtuple(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.python_objects.record_type(args, line)

    def _partial(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.decorators.make_partial(self.containers.first(args), args.without_first(), line)

    def _namespace_record(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.containers.allocate_at(line, "instance")
        self.mappings.update(self.objects.heap(made), made, args, line)
        return frozenset({made})

    def _defaultdict(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.containers.allocate_at(line, "dict")
        factory = frozenset(atom for atom in self.containers.first(args) if not isinstance(atom, Const))
        term, self.run.call_term = self.run.call_term, self.mappings.slot(made, "default")
        self.cells.write(self.objects.heap(made).bag, self.calls.call(factory, Args(), line))
        self.run.call_term = term
        self.mappings.update(self.objects.heap(made), made, args.without_first(), line)
        return frozenset({made})

    def _counter(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.containers.allocate_at(line, "dict")
        self.cells.write(self.objects.heap(made).bag, SOME_NUM)
        self.cells.write(self.objects.heap(made).keys, self.elements.elements(self.containers.first(args), line))
        return frozenset({made})
