"""The reds of a model, or of a theory, each with the story by which it is noticed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.errors import UsageError
from remit.models.explore import checking as exploring
from remit.models.explore.registry import models
from remit.models.explore.story import story
from remit.models.proofs.registry import THEORIES, theories

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.models.explore.model import Model, Red
    from remit.models.proofs.theory import Theory


class Told(NamedTuple):
    """What became of a red. Without a story it was not noticed, and `fault` says why."""

    red: str
    noticed_by: str
    spoils: str
    story: tuple[str, ...]
    fault: str = ""


def stories(name: str, red: str = "") -> Iterator[Told]:
    """Of the model or theory of this name, one after the other; or of one red alone."""
    if name in THEORIES:
        (theory,) = theories([name])
        for one in _chosen(name, theory.reds, red):
            yield _proved(theory, one)
    else:
        (model,) = models([name])
        for one in _chosen(name, model.reds, red):
            yield _explored(model, one)


def _chosen(name: str, reds: tuple[Any, ...], red: str) -> tuple[Any, ...]:
    found = tuple(one for one in reds if red in ("", one.name))
    if not found:
        raise UsageError(f"`{red}` is no red of `{name}`", f"one of {', '.join(f'`{one.name}`' for one in reds)}")
    return found


def _explored(model: Model, red: Red) -> Told:
    found, fault = exploring.check_red(model, red)
    return Told(red.name, red.invariant, red.patch.shown, tuple(story(found.trace)) if found.trace else (), fault)


def _proved(theory: Theory, red: Any) -> Told:
    from remit.models.proofs.checking import check_red  # noqa: PLC0415  only where something is proved

    found, faults = check_red(theory, red._replace(tied=False), ())  # what ties say of it is a gate's matter
    return Told(red.name, red.invariant, f"the operator `{red.operator}`", found.story, "; ".join(faults))


def story_lines(told: Told) -> list[str]:
    """For a terminal."""
    head = f"{told.red} (spoils {told.spoils}; `{told.noticed_by}` notices)"
    return [head, *(f"    {line}" for line in told.story or (f"✗ {told.fault}",))]
