"""Python's own intrinsics: conversions, reflection, argparse, partial application."""

from __future__ import annotations

import shlex
from functools import cached_property
from typing import TYPE_CHECKING

from remit.analysis.domain import (
    ANY,
    ARG,
    BOTTOM,
    FALSE,
    NONE,
    NOTHING,
    SOME_BOOL,
    SOME_NUM,
    SOME_TEXT,
    TRUE,
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
)
from remit.analysis.engine.frames import Args
from remit.analysis.engine.python_objects import PythonObjects
from remit.analysis.engine.texts import concat_values, derived, literals, quoted, texts_of
from remit.analysis.python.names import BUILTIN_NAMES
from remit.analysis.summaries.model import Expr

if TYPE_CHECKING:
    from collections.abc import Callable

    from remit.analysis.engine.heap import Heap
    from remit.analysis.summaries.model import Entry

Handler = "Callable[[Atom | None, Args, int], Value]"


class PythonIntrinsics(PythonObjects):
    """What builtins.sum and a few others mark `! intrinsic`."""

    _plain: dict[int, Entry]
    decorators: dict[int, Entry]

    @cached_property
    def python_intrinsics(self) -> dict[str, Callable[[Atom | None, Args, int], Value]]:
        """Intrinsic name → code."""
        return {
            "str": self._str, "bytes": self._str, "bytearray": self._str, "memoryview": self._str,
            "int": self._number_of, "float": self._number_of, "complex": self._number_of, "bool": self._truth, "range": self._range,
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
            "argparse.set_defaults": self._set_defaults, "argparse.parse_args": self._parse_args,
            "argparse.parse_known_args": self._parse_known_args, "argparse.add_subparsers": self._same_parser,
            "argparse.add_parser": self._same_parser, "argparse.add_argument_group": self._same_parser,
            "argparse.add_mutually_exclusive_group": self._same_parser, "attrgetter": self._attrgetter,
            "methodcaller": self._methodcaller, "itemgetter": self._itemgetter, "heappush": self._heappush,
            "spec_from_file_location": self._spec_from_file, "module_from_spec": self._module_from_spec,
            "shlex.split": self._shlex_split, "shlex.join": self._shlex_join,
        }  # fmt: skip

    # ── conversions ──

    def text_of(self, value: Value) -> Value:
        """`str(value)`."""
        out: set[Atom] = set()
        for atom in value:
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
        return self.collection(self.call_term or line, "iter", SOME_NUM, line)

    def _list_of(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.allocate_at(line, "list")
        heap = self.heap(made)
        prefix, rest = self.spread(self.first(args), line)
        for i, value in enumerate(prefix):
            self.write(self.position(heap, i), value)
        self.write(heap.bag, rest)
        return frozenset({made})

    def _set_of(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.collection(self.call_term or line, "set", self.elements(self.first(args), line), line)

    def _dict_of(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.allocate_at(line, "dict")
        self._update(self.heap(made), made, args, line)
        return frozenset({made})

    def _object(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return frozenset({Const("object")})

    # ── reflection (rule 5) ──

    def _getattr(self, receiver: Atom | None, args: Args, line: int) -> Value:
        base, name = self.first(args), self.first(args, 1)
        out: Value = args.positional[2] if len(args.positional) > 2 else BOTTOM
        names = literals(name)
        for atom in base:
            if names is not None:
                for word in names:
                    out = out | self.member(frozenset({atom}), word, line)
            else:
                out = out | self.computed_member(atom, name, line)
        return out

    def _setattr(self, receiver: Atom | None, args: Args, line: int) -> Value:
        base, name, value = self.first(args), self.first(args, 1), self.first(args, 2)
        names = literals(name)
        for atom in base:
            if names is not None:
                for word in names:
                    self.store_attr(atom, word, value, line)
            elif isinstance(atom, Object):
                self.put(self.heap(atom), name, value)
                if self.heap(atom).escaped:
                    self.leak(value)
            else:
                self.leak(value)
                if isinstance(atom, Lib | Module | Class):
                    self.opaque("a member is replaced by a computed name", line)
        return NOTHING

    def _vars(self, receiver: Atom | None, args: Args, line: int) -> Value:
        if not args.positional:
            return self._locals(receiver, args, line)
        out: Value = BOTTOM
        for atom in self.first(args):
            if isinstance(atom, Object):
                made = self.allocate(self.slot(atom, "vars"), "dict", line)
                self.copy_into(self.heap(made), self.heap(atom))
                if self.heap(atom).kind == "parser":
                    self.write(self.heap(made).bag, frozenset({Data(ARG)}))
                out = out | {made}
            elif isinstance(atom, Data):
                out = out | {atom}
            else:
                self.leak_atom(atom)
                out = out | self.opaque("`vars` of a module or class gives its members by computed names", line)
        return out

    def _dir(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.collection(self.call_term or line, "list", SOME_TEXT, line)

    def _globals(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return frozenset({self.module_namespace(self.frame.loaded)})

    def object_item(self, atom: Object, key: Value, line: int) -> Value:
        """`globals()[name]` is a name of the module."""
        heap = self.heap(atom)
        if heap.kind == "namespace":
            return self.namespace_item(heap, key, line)
        return super().object_item(atom, key, line)

    def _locals(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return frozenset({self.frame_namespace(self.frame)})

    def _eval(self, receiver: Atom | None, args: Args, line: int) -> Value:
        code = self.settle(self.first(args))
        spaces = BOTTOM.union(*args.positional[1:], *args.keywords.values())
        for atom in spaces:
            if not isinstance(atom, Object):
                self.leak_atom(atom)
        value = self.run_text("python", frozenset(texts_of(code)), line, spaces) if code else BOTTOM
        return value | NOTHING if literals(code) is not None else value | ANY

    def _import_name(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.import_computed(
            self.settle(self.first(args)), line, self.first(args, 1) | args.keywords.get("package", BOTTOM)
        )

    def _dunder_import(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """`__import__("a.b")` gives `a`, unless it is asked for members of `a.b`."""
        name = self.settle(self.first(args))
        found = self.import_computed(name, line)
        dotted = [word for word in literals(name) or () if "." in word]
        if not dotted or len(args.positional) > 3 or "fromlist" in args.keywords or args.star:
            return found
        return self.import_computed(frozenset(Text((word.partition(".")[0],)) for word in dotted), line)

    def _resolve_name(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """`package.module:object.member`, or the same with dots alone."""
        names = literals(self.settle(self.first(args)))
        if names is None:
            return self.import_computed(self.first(args), line)
        out: Value = BOTTOM
        for name in names:
            module, colon, members = name.partition(":")
            if not colon:
                module, _, members = name.partition(".")
            found = self.import_computed(lit(module), line)
            for member in members.split(".") if members else ():
                found = self.member(found, member, line)
            out = out | found
        return out

    def _bare_super(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.opaque("`super` outside of a method", line)

    def _type(self, receiver: Atom | None, args: Args, line: int) -> Value:
        if len(args.positional) > 1:
            self.leak_all(args)
            return self.opaque("a class is made at run time", line, "write a class statement")
        out: Value = BOTTOM
        for atom in self.first(args):
            if isinstance(atom, Object) and self.heap(atom).cls >= 0 and self.heap(atom).kind == "instance":
                out = out | {Class(self.heap(atom).cls)}
            elif isinstance(atom, Instance):
                out = out | {Lib(atom.cls)}
            elif isinstance(atom, Anything | Class):
                out = out | ANY
            else:
                out = out | {Data(UNKNOWN)}
        return out

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
        for atom in self.first(args):
            if isinstance(atom, Closure):
                self.bound_as[atom] = binding
        return self.first(args)

    def _dataclass(self, receiver: Atom | None, args: Args, line: int) -> Value:
        if args.positional:
            return self.first(args)
        return frozenset({Lib("dataclasses.dataclass")})

    def _namedtuple(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.record_type(args, line)

    def _partial(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.make_partial(
            self.first(args), Args(args.positional[1:], args.keywords, args.star, args.keyword_star), line
        )

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
        self._update(
            self.heap(made), made, Args(args.positional[1:], args.keywords, args.star, args.keyword_star), line
        )
        return frozenset({made})

    def _counter(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.allocate_at(line, "dict")
        self.write(self.heap(made).bag, SOME_NUM)
        self.write(self.heap(made).keys, self.elements(self.first(args), line))
        return frozenset({made})

    def _sys_path(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self.collection(self.slots.setdefault((-1, "sys.path"), object()), "list", SOME_TEXT, line)

    def _sys_argv(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """One list for all modules, because what one appends another finds."""
        made = self.allocate_shared("argv", "list", line)
        heap = self.heap(made)
        heap.bag = self.argv
        self.write(self.argv, hole(ARG))
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
        for atom in self.first(args):
            if isinstance(atom, Object):
                self.write(self.heap(atom).bag, self.first(args, 1))
            else:
                self.leak(self.first(args, 1))
        return NOTHING

    def _shlex_split(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.allocate_at(line, "list")
        words = literals(self.first(args))
        heap = self.heap(made)
        try:
            split = shlex.split(words[0]) if words is not None and len(words) == 1 else None
        except ValueError:
            split = None
        if split is None:
            self.write(heap.bag, derived(self.first(args)))
        else:
            for i, word in enumerate(split):
                self.write(self.position(heap, i), lit(word))
        return frozenset({made})

    def _shlex_join(self, receiver: Atom | None, args: Args, line: int) -> Value:
        prefix, rest = self.spread(self.first(args), line)
        pieces: list[Value] = []
        for word in [*prefix, *([rest] if rest else [])]:
            pieces.extend((lit(" "), quoted(word)) if pieces else (quoted(word),))
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
        for atom in self.first(args):
            if isinstance(atom, Object) and " module" in self.heap(atom).fields:
                out = out | self.read(self.heap(atom).fields[" module"])
            elif not isinstance(atom, Const):
                out = out | ANY
        return out

    # ── argparse: a parser and its namespace are one object ──

    def _parser(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.allocate_at(line, "parser")
        for parent in self.elements(args.keywords.get("parents", BOTTOM), line):
            if isinstance(parent, Object):
                self.copy_into(self.heap(made), self.heap(parent))
            else:
                self.leak_atom(parent)
        return frozenset({made})

    def parser_member(self, atom: Object, name: str, line: int) -> Value:
        """A method of the parser; any other name is an argument that nobody declared by a literal."""
        for cls in ("argparse.ArgumentParser", "argparse._SubParsersAction"):
            found = self.library().section(cls)
            if found is not None and self._declares(cls, name):
                return frozenset({Bound(Lib(f"{cls}.{name}"), atom)})
        return self.read(self.heap(atom).bag) or frozenset({Data(ARG)})

    def _declares(self, cls: str, name: str) -> bool:
        found = self.library().member(cls, name)
        return found is not None and getattr(found, "name", "") == name

    def _same_parser(self, receiver: Atom | None, args: Args, line: int) -> Value:
        self._note_dest(receiver, args)
        return frozenset({receiver}) if receiver is not None else ANY

    def _note_dest(self, receiver: Atom | None, args: Args) -> None:
        if isinstance(receiver, Object) and "dest" in args.keywords:
            self.put(self.heap(receiver), args.keywords["dest"], self.command_line())

    def _add_argument(self, receiver: Atom | None, args: Args, line: int) -> Value:
        if not isinstance(receiver, Object):
            self.leak_all(args)
            return ANY
        heap = self.heap(receiver)
        value = self._argument_value(args, line)
        dest = args.keywords.get("dest")
        names = literals(dest) if dest is not None else _destination([literals(word) for word in args.positional])
        if names is None:
            self.write(heap.bag, value)
        else:
            for name in names:
                self.write(self.field(heap, name), value)
        return frozenset({Data(UNKNOWN)})

    def _argument_value(self, args: Args, line: int) -> Value:
        words = args.keywords
        action = literals(words["action"]) if "action" in words else ["store"]
        default = BOTTOM if self._is_required(args) else words.get("default", NOTHING)
        if words.get("action") == _BOOLEAN:
            return SOME_BOOL | default
        if action is None or ("action" in words and not all(word in _ACTIONS for word in action)):
            self.leak(words.get("action", BOTTOM))
            return ANY
        if action[0] in {"store_true", "store_false", "help", "version", "count"}:
            return frozenset({TRUE, FALSE}) | (SOME_NUM if action[0] == "count" else BOTTOM) | (default - {NONE})
        if action[0] == "store_const":
            return words.get("const", NOTHING) | default
        if action[0] == "append_const":
            return self.collection(self.call_term or line, "list", words.get("const", NOTHING), line) | default
        choices = words.get("choices", BOTTOM)
        raw = self.elements(choices, line) if choices else self.command_line()
        value = raw
        kind = frozenset(atom for atom in words.get("type", BOTTOM) if not isinstance(atom, Const))
        if kind:
            converted = self.call(kind, Args([raw]), line)
            texts = frozenset(atom for atom in default if isinstance(atom, Text))
            if texts:
                default = (default - texts) | self.call(kind, Args([texts]), line)
            value = converted
        many = "nargs" in words and literals(words["nargs"]) != ["?"]
        if many or action[0] in {"append", "extend"}:
            value = self.collection(self.call_term or line, "list", value, line)
        return value | default | words.get("const", BOTTOM)

    @staticmethod
    def _is_required(args: Args) -> bool:
        """Whether the argument is there in every run: a positional one, or one that says so."""
        first = literals(args.positional[0]) if args.positional else None
        named = first is None or any(word.startswith("-") for word in first)
        if named or args.keyword_star:
            return args.keywords.get("required") == frozenset({TRUE}) and not args.keyword_star
        nargs = args.keywords.get("nargs", NOTHING)
        return not any(word in {"?", "*", "A..."} for word in literals(nargs) or ()) and (
            nargs == NOTHING or literals(nargs) == ["+"]
        )

    def _set_defaults(self, receiver: Atom | None, args: Args, line: int) -> Value:
        if isinstance(receiver, Object):
            for name, value in args.keywords.items():
                self.write(self.field(self.heap(receiver), name), value)
            self.write(self.heap(receiver).bag, args.keyword_star)
        else:
            self.leak_all(args)
        return NOTHING

    def _parse_args(self, receiver: Atom | None, args: Args, line: int) -> Value:
        if not isinstance(receiver, Object):
            self.leak_all(args)
            return frozenset({Data(ARG)})
        given = frozenset(
            atom for atom in self.first(args) | args.keywords.get("args", BOTTOM) if not isinstance(atom, Const)
        )
        words = self.elements(given, line) - hole(ARG)
        heap = self.heap(receiver)
        for cell in [heap.bag, *heap.fields.values()] if words else []:
            self.write(cell, words)  # the skill itself writes the command line
        for value in [*args.positional[1:], args.keywords.get("namespace", BOTTOM)]:
            self.leak(value)
        return frozenset({receiver})

    def _parse_known_args(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.allocate_at(line, "tuple")
        rest = self.new_list(self.slot(made, "rest"), self.command_line(), line)
        self.write(self.position(self.heap(made), 0), self._parse_args(receiver, args, line))
        self.write(self.position(self.heap(made), 1), rest)
        return frozenset({made})

    def new_list(self, key: object, element: Value, line: int) -> Value:
        """A list of any number of `element`."""
        return self.collection(key, "list", element, line)

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


_BOOLEAN: Value = frozenset({Lib("argparse.BooleanOptionalAction")})
_ACTIONS = frozenset(
    [
        "store",
        "store_true",
        "store_false",
        "store_const",
        "append",
        "append_const",
        "count",
        "help",
        "version",
        "extend",
    ]
)


def _destination(words: list[list[str] | None]) -> list[str] | None:
    """The attribute that an argument is stored in."""
    flat = [word[0] for word in words if word is not None and len(word) == 1]
    if len(flat) != len(words) or not flat:
        return None
    long = next((word for word in flat if word.startswith("--")), flat[0])
    return [long.lstrip("-").replace("-", "_")]


__all__ = ["Expr", "PythonIntrinsics"]
