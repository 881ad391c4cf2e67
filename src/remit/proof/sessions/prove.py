"""Method C as a whole: alphabet, terms, instance, solvers, refutations, verdict, evidence.

The induction shows that nothing goes wrong in a session of any length, so in none of at most `bound` turns either. If it fails,
sessions are searched from the start, without the invariant, for one that goes wrong: that is the counterexample. If there
is none within the bound, nothing is proved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from remit.core.digest import digest
from remit.manifest.identity import manifest_digest
from remit.policy.gate import gate_table
from remit.policy.session import HORIZON
from remit.proof.installed import required
from remit.proof.sessions.cnf import inductive
from remit.proof.sessions.encode import Encoding, encode
from remit.proof.sessions.evidence import BY_INDUCTION, SessionsProof, SolverRecord
from remit.proof.sessions.kinds import MOST, Alphabet, alphabet
from remit.proof.sessions.promises import judge_promises
from remit.proof.sessions.refutation import PACKAGE, SOLVER, certify
from remit.proof.sessions.smtlib import PACE, File, render
from remit.proof.sessions.solvers import Answer, Fails, Holds, Silent, SolverRun, model, solvers
from remit.proof.sessions.trace import Bug, tell
from remit.proof.verdict import Outcome, Proved, Refuted, Unknown

if TYPE_CHECKING:
    from remit.core.effect import Effect, Opaque
    from remit.manifest.model import Manifest

INDUCTION = ("base", "step", "safe")
SEARCH = "bounded"
FEW = 8  # turns: most sessions that go wrong are short
RESIDUALS: tuple[str, ...] = ()  # nothing rests on the solvers alone


class Obligations(NamedTuple):
    """The obligations for the solvers, and their subject."""

    alphabet: Alphabet
    encoding: Encoding
    file: File
    bug: Bug


def pose(found: Alphabet, bound: int, bug: Bug | None = None) -> Obligations:
    """Return the obligations of an alphabet. With a bug, the solvers must notice it."""
    bug = bug or Bug(horizon=HORIZON)
    encoding = encode(found, bound=bound, making=bug.rules, table=bug.table, horizon=bug.horizon)
    return Obligations(found, encoding, render(encoding, _head(found), bound), bug)


def prove_sessions(
    manifest: Manifest, effects: Iterable[Effect], opaque: Iterable[Opaque] = (), *, bound: int, search: bool = True
) -> SessionsProof:
    """Prove that no session of the skill breaks the biconditional, or say why not. PackageError if a solver is missing."""
    found = alphabet(manifest, effects, opaque)
    identities = (*solvers(), required(PACKAGE)._replace(name=SOLVER))
    records = tuple(SolverRecord(*identity) for identity in identities)
    empty = SessionsProof(
        manifest_digest(manifest),
        _gate_digest(),
        HORIZON,
        bound,
        len(found.kinds) + len(found.scripts),
        "",
        (),
        records,
        (),
        (),
        (),
        (),
        Unknown(""),
    )
    if len(found.kinds) > MOST:
        return empty._replace(outcome=Unknown(f"there are more than {MOST} kinds of effects"))
    question = pose(found, bound)
    asked = [record.name for record in records[:-1]]
    answers = dict(zip(asked, _ask(question.file, asked, INDUCTION), strict=True))
    certificates = {name: certify(name, clauses) for name, clauses in inductive(question.encoding).items()}
    outcome = conclude(question, answers, [name for name, found in certificates.items() if found is None])
    if search and isinstance(outcome, Unknown):
        outcome = _searched(found, asked, bound) or outcome
    proof = empty._replace(
        instance=question.file.text(), invariant=tuple(question.encoding.lemmas), residuals=RESIDUALS, outcome=outcome
    )
    if not isinstance(outcome, Proved):
        return proof
    kept = tuple(judge_promises(found, question.encoding))
    discharged = (*((name, (*asked, SOLVER)) for name in INDUCTION), (SEARCH, (BY_INDUCTION,)))
    shown = tuple(found for found in certificates.values() if found)
    return proof._replace(unsat=discharged, certificates=shown, promises=kept)


def _searched(found: Alphabet, asked: Sequence[str], bound: int) -> Outcome | None:
    """Return a violating session, preferably a short one; None if no solver finds any."""
    for turns in dict.fromkeys((min(FEW, bound), bound)):
        question = pose(found, turns)
        for name, answer in zip(asked, _ask(question.file, asked, (SEARCH,)), strict=True):
            if isinstance(answer, Fails):
                return witness(question, name, answer.check)
    return None


def conclude(question: Obligations, answers: dict[str, Answer], unrefuted: Sequence[str]) -> Outcome:
    """Return the verdict: all solvers must agree. A violating session is shown."""
    for name, answer in answers.items():
        if isinstance(answer, Silent):
            return Unknown(f"{name}: {answer.reason}")
    failed = {name: answer for name, answer in answers.items() if isinstance(answer, Fails)}
    for name, answer in failed.items():
        if answer.query == SEARCH:
            return witness(question, name, answer.check)
    if failed or unrefuted:
        return Unknown(f"the invariant is not shown: {', '.join([*failed, *unrefuted])}")
    return (
        Proved()
        if answers and all(isinstance(answer, Holds) for answer in answers.values())
        else Unknown("no solver answered")
    )


def witness(question: Obligations, solver: str, check: int) -> Outcome:
    """Return the violating session found by this check of the search."""
    values = model(solver, question.file.witness(check))
    if values is None:
        return Unknown(f"{solver}: it finds a session that goes wrong and does not show it")
    return Refuted(tell(question.encoding, question.alphabet, values, check * PACE, question.bug))


def _ask(file: File, names: Sequence[str], queries: Sequence[str]) -> list[Answer]:
    """Return each solver's answers to some obligations. All run at once."""
    return [one.answer() for one in [SolverRun(name, file, queries) for name in names]]


def _head(found: Alphabet) -> Iterator[str]:
    yield "Method C: every effect has a record, every record has an effect, and nothing happens that is not permitted."
    yield "Envelopes, by class and place:"
    for kind in found.kinds:
        yield f"  {kind.standing} {kind.meant} {kind.change} {_plain(kind.name)}"
    for file, kinds in found.scripts:
        yield f"  run {_plain(file)} {' '.join(map(str, kinds))}"


def _plain(text: str) -> str:
    """Return a name for a comment, without anything that could end the line."""
    return text.encode("unicode_escape").decode("ascii")


def _gate_digest() -> str:
    return digest({f"{line} {level}": gate for (line, level), gate in gate_table().items()})
