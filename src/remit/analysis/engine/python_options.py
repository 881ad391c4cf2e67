"""Command lines as argparse reads them: what the user typed, and defaults of the script."""

from __future__ import annotations

from remit.analysis.domain import (
    ANY,
    ARG,
    BOTTOM,
    FALSE,
    NONE,
    NOTHING,
    SOME_BOOL,
    SOME_NUM,
    TRUE,
    UNKNOWN,
    Atom,
    Bound,
    Const,
    Data,
    Lib,
    Object,
    Text,
    Value,
    hole,
)
from remit.analysis.engine.frames import Args
from remit.analysis.engine.python_objects import PythonObjects
from remit.analysis.engine.texts import literals

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


class PythonOptions(PythonObjects):
    """Parsers, their arguments, and the record that parsing makes."""

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
        rest = self.collection(self.slot(made, "rest"), "list", self.command_line(), line)
        self.write(self.position(self.heap(made), 0), self._parse_args(receiver, args, line))
        self.write(self.position(self.heap(made), 1), rest)
        return frozenset({made})


def _destination(words: list[list[str] | None]) -> list[str] | None:
    """The attribute that an argument is stored in."""
    flat = [word[0] for word in words if word is not None and len(word) == 1]
    if len(flat) != len(words) or not flat:
        return None
    long = next((word for word in flat if word.startswith("--")), flat[0])
    return [long.lstrip("-").replace("-", "_")]
