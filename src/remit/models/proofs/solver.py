"""The solver, in this process: whether a claim holds, and a counterexample if not. No answer is no proof."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar, cast

from remit.core.errors import InputError, PackageError

if TYPE_CHECKING:
    from remit.models.proofs.theory import Claim, Term, Told

T = TypeVar("T")
PATIENCE = 20_000  # milliseconds for one question; most take a few


class Holds(NamedTuple):
    """The claim holds in every case."""


class Fails(NamedTuple):
    """The claim fails in this case."""

    story: tuple[str, ...]


class Silent(NamedTuple):
    """No answer, and why."""

    reason: str


Answer: TypeAlias = "Holds | Fails | Silent"


def require() -> None:
    """Raise PackageError if the solver is not installed."""
    try:
        import z3  # noqa: F401, PLC0415  only who proves needs it
    except ImportError:
        raise PackageError("z3-solver", "prove") from None


def decide(claim: Claim) -> Answer:
    """Return whether a claim holds for all values."""
    import z3  # noqa: PLC0415

    return _ask((*claim.given, claim.when, z3.Not(claim.then)), claim.told)


def possible(claim: Claim) -> Answer:
    """Return whether the premises of a claim are satisfiable: `Fails`, with an example, is the desired answer."""
    return _ask((*claim.given, claim.when, claim.seen), claim.told)


def _ask(terms: Iterable[Term], told: Told) -> Answer:
    import z3  # noqa: PLC0415

    solver = z3.Solver()
    solver.set("timeout", PATIENCE)
    solver.add(*terms)
    said = solver.check()
    if said == z3.unsat:
        return Holds()
    if said != z3.sat:
        return Silent(f"the solver does not know: {solver.reason_unknown()}")
    model = solver.model()
    return Fails(
        tuple(f"{words}: {shown(model.eval(z3.simplify(term), model_completion=True))}" for words, term in told)
    )


def choose(when: Term, one: T, other: T) -> T:
    """Return the first of two records of terms if something holds, else the second."""
    import z3  # noqa: PLC0415

    parts = zip(cast("tuple[Term, ...]", one), cast("tuple[Term, ...]", other), strict=True)
    return type(one)(*(z3.If(when, first, second) for first, second in parts))


def value(term: Term) -> Any:
    """Return the result of an operator on values. Without one, some variables were not given."""
    import z3  # noqa: PLC0415

    if not z3.is_expr(term):
        return term
    found = z3.simplify(term)
    if z3.is_true(found) or z3.is_false(found):
        return z3.is_true(found)
    if z3.is_int_value(found) or z3.is_bv_value(found):
        return found.as_long()
    if z3.is_string_value(found):
        return text(found)
    if z3.is_app(found) and not found.num_args() and found.decl().kind() == z3.Z3_OP_DT_CONSTRUCTOR:
        return found.decl().name()
    raise InputError(f"`{found}` is not a value", "give the operators values for all that they speak of")


def text(found: Term) -> str:
    """Return the characters of a string value of the solver, which writes some of them as numbers."""
    return re.sub(r"\\u\{([0-9a-fA-F]+)\}", lambda met: chr(int(met[1], 16)), str(found.as_string()))


def characters(data: bytes) -> Term:
    """Return bytes as a string of the solver, one character for each."""
    import z3  # noqa: PLC0415

    return z3.StringVal("".join(f"\\u{{{byte:x}}}" for byte in data))


def shown(found: Term) -> str:
    """Return a value as in a story."""
    said = str(found)
    name, at, number = said.partition("!val!")
    return f"{name.lower()} {number}" if at else {"True": "yes", "False": "no"}.get(said, said)
