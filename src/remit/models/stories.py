"""The mutants of a model or a theory, each with the story in which it is noticed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.errors import UsageError
from remit.models.explore import gates
from remit.models.explore.registry import models
from remit.models.explore.story import story
from remit.models.proofs.registry import THEORIES, theories

if TYPE_CHECKING:
    from remit.models.explore.model import Model, Mutant
    from remit.models.proofs.theory import Theory


class MutantStory(NamedTuple):
    """The result of a mutant. Without a story it was not noticed, and `fault` says why."""

    mutant: str
    noticed_by: str
    spoils: str
    story: tuple[str, ...]
    fault: str = ""


def stories(name: str, mutant: str = "") -> Iterator[MutantStory]:
    """Yield the stories of the model or theory of this name; or of one mutant alone."""
    if name in THEORIES:
        (theory,) = theories([name])
        for one in _chosen(name, theory.mutants, mutant):
            yield _proved(theory, one)
    else:
        (model,) = models([name])
        for one in _chosen(name, model.mutants, mutant):
            yield _explored(model, one)


def _chosen(name: str, mutants: tuple[Any, ...], mutant: str) -> tuple[Any, ...]:
    found = tuple(one for one in mutants if mutant in ("", one.name))
    if not found:
        raise UsageError(
            f"`{mutant}` is no mutant of `{name}`", f"one of {', '.join(f'`{one.name}`' for one in mutants)}"
        )
    return found


def _explored(model: Model, mutant: Mutant) -> MutantStory:
    found, fault = gates.check_mutant(model, mutant)
    return MutantStory(
        mutant.name, mutant.invariant, mutant.patch.shown, tuple(story(found.trace)) if found.trace else (), fault
    )


def _proved(theory: Theory, mutant: Any) -> MutantStory:
    from remit.models.proofs.gates import check_mutant  # noqa: PLC0415  only where something is proved

    found, faults = check_mutant(theory, mutant._replace(tied=False), ())  # what ties say of it is a gate's matter
    return MutantStory(
        mutant.name, mutant.invariant, f"the operator `{mutant.operator}`", found.story, "; ".join(faults)
    )


def story_lines(told: MutantStory) -> list[str]:
    """Return the lines for a terminal."""
    head = f"{told.mutant} (spoils {told.spoils}; `{told.noticed_by}` notices)"
    return [head, *(f"    {line}" for line in told.story or (f"✗ {told.fault}",))]
