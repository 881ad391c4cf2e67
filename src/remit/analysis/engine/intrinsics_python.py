"""Python's own intrinsics: conversions, reflection, argparse, partial application."""

from __future__ import annotations

import shlex
from functools import cached_property
from typing import TYPE_CHECKING

from remit.analysis.domain import (
    ANY,
    ARG,
    BOTTOM,
    NOT_NEGATIVE,
    NOTHING,
    SOME_BOOL,
    SOME_NUM,
    SOME_TEXT,
    Anything,
    Atom,
    Bound,
    Closure,
    Const,
    Data,
    Instance,
    Lib,
    Module,
    Num,
    Object,
    Text,
    Value,
    hole,
    lit,
    unsited,
)
from remit.analysis.each import each
from remit.analysis.engine.frames import Args
from remit.analysis.engine.model_fields import ModelFields
from remit.analysis.engine.texts import concat_values, derived, literals, quoted, texts_of
from remit.analysis.python.names import BUILTIN_NAMES
from remit.analysis.summaries.model import Expr

if TYPE_CHECKING:
    from collections.abc import Callable

    from remit.analysis.engine.heap import Heap
    from remit.analysis.summaries.model import Entry

Handler = "Callable[[Atom | None, Args, int], Value]"


class PythonIntrinsics(ModelFields):
    """What builtins.sum and a few others mark `! intrinsic`."""

    _plain: dict[int, Entry]
    decorators: dict[int, Entry]

    @cached_property
    def python_intrinsics(self) -> dict[str, Callable[[Atom | None, Args, int], Value]]:
        """Intrinsic name → code."""
        return {
            "str": self._str, "bytes": self._str, "bytearray": self._str, "memoryview": self._str,
            "int": self._number_of, "float": self._number_of, "complex": self._number_of, "bool": self._truth, "range": self._range, "enumerate": self._enumerate, "shuffle": self._shuffled,
            "list": self._list_of, "tuple": self._list_of, "set": self._set_of, "frozenset": self._set_of, "dict": self._dict_of,
            "object": self._object, "slice": self._object, "getattr": self._getattr, "setattr": self._setattr, "delattr": self._quiet,
            "hasattr": self._truth, "isinstance": self._truth, "callable": self._truth, "vars": self._vars, "dir": self._dir,
            "globals": self._globals, "locals": self._locals, "eval": self._eval, "exec": self._eval, "__import__": self._dunder_import, "import_module": self._import_name,
            "resolve_name": self._resolve_name,
            "super": self._bare_super, "type": self._type, "property": self._property, "staticmethod": self._static_function,
            "classmethod": self._class_function, "dataclass": self._dataclass, "namedtuple": self._namedtuple,
            "partial": self._partial, "singledispatch": self._first_argument, "SimpleNamespace": self._namespace_record,
            "defaultdict": self._defaultdict, "Counter": self._counter, "sys.path": self._sys_path, "sys.argv": self._sys_argv,
            "argparse.ArgumentParser": self._parser, "argparse.add_argument": self._add_argument,
            "argparse.set_defaults": self._set_defaults, "argparse.parse_args": self._parse_args, "argparse.get_default": self._get_default,
            "argparse.parse_known_args": self._parse_known_args, "argparse.add_subparsers": self._same_parser,
            "argparse.add_parser": self._same_parser, "argparse.add_argument_group": self._same_parser,
            "argparse.add_mutually_exclusive_group": self._same_parser, "attrgetter": self._attrgetter,
            "methodcaller": self._methodcaller, "itemgetter": self._itemgetter, "setitem": self._setitem, "heappush": self._heappush,
            "spec_from_file_location": self._spec_from_file, "module_from_spec": self._module_from_spec,
            "mock.patch": self._mock_patch, "mock.object": self._mock_object, "mock.multiple": self._mock_multiple,
            "model.of": self._model_of, "model.fields": self._model_fields, "model.copy": self._model_copy,
            "shlex.split": self._shlex_split, "shlex.join": self._shlex_join,
        }  # fmt: skip

    # ── conversions ──

    def text_of(self, value: Value) -> Value:
        """`str(value)`."""
        out: set[Atom] = set()
        for atom in each(value):
            if isinstance(atom, Text | Data):
                out.add(atom)
            elif isinstance(atom, Num | Const) or (isinstance(atom, Instance) and atom.payload is not None):
                out.update(texts_of(frozenset({atom})))
            elif isinstance(atom, Anything):
                out.update(hole(atom.origin, exact=False))
            elif isinstance(atom, Lib):
                constant = self.constant(atom, self.current_line)
                out.update(self.text_of(constant) if constant is not None else SOME_TEXT)
            else:
                out.update(SOME_TEXT)
        return frozenset(out)

    def _str(self, receiver: Atom | None, args: Args, line: int) -> Value:
        self.show(self.first(args), line)
        return self.text_of(self.first(args)) if args.positional or args.star else SOME_TEXT

    def _number_of(self, receiver: Atom | None, args: Args, line: int) -> Value:
        numbers = frozenset(atom for atom in self.first(args) if isinstance(atom, Num))
        return numbers if numbers and numbers == self.first(args) else SOME_NUM

    def _truth(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return SOME_BOOL

    def _quiet(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return NOTHING

    def _range(self, receiver: Atom | None, args: Args, line: int) -> Value:
        start = self.first(args) if len(args.positional) > 1 else NOT_NEGATIVE
        lows = [atom.low if isinstance(atom, Num) else None for atom in start]
        upwards = len(args.positional) < 3 and not args.star and None not in lows
        numbers = frozenset(Num(low) for low in lows) if upwards else SOME_NUM
        return self.collection(self.call_term or line, "iter", numbers, line)

    def _enumerate(self, receiver: Atom | None, args: Args, line: int) -> Value:
        start = self.first(args, 1) | args.keywords.get("start", BOTTOM)
        numbers = frozenset(Num(atom.low) if isinstance(atom, Num) else Num() for atom in start) or NOT_NEGATIVE
        items = self.elements(self.first(args) | args.keywords.get("iterable", BOTTOM), line)
        made = self.allocate_at(line, "iter")
        pair = self.allocate(self.slot(made, "pair"), "tuple", line)
        self.write(self.position(self.heap(pair), 0), SOME_NUM if args.star else numbers)
        self.write(self.position(self.heap(pair), 1), items)
        self.write(self.heap(made).bag, frozenset({pair}))
        return frozenset({made})

    def _shuffled(self, receiver: Atom | None, args: Args, line: int) -> Value:
        for atom in each(self.first(args) | args.keywords.get("x", BOTTOM)):
            if isinstance(atom, Object):
                self.lose_order(self.heap(atom))
        self.call(self.first(args, 1), Args(), line)
        return NOTHING

    def _list_of(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.allocate_at(line, "list")
        given = self.first(args)
        if given or not args.positional:
            self.fill(self.heap(made), *self.spread(given, line))
        return frozenset({made})

    def _set_of(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.collection(self.call_term or line, "set", self.elements(self.first(args), line), line)

    def _dict_of(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.allocate_at(line, "dict")
        self._update(self.heap(made), made, args, line)
        return frozenset({made})

    def _setitem(self, receiver: Atom | None, args: Args, line: int) -> Value:
        for atom in each(self.first(args)):
            self.store_item(atom, self.first(args, 1), self.first(args, 2), line)
        return NOTHING

    def _object(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return frozenset({Const("object")})

    # ── reflection (rule 5) ──

    def _property(self, receiver: Atom | None, args: Args, line: int) -> Value:
        self.leak_all(args)
        return ANY

    def _first_argument(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.first(args)

    def _static_function(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self._bound_function(args, "static")

    def _class_function(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self._bound_function(args, "class")

    def _bound_function(self, args: Args, binding: str) -> Value:
        """`staticmethod(f)` in the body of a class: the function, and how it is bound where it is found."""
        for atom in each(self.first(args)):
            if isinstance(atom, Closure):
                self.bound_as[unsited(atom)] = binding
        return self.first(args)

    def _dataclass(self, receiver: Atom | None, args: Args, line: int) -> Value:
        if args.positional:
            return self.first(args)
        return frozenset({Lib("dataclasses.dataclass")})

    def _namedtuple(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.record_type(args, line)

    def _partial(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.make_partial(self.first(args), args.without_first(), line)

    def _namespace_record(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.allocate_at(line, "instance")
        self._update(self.heap(made), made, args, line)
        return frozenset({made})

    def _defaultdict(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.allocate_at(line, "dict")
        factory = frozenset(atom for atom in self.first(args) if not isinstance(atom, Const))
        term, self.call_term = self.call_term, self.slot(made, "default")
        self.write(self.heap(made).bag, self.call(factory, Args(), line))
        self.call_term = term
        self._update(self.heap(made), made, args.without_first(), line)
        return frozenset({made})

    def _counter(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.allocate_at(line, "dict")
        self.write(self.heap(made).bag, SOME_NUM)
        self.write(self.heap(made).keys, self.elements(self.first(args), line))
        return frozenset({made})

    def _sys_argv(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """One list for all modules, because what one appends another finds."""
        known = self.program_words()
        made = self.allocate_shared("argv" if known is None else f"argv of {known.name}", "list", line)
        heap = self.heap(made)
        heap.bag = self.argv  # shared by all, so that a change is seen by all
        if known is None:
            self.write(self.argv, hole(ARG))
        else:
            self.place_words(heap, known.words)
        return frozenset({made})

    def _attrgetter(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self._getter("attr", args, line)

    def _itemgetter(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self._getter("item", args, line)

    def _methodcaller(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self._getter("call", args, line)

    def _getter(self, kind: str, args: Args, line: int) -> Value:
        made = self.allocate_at(line, "getter")
        heap = self.heap(made)
        heap.origin = kind
        for i, value in enumerate(args.positional):
            self.write(self.position(heap, i), value)
        return frozenset({made})

    def call_getter(self, heap: Heap, args: Args, line: int) -> Value:
        """`attrgetter("a.b")(x)`, `itemgetter(0)(x)`, `methodcaller("m", 1)(x)`."""
        subject = self.first(args)
        names = [self.read(cell) for cell in heap.prefix]
        if heap.origin == "item":
            return BOTTOM.union(*(self.item(subject, name, line) for name in names))
        found: Value = BOTTOM
        for name in names[: 1 if heap.origin == "call" else None]:
            words = literals(name)
            if words is None:
                found = found | self.opaque("a member is chosen by a computed name", line)
                continue
            for word in words:
                value = subject
                for piece in word.split("."):
                    value = self.member(value, piece, line)
                found = found | value
        return self.call(found, Args(names[1:]), line) if heap.origin == "call" else found

    def _heappush(self, receiver: Atom | None, args: Args, line: int) -> Value:
        for atom in each(self.first(args)):
            if isinstance(atom, Object):
                self.write(self.heap(atom).bag, self.first(args, 1))
            else:
                self.leak(self.first(args, 1))
        return NOTHING

    def _shlex_split(self, receiver: Atom | None, args: Args, line: int) -> Value:
        out: set[Atom] = set()
        for atom in each(self.first(args)):
            made = self.allocate_each(self.call_term or line, atom, "list", line)
            try:
                split = shlex.split(atom.literal or "") if isinstance(atom, Text) and atom.literal is not None else None
            except ValueError:
                continue  # it is refused
            if split is None:
                self.fill(self.heap(made), [], derived(frozenset({atom})))
            else:
                self.fill(self.heap(made), [lit(word) for word in split])
            out.add(made)
        return frozenset(out)

    def _shlex_join(self, receiver: Atom | None, args: Args, line: int) -> Value:
        prefix, rest = self.spread(self.first(args), line)
        pieces: list[Value] = []
        for word in [*map(quoted, prefix), *([SOME_TEXT] if rest else [])]:  # several words may follow, or none
            pieces.extend((lit(" "), word) if pieces else (word,))
        return concat_values(pieces)

    # ── modules from files ──

    def _spec_from_file(self, receiver: Atom | None, args: Args, line: int) -> Value:
        location = self.first(args, 1) or args.keywords.get("location", BOTTOM)
        path: Value = frozenset(texts_of(self.settle(location)))
        if not path:
            return BOTTOM
        self.world.run_file("python", path, self.site(line))
        made = self.allocate_at(line, "instance")
        heap = self.heap(made)
        files = self.world.skill_files(path)
        modules: Value = ANY
        if files is not None:
            modules = frozenset(
                Module(found.index)
                for found in self.loaded
                if found.file in files and found.program.language == "python"
            )
        self.write(self.field(heap, " module"), modules)
        self.write(self.field(heap, "loader"), frozenset({Instance("importlib._FileLoader")}))
        return frozenset({made})

    def _module_from_spec(self, receiver: Atom | None, args: Args, line: int) -> Value:
        out: Value = BOTTOM
        for atom in each(self.first(args)):
            if isinstance(atom, Object) and " module" in self.heap(atom).fields:
                out = out | self.read(self.heap(atom).fields[" module"])
            elif not isinstance(atom, Const):
                out = out | ANY
        return out

    # ── argparse: a parser and its namespace are one object ──

    # ── names ──

    def python_global(self, name: str, line: int) -> Value:
        """A builtin, or a name that nothing binds."""
        if name in {"__builtins__", "__loader__", "__spec__"}:
            return self.opaque(f"`{name}` reaches around the language", line)
        if name in BUILTIN_NAMES:
            return self.library_member(Lib("builtins"), name, line)
        return self.unbound(name, line)

    def is_builtin(self, name: str) -> bool:
        """Whether the language binds this name itself."""
        return name in BUILTIN_NAMES

    def unbound(self, name: str, line: int) -> Value:
        """Scripts fail on an unbound name; in instructed code the agent supplies it."""
        return self.settle(BOTTOM)

    # contracts
    def run_text(self, language: str, code: Value, line: int, spaces: Value = BOTTOM) -> Value:
        """See `modules`."""
        raise AssertionError

    def make_partial(self, callee: Value, args: Args, line: int) -> Value:
        """See `intrinsics`."""
        raise AssertionError

    def expression_text(self, text: str) -> Value:
        """The value of a flag's argument: `<arg>`, `<net>`, `any`, an instance."""
        if "." in text:
            self.add_to_universe(text)
            return frozenset({Instance(text)})
        return hole(text.strip("<>")) if text.startswith("<") else ANY

    def decorated_argument(self, text: str) -> Value:
        """What a command-line library passes to the function that it decorates: text, or the path or number made of it."""
        value = self.expression_text(text)
        if self.language() != "python" or text != "<arg>":
            return value
        self.add_to_universe("pathlib.Path")
        return value | {Instance("pathlib.Path", frozenset(texts_of(value))), Num()}

    def bind_to(self, found: Atom, receiver: Atom, line: int) -> Value:
        """A member found on a class, bound to a receiver."""
        if isinstance(found, Closure):
            function = self.functions[found.function][1]
            if function.binding == "static":
                return frozenset({found})
            if function.binding == "property":
                return self.call_closure(found, Args([frozenset({receiver})]), line, bound=True)
            return frozenset({Bound(found, receiver)})
        return frozenset({found})


__all__ = ["Expr", "PythonIntrinsics"]
