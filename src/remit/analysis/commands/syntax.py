"""Reads the block of one command. The language is described in docs/commands.md."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import NoReturn

from remit.analysis.commands import model
from remit.analysis.commands.actions import VERBS
from remit.analysis.commands.functions import FUNCTIONS
from remit.core.capability import vocabulary
from remit.core.errors import DataError
from remit.core.patterns import lazy_pattern
from remit.core.table import Line, logical_lines

STYLES = frozenset({"gnu", "posix", "long", "keys", "words", "tar", "find"})
MARKS = frozenset({"builtin", "quiet", "interpreter", "own", "numbers", "negations", "stops", "exact", "bsd"})

_TOKEN = lazy_pattern(
    r"""\s*(?:(?P<quote>'[^']*'|"[^"]*")|(?P<origin><[a-z:A-Z_]+>)|(?P<word>[A-Za-z][\w.]*)|(?P<mark>[(),]))"""
)
_NAME = lazy_pattern(r"[A-Z][A-Z0-9_]*")
_CONDITION = lazy_pattern(r"\(((?:[^')]|'[^']*')*)\)\s*(.*)")
_TEST = lazy_pattern(r"(not\s+)?([-+\w.=|?]+)(?:\s*(==|~)\s*'([^']*)')?")


BOUND = frozenset({"STDIN", "PIPED", "PROGRAM", "VALUE", "OPTION", "OPERANDS"})  # names that need no declaration


def fail(file: str, line: int, message: str) -> NoReturn:
    """Refuse a data file."""
    raise DataError(f"{file}:{line}: {message}", "see docs/commands.md for the language of command summaries")


class _Parser:
    """Recursive descent over one comma-separated list of actions, or one expression."""

    def __init__(self, text: str, file: str, line: int) -> None:
        self.file, self.line, self.text, self.at = file, line, text, 0

    def fail(self, message: str) -> NoReturn:
        fail(self.file, self.line, message)

    def peek(self) -> str:
        found = _TOKEN.match(self.text, self.at)
        return found.group().strip() if found else ""

    def take(self) -> str:
        found = _TOKEN.match(self.text, self.at)
        if found is None:
            self.fail(f"`{self.text[self.at :].strip()}` is not understood")
        self.at = found.end()
        return found.group().strip()

    @property
    def done(self) -> bool:
        return not self.text[self.at :].strip()

    def arguments(self) -> tuple[model.Expr, ...]:
        """`(a, b)`; the opening parenthesis is next."""
        self.take()
        out: list[model.Expr] = []
        while self.peek() != ")":
            out.append(self.expression())
            if self.peek() == ",":
                self.take()
            elif self.peek() != ")":
                self.fail(f"`)` or `,` is missing in `{self.text}`")
        self.take()
        return tuple(out)

    def expression(self) -> model.Expr:
        token = self.take()
        if token[0] in "'\"":
            return model.Quote(token[1:-1])
        if token[0] == "<":
            return model.Apply(token)
        if _NAME.fullmatch(token):
            return model.Name(token)
        if token not in FUNCTIONS:
            self.fail(f"`{token}` is not a function of values")
        return model.Apply(token, self.arguments() if self.peek() == "(" else ())

    def actions(self) -> tuple[model.Action, ...]:
        out: list[model.Action] = []
        while not self.done:
            verb = self.take()
            if verb not in VERBS and verb not in vocabulary():
                self.fail(f"`{verb}` is neither a capability nor an action")
            args: tuple[model.Expr, ...] = ()
            if self.peek() == "(":
                args = self.arguments()
            elif self.peek()[:1] in {"'", '"'} and self.peek():
                args = (self.expression(),)
            out.append(model.Action(verb, args, self.tests(), self.line))
            if not self.done and self.take() != ",":
                self.fail(f"`,` is missing before `{self.text[self.at :].strip()}`")
        return tuple(out)

    def tests(self) -> tuple[model.Test, ...]:
        if self.peek() != "if":
            return ()
        self.take()
        rest = self.text[self.at :]
        end = _end_of_condition(rest)
        self.at += end
        return parse_tests(rest[:end], " and ", self.file, self.line)


def _end_of_condition(text: str) -> int:
    """Where the comma stands that ends a condition (commas in quotes do not)."""
    quoted = False
    for index, char in enumerate(text):
        if char == "'":
            quoted = not quoted
        elif char == "," and not quoted:
            return index
    return len(text)


