"""Output of `remit verify`: each step, what is wrong and what to do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from remit.bundle.admission import Admission, State, Step
from remit.bundle.codes import STEPS, Cost, Reason
from remit.core.shape import HEX, Flag, Items, Record, Text, Whole, Word
from remit.manifest.model import Verification
from remit.report.screen import Screen, visible

SHAPE = Record(
    {
        "skill": Text(200, empty=True),
        "version": Text(200, empty=True),
        "time": Text(20, empty=True),
        "claimed": Word(tuple(map(str, Verification))),
        "level": Word(tuple(map(str, Verification))),
        "holds": Flag(),
        "refused": Flag(),
        "signers": Items(HEX, 1_000),
        "steps": Items(
            Record(
                {
                    "step": Whole(1, STEPS),
                    "name": Text(100),
                    "state": Word(tuple(map(str, State))),
                    "detail": Text(20_000, empty=True),
                }
            ),
            STEPS,
        ),
        "reasons": Items(
            Record(
                {
                    "code": Text(100),
                    "step": Whole(0, STEPS),
                    "costs": Word(tuple(map(str, Cost))),
                    "detail": Text(20_000, empty=True),
                    "meaning": Text(1_000),
                    "remedy": Text(1_000),
                }
            ),
            1_000,
        ),
        "notes": Items(Text(20_000), 1_000),
    }
)
_STYLE = {State.OK: "green", State.FAILED: "bad", State.UNCLAIMED: "dim"}
_NAME, _STATE = 22, 10  # columns


def verdict(answer: Admission) -> str:
    """Return the answer in one sentence."""
    named = f"{answer.skill} {answer.version}: ".lstrip() if answer.skill else ""
    if answer.holds:
        return f"{named}`{answer.level}` holds"
    what = "refused" if answer.refused else "unverified" if answer.level is Verification.UNVERIFIED else ""
    claim = "" if answer.claimed is Verification.UNVERIFIED else f"; `{answer.claimed}` is claimed"
    return f"{named}{what or f'only `{answer.level}` holds'}{claim}"


def as_text(answer: Admission, screen: Screen) -> Iterator[str]:
    """Return lines for a terminal."""
    yield screen.style(visible(verdict(answer)), "bold", "green" if answer.holds else "red")
    begun = [step for step in answer.steps if step.state is not State.SKIPPED]
    for step in begun:
        yield _step(step, screen)
        for number, reason in enumerate(found := [item for item in answer.reasons if item.code.step == step.number]):
            yield from screen.wrap(visible(str(reason)), 6, 4)
            if number + 1 == len(found) or found[number + 1].code != reason.code:
                yield from screen.wrap(f"→ {visible(reason.code.remedy)}", 8, 6)
    if len(begun) < len(answer.steps):
        left = answer.steps[len(begun)]
        yield screen.style(f"  the steps from {left.number} ({left.name}) on were not begun", "dim")
    for reason in answer.reasons:
        if not reason.code.step:
            yield from screen.wrap(visible(f"{reason} → {reason.code.remedy}"), 6, 4)
    for note in answer.notes:
        yield from screen.wrap(f"note: {visible(note)}", 4, 2)


def _step(step: Step, screen: Screen) -> str:
    state = screen.style(f"{step.state:<{_STATE}}", _STYLE[step.state])
    return f"  {step.number} {step.name:<{_NAME}}{state}{visible(step.detail)}".rstrip()


def as_json(answer: Admission) -> dict[str, Any]:
    """Return the result as JSON (`remit schema verify` describes the form)."""
    return {
        "skill": answer.skill,
        "version": answer.version,
        "time": answer.time,
        "claimed": str(answer.claimed),
        "level": str(answer.level),
        "holds": answer.holds,
        "refused": answer.refused,
        "signers": list(answer.signers),
        "steps": [
            {"step": step.number, "name": step.name, "state": str(step.state), "detail": step.detail}
            for step in answer.steps
        ],
        "reasons": [_reason(item) for item in answer.reasons],
        "notes": list(answer.notes),
    }


def _reason(item: Reason) -> dict[str, Any]:
    code = item.code
    return {
        "code": code.name,
        "step": code.step,
        "costs": str(code.costs),
        "detail": item.detail,
        "meaning": code.meaning,
        "remedy": code.remedy,
    }
