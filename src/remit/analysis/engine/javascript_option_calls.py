"""Parsers of options that are one call: minimist, meow, `util.parseArgs`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import BOTTOM, SOME_BOOL, SOME_TEXT, UNKNOWN, Atom, Const, Data, Object, Value
from remit.analysis.each import each
from remit.analysis.engine.javascript_options import ABSENT, OPERANDS
from remit.analysis.engine.run import EnginePart
from remit.analysis.engine.texts import literals

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.frames import Args, Handler

_DATA: Value = frozenset({Data(UNKNOWN)})


class JavaScriptOptionCalls(EnginePart):
    """Command lines that one call takes apart."""

    cells: engine.Cells
    collections: engine.Collections
    elements: engine.Elements
    js_options: engine.JavaScriptOptions
    leaks: engine.Leaks
    members: engine.Members
    objects: engine.Objects

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
                self.cells.write(heap.bag, self.elements.elements(frozenset({defaults}), line))
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
