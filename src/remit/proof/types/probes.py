"""What the checkers are asked: one line for each question, and what the answer must be.

The types of the dispatch, of the host functions and of the calls are stated and must be exactly these. Every pair of a declared
capability and a scope that occurs is a line, so that accepted and rejected together say what the manifest says; every capability that
is not declared is tried; and so are the ways around the types that somebody might think of.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.core.capability import vocabulary
from remit.core.errors import DataError
from remit.core.table import read_table
from remit.proof.types.module import NAME
from remit.proof.types.naming import class_name, host_name, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from remit.proof.types.universe import Universe

FILE = "probes.py"
# obligations: what the skill does, what else it may do, and that a function takes exactly this
ACCEPTED = ("effect", "held", "exact")
EACH = ("text", "twin", "crossed", "bare", "class", "heir", "thaw", "more")  # attempts on each declared capability
# A list, so that what takes nothing at all has a type: an expression of type Never would end the file for a checker.
_HEAD = f"""from collections.abc import Callable
from typing import Final, Literal, Never, TypeVar, assert_type

from {NAME} import *

T = TypeVar({quoted("T")})


def taken(function: Callable[[T], object]) -> list[T]:
    return []


def word() -> str:
    return {quoted("any")}


class Twin:
    def __init__(self, scope: str) -> None:
        self.scope: Final = scope


"""


class Probe(NamedTuple):
    """One line: what it tries (a row of `data/attempts.table`, or one of `ACCEPTED`), on what, and its code."""

    sort: str
    capability: str
    scope: str
    code: str

    @property
    def ident(self) -> str:
        """How evidence calls it."""
        return " ".join(filter(None, (self.sort, self.capability, self.scope)))


class Attempt(NamedTuple):
    """The codes with which checkers reject an attempt, by the names of the checkers, and what it is."""

    codes: Mapping[str, str]
    meaning: str


@cache
def attempts() -> Mapping[str, Attempt]:
    """The rows of `data/attempts.table`."""
    found: dict[str, Attempt] = {}
    for row in read_table(Path(__file__).with_name("data") / "attempts.table", 4):
        sort, mypy, ty, meaning = row.cells
        if sort in found or sort in ACCEPTED:
            message = f"{row.where}: `{sort}` is listed twice"
            raise DataError(message, "remove one of the lines")
        found[sort] = Attempt({"mypy": mypy, "ty": ty}, meaning)
    return found


def plan(universe: Universe) -> tuple[Probe, ...]:
    """All questions about the module of a universe."""
    every = [capability.name for capability in vocabulary()]
    outside = [name for name in every if name not in universe.held]
    declared = [name for name in every if name in universe.held]
    return (
        Probe("exact", "", "dispatch", _exact("dispatch", " | ".join(map(class_name, declared)) or "Never")),
        *(probe for name in declared for probe in _exactly(universe, name)),
        *(probe for name in declared for probe in _scopes(universe, name)),
        *(probe for name in outside for probe in _undeclared(name)),
        *(probe for name in declared for probe in _ways_around(universe, name, declared, outside)),
        Probe("object", "", "object", "dispatch(object())"),
        Probe("object", "", "none", "dispatch(None)"),
        Probe("name", "", "", f"dispatch({quoted(every[0])})"),
    )


def write_probes(probes: tuple[Probe, ...]) -> str:
    """The file that holds them, one a line."""
    return _HEAD + "".join(f"{probe.code}\n" for probe in probes)


def by_line(probes: tuple[Probe, ...]) -> dict[int, Probe]:
    """Where each stands in the file, the first line being 1."""
    first = _HEAD.count("\n") + 1
    return {first + at: probe for at, probe in enumerate(probes)}


def _exactly(universe: Universe, name: str) -> Iterator[Probe]:
    texts = ", ".join(map(quoted, universe.held[name]))
    yield Probe("exact", name, "call", _exact(class_name(name), f"Literal[{texts}]"))
    yield Probe("exact", name, "host", _exact(host_name(name), class_name(name)))


def _scopes(universe: Universe, name: str) -> Iterator[Probe]:
    held = frozenset(universe.held[name])
    for text in universe.texts(name):
        inside = ("held", "effect")[(name, text) in universe.exercised]
        yield Probe(inside if text in held else "scope", name, text, f"dispatch({_call(name, text)})")
    for text in universe.foreign[vocabulary()[name].scope_kind]:
        yield Probe("foreign", name, text, f"dispatch({_call(name, text)})")


def _undeclared(name: str) -> Iterator[Probe]:
    yield Probe("undeclared", name, "", f"dispatch({class_name(name)}())")
    yield Probe("unhosted", name, "", f"{host_name(name)}({class_name(name)}())")


def _ways_around(universe: Universe, name: str, declared: list[str], outside: list[str]) -> Iterator[Probe]:
    text = universe.held[name][0]
    good = _call(name, text)
    host = host_name(name)
    yield Probe("text", name, "", f"dispatch({class_name(name)}(word()))")
    yield Probe("twin", name, "", f"{host}(Twin({quoted(text)}))")
    for other in _next(name, declared):
        yield Probe("crossed", name, other, f"{host}({_call(other, universe.held[other][0])})")
    for other in outside[:1]:
        yield Probe("crossed", name, other, f"{host}({class_name(other)}())")
    yield Probe("crossed", name, "object", f"{host}(object())")
    yield Probe("bare", name, "", f"{host}({quoted(text)})")
    yield Probe("class", name, "", f"dispatch({class_name(name)})")
    yield Probe("heir", name, "", f"class Heir{class_name(name)}({class_name(name)}): ...")
    yield Probe("thaw", name, "", f"{good}.scope = {quoted(text)}")
    yield Probe("more", name, "", f"dispatch({good}, {good})")


def _exact(function: str, parameter: str) -> str:
    return f"assert_type(taken({function}), list[{parameter}])"


def _call(name: str, text: str) -> str:
    return f"{class_name(name)}({quoted(text)})"


def _next(name: str, declared: list[str]) -> list[str]:
    """The capability after this one, around the circle; none if it is alone."""
    return [declared[(declared.index(name) + 1) % len(declared)]] if len(declared) > 1 else []