def parse_tests(text: str, separator: str, file: str, line: int) -> tuple[model.Test, ...]:
    """Conditions that must hold together."""
    out = []
    for part in re.split(rf"{separator}(?=(?:[^']*'[^']*')*[^']*$)", text):
        found = _TEST.fullmatch(part.strip())
        if found is None:
            fail(file, line, f"`{part.strip()}` is not a condition")
        negation, subjects, operator, pattern = found.groups()
        if operator == "==":
            pattern = re.escape(pattern)
        elif operator == "~":
            try:
                re.compile(pattern)
            except re.error as error:
                fail(file, line, f"`{pattern}` is not a regular expression: {error}")
        out.append(model.Test(tuple(subjects.split("|")), bool(negation), pattern))
    return tuple(out)


def _split(text: str) -> tuple[str, str]:
    head, colon, tail = text.partition(" : ")
    return head.strip(), tail.strip() if colon else ""


class _Block:
    """Fills a `Command` line by line."""

    def __init__(self, names: tuple[str, ...], file: str, line: int) -> None:
        self.command = model.Command(names, file, line)
        self.marks: set[str] = set()

    def read(self, line: Line) -> None:
        word, _, rest = line.text.partition(" ")
        keyword, condition = word, ""
        if "(" in word:
            keyword = word[: word.index("(")]
            found = _CONDITION.match(line.text[len(keyword) :])
            if found is None:
                self.fail(line, f"`{line.text}`: the condition does not end")
            condition, rest = found.groups()
        if keyword.startswith(("-", "+")) or keyword.endswith("="):
            self.option(line)
            return
        reader = _KEYWORDS.get(keyword)
        if reader is None:
            self.fail(line, f"`{word}` does not begin a line of a command summary")
        tests = parse_tests(condition, ",", self.command.file, line.number) if condition else ()
        reader(self, line, rest.strip(), tests)

    def fail(self, line: Line, message: str) -> NoReturn:
        fail(self.command.file, line.number, message)

    def actions(self, text: str, line: Line) -> tuple[model.Action, ...]:
        """The part of a line after ` : `."""
        return _Parser(text, self.command.file, line.number).actions()

    def add(self, option: model.Option, line: Line) -> None:
        for name in option.names:
            if name in self.command.options:
                self.fail(line, f"option `{name}` is listed twice")
            self.command.options[name] = option

    def option(self, line: Line) -> None:
        head, tail = _split(line.text)
        names: list[str] = []
        values: list[str] = []
        rest = until = None
        optional = False
        for word in head.split():
            if word.startswith(("-", "+")) or word.endswith("="):
                names.append(word)
            elif word.endswith("..."):
                rest = word[:-3]
            elif word.endswith(";"):
                until = word[:-1]
            else:
                values.append(word.rstrip("?"))
                optional = optional or word.endswith("?")
        actions = self.actions(tail, line)
        self.add(
            model.Option(tuple(names), tuple(values), optional, rest, until, actions, line.number, grouped=True), line
        )

    def flags(self, line: Line, rest: str, _tests: tuple[model.Test, ...]) -> None:
        for name in rest.split():
            self.add(model.Option((name,), line=line.number), line)

    def values(self, line: Line, rest: str, _tests: tuple[model.Test, ...], *, optional: bool = False) -> None:
        for name in rest.split():
            self.add(model.Option((name,), ("_",), optional, line=line.number), line)

    def args(self, line: Line, rest: str, tests: tuple[model.Test, ...]) -> None:
        head, tail = _split(rest)
        slots = tuple(model.Slot(word.removesuffix("..."), word.endswith("...")) for word in head.split())
        if sum(slot.many for slot in slots) > 1:
            self.fail(line, f"`{head}` has two places for many operands")
        actions = self.actions(tail, line)
        self.command.operands.append(model.Operands(tests, slots, actions))

    def do(self, line: Line, rest: str, tests: tuple[model.Test, ...]) -> None:
        for action in self.actions(rest, line):
            self.command.always.append(action._replace(tests=action.tests + tests))

    def out(self, line: Line, rest: str, tests: tuple[model.Test, ...]) -> None:
        parser = _Parser(rest, self.command.file, line.number)
        self.command.outputs.append(model.Output(tests, parser.expression()))
        if not parser.done:
            self.fail(line, f"`{rest}` is more than one expression")

    def env(self, line: Line, rest: str, _tests: tuple[model.Test, ...]) -> None:
        head, tail = _split(rest)
        actions = self.actions(tail, line)
        self.command.steering.append(model.Steering(tuple(head.split()), actions))

    def otherwise(self, line: Line, rest: str, _tests: tuple[model.Test, ...]) -> None:
        actions = self.actions("" if rest == "pure" else rest, line)
        self.command.fallback = None if rest == "opaque" else actions

    def style(self, line: Line, rest: str, _tests: tuple[model.Test, ...]) -> None:
        if rest not in STYLES:
            self.fail(line, f"style `{rest}` is none of {', '.join(sorted(STYLES))}")
        self.command.style = rest

    def mark(self, line: Line, rest: str, _tests: tuple[model.Test, ...]) -> None:
        for mark in rest.split():
            if mark not in MARKS:
                self.fail(line, f"mark `{mark}` is none of {', '.join(sorted(MARKS))}")
            self.marks.add(mark)


