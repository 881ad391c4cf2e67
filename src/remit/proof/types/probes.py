"""Probes: the questions to the type checkers, one line for each, with the required answers.

The types of the dispatch and of the calls are stated and must be exactly these. What the skill does is a call of the projector, and
must be accepted. Every pair of a declared capability and a scope that occurs is a line, so that accepted and rejected together say what
the manifest says; every undeclared capability is tried; and so are known attempts to bypass the types.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.core.capability import vocabulary
from remit.core.errors import DataError
from remit.core.table import read_table
from remit.proof.types.dispatch import doors
from remit.proof.types.generated_names import class_name, quoted
from remit.proof.types.module import NOTHING

if TYPE_CHECKING:
    from remit.proof.types.universe import Universe

FILE = "probes.py"
# obligations: what the skill does, what else it may do, that a function takes exactly this, and that a door takes a permit
ACCEPTED = ("effect", "held", "exact", "opened")
EACH = ("text", "twin", "class", "heir", "thaw", "more")  # attempts on each declared capability
DOORS = ("bare", "asked", "unsure", "anything")  # attempts on each door
SEALED = (
    "Approval",
    "Considered",
    "Grant",
    "Permit",
    "Projector",
)  # classes of the dispatch that nothing inherits from
# Lists, so that what takes nothing at all has a type: an expression of type Never would end the file for a checker.
_HEAD = """from collections.abc import Callable
from typing import Final, Literal, Never, NoReturn, Optional, ParamSpec, TypeVar, Union, assert_type

from remit.core.seal import registry
from remit.doors import *
from remit.policy.judge import Allow, Ask, Deny
from remit.policy.limits import Situation
from remit.policy.permit import Grant, Permit, _held, claim_issuing
from remit.policy.projector import Approval, Considered, Projector, _maker, _project, _unanswered
from remit.policy.refusal import Refusal
from remit.policy.request import *
from remit.policy.skill_policy import SkillPolicy

A = TypeVar('A')
B = TypeVar('B')
C = TypeVar('C')
D = TypeVar('D')
P = ParamSpec('P')


def takes(function: Callable[[A], object]) -> list[A]:
    return []


def takes_two(function: Callable[[A, B], object]) -> tuple[A, B]:
    raise AssertionError


def takes_three(function: Callable[[A, B, C], object]) -> tuple[A, B, C]:
    raise AssertionError


def takes_four(function: Callable[[A, B, C, D], object]) -> tuple[A, B, C, D]:
    raise AssertionError


def gives(function: Callable[P, A]) -> list[A]:
    return []


def projector() -> Projector:
    raise AssertionError


def permit() -> Permit:
    raise AssertionError


def grant() -> Grant:
    raise AssertionError


def considered() -> Considered:
    raise AssertionError


def approval() -> Approval:
    raise AssertionError


def request() -> Request:
    raise AssertionError


def word() -> str:
    return 'any'


class Twin:
    def __init__(self, scope: str) -> None:
        self.capability: Final = scope
        self.scope: Final = Scope[str](scope)

    def digest(self, skill: str) -> str:
        return skill


