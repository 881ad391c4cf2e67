"""Output of `remit prove`: what was proved, what was not and why, and where the bundle is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from remit.core.counting import counted
from remit.core.shape import HEX, Items, Record, Text, Whole, Word
from remit.manifest.model import Verification
from remit.proof import Verdict, remedy_for
from remit.proof.sessions.evidence import SolverRecord, read_sessions_proof
from remit.proof.types.evidence import CheckerRecord, read_types_proof
from remit.proof.verdict import Proved, Refuted
from remit.report.screen import Screen, visible

if TYPE_CHECKING:
    from remit.bundle.proof_evidence import Attempt
    from remit.bundle.prove import ProvingResult

_TEXT = Text(100_000, empty=True)
_LINES = Items(_TEXT, 100_000)
_PROOF = Record({"verdict": Word(("proved", "refuted", "unknown")), "trace": _LINES, "reason": _TEXT})
SHAPE = Record(
    {
        "skill": Text(200),
        "version": Text(200),
        "wanted": Word(tuple(map(str, Verification))),
        "level": Word(tuple(map(str, Verification))),
        "written": _TEXT,
        "signers": Items(HEX, 1_000),
        "containment": Record(
            {
                "verdict": Word(tuple(map(str, Verdict))),
                "effects": Whole(0, 10**9),
                "escapes": _LINES,
                "opaque": _LINES,
                "residuals": Whole(0, 10**9),
            }
        ),
        "untested": _TEXT,
        "breadth": Items(_TEXT, 100_000),
        "types": _PROOF,
        "sessions": _PROOF,
    },
    frozenset({"types", "sessions"}),
)
_FIRST = 8  # escapes, opaque places and steps of a counterexample that are shown


def as_text(shown: ProvingResult, place: str, signers: Sequence[str], screen: Screen) -> Iterator[str]:
    """Return lines for a terminal."""
    made = shown.files is not None
    end = f"`{shown.level}` is proved" if made else f"`{shown.wanted}` is not reached; nothing was written"
    subject = f"{shown.subject.name} {shown.subject.version}"
    yield screen.style(visible(f"{subject}: {end}"), "bold", "green" if made else "red")
    yield from _method_a(shown, screen)
    if shown.proofs is not None:
        yield from _method("B", _typed, shown.proofs.types, screen)
        yield from _method("C", _searched, shown.proofs.sessions, screen)
    if broad := shown.breadth:
        text = f"breadth   {counted(len(broad), 'unlimited grant')}: {', '.join(broad)}"
        yield from screen.wrap(visible(text), 12, 2)
    if shown.untested:
        yield from screen.wrap(f"tests     do not count: {visible(shown.untested)}", 12, 2)
    if made:
        yield f"  evidence  {visible(place)}/, signed by {', '.join(keyid[:16] for keyid in signers)}"
    elif shown.level is not Verification.UNVERIFIED:
        yield from screen.wrap(f"→ `{shown.level}` holds: --level {shown.level} makes a bundle for it", 4, 2)


def _method_a(shown: ProvingResult, screen: Screen) -> Iterator[str]:
    found, held = shown.judged.found, shown.judged.containment
    if shown.judged.contained:
        many = f"{counted(len(found.effects), 'effect')}, {len(held.denied)} denied, {len(held.residuals)} left to the run time"
        yield f"  method A  contained: {many}"
        return
    yield f"  method A  {screen.style(str(held.verdict), 'bad')}"
    for item in held.escapes[:_FIRST]:
        effect = item.effect
        text = f"{effect.where}: {effect.capability} {effect.scope.render()}, {item.reason} ({effect.why})"
        yield from screen.wrap(visible(text), 8, 4)
        yield from screen.wrap(f"→ {visible(remedy_for([effect], declared=item.declared))}", 10, 6)
    for place in found.opaque[:_FIRST]:
        yield from screen.wrap(visible(f"{place.where}: {place.reason}"), 8, 4)
        if place.remedy:
            yield from screen.wrap(f"→ {visible(place.remedy)}", 10, 6)
    more = max(0, len(held.escapes) - _FIRST) + max(0, len(found.opaque) - _FIRST)
    if more:
        yield f"    and {more} more: `remit check` shows all"


def _typed(evidence: bytes) -> Iterator[str]:
    """Return what Method B has shown: the dispatch is typed with the manifest, and how much an envelope can say."""
    proof = read_types_proof(evidence)
    yield f"{counted(len(proof.obligations), 'obligation')} accepted, {counted(len(proof.rejected), 'attempt')} refused, by {_named(proof.checkers)}"
    yield f"{counted(proof.members, 'entry', 'entries')}: an envelope chooses among them or is refused, log2({proof.members}+1) = {proof.bits} bits"


def _searched(evidence: bytes) -> Iterator[str]:
    """Return what Method C has shown, and which parts of it depend on the solvers alone."""
    proof = read_sessions_proof(evidence)
    envelopes = counted(proof.envelopes, "different envelope")
    yield f"no session of any length over {envelopes} breaks the biconditional, by induction"
    yield f"by {_named(proof.solvers)}; {counted(len(proof.certificates), 'refutation')} checked apart from their solver"
    kept = [name for name, outcome in proof.promises if isinstance(outcome, Proved)]
    yield f"of every session: {', '.join(kept) or 'nothing more'}"
    yield from (f"residual: {line}" for line in proof.residuals)


def _named(tools: Sequence[CheckerRecord | SolverRecord]) -> str:
    return ", ".join(f"{tool.name} {tool.version}" for tool in tools)


def _method(name: str, details: Callable[[bytes], Iterator[str]], attempt: Attempt, screen: Screen) -> Iterator[str]:
    outcome = attempt.outcome
    if isinstance(outcome, Proved):
        first, *more = details(attempt.evidence)
        yield from screen.wrap(f"method {name}  proved: {visible(first)}", 12, 2)
        for line in more:
            yield from screen.wrap(visible(line), 14, 12)
    elif isinstance(outcome, Refuted):
        yield f"  method {name}  {screen.style('refuted', 'bad')}"
        for line in outcome.trace[:_FIRST]:
            yield from screen.wrap(visible(line), 8, 4)
    else:
        yield from screen.wrap(f"method {name}  unknown: {visible(outcome.reason)}", 12, 2)


def as_json(shown: ProvingResult, place: str, signers: Sequence[str]) -> dict[str, Any]:
    """Return the result as JSON (`remit schema prove` describes the form)."""
    held = shown.judged.containment
    out: dict[str, Any] = {
        "skill": shown.subject.name,
        "version": shown.subject.version,
        "wanted": str(shown.wanted),
        "level": str(shown.level),
        "written": place if shown.files is not None else "",
        "signers": list(signers),
        "containment": {
            "verdict": str(held.verdict),
            "effects": len(shown.judged.found.effects),
            "escapes": [
                f"{item.effect.where}: {item.effect.capability} {item.effect.scope.render()}" for item in held.escapes
            ],
            "opaque": [f"{place.where}: {place.reason}" for place in shown.judged.found.opaque],
            "residuals": len(held.residuals),
        },
        "untested": shown.untested,
        "breadth": list(shown.breadth),
    }
    if shown.proofs is not None:
        out["types"], out["sessions"] = map(_attempt, shown.proofs)
    return out


def _attempt(attempt: Attempt) -> dict[str, Any]:
    outcome = attempt.outcome
    return {
        "verdict": type(outcome).__name__.lower(),
        "trace": list(outcome.trace) if isinstance(outcome, Refuted) else [],
        "reason": getattr(outcome, "reason", ""),
    }