_KEYWORDS: dict[str, Callable[[_Block, Line, str, tuple[model.Test, ...]], None]] = {
    "flags": _Block.flags,
    "values": _Block.values,
    "optional": partial(_Block.values, optional=True),
    "args": _Block.args,
    "do": _Block.do,
    "out": _Block.out,
    "env": _Block.env,
    "else": _Block.otherwise,
    "style": _Block.style,
    "mark": _Block.mark,
}


def declared(command: model.Command) -> set[str]:
    """Names that the lines of a block bind."""
    names = set(BOUND)
    for option in command.options.values():
        names.update(option.bound)
    for operands in command.operands:
        names.update(slot.name for slot in operands.slots)
    return names


def used(command: model.Command) -> set[tuple[str, int]]:
    """Names that actions and outputs mention, with their lines."""
    out: set[tuple[str, int]] = set()

    def walk(expr: model.Expr, line: int) -> None:
        if isinstance(expr, model.Name):
            out.add((expr.name, line))
        elif isinstance(expr, model.Apply):
            for arg in expr.args:
                walk(arg, line)

    for action in all_actions(command):
        for expr in action.args:
            walk(expr, action.line)
    for output in command.outputs:
        walk(output.expr, command.line)
    return out


def all_actions(command: model.Command) -> list[model.Action]:
    """Every action of a block."""
    out = [action for option in command.options.values() for action in option.actions]
    out += [action for operands in command.operands for action in operands.actions]
    out += [action for steering in command.steering for action in steering.actions]
    return out + command.always + list(command.fallback or ())


def check_tests(command: model.Command) -> None:
    """A tested option needs a line with all its names, or another spelling would slip through the condition."""
    conditions = [action.tests for action in all_actions(command)]
    conditions += [line.tests for line in command.operands] + [line.tests for line in command.outputs]
    for test in (test for tests in conditions for test in tests):
        for subject in test.subjects:
            option = command.options.get(subject)
            if subject[0] in "-+" and (option is None or not option.grouped):
                fail(
                    command.file, command.line, f"`{command.names[0]}` tests `{subject}`, which has no line of its own"
                )


def check_names(command: model.Command) -> None:
    """A name that nothing binds would silently drop an effect. Sub-commands may also use what their parent binds."""
    if " " in command.names[0]:
        return
    known = declared(command)
    for name, line in used(command):
        if name not in known:
            fail(command.file, line, f"`{name}` is bound by no option or operand of `{command.names[0]}`")


def parse_block(names: tuple[str, ...], body: str, file: str, first: int, shared: dict[str, str]) -> model.Command:
    """The command of one block. `use NAME` lines insert the shared block `%NAME`."""
    block = _Block(names, file, first - 1)
    pending = logical_lines(body, first)
    while pending:
        line = pending.pop(0)
        if line.text.startswith("use "):
            for group in line.text.split()[1:]:
                if group not in shared:
                    fail(file, line.number, f"shared block `%{group}` does not exist")
                pending[:0] = [Line(line.number, inner.text) for inner in logical_lines(shared[group], 0)]
            continue
        block.read(line)
    block.command.marks = frozenset(block.marks)
    check_tests(block.command)
    check_names(block.command)
    return block.command
