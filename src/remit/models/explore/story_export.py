"""Export of stories as pytest files: one for each mutant, which fails when its story no longer holds.

A mutant's file walks the story twice: with the function spoiled, where it must end as it was told; and through the code that runs, where
the same choices must break nothing. The file of a model that fails walks its story through the code that runs, and passes when that is mended.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from remit.models.explore.model import spoiled
from remit.models.explore.registry import MODELS
from remit.models.explore.story import story
from remit.models.explore.story_replay import StoryStep, chosen

if TYPE_CHECKING:
    from remit.models.explore.gates import ModelResult
    from remit.models.explore.model import Model
    from remit.models.explore.search import Violation

_RED = '''\
"""`{model}` with code that {mutant}: `{about}` notices. Written by `remit models check {model} --export`.

{says}; spoiled is `{spoils}`.
"""

from remit.models.explore.registry import models
from remit.models.explore.story_replay import StoryStep, walk
from remit.models.explore.story import story

(MODEL,) = models(["{model}"])
(PATCH,) = (mutant.patch for mutant in MODEL.mutants if mutant.name == {mutant!r})
ABOUT, FIRST, AGAIN = "{about}", {first}, {again}
STEPS = (
{steps})
STORY = (
{lines})


def test_spoiled_code_comes_to_this():
    found = walk(MODEL, ABOUT, FIRST, STEPS, AGAIN, PATCH)
    assert tuple(story(found.story_of(ABOUT, AGAIN))) == STORY
    assert found.whole
    assert found.fails


def test_the_code_that_runs_does_not():
    assert not walk(MODEL, ABOUT, FIRST, STEPS, AGAIN).fails
'''
_UNCHANGED = '''\
"""`{model}`: `{about}` fails in the code that runs. Written by `remit models check {model} --export`; it passes when that is mended.

{says}. The story that was found:

{told}
"""

from remit.models.explore.registry import models
from remit.models.explore.story_replay import StoryStep, walk

(MODEL,) = models(["{model}"])
STEPS = (
{steps})


def test_the_code_that_runs_does_not_come_to_this():
    assert not walk(MODEL, "{about}", {first}, STEPS, {again}).fails
'''


class Exported(NamedTuple):
    """A test file."""

    name: str
    text: str


def exported(checked: ModelResult) -> Iterator[Exported]:
    """Yield a file for each mutant that was noticed, and one for the model itself if it fails."""
    model = checked.model
    if model.name not in MODELS:  # what no registry has, no test can import
        return
    if checked.explored.violation:
        yield _unchanged(model, checked.explored.violation)
    patches = {mutant.name: mutant.patch for mutant in model.mutants}
    for mutant in checked.mutants:
        if mutant.trace is not None:
            with spoiled(patches[mutant.mutant]):
                first, steps = chosen(model, mutant.trace)
            text = _RED.format(
                model=model.name, mutant=mutant.mutant, about=mutant.invariant, says=_says(model, mutant.invariant), spoils=mutant.spoils, first=first,
                again=mutant.trace.again, steps=_steps(steps), lines=_texts(story(mutant.trace)),
            )  # fmt: skip
            yield Exported(_file(model.name, mutant.mutant), text)


def _unchanged(model: Model, violation: Violation) -> Exported:
    first, steps = chosen(model, violation)
    told = "\n".join(f"    {line}" for line in story(violation)).replace("\\", "\\\\").replace('"""', "'''")
    text = _UNCHANGED.format(
        model=model.name, about=violation.invariant, says=_says(model, violation.invariant), told=told, first=first, again=violation.again,
        steps=_steps(steps),
    )  # fmt: skip
    return Exported(_file(model.name, "unchanged", violation.invariant), text)


def _says(model: Model, about: str) -> str:
    return next(
        (one.says for one in model.properties if one.name == about), "a state from which nothing leads on is an end"
    )


def _steps(steps: Iterable[StoryStep]) -> str:
    lines = []
    for one in steps:
        more = f", {one.order}" if one.order else ""
        more += f", goes_on={one.goes_on!r}" if one.goes_on else ""
        lines.append(f"    StoryStep({one.action!r}, {one.choice!r}{more}),\n")
    return "".join(lines)


def _texts(lines: Iterable[str]) -> str:
    return "".join(f"    {line!r},\n" for line in lines)


def _file(*parts: str) -> str:
    words = "_".join(parts).lower()
    return f"test_{re.sub('[^a-z0-9]+', '_', words).strip('_')}.py"
