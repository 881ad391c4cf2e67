"""What is refused in a block that reads well: names that nothing binds, options that a condition would miss."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from remit.analysis.commands.model import Apply, Name
from remit.core.errors import DataError

if TYPE_CHECKING:
    from remit.analysis.commands.model import Action, Command, Expr

BOUND = frozenset({"STDIN", "PIPED", "PROGRAM", "VALUE", "OPTION", "OPERANDS"})  # names that need no declaration


def fail(file: str, line: int, message: str) -> NoReturn:
    """Refuse a data file."""
    raise DataError(f"{file}:{line}: {message}", "see docs/commands.md for the language of command summaries")


def declared(command: Command) -> set[str]:
    """Names that the lines of a block bind."""
    names = set(BOUND)
    for option in command.options.values():
        names.update(option.bound)
    for operands in command.operands:
        names.update(slot.name for slot in operands.slots)
    return names


def used(command: Command) -> set[tuple[str, int]]:
    """Names that actions and outputs mention, with their lines."""
    out: set[tuple[str, int]] = set()

    def walk(expr: Expr, line: int) -> None:
        if isinstance(expr, Name):
            out.add((expr.name, line))
        elif isinstance(expr, Apply):
            for arg in expr.args:
                walk(arg, line)

    for action in all_actions(command):
        for expr in action.args:
            walk(expr, action.line)
    for output in command.outputs:
        walk(output.expr, command.line)
    return out


def all_actions(command: Command) -> list[Action]:
    """Every action of a block."""
    out = [action for option in command.options.values() for action in option.actions]
    out += [action for operands in command.operands for action in operands.actions]
    out += [action for steering in command.steering for action in steering.actions]
    return out + command.always + list(command.fallback or ())


def check_tests(command: Command) -> None:
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


def check_names(command: Command) -> None:
    """A name that nothing binds would silently drop an effect. Sub-commands may also use what their parent binds."""
    if " " in command.names[0]:
        return
    known = declared(command)
    for name, line in used(command):
        if name not in known:
            fail(command.file, line, f"`{name}` is bound by no option or operand of `{command.names[0]}`")
