"""Which words each declared argument gets: `argparse` itself is asked, with a parser of the same shape and nothing of the program.

Only the shape is rebuilt: names, how many words, which action. Types, choices and defaults are left out: they may refuse a word, and then
the program ends, but they never give it to another argument.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, NoReturn

from remit.analysis.domain import BOTTOM, lit
from remit.analysis.engine.command_lines import Given
from remit.analysis.engine.texts import texts_of
from remit.analysis.python.argparse_plans import Op, Plan, plans_of
from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    from remit.analysis.engine.command_lines import Start

MAX_WAYS = 16  # of a command line whose words have alternatives
_WITHOUT_WORDS = frozenset(
    {"store_true", "store_false", "store_const", "append_const", "count", "BooleanOptionalAction"}
)
_WITH_WORDS = frozenset({"store", "append", "extend"})
_DOUBTFUL = lazy_pattern(r"--$|-[\d.]|-.* ")  # what releases of Python read differently: `--`, numbers, spaces
_FLEXIBLE = ("?", "*")
_UNSET = object()
_NOTHING = Given(BOTTOM, default=False, bare=False)


class _UnfitError(Exception):
    """The words do not fit the parser, or ask for nothing but help."""


class _Taken(argparse.Action):
    """Notes what an argument gets."""

    taken: list[tuple[str, ...]]

    def __call__(
        self,
        parser: argparse.ArgumentParser,  # noqa: ARG002
        namespace: argparse.Namespace,  # noqa: ARG002
        values: str | Sequence[object] | None,
        option_string: str | None = None,  # noqa: ARG002
    ) -> None:
        """The words come as they are, because the argument has no type."""
        if values is not _UNSET:
            self.taken.append((values,) if isinstance(values, str) else tuple(map(str, values or ())))


class _Shape(argparse.ArgumentParser):
    """A parser that neither prints nor ends the process."""

    def error(self, message: str) -> NoReturn:  # noqa: ARG002
        """The program would end."""
        raise _UnfitError

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:  # noqa: ARG002
        """Likewise."""
        raise _UnfitError

    def print_help(self, file: object = None) -> None:
        """Nobody reads it."""


class Options:
    """The declared arguments of programs, and what they get."""

    def __init__(self) -> None:
        self._answers: dict[tuple[Plan, tuple[str, ...]], dict[int, Given] | None] = {}

    def plans(self, source: bytes) -> tuple[Plan, ...]:
        """The parsers of a program that are built in plain sight."""
        return _plans(source) if b"argparse" in source else ()

    def given(self, source: bytes, line: int, starts: Iterable[Start]) -> Given | None:
        """What the argument gets that is declared on a line, in every way to start the program."""
        found: list[Given] = []
        for plan in self.plans(source):
            if not any(op.line == line for op in plan.ops):
                continue
            for way in _ways(starts):
                answer = self._answer(plan, way)
                if answer is None:
                    return None
                found.append(answer[line])
        return _joined(found) if found else None

    def _answer(self, plan: Plan, words: tuple[str, ...] | None) -> dict[int, Given] | None:
        if words is None:
            return None
        key = (plan, words)
        if key not in self._answers:
            try:
                self._answers[key] = _asked(plan, words)
            except (_UnfitError, argparse.ArgumentError, ValueError, TypeError, KeyError, AttributeError, IndexError):
                self._answers[key] = None
        return self._answers[key]


@lru_cache(32)
def _plans(source: bytes) -> tuple[Plan, ...]:
    return plans_of(source)


def _ways(starts: Iterable[Start]) -> list[tuple[str, ...] | None]:
    """The command lines, without the names of programs; None for one that has too many alternatives."""
    out: list[tuple[str, ...] | None] = []
    for start in starts:
        choices = [[item.literal or "" for item in texts_of(word)] for word in start.words[1:]]
        size = 1
        for choice in choices:
            size *= len(choice)
        out.extend(product(*choices) if size <= MAX_WAYS else [None])
    return out


def _asked(plan: Plan, words: tuple[str, ...]) -> dict[int, Given]:
    made = _built(plan)
    options = [name for op in plan.ops if op.kind == "argument" for name in op.names if name.startswith("-")]
    if any(map(_DOUBTFUL.match, words)) or not _plainly_named(options, words):
        raise _UnfitError
    root = made[0]
    assert isinstance(root, _Shape)
    space, left = root.parse_known_args(list(words))
    flexible = any(
        op.kind == "argument" and dict(op.settings).get("nargs") in _FLEXIBLE and _operand(op) for op in plan.ops
    )
    if left or (plan.partial and flexible):
        raise _UnfitError
    out: dict[int, list[Given]] = {}
    for number, op in enumerate(plan.ops):
        reached = getattr(space, f"chosen {_parser_of(plan, number)}", False)
        if op.kind == "subparsers":
            chosen = getattr(space, f"word {number}", None)
            one = Given(lit(chosen) if chosen else BOTTOM, default=reached and not chosen, bare=False)
        elif op.kind == "argument":
            thing = made[number]
            assert isinstance(thing, _Taken)
            one = _given(op, thing.taken, reached=reached)
        else:
            one = _NOTHING
        out.setdefault(op.line, []).append(one)
    return {line: _joined(each) for line, each in out.items()}


def _given(op: Op, taken: list[tuple[str, ...]], *, reached: bool) -> Given:
    words = [word for some in taken for word in some]
    left_out = not words if _operand(op) else not taken or dict(op.settings).get("action") in {"append", "extend"}
    return Given(BOTTOM.union(*map(lit, words)), reached and left_out, bare=not _operand(op) and () in taken)


def _parser_of(plan: Plan, number: int) -> int:
    """The parser that an argument belongs to, through its groups."""
    number = plan.ops[number].owner
    while plan.ops[number].kind not in {"parser", "sub"}:
        number = plan.ops[number].owner
    return number


def _joined(each: list[Given]) -> Given:
    """In one way or another."""
    words = BOTTOM.union(*(one.words for one in each))
    return Given(words, any(one.default for one in each), any(one.bare for one in each))


def _plainly_named(options: list[str], words: tuple[str, ...]) -> bool:
    """Long names behind one dash, and letters that are joined behind one, are read differently by some releases."""
    long = [name for name in options if not name.startswith("--") and len(name) > 2]
    joined = [word for word in words if word.startswith("-") and not word.startswith("--") and len(word) > 2]
    return not long or all(word in options for word in joined)


def _operand(op: Op) -> bool:
    return not op.names or not op.names[0].startswith("-")


def _built(plan: Plan) -> list[object]:
    """What the steps make, by their numbers."""
    made: list[object] = []
    for number, op in enumerate(plan.ops):
        settings = dict(op.settings)
        if op.kind == "parser":
            root = _Shape(prog="", **settings)  # type: ignore[arg-type]
            root.set_defaults(**{f"chosen {number}": True})
            made.append(root)
            continue
        owner: object = made[op.owner]
        if op.kind == "argument":
            made.append(_argument(owner, op, settings, number))
        elif op.kind == "group":
            assert isinstance(owner, argparse._ActionsContainer)
            made.append(owner.add_argument_group())
        elif op.kind == "exclusive":
            assert isinstance(owner, argparse._ActionsContainer)
            made.append(owner.add_mutually_exclusive_group(required=bool(settings.get("required"))))
        elif op.kind == "subparsers":
            assert isinstance(owner, _Shape)
            required = bool(settings.get("required"))
            made.append(owner.add_subparsers(dest=f"word {number}", required=required, parser_class=_Shape))
        else:
            assert isinstance(owner, argparse._SubParsersAction)
            sub: _Shape = owner.add_parser(op.names[0], prog="", **settings)  # type: ignore[arg-type]
            sub.set_defaults(**{f"chosen {number}": True})
            made.append(sub)
    return made


def _argument(owner: object, op: Op, settings: dict[str, object], number: int) -> _Taken:
    assert isinstance(owner, argparse._ActionsContainer)
    action = settings.get("action", "store")
    names = list(op.names)
    how: dict[str, object] = {"action": _Taken, "default": _UNSET}
    if action in _WITHOUT_WORDS:
        how["nargs"] = 0
        if action == "BooleanOptionalAction":
            names += ["--no-" + name[2:] for name in names if name.startswith("--")]
    elif action in _WITH_WORDS:
        nargs = settings.get("nargs")
        if not (nargs is None or nargs in ("?", "*", "+") or (type(nargs) is int and nargs > 0)):
            raise _UnfitError
        how["nargs"] = nargs
    else:
        raise _UnfitError
    if _operand(op):
        if len(names) > 1 or (not names and "dest" not in settings) or (names and "dest" in settings):
            raise _UnfitError
        names = [f"word {number}"]
    else:
        how |= {"dest": f"option {number}", "required": bool(settings.get("required"))}
    found = owner.add_argument(*names, **how)  # type: ignore[arg-type]
    assert isinstance(found, _Taken)
    found.taken = []
    return found
