"""Command lines as Node's option parsers read them: what the user typed, defaults of the script, what its functions make of them.

All options that a program declares are held in one object, so that the options of a subcommand are those of every other, too.
"""

from __future__ import annotations

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
from remit.analysis.engine.frames import Args
from remit.analysis.engine.run import EnginePart
from remit.analysis.engine.texts import literals
from remit.analysis.summaries.model import Entry
from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.frames import Handler


_LONG = lazy_pattern(r"--(?:no-)?([A-Za-z][\w-]*)")
OPERANDS = " operands"  # what `argv._` is, unless the script stores something there
ABSENT: Value = frozenset({UNDEFINED})


class JavaScriptOptions(EnginePart):
    """commander, yargs, minimist and their like, and `util.parseArgs`."""

    js_option_calls: engine.JavaScriptOptionCalls
    environments: engine.Environments
    kept: engine.KeptObjects
    receivers: engine.Receivers

    def handlers(self) -> dict[str, Handler]:
        """Intrinsic name → code."""
        return {
            "options.declare": self._declare, "options.all": self._all_options, "options.parse": self._parse_command,
            "options.default": self._default, "options.action": self._action, "options.argument": self._argument,
            "options.yargs": self.yargs, "options.described": self._described, "options.command": self._yargs_command,
            **self.js_option_calls.handlers(),
        }  # fmt: skip

    # ── the object that holds them ──

    def option_member(self, atom: Instance, name: str, line: int) -> Value:
        """Older commands have their options as members."""
        if atom.cls == "commander.Command":
            found = self.run.library().member(atom.cls, name)
            if isinstance(found, Entry) and found.name != name:
                return self.members.member(frozenset({self.options(line)}), name, line) | ABSENT
        return self.kept.kept_member(atom, name, line)

    def options(self, line: int) -> Object:
        """The object of all options."""
        return self.objects.allocate_shared("command-line options", "dict", line)

    def typed(self, args: Value, line: int) -> Value:
        """The words of a command line: those of the user, or of a list that the script gives."""
        if not args or args <= {UNDEFINED, MISSING, NONE} or self._is_argv(args):
            return hole(ARG) | self.environments.command_line()
        listed = self.elements.iterate(args, line)
        known = any(isinstance(atom, Object) and self.objects.heap(atom).given for atom in args)
        return (
            listed | self.environments.command_line() if known else listed
        )  # options and their values, besides the words

    def _is_argv(self, value: Value) -> bool:
        whole = [made for name, made in self.objects.shared_objects.items() if name.startswith("process.argv")]
        return any(value == frozenset({made}) for made in whole)

    def loose(self, term: object, words: Value, line: int) -> Value:
        """What an option may be that is not declared: a word, several, a number, or a flag."""
        listed = self.objects.collection(term, "list", words, line)
        return words | listed | SOME_BOOL | SOME_NUM | ABSENT

    def _is_function(self, atom: Atom) -> bool:
        return isinstance(atom, (Closure, Bound, Lib, Class))

    def _made(self, given: list[Value], words: Value, line: int) -> tuple[Value, bool]:
        """Defaults, and what functions make of a word; whether there was a function."""
        out: Value = BOTTOM
        functions: Value = BOTTOM
        for value in given:
            functions = functions | frozenset(atom for atom in value if self._is_function(atom))
            out = out | frozenset(atom for atom in value if not self._is_function(atom))
        for atom in each(list(out)):
            if self.objects.is_a(atom, "dict") and "default" in self.objects.heap(atom).fields:
                out = out | self.cells.read(self.objects.heap(atom).fields["default"])
        return out | self.calls.call(functions, Args([words, out | words]), line), bool(functions)

    # ── commander ──

    def _declare(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """`.option(flags, description, parser, default)`."""
        heap = self.objects.heap(self.options(line))
        words = self.typed(BOTTOM, line)
        made, parsed = self._made([*args.positional[2:], args.star], words, line)
        for flags in literals(args.at(0)) or [""]:
            found = _LONG.search(flags)
            takes = not found or "<" in flags or "[" in flags
            value = made | ABSENT
            if takes and not parsed:
                many = "..." in flags or not found
                value = (
                    value
                    | words
                    | (self.objects.collection(self.objects.call_slot("many"), "list", words, line) if many else BOTTOM)
                )
            if not takes or "[" in flags:
                value = value | SOME_BOOL
            self.cells.write(self.objects.field(heap, _camel(found[1])) if found else heap.bag, value)
        return self._self(receiver)

    def _self(self, receiver: Atom | None) -> Value:
        cls = receiver.cls if isinstance(receiver, Instance) else "commander.Command"
        self.receivers.add(cls)
        return frozenset({Instance(cls)})

    def _default(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """A value for an option that is declared elsewhere."""
        made, _ = self._made([*args.positional, args.star], self.typed(BOTTOM, line), line)
        self.cells.write(self.objects.heap(self.options(line)).bag, made)
        return self._self(receiver)

    def _all_options(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return frozenset({self.options(line)})

    def _parse_command(self, receiver: Atom | None, args: Args, line: int) -> Value:
        given = args.at(0)
        if given and not self._is_argv(given):
            words = self.elements.iterate(given, line)
            self.cells.write(self.objects.heap(self.options(line)).bag, words)
            self.cells.write(self.objects.heap(self._command_operands(line)).bag, words)
        return self._self(receiver)

    def _command_operands(self, line: int) -> Object:
        return self.objects.allocate_shared("command-line operands", "list", line)

    def _argument(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """`.argument(name, description, parser, default)`."""
        made, _ = self._made([*args.positional[2:], args.star], self.typed(BOTTOM, line), line)
        self.cells.write(self.objects.heap(self._command_operands(line)).bag, made)
        return self._self(receiver)

    def _action(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """The handler gets the operands, then the options and the command."""
        words = self.typed(BOTTOM, line) | self.elements.iterate(frozenset({self._command_operands(line)}), line)
        many = self.objects.collection(self.objects.call_slot("operands"), "list", words, line)
        command = self._self(receiver)
        self.calls.call(args.at(0), Args(star=words | many | {self.options(line)} | command | ABSENT), line)
        return command

    # ── yargs ──

    def yargs(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """`yargs(words)`."""
        words = self.typed(args.at(0), line)
        heap = self.objects.heap(self.options(line))
        self.cells.write(heap.bag, self.loose(self.objects.call_slot("loose"), words, line))
        self.objects.write(
            heap, OPERANDS, self.objects.collection(self.objects.call_slot("operands"), "list", words, line)
        )
        self.objects.write(heap, "$0", SOME_TEXT)
        self.receivers.add("yargs.Yargs")
        return frozenset({Instance("yargs.Yargs")})

    def _described(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """`.option(name, {default, coerce})`, `.options({name: …})`, `.positional(name, {…})`, `.default(name, value)`."""
        self.yargs(None, Args(), line)
        heap = self.objects.heap(self.options(line))
        words = self.typed(BOTTOM, line)
        described = args.at(1) | args.star
        self.cells.write(heap.bag, self._made([self.values_of(args.at(0)), self._settings(described)], words, line)[0])
        if not any(isinstance(atom, Object) for atom in described):
            self.cells.write(heap.bag, self._made([described], words, line)[0])
        return self._self(receiver if isinstance(receiver, Instance) else Instance("yargs.Yargs"))

    def values_of(self, value: Value) -> Value:
        """The `default` and `coerce` of each option that an object describes."""
        objects = [atom for atom in each(value) if isinstance(atom, Object)]
        return BOTTOM.union(
            *(
                self._settings(self.cells.read(cell))
                for atom in objects
                for cell in list(self.objects.heap(atom).fields.values())
            )
        )

    def _settings(self, described: Value) -> Value:
        """The `default` and `coerce` of one option."""
        heaps = [self.objects.heap(atom) for atom in each(described) if isinstance(atom, Object)]
        cells = [heap.fields.get(key) for heap in heaps for key in ("default", "coerce")]
        return BOTTOM.union(*(self.cells.read(cell) for cell in cells if cell is not None))

    def _yargs_command(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """`.command(name, description, builder, handler)`: the builder gets the parser or describes options, the handler the options."""
        parser = self.yargs(None, Args(), line)
        options: Value = frozenset({self.options(line)})
        for i, value in enumerate((*args.positional, args.star)):
            self._yargs_part(value, options if i > 2 else parser, parser, line)
        return parser

    def _yargs_part(self, value: Value, given: Value, parser: Value, line: int) -> None:
        options: Value = frozenset({self.options(line)})
        for atom in each(value):
            if self._is_function(atom):
                self.calls.call(frozenset({atom}), Args([given]), line)
            elif isinstance(atom, Object):
                self._described(None, Args([frozenset({atom})]), line)
                module: Value = frozenset({atom})
                self.calls.call(self.members.member(module, "handler", line), Args([options]), line)
                self._yargs_part(self.members.member(module, "builder", line), parser, parser, line)
                self.leaks.leak(self.members.member(module, "middlewares", line))


def _camel(name: str) -> str:
    first, *rest = name.split("-")
    return first + "".join(word[:1].upper() + word[1:] for word in rest)


_DATA: Value = frozenset({Data(UNKNOWN)})


class JavaScriptOptionCalls(EnginePart):
    """Command lines that one call takes apart."""

    js_options: engine.JavaScriptOptions

    def handlers(self) -> dict[str, Handler]:
        """Intrinsic name → code."""
        return {
            "options.read": self._read_loose, "options.minimist": self._minimist, "options.meow": self._meow,
            "options.parseArgs": self._util_parse_args,
        }  # fmt: skip

    def _read_loose(self, receiver: Atom | None, args: Args, line: int) -> Value:
        self.js_options.yargs(None, args, line)
        return frozenset({self.js_options.options(line)})

    def _minimist(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """`minimist(words, {default, alias, …})`."""
        made = self.objects.made_here("dict", line)
        heap = self.objects.heap(made)
        words = self.js_options.typed(args.at(0), line)
        self.cells.write(heap.bag, self.js_options.loose(self.objects.call_slot("loose"), words, line))
        self.objects.write(
            heap, OPERANDS, self.objects.collection(self.objects.call_slot("operands"), "list", words, line)
        )
        for atom in each(args.at(1)):
            cell = self.objects.heap(atom).fields.get("default") if isinstance(atom, Object) else None
            for defaults in each(self.cells.read(cell)) if cell is not None else ():
                self.collections.spread_mapping(heap, frozenset({defaults}))
                self.cells.write(heap.bag, self.elements.iterate(frozenset({defaults}), line))
        self.leaks.leak(args.at(1) | args.star)
        return frozenset({made})

    def _meow(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """`meow(help, {flags, argv})`."""
        made, flags = (
            self.objects.made_here("dict", line),
            self.objects.allocate(self.objects.call_slot("flags"), "dict", line),
        )
        given: Value = frozenset(atom for value in args.everything() for atom in value if isinstance(atom, Object))
        words = self.js_options.typed(self.members.member(given, "argv", line), line)
        self.cells.write(
            self.objects.heap(flags).bag, self.js_options.loose(self.objects.call_slot("loose"), words, line)
        )
        described = self.members.member(given, "flags", line)
        self.cells.write(self.objects.heap(flags).bag, self.js_options.values_of(described))
        heap = self.objects.heap(made)
        self.objects.write(heap, "flags", frozenset({flags}))
        self.objects.write(heap, "unnormalizedFlags", frozenset({flags}))
        self.objects.write(
            heap, "input", self.objects.collection(self.objects.call_slot("operands"), "list", words, line)
        )
        self.objects.write(heap, "help", SOME_TEXT)
        for name in ("showHelp", "showVersion", "pkg"):
            self.objects.write(heap, name, _DATA)
        return frozenset({made})

    def _util_parse_args(self, receiver: Atom | None, args: Args, line: int) -> Value:
        """`util.parseArgs({args, options})`."""
        made, values = (
            self.objects.made_here("dict", line),
            self.objects.allocate(self.objects.call_slot("values"), "dict", line),
        )
        given = frozenset(atom for atom in args.at(0) if isinstance(atom, Object))
        words = self.js_options.typed(self.members.member(given, "args", line), line)
        heap = self.objects.heap(values)
        for atom in each(self.members.member(given, "options", line)):
            for name, cell in list(self.objects.heap(atom).fields.items()) if isinstance(atom, Object) else ():
                self.objects.write(heap, name, self._described_value(self.cells.read(cell), words, line) | ABSENT)
        self.cells.write(heap.bag, SOME_BOOL | words if args.at(0) != given or not heap.fields else BOTTOM)
        self.objects.write(self.objects.heap(made), "values", frozenset({values}))
        self.objects.write(
            self.objects.heap(made),
            "positionals",
            self.objects.collection(self.objects.call_slot("operands"), "list", words, line),
        )
        self.objects.write(self.objects.heap(made), "tokens", _DATA)
        return frozenset({made})

    def _described_value(self, described: Value, words: Value, line: int) -> Value:
        """`{type, multiple, default}`."""
        types = literals(self.members.member(described, "type", line))
        default = self.members.member(described, "default", line)
        out: Value = frozenset(atom for atom in default if not isinstance(atom, Const))
        if types != ["boolean"]:
            out = out | words
            if self.members.member(described, "multiple", line):
                out = out | self.objects.collection(self.objects.call_slot("many"), "list", words, line)
        return out | SOME_BOOL if types != ["string"] else out
