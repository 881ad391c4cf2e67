"""The gates of a theory. It passes if all of them do; each failure is reported with its reason.

(1) the solver proves every claim of a theorem; no answer is a failure
(2) no claim is vacuous: its premises, with the antecedent, have an example
(3) a mutant is the theory with one operator replaced; the theorem that it names fails, with a story
(4) every theorem notices a mutant
(5) operators and code agree in all cases of a tie; it notices a difference seeded in the code, and a mutant
(6) every theory in the folder is listed, and every theorem is in the list of claims
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.errors import RemitError
from remit.models.explore.model import spoiled
from remit.models.explore.properties import check_properties, read_properties
from remit.models.outcomes import Outcome
from remit.models.proofs.registry import FILE, THEORIES, lying, theories
from remit.models.proofs.solver import Fails, Holds, decide, possible, require

if TYPE_CHECKING:
    from remit.models.proofs.theory import Mutant, Operators, Planted, Theorem, Theory, Tie

ENGINE = "z3"
_SEED = 7


class Killed(NamedTuple):
    """The result of a mutant, or of a seeded difference: the story by which it was noticed, if it was."""

    name: str
    story: tuple[str, ...]


class TheoryResult(NamedTuple):
    """The result of a theory."""

    theory: Theory
    mutants: tuple[Killed, ...]
    faults: tuple[str, ...]
    seconds: float

    def outcome(self) -> Outcome:
        """Return the row of the table."""
        killed = sum(bool(one.story) for one in self.mutants)
        name, about, count = self.theory.name, self.theory.about, len(self.theory.theorems)
        return Outcome(ENGINE, name, about, count, None, len(self.mutants), killed, self.faults, self.seconds)


def check(names: Sequence[str], done: Callable[[str], None]) -> list[Outcome]:
    """Check the named theories; without names all of them, and the list of claims."""
    require()
    out = []
    for theory in theories(names):
        out.append(check_theory(theory).outcome())
        done(theory.name)
    if not names and (faults := check_list()):
        out.append(Outcome(ENGINE, "list", "every theory and theorem is listed", 0, None, 0, 0, faults, 0.0))
    return out


def check_theory(theory: Theory) -> TheoryResult:
    """Check all gates but the list."""
    start = time.perf_counter()
    faults, mutants = [*_form(theory)], []
    compared = [_compared(theory.operators, tie) for tie in theory.ties]
    for theorem in theory.theorems:
        faults += _unchanged(theorem, theory.operators)
    for mutant in theory.mutants:
        found, fault = check_mutant(theory, mutant, compared)
        mutants.append(found)
        faults += fault
    for one in compared:
        faults += [f"`{one.tie.name}`: {difference}" for difference in _differences(one, one.code)][:1]
        for planted in one.tie.planted:
            found, fault = check_planted(one, planted)
            mutants.append(found)
            faults += fault
    return TheoryResult(theory, tuple(mutants), tuple(faults), time.perf_counter() - start)


def check_mutant(theory: Theory, mutant: Mutant, compared: Sequence[Compared]) -> tuple[Killed, list[str]]:
    """Check the theorem that a mutant names, with the wrong operator, and whether the ties distinguish it from the code."""
    nothing, theorem = Killed(mutant.name, ()), theory.theorem(mutant.invariant)
    if theorem is None:
        return nothing, [f"the mutant `{mutant.name}` names `{mutant.invariant}`, which is no theorem of the theory"]
    if getattr(theory.operators, mutant.operator, None) in (None, mutant.wrong):
        return nothing, [f"the mutant `{mutant.name}` changes no operator"]
    operators = theory.operators._replace(**{mutant.operator: mutant.wrong})
    story: tuple[str, ...] = ()
    for claim in theorem.claims(operators):
        said = decide(claim)
        if isinstance(said, Fails):
            story = (f"{claim.name}:", *said.story, f"here `{theorem.name}` fails")
            break
    if len(story) < 3:
        return nothing, [f"the mutant `{mutant.name}` is not noticed: `{mutant.invariant}` holds, or has no story"]
    noticed = not mutant.tied or any(
        _result(one.tie.encoded, operators, case) != real
        for one in compared
        for case, real in zip(one.cases, one.code, strict=True)
    )
    return Killed(mutant.name, story), [] if noticed else [f"no tie tells the mutant `{mutant.name}` from the code"]


def check_planted(compared: Compared, planted: Planted) -> tuple[Killed, list[str]]:
    """Check whether a tie notices code that differs."""
    tie = compared.tie
    try:
        with spoiled(planted.patch):
            found = next(_differences(compared, (_result(tie.code, case) for case in compared.cases)), "")
    except RemitError as error:
        return Killed(planted.name, ()), [f"`{planted.name}` cannot be planted: {error.message}"]
    if not found:
        return Killed(planted.name, ()), [f"`{tie.name}` does not notice code that {planted.name}"]
    return Killed(planted.name, (found,)), []


def check_list() -> tuple[str, ...]:
    """Return theories that are not listed, and theorems that are not claimed."""
    listed, there = set(THEORIES), set(lying())
    faults = [f"`{name}` lies in the folder and is not listed" for name in sorted(there - listed)]
    faults += [f"`{name}` is listed and not there" for name in sorted(listed - there)]
    return (*faults, *check_properties(read_properties(FILE), theories()))


def _form(theory: Theory) -> Iterator[str]:
    noticed = {mutant.invariant for mutant in theory.mutants}
    yield from (f"no mutant is noticed by `{one.name}`" for one in theory.theorems if one.name not in noticed)
    yield from (f"nothing is planted for the tie `{one.name}`" for one in theory.ties if not one.planted)
    if not theory.ties:
        yield "nothing ties the operators to the code"
    touched = {mutant.operator for mutant in theory.mutants}
    yield from (f"no mutant changes the operator `{one}`" for one in theory.operators._fields if one not in touched)
    for names in ([one.name for one in theory.theorems], [one.name for one in theory.mutants]):
        yield from ["two theorems or two mutants have one name"] if len(set(names)) != len(names) else []


def _unchanged(theorem: Theorem, operators: Operators) -> Iterator[str]:
    for claim in theorem.claims(operators):
        said = decide(claim)
        if isinstance(said, Fails):
            yield f"`{theorem.name}` fails: {claim.name}: {'; '.join(said.story)}"
        elif not isinstance(said, Holds):
            yield f"`{theorem.name}` is not shown: {claim.name}: {said.reason}"
        if not isinstance(possible(claim), Fails):
            yield f"`{theorem.name}` says nothing: {claim.name}: what it is about cannot be"


class Compared(NamedTuple):
    """A tie, its cases, and the results of operators and code for each."""

    tie: Tie
    cases: tuple[Any, ...]
    encoded: tuple[Any, ...]
    code: tuple[Any, ...]


def _compared(operators: Operators, tie: Tie) -> Compared:
    random = Random(_SEED)  # noqa: S311  the same cases in every check
    cases = (*tie.every(), *(tie.sample(random) for _ in range(tie.samples)))
    return Compared(tie, cases, tuple(tie.encoded(operators, case) for case in cases), tuple(map(tie.code, cases)))


def _differences(compared: Compared, code: Iterable[Any]) -> Iterator[str]:
    """Yield where operators and code differ, as stories."""
    for case, encoded, real in zip(compared.cases, compared.encoded, code, strict=False):
        if encoded != real:
            yield f"{case}: the operators say {encoded}, the code says {real}"


def _result(run: Callable[..., Any], *given: Any) -> Any:
    """Return the result. A mutant may fail in any way, which is a difference too."""
    try:
        return run(*given)
    except Exception as error:  # noqa: BLE001  see above
        return f"{type(error).__name__}: {error}"
