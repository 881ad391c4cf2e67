"""The obligations of Method C as one SMT-LIB file, which any standard solver can read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from remit.proof.sessions.encode import Encoding, flat
from remit.proof.sessions.terms import TRUE, Term, Terms

PACE = 2  # turns that are searched at once: measured, both solvers are fastest so
_CLAIM = "(assert (or "  # the only disjunctions of the file
_SCOPING = ("(push 1)", "(check-sat)", "(pop 1)")
LOGIC = "(set-logic QF_BV)"  # truth values only; both solvers turn this logic into clauses


class Query(NamedTuple):
    """One obligation: it holds if every check of it is `unsat`."""

    name: str
    meaning: str
    lines: tuple[str, ...]
    checks: int = 1


class File(NamedTuple):
    """The common part, and the obligations."""

    prelude: tuple[str, ...]
    queries: tuple[Query, ...]

    def witness(self, check: int) -> str:
        """Return a text whose models are the sessions that fail this check of the search, counted from one."""
        bounded = next(query for query in self.queries if query.name == "bounded")
        ends = [place for place, line in enumerate(bounded.lines) if line == "(check-sat)"]
        earlier = (
            line
            for line in bounded.lines[: ends[check - 1] - 1]
            if line not in _SCOPING and not line.startswith(_CLAIM)
        )
        claim = bounded.lines[ends[check - 1] - 1]
        return "\n".join((*self.prelude, *earlier, claim, "(check-sat)", "(get-model)")) + "\n"

    def text(self, *names: str) -> str:
        """Return the named obligations, or all, each in a scope of its own."""
        lines = list(self.prelude)
        for query in self.queries:
            if not names or query.name in names:
                lines += ["", f"; {query.name}: {query.meaning}", "(push 1)", *query.lines, "(pop 1)"]
        return "\n".join(lines) + "\n"


def render(encoding: Encoding, head: Iterable[str], bound: int) -> File:
    """Return the file: sessions of at most `bound` turns, and the three steps of the induction."""
    terms = encoding.terms
    state, inputs = flat(encoding.state), (*encoding.inputs.envelope, *encoding.inputs[1:])
    wrong = TRUE
    for term in encoding.wrong.values():
        wrong = terms.both(wrong, -term)
    after = [f"next.{terms.names[term]}" for term in state]
    prelude = [
        *(f"; {line}".rstrip() for line in head),
        LOGIC,
        *(f"(declare-const {terms.names[term]} Bool)" for term in encoding.constants),
        f"(assert {body(terms, encoding.admissible)})",
        _define(terms, "start", state, _fixed(terms, state, flat(encoding.start))),
        _define(terms, "wrong", state, [body(terms, -wrong)]),
        _define(terms, "invariant", state, [body(terms, encoding.invariant)]),
        _define_step(encoding, state, inputs, after),
    ]
    now, then = _names(terms, state, "0"), _names(terms, state, "1")
    turn = _names(terms, inputs, "0")
    begins, holds, held = f"(start {_row(now)})", f"(invariant {_row(now)})", f"(invariant {_row(then)})"
    moves, errs = f"(step {_row(now, turn, then)})", f"(wrong {_row(now)})"
    queries = (
        Query("base", "a new session satisfies the invariant", _asked([now], begins, f"(not {holds})")),
        Query("step", "every turn keeps the invariant", _asked([now, turn, then], holds, moves, f"(not {held})")),
        Query("safe", "the invariant excludes what must never be", _asked([now], holds, errs)),
        Query(
            "bounded",
            f"nothing goes wrong in {bound} turns",
            tuple(_unrolled(terms, state, inputs, bound)),
            -(-bound // PACE),
        ),
    )
    return File(tuple(prelude), queries)


def _unrolled(terms: Terms, state: Sequence[Term], inputs: Sequence[Term], bound: int) -> Iterator[str]:
    """Unroll from the start, a few turns at a time. Checked turns need not be checked again."""
    before = _names(terms, state, "0")
    yield from _lines([before], f"(start {_row(before)})")
    asked: list[str] = []
    for number in range(bound):
        turn, after = _names(terms, inputs, str(number)), _names(terms, state, str(number + 1))
        yield from _lines([turn, after], f"(step {_row(before, turn, after)})")
        asked.append(f"(wrong {_row(after)})")
        if len(asked) == PACE or number + 1 == bound:
            yield from ("(push 1)", f"{_CLAIM}{' '.join(asked)} false))", "(check-sat)", "(pop 1)")
            yield from (f"(assert (not {one}))" for one in asked)
            asked.clear()
        before = after


def _asked(names: Iterable[Sequence[str]], *claims: str) -> tuple[str, ...]:
    return (*_lines(names, *claims), "(check-sat)")


def _lines(names: Iterable[Sequence[str]], *claims: str) -> tuple[str, ...]:
    declared = (f"(declare-const {name} Bool)" for row in names for name in row)
    return (*declared, *(f"(assert {claim})" for claim in claims))


def _names(terms: Terms, row: Iterable[Term], number: str) -> list[str]:
    return [f"{terms.names[term]}@{number}" for term in row]


def _row(*names: Sequence[str]) -> str:
    return " ".join(name for row in names for name in row)


def _define(terms: Terms, name: str, parameters: Sequence[Term], parts: Iterable[str]) -> str:
    head = " ".join(f"({terms.names[term]} Bool)" for term in parameters)
    return f"(define-fun {name} ({head}) Bool (and true {' '.join(parts)}))"


def _define_step(encoding: Encoding, state: Sequence[Term], inputs: Sequence[Term], after: Sequence[str]) -> str:
    terms = encoding.terms
    head = " ".join(f"({name} Bool)" for name in (*(terms.names[term] for term in (*state, *inputs)), *after))
    results = dict(zip(after, flat(encoding.next), strict=True))
    return f"(define-fun step ({head}) Bool {bodies(terms, encoding.possible, results)})"


def _fixed(terms: Terms, state: Sequence[Term], values: Sequence[Term]) -> Iterator[str]:
    return (
        terms.names[term] if value == TRUE else f"(not {terms.names[term]})"
        for term, value in zip(state, values, strict=True)
    )


def body(terms: Terms, term: Term) -> str:
    """Return a term as an expression, with shared parts named first."""
    return bodies(terms, term, {})


def bodies(terms: Terms, claim: Term, results: Mapping[str, Term]) -> str:
    """Return an expression for the claim, with each result named."""
    roots = [claim, *results.values()]
    uses, order = _cone(terms, roots)
    shared = [gate for gate in order if uses[gate] > 1]
    named = set(shared)

    def shown(term: Term) -> str:
        if abs(term) == TRUE:
            return "true" if term == TRUE else "false"
        one = abs(term)
        text = terms.names.get(one) or (f"g{one}" if one in named else gate(one))
        return text if term > 0 else f"(not {text})"

    def gate(number: Term) -> str:
        return f"(and {' '.join(map(shown, _conjuncts(terms, number, named)))})"

    parts = [shown(claim), *(f"(= {name} {shown(term)})" for name, term in results.items())]
    text = parts[0] if len(parts) == 1 else f"(and {' '.join(parts)})"
    for number in reversed(shared):
        text = f"(let ((g{number} {gate(number)})) {text})"
    return text


def _conjuncts(terms: Terms, number: Term, named: set[Term]) -> list[Term]:
    """Return the parts of a conjunction, with unnamed nested conjunctions flattened."""
    parts: list[Term] = []
    for part in terms.gates[number]:
        parts += _conjuncts(terms, part, named) if part > 0 and part in terms.gates and part not in named else [part]
    return parts


def _cone(terms: Terms, roots: Iterable[Term]) -> tuple[dict[Term, int], list[Term]]:
    """Return how often each conjunction below the roots is used, and all of them in order of creation."""
    uses: dict[Term, int] = {}
    waiting = [abs(root) for root in roots]
    while waiting:
        term = waiting.pop()
        if term not in terms.gates:
            continue
        uses[term] = uses.get(term, 0) + 1
        if uses[term] == 1:
            waiting += map(abs, terms.gates[term])
    return uses, sorted(uses)
