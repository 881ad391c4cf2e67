"""Command lines as argparse reads them: what the user typed, and defaults of the script."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.analysis.domain import (
    ANY,
    ARG,
    BOTTOM,
    FALSE,
    FILE,
    NONE,
    NOTHING,
    SOME_BOOL,
    SOME_NUM,
    TRUE,
    UNKNOWN,
    UNREACHED,
    Atom,
    Bound,
    Class,
    Const,
    Data,
    Instance,
    Lib,
    Module,
    Object,
    Text,
    Value,
    hole,
    lit,
    text,
)
from remit.analysis.each import each
from remit.analysis.engine.frames import Args
from remit.analysis.engine.heap import Cell
from remit.analysis.engine.run import EnginePart
from remit.analysis.engine.texts import literals

_ABSENT: Value = NOTHING | UNREACHED  # None, and who takes it for a path comes no further
_BOOLEAN: Value = frozenset({Lib("argparse.BooleanOptionalAction")})
_ACTIONS = frozenset("store store_true store_false store_const append append_const count help version extend".split())

if TYPE_CHECKING:
    from remit.analysis.engine import engine
    from remit.analysis.engine.frames import Handler


class PythonOptions(EnginePart):
    """Parsers, their arguments, and the record that parsing makes."""

    environments: engine.Environments
    host: engine.Host
    js_process: engine.JavaScriptProcess
    receivers: engine.Receivers

    def handlers(self) -> dict[str, Handler]:
        """What summaries mark `! intrinsic`, by name."""
        return {
            "argparse.ArgumentParser": self._parser, "argparse.add_argument": self._add_argument,
            "argparse.set_defaults": self._set_defaults, "argparse.parse_args": self._parse_args,
            "argparse.get_default": self._get_default, "argparse.parse_known_args": self._parse_known_args,
            "argparse.add_subparsers": self._same_parser, "argparse.add_parser": self._same_parser,
            "argparse.add_argument_group": self._same_parser, "argparse.add_mutually_exclusive_group": self._same_parser,
            "mock.patch": self._mock_patch, "mock.object": self._mock_object, "mock.multiple": self._mock_multiple,
        }  # fmt: skip

    def _parser(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.objects.made_here("parser", line)
        if args.keywords.get("fromfile_prefix_chars", NOTHING) != NOTHING:
            self.parse_also(made, hole(FILE, exact=False))  # words may stand in a file that is named
        for parent in each(self.elements.iterate(args.keywords.get("parents", BOTTOM), line)):
            if isinstance(parent, Object):
                self.collections.copy_into(self.objects.heap(made), self.objects.heap(parent))
            else:
                self.js_process.leak_atom(parent)
        return frozenset({made})

    def parser_member(self, atom: Object, name: str, line: int) -> Value:
        """A method of the parser; any other name is an argument that nobody declared by a literal."""
        for cls in ("argparse.ArgumentParser", "argparse._SubParsersAction"):
            found = self.run.library().section(cls)
            if found is not None and self._declares(cls, name):
                return frozenset({Bound(Lib(f"{cls}.{name}"), atom)})
        return self.cells.read(self.objects.heap(atom).bag) or frozenset({Data(ARG)})

    def _declares(self, cls: str, name: str) -> bool:
        found = self.run.library().member(cls, name)
        return found is not None and getattr(found, "name", "") == name

    def _same_parser(self, receiver: Atom | None, args: Args, line: int) -> Value:
        if isinstance(receiver, Object):
            self._note_dest(receiver, args, line)
        return frozenset({receiver}) if receiver is not None else ANY

    def _note_dest(self, receiver: Object, args: Args, line: int) -> None:
        given = self.host.declared(receiver, line)
        if "dest" in args.keywords:
            words = self.environments.command_line() if given is None else given.words or _ABSENT
            self.stores.put(self.objects.heap(receiver), args.keywords["dest"], words)

    def _add_argument(self, receiver: Atom | None, args: Args, line: int) -> Value:
        if not isinstance(receiver, Object):
            self.summaries.leak_all(args)
            return ANY
        heap = self.objects.heap(receiver)
        value = self._argument_value(receiver, args, line) | self.cells.read(self._parsed_words(receiver))
        dest = args.keywords.get("dest")
        names = literals(dest) if dest is not None else _destination([literals(word) for word in args.positional])
        if names is None:
            self.cells.write(heap.bag, value)
        else:
            for name in names:
                self.objects.write(heap, name, value)
        return frozenset({Data(UNKNOWN)})

    def _argument_value(self, parser: Object, args: Args, line: int) -> Value:
        words = args.keywords
        action = literals(words["action"]) if "action" in words else ["store"]
        given = self.host.declared(parser, line)
        sure = self._is_required(args) or (given is not None and not given.default)
        default = BOTTOM if sure else words.get("default", NOTHING)
        const = words.get("const", BOTTOM if action == ["store"] else NOTHING)
        const = const if given is None or given.bare else BOTTOM
        if words.get("action") == _BOOLEAN:
            return SOME_BOOL | default
        if action is None or ("action" in words and not all(word in _ACTIONS for word in action)):
            self.leaks.leak(words.get("action", BOTTOM))
            return ANY
        if action[0] in {"store_true", "store_false", "help", "version", "count"}:
            return frozenset({TRUE, FALSE}) | (SOME_NUM if action[0] == "count" else BOTTOM) | (default - {NONE})
        if action[0] == "store_const":
            return (const | default) or _ABSENT
        if action[0] == "append_const":
            return self.objects.collected("list", const or NOTHING, line) | default
        choices = words.get("choices", BOTTOM)
        raw = self.elements.iterate(choices, line) if choices else self.environments.command_line()
        raw = raw if given is None else given.words
        value = raw
        kind = frozenset(atom for atom in words.get("type", BOTTOM) if not isinstance(atom, Const))
        if kind:
            converted = self.calls.call(kind, Args([raw]), line) if raw else BOTTOM
            texts = frozenset(atom for atom in default if isinstance(atom, Text))
            if texts:
                default = (default - texts) | self.calls.call(kind, Args([texts]), line)
            value = converted
        many = "nargs" in words and literals(words["nargs"]) != ["?"]
        if many or action[0] in {"append", "extend"}:
            there = given is None or bool(raw) or given.bare or _is_operand(args)
            none = UNREACHED if given is not None and not raw else BOTTOM  # an empty list has no element
            value = self.objects.collected("list", value | none, line) if there else BOTTOM
        value = value | default | const
        return value | _ABSENT if given is not None and value <= NOTHING else value

    @staticmethod
    def _is_required(args: Args) -> bool:
        """Whether the argument is there in every run: a positional one, or one that says so."""
        if not _is_operand(args) or args.keyword_star:
            return args.keywords.get("required") == frozenset({TRUE}) and not args.keyword_star
        nargs = args.keywords.get("nargs", NOTHING)
        return not any(word in {"?", "*", "A..."} for word in literals(nargs) or ()) and (
            nargs == NOTHING or literals(nargs) == ["+"]
        )

    def _set_defaults(self, receiver: Atom | None, args: Args, line: int) -> Value:
        if isinstance(receiver, Object):
            for name, value in args.keywords.items():
                self.objects.write(self.objects.heap(receiver), name, value)
            self.stores.put_anywhere(self.objects.heap(receiver), args.keyword_star)
        else:
            self.summaries.leak_all(args)
        return NOTHING

    def _get_default(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return (
            self.collections.values_of(self.objects.heap(receiver)) | NOTHING if isinstance(receiver, Object) else ANY
        )

    def _parse_args(self, receiver: Atom | None, args: Args, line: int) -> Value:
        if not isinstance(receiver, Object):
            self.summaries.leak_all(args)
            return frozenset({Data(ARG)})
        self.host.parsed(receiver, line)
        given = frozenset(
            atom for atom in args.at(0) | args.keywords.get("args", BOTTOM) if not isinstance(atom, Const)
        )
        if given and not self.host.is_command_line(given):
            words = self.elements.iterate(given, line) - hole(ARG)
            self.host.parsed_otherwise(receiver, words)
            self.parse_also(receiver, words | _values(words))  # the skill itself writes the command line
        space = args.keywords.get("namespace", BOTTOM).union(*args.positional[1:2]) - NOTHING
        self.leaks.leak(space)
        return frozenset({receiver}) | space

    def parse_also(self, parser: Object, words: Value) -> None:
        """Any argument of a parser, declared before or after, may get these words."""
        heap = self.objects.heap(parser)
        declared = [cell for cell in heap.fields.values() if cell.value]  # others are names that somebody looked for
        for cell in [heap.bag, self._parsed_words(parser), *declared] if words else []:
            self.cells.write(cell, words)

    def _parsed_words(self, parser: Object) -> Cell:
        return self.environments.parser_words.setdefault(parser, Cell())

    def _parse_known_args(self, receiver: Atom | None, args: Args, line: int) -> Value:
        made = self.objects.made_here("tuple", line)
        rest = self.objects.collection(
            self.objects.slot(made.index, "rest"), "list", self.environments.command_line(), line
        )
        self.objects.write_at(self.objects.heap(made), 0, self._parse_args(receiver, args, line))
        self.objects.write_at(self.objects.heap(made), 1, rest)
        return frozenset({made})

    # ── tests that replace the command line ──

    def _mock_patch(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self._mocked(args.at(0), args.at(1), "sys.argv", args, line)

    def _mock_object(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self._mocked(args.at(1), args.at(2), "argv", args, line)

    def _mock_multiple(self, receiver: Atom | None, args: Args, line: int) -> Value:
        return self._mocked(lit("argv"), args.keywords.get("argv", args.keyword_star), "argv", args, line)

    def _mocked(self, name: Value, new: Value, wanted: str, args: Args, line: int) -> Value:
        names = literals(name | args.keywords.get("target" if wanted == "sys.argv" else "attribute", BOTTOM))
        given = new | args.keywords.get("new", BOTTOM)
        if names is None or wanted in names or args.star:
            self.host.argv_replaced(self.elements.iterate(given | args.star, line))
        for atom in each(args.at(0)):
            if isinstance(atom, (Class, Object, Module)):
                self.intrinsics.store_item(atom, name, given, line)
        self.leaks.hand_over(given)
        self.calls.call(args.keywords.get("new_callable", BOTTOM) - NOTHING, Args(), line)
        self.receivers.add("unittest.mock.Mock")
        return frozenset({Instance("unittest.mock.Mock")})


def _is_operand(args: Args) -> bool:
    """Whether an argument has no dash: it is given by its place."""
    first = literals(args.positional[0]) if args.positional else None
    return first is not None and not any(word.startswith("-") for word in first)


def _destination(words: list[list[str] | None]) -> list[str] | None:
    """The attribute that an argument is stored in."""
    flat = [word[0] for word in words if word is not None and len(word) == 1]
    if len(flat) != len(words) or not flat:
        return None
    long = next((word for word in flat if word.startswith("--")), flat[0])
    return [long.lstrip("-").replace("-", "_")]


def _values(words: Value) -> Value:
    """What options are given in the same word: after `=`, or after one letter."""
    out: set[Atom] = set()
    for atom in each(words):
        first = atom.parts[0] if isinstance(atom, Text) and atom.parts else ""
        if isinstance(atom, Text) and isinstance(first, str) and first.startswith("-"):
            value = first.partition("=")[2] if first.startswith("--") else first[2:]
            out.update({text(value, *atom.parts[1:])} if value or len(atom.parts) > 1 else ())
    return frozenset(out)
