"""Python's own intrinsics: conversions, functions of the standard library that need code, reflection, builtin names, `sys.path`."""

from __future__ import annotations

import shlex
from functools import cached_property, partial
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
    UNKNOWN,
    Anything,
    Atom,
    Bound,
    Class,
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
from remit.analysis.engine.frames import Args, always
from remit.analysis.engine.run import EnginePart, Run
from remit.analysis.engine.tables import VIEW
from remit.analysis.engine.texts import concat_values, derived, literals, quoted, texts_of
from remit.analysis.python.names import BUILTIN_NAMES

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.frames import Handler
    from remit.analysis.engine.heap import Heap


class PythonIntrinsics(EnginePart):
    """What builtins.sum and a few others mark `! intrinsic`."""

    python_names: engine.PythonNames
    python_library: engine.PythonLibrary
    mappings: engine.MappingMethods
    decorators: engine.Decorators
    model_fields: engine.ModelFields
    python_objects: engine.PythonObjects
    python_options: engine.PythonOptions
    python_texts: engine.PythonTexts
    reflection: engine.PythonReflection

    @cached_property
    def table(self) -> dict[str, Handler]:
        """Intrinsic name → code."""
        return {
            "str": self._str, "bytearray": self._str, "memoryview": self._str, "int": self._number_of,
            "float": self._number_of, "complex": self._number_of, "bool": always(SOME_BOOL), "range": self._range,
            "enumerate": self._enumerate, "shuffle": self._shuffled, "list": self._list_of, "tuple": self._list_of,
            "set": self._set_of, "frozenset": self._frozenset_of, "dict": self._dict_of, "object": always(frozenset({Const("object")})),
            "slice": always(frozenset({Const("object")})), "delattr": always(NOTHING), "hasattr": always(SOME_BOOL), "isinstance": always(SOME_BOOL),
            "callable": always(SOME_BOOL), "property": self._property, "staticmethod": partial(self._bound_function, "static"),
            "classmethod": partial(self._bound_function, "class"), "dataclass": self._dataclass, "namedtuple": self._namedtuple,
            "partial": self._partial, "singledispatch": self._dispatcher, "SimpleNamespace": self._namespace_record,
            "defaultdict": self._defaultdict, "Counter": self._counter, "setitem": self._setitem, **self.reflection.handlers(),
            **self.python_options.handlers(), **self.model_fields.handlers(),
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
        items = self.elements.iterate(args.at(0) | args.keywords.get("iterable", BOTTOM), line)
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
        return self.objects.collected("set", self.elements.iterate(args.at(0), line), line)

    def _frozenset_of(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.objects.made_here("set", line)
        self.objects.heap(made).alike = True
        return self._set_of(receiver, args, line)

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
        self.cells.write(self.objects.heap(made).keys, self.elements.iterate(args.at(0), line))
        return frozenset({made})


class PythonLibrary(EnginePart):
    """What summaries of the standard library mark `! intrinsic`."""

    environments: engine.Environments
    host: engine.Host

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.search_path: Heap | None = None  # `sys.path`, one for all modules, once something has looked at it
        self.search_line = 0

    def handlers(self) -> dict[str, Handler]:
        """Intrinsic name → code."""
        return {
            "sys.path": self._sys_path, "sys.argv": self._sys_argv, "attrgetter": partial(self._getter, "attr"), "methodcaller": partial(self._getter, "call"),
            "itemgetter": partial(self._getter, "item"), "heappush": self._heappush, "spec_from_file_location": self._spec_from_file,
            "module_from_spec": self._module_from_spec, "shlex.split": self._shlex_split, "shlex.join": self._shlex_join,
        }  # fmt: skip

    def _sys_argv(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """One list for all modules, because what one appends another finds."""
        known = self.host.program_words()
        made = self.objects.allocate_shared("argv" if known is None else f"argv of {known.name}", "list", line)
        heap = self.objects.heap(made)
        heap.bag = self.environments.argv  # shared by all, so that a change is seen by all
        self.run.flows.context.add(self.run.flows.node(("in", self.run.frame.loaded.started)))
        if known is None:
            self.cells.write(self.environments.argv, hole(ARG))
        else:
            self.elements.place_words(heap, known.words)
        return frozenset({made})

    def _sys_path(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """A module that is not part of the skill is taken for the public library of its name. That holds for the folders of the
        installation, and for those of the skill, which are read. It does not hold for a folder that anybody may write to, the skill
        itself included: what is imported then is code that nobody has seen."""
        self.search_path = None  # what stands in it at the start is no news
        found = self.objects.collection(self.objects.slot(-1, "sys.path"), "list", SOME_TEXT, line)
        for atom in each(found):
            if isinstance(atom, Object):
                self.search_path = self.objects.heap(atom)
        self.search_line = line
        return found

    def _getter(self, kind: str, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.objects.made_here("getter", line)
        heap = self.objects.heap(made)
        heap.origin = kind
        for i, value in enumerate(args.positional):
            self.objects.write_at(heap, i, value)
        return frozenset({made})

    def call_getter(self, heap: Heap, args: Args, line: int) -> Value:
        """`attrgetter("a.b")(x)`, `itemgetter(0)(x)`, `methodcaller("m", 1)(x)`."""
        subject = args.at(0)
        names = [self.cells.read(cell) for cell in heap.prefix]
        if heap.origin == "item":
            return BOTTOM.union(*(self.elements.item(subject, name, line) for name in names))
        found: Value = BOTTOM
        for name in names[: 1 if heap.origin == "call" else None]:
            words = literals(name)
            if words is None:
                found = found | self.run.opaque("a member is chosen by a computed name", line)
                continue
            for word in words:
                value = subject
                for piece in word.split("."):
                    value = self.members.member(value, piece, line)
                found = found | value
        return self.calls.call(found, Args(names[1:]), line) if heap.origin == "call" else found

    def _heappush(self, receiver: Atom | None, args: Args, line: int) -> Value:
        for atom in each(args.at(0)):
            if isinstance(atom, Object):
                self.cells.write(self.objects.heap(atom).bag, args.at(1))
            else:
                self.leaks.leak(args.at(1))
        return NOTHING

    def _shlex_split(self, receiver: Atom | None, args: Args, line: int) -> Value:
        out: set[Atom] = set()
        for atom in each(args.at(0)):
            made = self.objects.allocate_each(self.run.call_term or line, atom, "list", line)
            try:
                split = shlex.split(atom.literal or "") if isinstance(atom, Text) and atom.literal is not None else None
            except ValueError:
                continue  # it is refused
            if split is None:
                self.stores.fill(self.objects.heap(made), [], derived(frozenset({atom})))
            else:
                self.stores.fill(self.objects.heap(made), [lit(word) for word in split])
            out.add(made)
        return frozenset(out)

    def _shlex_join(self, receiver: Atom | None, args: Args, line: int) -> Value:
        prefix, rest = self.collections.spread(args.at(0), line)
        pieces: list[Value] = []
        for word in [*map(quoted, prefix), *([SOME_TEXT] if rest else [])]:  # several words may follow, or none
            pieces.extend((lit(" "), word) if pieces else (word,))
        return concat_values(pieces)

    def _spec_from_file(self, receiver: Atom | None, args: Args, line: int) -> Value:
        location = args.at(1) or args.keywords.get("location", BOTTOM)
        path: Value = frozenset(texts_of(self.work.settle(location)))
        if not path:
            return BOTTOM
        self.run.world.run_file("python", path, self.run.site(line))
        made = self.objects.made_here("instance", line)
        heap = self.objects.heap(made)
        files = self.run.world.skill_files(path)
        modules: Value = ANY
        if files is not None:
            modules = frozenset(
                Module(found.index)
                for found in self.programs.loaded
                if found.file in files and found.program.language == "python"
            )
        self.objects.write(heap, " module", modules)
        self.objects.write(heap, "loader", frozenset({Instance("importlib._FileLoader")}))
        return frozenset({made})

    def _module_from_spec(self, receiver: Atom | None, args: Args, line: int) -> Value:
        out: Value = BOTTOM
        for atom in each(args.at(0)):
            if isinstance(atom, Object) and " module" in self.objects.heap(atom).fields:
                out = out | self.cells.read(self.objects.heap(atom).fields[" module"])
            elif not isinstance(atom, Const):
                out = out | ANY
        return out


class PythonReflection(EnginePart):
    """What getattr, vars, eval, import_module and their kin do."""

    js_process: engine.JavaScriptProcess
    modules: engine.Modules
    python_objects: engine.PythonObjects

    def handlers(self) -> dict[str, Handler]:
        """What summaries mark `! intrinsic`, by name."""
        return {
            "getattr": self._getattr, "setattr": self._setattr, "vars": self._vars, "dir": self._dir, "globals": self._globals,
            "locals": self._locals, "eval": self._eval, "exec": self._eval, "__import__": self._dunder_import,
            "import_module": self._import_name, "resolve_name": self._resolve_name, "super": self._bare_super,
            "type": self._type,
        }  # fmt: skip

    def _getattr(self, receiver: Atom | None, args: Args, line: int) -> Value:
        base, name = args.at(0), args.at(1)
        out: Value = args.positional[2] if len(args.positional) > 2 else BOTTOM
        names = literals(name)
        for atom in each(base):
            if names is not None:
                out = out.union(*(self.members.member(frozenset({atom}), word, line) for word in names))
            else:
                out = out | self.js_process.computed_member(atom, name, line)
        return out

    def _setattr(self, receiver: Atom | None, args: Args, line: int) -> Value:
        base, name, value = args.at(0), args.at(1), args.at(2)
        names = literals(name)
        for atom in each(base):
            if names is not None:
                for word in names:
                    self.intrinsics.store_attr(atom, word, value, line)
            elif isinstance(atom, Object):
                self.stores.put(self.objects.heap(atom), name, value)
                if self.objects.heap(atom).escaped:
                    self.leaks.leak(value)
            else:
                self.intrinsics.store_item(atom, name, value, line)
        return NOTHING

    def _vars(self, receiver: Atom | None, args: Args, line: int) -> Value:
        if not args.positional:
            return self._locals(receiver, args, line)
        out: Value = BOTTOM
        for atom in each(args.at(0)):
            if self.objects.is_a(atom, "parser"):
                made = self.objects.allocate(self.objects.slot(atom.index, "vars"), "dict", line)
                self.objects.heap(made).fields, self.objects.heap(made).origin = self.objects.heap(atom).fields, VIEW
                self.cells.write(self.objects.heap(made).bag, frozenset({Data(ARG)}))
                out = out | {made}
            elif isinstance(atom, Object):
                out = out | {self.members.fields_as_dict(atom, self.objects.heap(atom))}
            elif isinstance(atom, Data):
                out = out | {atom}
            else:
                self.js_process.leak_atom(atom)
                out = out | self.run.opaque("`vars` of a module or class gives its members by computed names", line)
        return out

    def _dir(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.objects.collected("list", SOME_TEXT, line)

    def _globals(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return frozenset({self.python_objects.frame_namespace(self.run.frame.loaded.frame)})

    def _locals(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return frozenset({self.python_objects.frame_namespace(self.run.frame)})

    def _eval(self, receiver: Atom | None, args: Args, line: int) -> Value:
        code = self.work.settle(args.at(0))
        spaces = BOTTOM.union(*args.positional[1:], *args.keywords.values())
        for atom in each(spaces):
            if not isinstance(atom, Object):
                self.js_process.leak_atom(atom)
        value = self.modules.run_text("python", frozenset(texts_of(code)), line, spaces) if code else BOTTOM
        return value | NOTHING if literals(code) is not None else value | ANY

    def _import_name(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.modules.import_computed(
            self.work.settle(args.at(0)), line, args.at(1) | args.keywords.get("package", BOTTOM)
        )

    def _dunder_import(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """`__import__("a.b")` gives `a`, unless it is asked for members of `a.b`."""
        name = self.work.settle(args.at(0))
        found = self.modules.import_computed(name, line)
        dotted = [word for word in literals(name) or () if "." in word]
        if not dotted or len(args.positional) > 3 or "fromlist" in args.keywords or args.star:
            return found
        return self.modules.import_computed(frozenset(Text((word.partition(".")[0],)) for word in dotted), line)

    def _resolve_name(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """`package.module:object.member`, or the same with dots alone."""
        names = literals(self.work.settle(args.at(0)))
        if names is None:
            return self.modules.import_computed(args.at(0), line)
        out: Value = BOTTOM
        for name in names:
            module, colon, members = name.partition(":")
            if not colon:
                module, _, members = name.partition(".")
            found = self.modules.import_computed(lit(module), line)
            for member in members.split(".") if members else ():
                found = self.members.member(found, member, line)
            out = out | found
        return out

    def _bare_super(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.run.opaque("`super` outside of a method", line)

    def _type(self, receiver: Atom | None, args: Args, line: int) -> Value:
        if len(args.positional) > 1:
            self.summaries.leak_all(args)
            return self.run.opaque("a class is made at run time", line, "write a class statement")
        out: Value = BOTTOM
        for atom in each(args.at(0)):
            if self.objects.is_instance(atom):
                out = out | {Class(self.objects.heap(atom).cls)}
            elif isinstance(atom, Instance):
                out = out | {Lib(atom.cls)}
            elif isinstance(atom, (Anything, Class)):
                out = out | ANY
            else:
                out = out | {Data(UNKNOWN)}
        return out


class PythonNames(EnginePart):
    """What a name stands for that no code of the skill binds."""

    receivers: engine.Receivers
    library_members: engine.LibraryMembers

    def text_of(self, value: Value) -> Value:
        """`str(value)`."""
        out: set[Atom] = set()
        for atom in each(value):
            if isinstance(atom, (Text, Data)):
                out.add(atom)
            elif isinstance(atom, (Num, Const)) or (isinstance(atom, Instance) and atom.payload is not None):
                out.update(texts_of(frozenset({atom})))
            elif isinstance(atom, Anything):
                out.update(hole(atom.origin, exact=False))
            elif isinstance(atom, Lib):
                constant = self.library_members.constant(atom, self.run.current_line)
                out.update(self.text_of(constant) if constant is not None else SOME_TEXT)
            else:
                out.update(SOME_TEXT)
        return frozenset(out)

    def python_global(self, name: str, line: int) -> Value:
        """A builtin, or a name that nothing binds."""
        if name in {"__builtins__", "__loader__", "__spec__"}:
            return self.run.opaque(f"`{name}` reaches around the language", line)
        if name in BUILTIN_NAMES:
            return self.library_members.library_member(Lib("builtins"), name, line)
        return self.work.settle(BOTTOM)  # scripts fail on an unbound name; in instructed code the agent supplies it

    def expression_text(self, text: str) -> Value:
        """The value of a flag's argument: `<arg>`, `<net>`, `any`, an instance."""
        if "." in text:
            self.receivers.add(text)
            return frozenset({Instance(text)})
        return hole(text.strip("<>")) if text.startswith("<") else ANY

    def decorated_argument(self, text: str) -> Value:
        """What a command-line library passes to the function that it decorates: text, or the path or number made of it."""
        value = self.expression_text(text)
        if self.run.language() != "python" or text != "<arg>":
            return value
        self.receivers.add("pathlib.Path")
        return value | {Instance("pathlib.Path", frozenset(texts_of(value))), Num()}

    def bind_to(self, found: Atom, receiver: Atom, line: int) -> Value:
        """A member found on a class, bound to a receiver."""
        if isinstance(found, Closure):
            function = self.programs.functions[found.function][1]
            if function.binding == "static":
                return frozenset({found})
            if function.binding == "property":
                return self.calls.call_closure(found, Args([frozenset({receiver})]), line, bound=True)
            return frozenset({Bound(found, receiver)})
        return frozenset({found})