"""


class Probe(NamedTuple):
    """One line: the attempt (a row of `data/attempts.table`, or one of `ACCEPTED`), its subject, and its code."""

    sort: str
    capability: str
    scope: str
    code: str

    @property
    def ident(self) -> str:
        """The name in evidence."""
        return " ".join(filter(None, (self.sort, self.capability, self.scope)))


class Attempt(NamedTuple):
    """The error codes with which each checker rejects an attempt, and a description."""

    codes: Mapping[str, str]
    meaning: str


@cache
def attempts() -> Mapping[str, Attempt]:
    """Return the rows of `data/attempts.table`."""
    found: dict[str, Attempt] = {}
    for row in read_table(Path(__file__).with_name("data") / "attempts.table", 4):
        sort, mypy, ty, meaning = row.cells
        if sort in found or sort in ACCEPTED:
            message = f"{row.where}: `{sort}` is listed twice"
            raise DataError(message, "remove one of the lines")
        found[sort] = Attempt({"mypy": mypy, "ty": ty}, meaning)
    return found


@cache
def exact_types() -> tuple[tuple[str, str], ...]:
    """Return the rows of `data/exact.table`: expressions and their types."""
    rows = read_table(Path(__file__).with_name("data") / "exact.table", 2)
    return tuple((row.cells[0], row.cells[1]) for row in rows)


def plan(universe: Universe) -> tuple[Probe, ...]:
    """Return all probes for the module of a universe, and for the dispatch that reads it."""
    every = [capability.name for capability in vocabulary()]
    outside = [name for name in every if name not in universe.held]
    declared = [name for name in every if name in universe.held]
    union = " | ".join(map(class_name, declared)) or NOTHING
    return (
        Probe("exact", "", "request", f"assert_type([request()], list[{union}])"),
        *(Probe("exact", "", what, f"assert_type({what}, {kind})") for what, kind in exact_types()),
        *(probe for name in declared for probe in _exactly(universe, name)),
        *(probe for name in declared for probe in _scopes(universe, name)),
        *(Probe("effect", name, text, _consider(_call(name, text))) for name, text in universe.escaping),
        *(Probe("undeclared", name, "", _consider(_call(name, "any"))) for name in outside),
        *(probe for name in declared for probe in _ways_around(universe, name)),
        Probe("object", "", "object", _consider("object()")),
        Probe("object", "", "none", _consider("None")),
        Probe("name", "", "", _consider(quoted(every[0]))),
        *(Probe("heir", "", name, f"class Heir{name}({name}): ...") for name in SEALED),
        *(probe for _, name in doors() for probe in _door(name)),
    )


def write_probes(probes: tuple[Probe, ...]) -> str:
    """Return the file of probes, one a line."""
    return _HEAD + "".join(f"{probe.code}\n" for probe in probes)


def by_line(probes: tuple[Probe, ...]) -> dict[int, Probe]:
    """Return the probes by line number, from 1."""
    first = _HEAD.count("\n") + 1
    return {first + at: probe for at, probe in enumerate(probes)}


def _exactly(universe: Universe, name: str) -> Iterator[Probe]:
    texts = ", ".join(map(quoted, universe.held[name]))
    yield Probe("exact", name, "call", f"assert_type(takes({class_name(name)}), list[Literal[{texts}]])")


def _scopes(universe: Universe, name: str) -> Iterator[Probe]:
    held = frozenset(universe.held[name])
    for text in universe.texts(name):
        if (name, text) in universe.escaping:
            continue
        inside = ("held", "effect")[(name, text) in universe.exercised]
        yield Probe(inside if text in held else "scope", name, text, _consider(_call(name, text)))
    for text in universe.foreign[vocabulary()[name].scope_kind]:
        yield Probe("foreign", name, text, _consider(_call(name, text)))


def _ways_around(universe: Universe, name: str) -> Iterator[Probe]:
    text = universe.held[name][0]
    good = _call(name, text)
    yield Probe("text", name, "", _consider(f"{class_name(name)}(word())"))
    yield Probe("twin", name, "", _consider(f"Twin({quoted(text)})"))
    yield Probe("class", name, "", _consider(class_name(name)))
    yield Probe("heir", name, "", f"class Heir{class_name(name)}({class_name(name)}): ...")
    yield Probe("thaw", name, "", f"{good}.scope = {good}.scope")
    yield Probe("more", name, "", _consider(f"{good}, {good}"))


def _door(name: str) -> Iterator[Probe]:
    yield Probe("opened", "", name, f"{name}(permit())")
    yield Probe("bare", "", name, f"{name}(request())")
    yield Probe("asked", "", name, f"{name}(grant())")
    yield Probe("unsure", "", name, f"{name}(projector().consider(request()).permit)")
    yield Probe("anything", "", name, f"{name}(object())")


def _consider(what: str) -> str:
    return f"projector().consider({what})"


def _call(name: str, text: str) -> str:
    return f"{class_name(name)}({quoted(text)})"
