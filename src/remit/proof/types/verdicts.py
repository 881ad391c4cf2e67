"""The verdict from the reports of the checkers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from remit.core.capability import vocabulary
from remit.proof.types.checkers import MODULE, CheckerFailure, Finding, Report
from remit.proof.types.dispatch import Dispatch, doors
from remit.proof.types.probes import (
    ACCEPTED,
    DOORS,
    EACH,
    FILE,
    SEALED,
    Probe,
    attempts,
    by_line,
    exact_types,
    write_probes,
)
from remit.proof.verdict import Outcome, Proved, Refuted, Unknown

if TYPE_CHECKING:
    from remit.proof.types.universe import Universe

SHOWN = 20  # steps of a refutation
LENGTH = 300  # characters of each


class CheckerInput(NamedTuple):
    """The input of the checkers."""

    universe: Universe
    module: str
    probes: tuple[Probe, ...]
    dispatch: Dispatch


class Opinion(NamedTuple):
    """The report of one checker."""

    name: str
    report: Report


def conclude(question: CheckerInput, opinions: Sequence[Opinion]) -> Outcome:
    """Return the verdict: mypy decides, and no other checker may disagree.

    (1) the dispatch uses only what checkers check, and nothing silences them; (2) every question of the universe is among the probes; (3) every checker has an answer;
    (4) mypy finds each error that it must, with its code, and no other; (5) so does each of the others.
    """
    if question.dispatch.objections:  # (1)
        return Refuted(tuple(one[:LENGTH] for one in question.dispatch.objections[:SHOWN]))
    if "#" in question.module + write_probes(question.probes):
        return Refuted(("there is a comment in what the checkers read: it could silence them",))
    lines = by_line(question.probes)
    unasked = sorted(questions(question.universe) - {probe.ident for probe in question.probes})
    if unasked:  # (2)
        return Refuted(tuple(f"not asked: {ident}" for ident in unasked[:SHOWN]))
    for name, report in opinions:
        if isinstance(report, CheckerFailure):  # (3)
            return Unknown(f"{name} has no answer: {report.reason}"[:LENGTH])
    first, *others = ((name, tuple(objections(name, report, lines))) for name, report in opinions)
    if first[1]:  # (4)
        return Refuted(first[1][:SHOWN])
    for name, found in others:
        if found:  # (5)
            return Unknown(f"{name} disagrees with {first[0]}: {found[0]}"[:LENGTH])
    return Proved()


def objections(name: str, report: Report, lines: Mapping[int, Probe]) -> Iterator[str]:
    """Yield each way in which a report differs from the expected one."""
    if isinstance(report, CheckerFailure):
        yield f"{name}: {report.reason}"
        return
    found: dict[int, list[Finding]] = {}
    for finding in report:
        if finding.file == FILE and finding.line in lines:
            found.setdefault(finding.line, []).append(finding)
        else:
            where = (
                "the file of probes"
                if finding.file == FILE
                else "the module"
                if finding.file == MODULE
                else finding.file
            )
            yield f"{name}: {where} has an error in line {finding.line}: {finding.message} [{finding.code}]"[:LENGTH]
    for number, probe in lines.items():
        codes = {finding.code for finding in found.get(number, ())}
        if probe.sort in ACCEPTED:
            if codes:
                yield f"{name} rejects `{probe.ident}`: {found[number][0].message}"[:LENGTH]
        elif not codes:
            yield f"{name} accepts `{probe.ident}`: {attempts()[probe.sort].meaning}"[:LENGTH]
        elif codes != {attempts()[probe.sort].codes[name]}:
            yield f"{name} rejects `{probe.ident}` for another reason: {', '.join(sorted(codes))}"[:LENGTH]


def questions(universe: Universe) -> set[str]:
    """What must be asked at least, worked out apart from the plan: capabilities, pairs, and each way around."""
    wanted = {"exact request", "object object", "object none", "name"}
    wanted.update(f"exact {what}" for what, _ in exact_types())
    wanted.update(f"heir {name}" for name in SEALED)
    wanted.update(f"{sort} {name}" for _, name in doors() for sort in ("opened", *DOORS))
    wanted.update(f"effect {name} {text}" for name, text in universe.exercised if (name, text) in universe.escaping)
    for capability in vocabulary():
        name = capability.name
        if name not in universe.held:
            wanted.add(f"undeclared {name}")
            continue
        wanted.update(f"{sort} {name}" for sort in EACH)
        wanted.add(f"exact {name} call")
        for text in universe.texts(name):
            done = (name, text) in universe.exercised
            inside = text in universe.held[name] or (name, text) in universe.escaping
            sort = ("effect" if done else "held") if inside else "scope"
            wanted.add(f"{sort} {name} {text}")
        wanted.update(f"foreign {name} {text}" for text in universe.foreign[capability.scope_kind])
    return wanted
