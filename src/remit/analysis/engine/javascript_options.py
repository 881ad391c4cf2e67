"""Command lines as Node's option parsers read them: what the user typed, defaults of the script, what its functions make of them.

All options that a program declares are held in one object, so that the options of a subcommand are those of every other, too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.analysis.domain import (
    ARG,
    BOTTOM,
    MISSING,
    NONE,
    SOME_BOOL,
    SOME_NUM,
    SOME_TEXT,
    UNDEFINED,
    UNKNOWN,
    Atom,
    Bound,
    Class,
    Closure,
    Const,
    Data,
    Instance,
    Lib,
    Object,
    Value,
    hole,
)
from remit.analysis.each import each
from remit.analysis.engine.apply import Apply
from remit.analysis.engine.frames import Args
from remit.analysis.engine.texts import literals
from remit.analysis.summaries.model import Entry

if TYPE_CHECKING:
    from collections.abc import Callable

    from remit.analysis.engine.heap import Heap

_LONG = re.compile(r"--(?:no-)?([A-Za-z][\w-]*)")
_OPERANDS = " operands"  # what `argv._` is, unless the script stores something there
_ABSENT: Value = frozenset({UNDEFINED})
_DATA: Value = frozenset({Data(UNKNOWN)})


class JavaScriptOptions(Apply):
    """commander, yargs, minimist and their like, and `util.parseArgs`."""

    def option_intrinsics(self) -> dict[str, Callable[[Atom | None, Args, int], Value]]:
        """Intrinsic name → code."""
        return {
            "options.declare": self._declare, "options.all": self._all_options, "options.parse": self._parse_command,
            "options.default": self._default, "options.action": self._action, "options.argument": self._argument,
            "options.yargs": self._yargs, "options.described": self._described, "options.read": self._read_loose,
            "options.command": self._yargs_command, "options.minimist": self._minimist, "options.meow": self._meow,
            "options.parseArgs": self._util_parse_args,
        }  # fmt: skip

    # ── the object that holds them ──

    def object_member(self, atom: Object, name: str, line: int) -> Value:
        """The operands are known apart from options that are not declared."""
        cell = self.heap(atom).fields.get(_OPERANDS) if name == "_" else None
        if cell is None:
            return super().object_member(atom, name, line)
        own = self.heap(atom).fields.get(name)
        return self.read(cell) | (self.read(own) if own is not None else BOTTOM)

    def instance_member(self, atom: Instance, name: str, line: int) -> Value:
        """Older commands have their options as members."""
        if atom.cls == "commander.Command":
            found = self.library().member(atom.cls, name)
            if isinstance(found, Entry) and found.name != name:
                return self.member(frozenset({self._options(line)}), name, line) | _ABSENT
        return super().instance_member(atom, name, line)

    def _options(self, line: int) -> Object:
        return self.allocate_shared("command-line options", "dict", line)

    def _typed(self, args: Value, line: int) -> Value:
        """The words of a command line: those of the user, or of a list that the script gives."""
        if not args or args <= {UNDEFINED, MISSING, NONE} or self._is_argv(args):
            return hole(ARG) | self.command_line()
        listed = self.elements(args, line)
        known = any(isinstance(atom, Object) and self.heap(atom).given for atom in args)
        return listed | self.command_line() if known else listed  # options and their values, besides the words

    def _is_argv(self, value: Value) -> bool:
        whole = [made for name, made in self._shared.items() if name.startswith("process.argv")]
        return any(value == frozenset({made}) for made in whole)

    def _loose(self, term: object, words: Value, line: int) -> Value:
        """What an option may be that is not declared: a word, several, a number, or a flag."""
        listed = self.collection(term, "list", words, line)
        return words | listed | SOME_BOOL | SOME_NUM | _ABSENT

    def _slot(self, name: str) -> object:
        return self.slots.setdefault((id(self.call_term), name), (self.call_term, name))

    def _set(self, heap: Heap, name: str | None, value: Value) -> None:
        self.write(self.field(heap, name) if name else heap.bag, value)

    def _is_function(self, atom: Atom) -> bool:
        return isinstance(atom, Closure | Bound | Lib | Class)

    def _made(self, given: list[Value], words: Value, line: int) -> tuple[Value, bool]:
        """Defaults, and what functions make of a word; whether there was a function."""
        out: Value = BOTTOM
        functions: Value = BOTTOM
        for value in given:
            functions = functions | frozenset(atom for atom in value if self._is_function(atom))
            out = out | frozenset(atom for atom in value if not self._is_function(atom))
        for atom in each(list(out)):
            if isinstance(atom, Object) and self.heap(atom).kind == "dict" and "default" in self.heap(atom).fields:
                out = out | self.read(self.heap(atom).fields["default"])
        return out | self.call(functions, Args([words, out | words]), line), bool(functions)

    # ── commander ──

    def _declare(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """`.option(flags, description, parser, default)`."""
        heap = self.heap(self._options(line))
        words = self._typed(BOTTOM, line)
        made, parsed = self._made([*args.positional[2:], args.star], words, line)
        for flags in literals(self.first(args)) or [""]:
            found = _LONG.search(flags)
            takes = not found or "<" in flags or "[" in flags
            value = made | _ABSENT
            if takes and not parsed:
                many = "..." in flags or not found
                value = value | words | (self.collection(self._slot("many"), "list", words, line) if many else BOTTOM)
            if not takes or "[" in flags:
                value = value | SOME_BOOL
            self._set(heap, _camel(found[1]) if found else None, value)
        return self._self(receiver)

    def _self(self, receiver: Atom | None) -> Value:
        cls = receiver.cls if isinstance(receiver, Instance) else "commander.Command"
        self.add_to_universe(cls)
        return frozenset({Instance(cls)})

    def _default(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """A value for an option that is declared elsewhere."""
        made, _ = self._made([*args.positional, args.star], self._typed(BOTTOM, line), line)
        self._set(self.heap(self._options(line)), None, made)
        return self._self(receiver)

    def _all_options(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return frozenset({self._options(line)})

    def _parse_command(self, receiver: Atom | None, args: Args, line: int) -> Value:
        given = self.first(args)
        if given and not self._is_argv(given):
            words = self.elements(given, line)
            self._set(self.heap(self._options(line)), None, words)
            self.write(self.heap(self._command_operands(line)).bag, words)
        return self._self(receiver)

    def _command_operands(self, line: int) -> Object:
        return self.allocate_shared("command-line operands", "list", line)

    def _argument(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """`.argument(name, description, parser, default)`."""
        made, _ = self._made([*args.positional[2:], args.star], self._typed(BOTTOM, line), line)
        self.write(self.heap(self._command_operands(line)).bag, made)
        return self._self(receiver)

    def _action(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """The handler gets the operands, then the options and the command."""
        words = self._typed(BOTTOM, line) | self.elements(frozenset({self._command_operands(line)}), line)
        many = self.collection(self._slot("operands"), "list", words, line)
        command = self._self(receiver)
        self.call(self.first(args), Args(star=words | many | {self._options(line)} | command | _ABSENT), line)
        return command

    # ── yargs ──

    def _yargs(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """`yargs(words)`."""
        words = self._typed(self.first(args), line)
        heap = self.heap(self._options(line))
        self._set(heap, None, self._loose(self._slot("loose"), words, line))
        self._set(heap, _OPERANDS, self.collection(self._slot("operands"), "list", words, line))
        self._set(heap, "$0", SOME_TEXT)
        self.add_to_universe("yargs.Yargs")
        return frozenset({Instance("yargs.Yargs")})

    def _described(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """`.option(name, {default, coerce})`, `.options({name: …})`, `.positional(name, {…})`, `.default(name, value)`."""
        self._yargs(None, Args(), line)
        heap = self.heap(self._options(line))
        words = self._typed(BOTTOM, line)
        described = self.first(args, 1) | args.star
        self._set(
            heap, None, self._made([self._values_of(self.first(args)), self._settings(described)], words, line)[0]
        )
        if not any(isinstance(atom, Object) for atom in described):
            self._set(heap, None, self._made([described], words, line)[0])
        return self._self(receiver if isinstance(receiver, Instance) else Instance("yargs.Yargs"))

    def _values_of(self, value: Value) -> Value:
        """The `default` and `coerce` of each option that an object describes."""
        objects = [atom for atom in each(value) if isinstance(atom, Object)]
        return BOTTOM.union(
            *(self._settings(self.read(cell)) for atom in objects for cell in list(self.heap(atom).fields.values()))
        )

    def _settings(self, described: Value) -> Value:
        """The `default` and `coerce` of one option."""
        heaps = [self.heap(atom) for atom in each(described) if isinstance(atom, Object)]
        cells = [heap.fields.get(key) for heap in heaps for key in ("default", "coerce")]
        return BOTTOM.union(*(self.read(cell) for cell in cells if cell is not None))

    def _yargs_command(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """`.command(name, description, builder, handler)`: the builder gets the parser or describes options, the handler the options."""
        parser = self._yargs(None, Args(), line)
        options: Value = frozenset({self._options(line)})
        for i, value in enumerate((*args.positional, args.star)):
            self._yargs_part(value, options if i > 2 else parser, parser, line)
        return parser

    def _yargs_part(self, value: Value, given: Value, parser: Value, line: int) -> None:
        options: Value = frozenset({self._options(line)})
        for atom in each(value):
            if self._is_function(atom):
                self.call(frozenset({atom}), Args([given]), line)
            elif isinstance(atom, Object):
                self._described(None, Args([frozenset({atom})]), line)
                module: Value = frozenset({atom})
                self.call(self.member(module, "handler", line), Args([options]), line)
                self._yargs_part(self.member(module, "builder", line), parser, parser, line)
                self.leak(self.member(module, "middlewares", line))

    def _read_loose(self, receiver: Atom | None, args: Args, line: int) -> Value:
        self._yargs(None, args, line)
        return frozenset({self._options(line)})

    # ── one call ──

    def _minimist(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """`minimist(words, {default, alias, …})`."""
        made = self.allocate_at(line, "dict")
        heap = self.heap(made)
        words = self._typed(self.first(args), line)
        self._set(heap, None, self._loose(self._slot("loose"), words, line))
        self._set(heap, _OPERANDS, self.collection(self._slot("operands"), "list", words, line))
        for atom in each(self.first(args, 1)):
            cell = self.heap(atom).fields.get("default") if isinstance(atom, Object) else None
            for defaults in each(self.read(cell)) if cell is not None else ():
                self.spread_mapping(heap, frozenset({defaults}))
                self._set(heap, None, self.elements(frozenset({defaults}), line))
        self.leak(self.first(args, 1) | args.star)
        return frozenset({made})

    def _meow(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """`meow(help, {flags, argv})`."""
        made, flags = self.allocate_at(line, "dict"), self.allocate(self._slot("flags"), "dict", line)
        given: Value = frozenset(atom for value in args.everything() for atom in value if isinstance(atom, Object))
        words = self._typed(self.member(given, "argv", line), line)
        self._set(self.heap(flags), None, self._loose(self._slot("loose"), words, line))
        described = self.member(given, "flags", line)
        self._set(self.heap(flags), None, self._values_of(described))
        heap = self.heap(made)
        self._set(heap, "flags", frozenset({flags}))
        self._set(heap, "unnormalizedFlags", frozenset({flags}))
        self._set(heap, "input", self.collection(self._slot("operands"), "list", words, line))
        self._set(heap, "help", SOME_TEXT)
        for name in ("showHelp", "showVersion", "pkg"):
            self._set(heap, name, _DATA)
        return frozenset({made})

    def _util_parse_args(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """`util.parseArgs({args, options})`."""
        made, values = self.allocate_at(line, "dict"), self.allocate(self._slot("values"), "dict", line)
        given = frozenset(atom for atom in self.first(args) if isinstance(atom, Object))
        words = self._typed(self.member(given, "args", line), line)
        heap = self.heap(values)
        for atom in each(self.member(given, "options", line)):
            for name, cell in list(self.heap(atom).fields.items()) if isinstance(atom, Object) else ():
                self._set(heap, name, self._described_value(self.read(cell), words, line) | _ABSENT)
        self._set(heap, None, SOME_BOOL | words if self.first(args) != given or not heap.fields else BOTTOM)
        self._set(self.heap(made), "values", frozenset({values}))
        self._set(self.heap(made), "positionals", self.collection(self._slot("operands"), "list", words, line))
        self._set(self.heap(made), "tokens", _DATA)
        return frozenset({made})

    def _described_value(self, described: Value, words: Value, line: int) -> Value:
        """`{type, multiple, default}`."""
        types = literals(self.member(described, "type", line))
        default = self.member(described, "default", line)
        out: Value = frozenset(atom for atom in default if not isinstance(atom, Const))
        if types != ["boolean"]:
            out = out | words
            if self.member(described, "multiple", line):
                out = out | self.collection(self._slot("many"), "list", words, line)
        return out | SOME_BOOL if types != ["string"] else out


def _camel(name: str) -> str:
    first, *rest = name.split("-")
    return first + "".join(word[:1].upper() + word[1:] for word in rest)
