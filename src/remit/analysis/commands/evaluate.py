"""Evaluates a summary on a command line: conditions, expressions, actions, and what is printed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from remit.analysis import domain
from remit.analysis.commands.actions import VERBS, capability
from remit.analysis.commands.argv import Reading, assign
from remit.analysis.commands.functions import FUNCTIONS
from remit.analysis.commands.model import Action, Apply, Command, Expr, Name, Quote, Test
from remit.analysis.commands.values import (
    SOME,
    WILD,
    asks_for_address,
    basename,
    begins_with_user_text,
    literal,
    matches,
    tail,
    texts,
    unlisted_output,
)
from remit.analysis.domain import Anything, Hole, Text, Value, concat, env_origin, hole, lit, text
from remit.analysis.each import each
from remit.analysis.steering_variables import COMPUTED_NAME, may_be
from remit.analysis.world import Child, Outcome, Site, World
from remit.core.via import Cause, Via

if TYPE_CHECKING:
    from remit.analysis.commands.catalog import Catalog

    Block = Callable[[World, Catalog, Command, Child, Site], Outcome]


# Words that may be options: what they can cause if they are not the user's own.


def flags_possible(item: Text) -> bool:
    """Whether a word that begins with a hole can be an option without a value: not if it ends like a file name."""
    return not any(mark in tail(item) for mark in "./,=")


def every_option(command: Command, wild: set[Text]) -> list[tuple[Action, dict[str, list[Value]], str]]:
    """The actions of all options: what words that may be options can cause. An attached value ends as the word does."""
    values: list[Value] = [
        SOME if flags_possible(item) else frozenset({concat(WILD, text(tail(item)))}) for item in wild
    ]
    flags = any(flags_possible(item) for item in wild)
    out: list[tuple[Action, dict[str, list[Value]], str]] = []
    for option in {id(option): option for option in command.options.values()}.values():
        if option.bound or flags:
            local = {name: list(dict.fromkeys(values)) for name in option.bound}
            out.extend((_widened(action), local, option.names[0]) for action in option.actions)
    return out


def options_add(command: Command) -> bool:
    """Whether an option can cause what a word as an operand does not: another capability, another program, code."""
    own = {action.verb for line in command.operands for action in line.actions}
    for line in command.operands:  # a word in a place that no action names causes nothing as an operand
        own &= {action.verb for action in line.actions if all(_names(action.args, slot.name) for slot in line.slots)}
    own.update(action.verb for action in command.always if not action.tests)
    return any(
        action.verb not in own or action.verb in VERBS
        for option in command.options.values()
        for action in option.actions
    )


def _names(args: tuple[Expr, ...], name: str) -> bool:
    return any(
        arg.name == name if isinstance(arg, Name) else isinstance(arg, Apply) and _names(arg.args, name) for arg in args
    )


_SMALL = {"jq": "env.read", "ffmpeg": "file.read"}  # languages that can do little


def _widened(action: Action) -> Action:
    """An option that a word only *may* be is reported as the capability that it needs, never as a place that is opaque."""
    verb = VERBS.get(action.verb)
    if verb is None or not verb.wide:
        return action
    language = action.args[0] if action.verb == "program" else None
    if isinstance(language, Quote) and language.text in _SMALL:
        return action._replace(verb=_SMALL[language.text], args=())
    return action._replace(verb=verb.wide, args=())


Local = dict[str, list[Value]]
_INFORMING = frozenset({"-V", "-v", "--version", "-h", "--help"})
(_SOME,) = domain.SOME_TEXT  # what a program in another language prints


class Surroundings(NamedTuple):
    """What a command line is evaluated in."""

    world: World
    catalog: Catalog
    child: Child
    site: Site


class Call:
    """One command line under evaluation."""

    child: Child

    def __init__(self, around: Surroundings, command: Command, reading: Reading, label: str, block: Block) -> None:
        self.world, self.catalog, self.child, self.site = around
        self.command, self.reading, self.label, self._block = command, reading, label, block
        self.option = ""  # the option whose action is performed, for the reason
        self.possible = False  # that option does not stand there: a value may turn out to be one
        self.local: Local = {}
        self.printed: list[Value] = []  # what inner programs print
        self.certain = True  # the conditions of the action that is performed hold for certain
        self.posted = False  # a request is certainly one that sends
        self.loose = False  # words that may be options count as every option
        self.is_opaque = False  # this call was reported as opaque: an unlisted option adds nothing

    @property
    def program(self) -> Value:
        """The program as it was written."""
        return self.child.words[0]

    @property
    def via(self) -> Via:
        """The cause of an effect: the command as it was written (one block describes several), and the option if there is one."""
        _, space, words = self.label.partition(" ")
        written = (literal(self.program) or self.label).rpartition("/")[2]
        label = f"{written}{space}{words}" if written else self.label
        return Via(Cause.COMMAND, label, self.option, self.possible)

    def effect(self, capability: str, scope: Value) -> None:
        """Report an effect of this command."""
        self.world.effect(capability, scope, self.site, self.via, cwd=self.child.cwd)

    def opaque(self, reason: str, remedy: str = "") -> None:
        """Report that this command is not understood."""
        self.is_opaque = True
        self.world.opaque(reason, self.site, remedy)

    def variable(self, name: str) -> Value:
        """The value of a variable of the environment: what the skill has set, or the user's."""
        return (self.child.env or {}).get(name) or hole(env_origin(name))

    def block(self, name: str, words: list[Value], rest: Value = frozenset()) -> bool:
        """Evaluate another block of the catalog on some words; False if there is none of this name."""
        command = self.catalog.get(name)
        if command is None:
            return False
        child = self.inner([lit(name.removeprefix("npx/")), *words], rest)
        self.printed.append(self._block(self.world, self.catalog, command, child, self.site).stdout)
        return True

    def inner(self, words: Sequence[Value], rest: Value = frozenset()) -> Child:
        """A child of other words in the surroundings of this one."""
        return self.child._replace(words=tuple(words), rest=rest, shell=False)

    def start(self, child: Child) -> None:
        """Start a program; what it prints is printed by this command."""
        self.printed.append(self.world.spawn(child, self.site).stdout)

    # -- conditions -------------------------------------------------------------------------------------------------

    def holds(self, tests: tuple[Test, ...]) -> bool | None:
        """Whether all conditions hold; None: undecided."""
        result: bool | None = True
        for test in tests:
            answer = self._test(test)
            if answer is False:
                return False
            if answer is None:
                result = None
        return result

    def _test(self, test: Test) -> bool | None:
        answers = [self._one(subject, test.pattern) for subject in test.subjects]
        answer = True if True in answers else None if None in answers else False
        return answer if answer is None or not test.negated else not answer

    def _one(self, subject: str, pattern: str | None) -> bool | None:
        reading = self.reading
        if subject[0] in "-+" or subject.endswith("="):
            if subject in reading.sure:
                return True
            possible = subject in reading.maybe or (self.loose and subject in self.command.options)
            return None if possible else False
        values = self._named(subject)
        if not values:
            return False
        if subject == "PROGRAM":  # a program that is started by its path is the same program
            values = [frozenset(basename(item) for item in texts(value)) for value in values]
        if pattern is None:
            unknown = subject in reading.unsure or (subject == "STDIN" and not self.child.stdin)
            return None if unknown else True
        if asks_for_address(pattern):
            values = self._local(values)
            if not values:
                return False
        return matches(values, pattern, unsure=subject in reading.unsure)

    def _local(self, values: list[Value]) -> list[Value]:
        """Where a word may be a path or an address, what the user gives is a path: an address is an assumption broken."""
        kept = [frozenset(item for item in texts(value) if not begins_with_user_text(item)) for value in values]
        if any(len(left) < len(value) for left, value in zip(kept, values, strict=True)):
            self.world.assume("local-paths", self.site)
        return [value for value in kept if value]

    # -- expressions ------------------------------------------------------------------------------------------------

    def values(self, expr: Expr) -> list[Value]:
        """Every value of an expression; empty if it mentions a name that this command line does not bind."""
        if isinstance(expr, Quote):
            return [
                frozenset({Text((Hole(domain.HOME), expr.text[1:]))}) if expr.text.startswith("~/") else lit(expr.text)
            ]
        if isinstance(expr, Name):
            return self._named(expr.name)
        if expr.function[0] == "<":
            return [hole(expr.function[1:-1], exact=False)]
        return FUNCTIONS[expr.function](self, expr.args)

    def _named(self, name: str) -> list[Value]:
        if name in self.local:
            return self.local[name]
        if name == "STDIN":
            return [self.child.stdin or hole(domain.STDIN)]
        if name == "PIPED":
            return [self.child.stdin] if self.child.stdin else []
        if name == "PROGRAM":
            return [self.program]
        if name == "OPERANDS":
            return self.reading.operands + ([self.reading.rest] if self.reading.rest else [])
        return self.reading.bound.get(name, [])

    def texts(self, expr: Expr) -> list[Text]:
        """Every text of an expression."""
        return [item for value in self.values(expr) for item in each(texts(value))]

    def words(self, expr: Expr) -> tuple[list[Value], Value]:
        """The words that a name stands for, in order, and what any number of further words may be."""
        if isinstance(expr, Name) and expr.name not in self.local:
            if expr.name in self.reading.lists:
                return self.reading.lists[expr.name]
            if expr.name == "OPERANDS":
                return self.reading.operands, self.reading.rest
        return self.values(expr), frozenset()

    # -- actions ----------------------------------------------------------------------------------------------------

    def perform(self, action: Action, local: Local | None = None, option: str = "") -> None:
        """Do what an action says, unless its conditions fail."""
        self.local, self.option = local or {}, option
        answer = self.holds(action.tests)
        self.certain = answer is True
        if answer is not False:
            verb = VERBS.get(action.verb)
            if verb is None:
                capability(self, action)
            else:
                verb.perform(self, action.args)
        self.local, self.option = {}, ""

    def run(self) -> Outcome:
        """Perform everything that the command line causes."""
        reading = self.reading
        adds = bool(reading.wild or reading.user) and options_add(self.command)
        self.loose = adds and any(flags_possible(item) for item in reading.wild)
        self._operands()
        if reading.user or (reading.wild and not adds):
            self.world.assume("option-like-arguments", self.site)
        written = len(reading.actions)
        if reading.wild and adds:
            reading.actions += every_option(self.command, reading.wild)
        self.steer()
        for number, (action, local, option) in enumerate(reading.actions):
            self.possible = number >= written
            self.perform(action, local, option)
        self.possible = False
        for action in self.command.always:
            self.perform(action)
        self._unknown()
        self.load_settings(self.child.cwd)
        return Outcome(self._output())

    def load_settings(self, cwd: Value) -> None:
        """Programs load settings that they find by themselves, from a folder and those above."""
        canonical, *words = self.label.split(" ")
        names = {canonical, *(item.literal.rpartition("/")[2] for item in texts(self.program) if item.literal)}
        given = self.reading.sure | self.reading.maybe
        operands = self.reading.operands
        alone = literal(operands[0]) == "-" if operands else given.isdisjoint(_INFORMING)
        self.world.looks_for_settings(names, {*words, *given, *(("-",) if alone else ())}, cwd, self.site)

    def _operands(self) -> None:
        """Bind the operands; names must be bound before any action is performed, because actions share them."""
        reading = self.reading
        chosen = []
        for line in self.command.operands:
            answer = self.holds(line.tests)
            if answer is not False:
                chosen.append(line)
            if answer is True:
                break
        for line in chosen:
            for name, values in assign(reading, line).items():
                if values:
                    reading.bound.setdefault(name, []).extend(values)
            if reading.operands or reading.rest:
                reading.actions.extend((action, {}, "") for action in line.actions)
        if not chosen and (reading.operands or reading.rest):
            self.opaque(
                f"`{self.label}` has no summary for its operands", "describe them with an `args` line in a summary file"
            )

    def steer(self) -> None:
        """Count the variables that the skill has set and that change what the command does."""
        for line in self.command.steering:
            for name in line.names:
                for key, value in (self.child.env or {}).items():
                    if "*" in key and may_be(key, name):
                        self.opaque(COMPUTED_NAME, "set variables by names that are written down")
                    elif key == name or (name.endswith("*") and key.startswith(name[:-1])):
                        for action in line.actions:
                            self.perform(action, {"VALUE": [value], "NAME": [lit(key)]}, key)

    def _unknown(self) -> None:
        for name in dict.fromkeys(self.reading.unknown):
            if self.command.fallback is None and not self.is_opaque:
                remedy = "add the option to a summary file, or use a listed one"
                self.opaque(f"option `{name}` of `{self.label}` has no summary", remedy)
            else:
                given = self.reading.given.get(name)
                for action in self.command.fallback or ():
                    local: Local = {"OPTION": [lit(name)], **({"VALUE": given} if given else {})}
                    self.perform(action, local, option=name)

    def _output(self) -> Value:
        printed: set[Value] = set()
        for line in self.command.outputs:
            answer = self.holds(line.tests)
            if answer is not False:
                printed.update(self.values(line.expr))
            if answer is True:
                return self._told(frozenset().union(*printed))
        printed.update(self.printed)
        return self._told(frozenset().union(*printed) if printed else domain.ANY)

    def _told(self, printed: Value) -> Value:
        """What is printed; where the summary says nothing about it, what the words and the input allow."""
        known = frozenset(atom for atom in printed if not (isinstance(atom, Anything) or atom == _SOME))
        return printed if len(known) == len(printed) else known | unlisted_output(self.world, self.child)
