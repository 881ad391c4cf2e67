"""Python's own intrinsics: conversions, reflection, argparse, partial application."""

from __future__ import annotations

from functools import cached_property, partial
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
from remit.analysis.engine.frames import Args, always
from remit.analysis.engine.run import EnginePart

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.frames import Handler


class PythonIntrinsics(EnginePart):
    """What builtins.sum and a few others mark `! intrinsic`."""

    python_names: engine.PythonNames
    python_library: engine.PythonLibrary
    calls: engine.Calls
    cells: engine.Cells
    class_members: engine.ClassMembers
    collections: engine.Collections
    mappings: engine.MappingMethods
    decorators: engine.Decorators
    elements: engine.Elements
    intrinsics: engine.Intrinsics
    members: engine.Members
    model_fields: engine.ModelFields
    objects: engine.Objects
    python_objects: engine.PythonObjects
    python_options: engine.PythonOptions
    python_search: engine.PythonSearch
    python_texts: engine.PythonTexts
    reflection: engine.PythonReflection
    stores: engine.Stores
    summaries: engine.Summaries

    @cached_property
    def table(self) -> dict[str, Handler]:
        """Intrinsic name → code."""
        return {
            "str": self._str, "bytearray": self._str, "memoryview": self._str, "int": self._number_of,
            "float": self._number_of, "complex": self._number_of, "bool": always(SOME_BOOL), "range": self._range,
            "enumerate": self._enumerate, "shuffle": self._shuffled, "list": self._list_of, "tuple": self._list_of,
            "set": self._set_of, "frozenset": self._set_of, "dict": self._dict_of, "object": always(frozenset({Const("object")})),
            "slice": always(frozenset({Const("object")})), "delattr": always(NOTHING), "hasattr": always(SOME_BOOL), "isinstance": always(SOME_BOOL),
            "callable": always(SOME_BOOL), "property": self._property, "staticmethod": partial(self._bound_function, "static"),
            "classmethod": partial(self._bound_function, "class"), "dataclass": self._dataclass, "namedtuple": self._namedtuple,
            "partial": self._partial, "singledispatch": self._dispatcher, "SimpleNamespace": self._namespace_record,
            "defaultdict": self._defaultdict, "Counter": self._counter, "setitem": self._setitem, **self.reflection.handlers(),
            **self.python_search.handlers(), **self.python_options.handlers(), **self.model_fields.handlers(),
            **self.python_library.handlers(), **self.python_texts.handlers(),
        }  # fmt: skip

    # ── conversions ──

    def _str(self, receiver: Atom | None, args: Args, line: int) -> Value:
        self.summaries.show(args.at(0), line)
        return self.python_names.text_of(args.at(0)) if args.positional or args.star else SOME_TEXT

    def _number_of(self, receiver: Atom | None, args: Args, line: int) -> Value:
        numbers = frozenset(atom for atom in args.at(0) if isinstance(atom, Num))
        return numbers if numbers and numbers == args.at(0) else SOME_NUM

    def _range(self, receiver: Atom | None, args: Args, line: int) -> Value:
        start = args.at(0) if len(args.positional) > 1 else NOT_NEGATIVE
        lows = [atom.low if isinstance(atom, Num) else None for atom in start]
        upwards = len(args.positional) < 3 and not args.star and None not in lows
        numbers = frozenset(Num(low) for low in lows) if upwards else SOME_NUM
        return self.objects.collected("iter", numbers, line)

    def _enumerate(self, receiver: Atom | None, args: Args, line: int) -> Value:
        start = args.at(1) | args.keywords.get("start", BOTTOM)
        numbers = frozenset(Num(atom.low) if isinstance(atom, Num) else Num() for atom in start) or NOT_NEGATIVE
        items = self.elements.elements(args.at(0) | args.keywords.get("iterable", BOTTOM), line)
        made = self.objects.made_here("iter", line)
        pair = self.objects.allocate(self.objects.slot(made.index, "pair"), "tuple", line)
        self.objects.write_at(self.objects.heap(pair), 0, SOME_NUM if args.star else numbers)
        self.objects.write_at(self.objects.heap(pair), 1, items)
        self.cells.write(self.objects.heap(made).bag, frozenset({pair}))
        return frozenset({made})

    def _shuffled(self, receiver: Atom | None, args: Args, line: int) -> Value:
        for atom in each(args.at(0) | args.keywords.get("x", BOTTOM)):
            if isinstance(atom, Object):
                self.stores.lose_order(self.objects.heap(atom))
        self.calls.call(args.at(1), Args(), line)
        return NOTHING

    def _list_of(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.objects.made_here("list", line)
        given = args.at(0)
        if given or not args.positional:
            self.stores.fill(self.objects.heap(made), *self.collections.spread(given, line))
        return frozenset({made})

    def _set_of(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.objects.collected("set", self.elements.elements(args.at(0), line), line)

    def _dict_of(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.objects.made_here("dict", line)
        self.mappings.update(self.objects.heap(made), made, args, line)
        return frozenset({made})

    def _setitem(self, receiver: Atom | None, args: Args, line: int) -> Value:
        for atom in each(args.at(0)):
            self.intrinsics.store_item(atom, args.at(1), args.at(2), line)
        return NOTHING

    # ── reflection (rule 5) ──

    def _property(self, receiver: Atom | None, args: Args, line: int) -> Value:
        self.summaries.leak_all(args)
        return ANY

    def _dispatcher(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.members.dispatch(args.at(0))

    def _bound_function(self, binding: str, receiver: Atom | None, args: Args, line: int) -> Value:
        """`staticmethod(f)` in the body of a class: the function, and how it is bound where it is found."""
        for atom in each(args.at(0)):
            if isinstance(atom, Closure):
                self.class_members.bound_as[unsited(atom)] = binding
        return args.at(0)

    def _dataclass(self, receiver: Atom | None, args: Args, line: int) -> Value:
        if args.positional:
            return args.at(0)
        return frozenset({Lib("dataclasses.dataclass")})

    def _namedtuple(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.python_objects.record_type(args, line)

    def _partial(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.decorators.make_partial(args.at(0), args.without_first(), line)

    def _namespace_record(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.objects.made_here("instance", line)
        self.mappings.update(self.objects.heap(made), made, args, line)
        return frozenset({made})

    def _defaultdict(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.objects.made_here("dict", line)
        factory = frozenset(atom for atom in args.at(0) if not isinstance(atom, Const))
        term, self.run.call_term = self.run.call_term, self.objects.slot(made.index, "default")
        self.cells.write(self.objects.heap(made).bag, self.calls.call(factory, Args(), line))
        self.run.call_term = term
        self.mappings.update(self.objects.heap(made), made, args.without_first(), line)
        return frozenset({made})

    def _counter(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.objects.made_here("dict", line)
        self.cells.write(self.objects.heap(made).bag, SOME_NUM)
        self.cells.write(self.objects.heap(made).keys, self.elements.elements(args.at(0), line))
        return frozenset({made})
