"""Words that may be options: what they can cause if they are not the user's own."""

from __future__ import annotations

from remit.analysis.commands.actions import VERBS
from remit.analysis.commands.model import Action, Apply, Command, Expr, Name, Quote
from remit.analysis.commands.values import SOME, WILD, tail
from remit.analysis.domain import Text, Value, concat, text


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
