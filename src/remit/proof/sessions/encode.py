"""The symbolic transition system of one skill: start, step, violations, and the invariant.

The envelope of a turn is a number: first all kinds of effects, each requested directly, then the scripts. Numbers, levels and
counts are rows of bits, so that every formula is propositional.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from remit.core.capability import Change
from remit.manifest.model import Verification
from remit.policy.gate import GateTable, Standing
from remit.policy.logic import all_of, any_of, implies, same
from remit.policy.session import HORIZON, Followed, Rules, Subject, Turn
from remit.proof.sessions.model import Move, State, advance, violations
from remit.proof.sessions.terms import Bits, Term, Terms

if TYPE_CHECKING:
    from remit.proof.sessions.kinds import Alphabet, EffectKind


Symbolic: TypeAlias = "State[Term, Bits]"


class Inputs(NamedTuple):
    """The free inputs of each turn."""

    envelope: Bits
    answer: Term
    before: Term
    undo: Term
    works: Term
    mine: Term
    older: Term
    newer: Term


class Encoding(NamedTuple):
    """The system as terms over named variables: constants of the session, a state, the inputs of a turn."""

    terms: Terms
    constants: tuple[Term, ...]
    admissible: Term  # of the constants: they name an effect and a script that can have it
    state: Symbolic
    inputs: Inputs
    possible: Term  # of the inputs of a turn
    next: Symbolic
    wrong: Mapping[str, Term]  # of the state
    lemmas: Mapping[str, Term]  # of the state; the invariant is all of them
    start: Symbolic
    facts: Facts
    followed: Bits  # the number of the effect that is followed

    @property
    def invariant(self) -> Term:
        """Return the conjunction of all lemmas."""
        return all_of(self.terms, self.lemmas.values())


def encode(
    alphabet: Alphabet,
    *,
    bound: int,
    making: type[Rules[Any, Any]] = Rules,
    table: GateTable | None = None,
    horizon: int = HORIZON,
) -> Encoding:
    """Encode the system of an alphabet. `making` and `table` replace the rules of this version with seeded bugs."""
    terms = Terms(max(horizon, bound).bit_length())
    facts = Facts(terms, alphabet)
    level_bits = terms.bits("level", 2)
    followed, by_script = terms.bits("effect", facts.bits), terms.variable("by-script")
    level = {name: terms.is_at(level_bits, number) for number, name in enumerate(Verification)}
    rules: Rules[Term, Bits] = making(terms, level, table, horizon)
    state = _variables(terms)
    inputs = Inputs(terms.bits("envelope", facts.bits), *(terms.variable(name) for name in Inputs._fields[1:]))
    stands = facts.meant(followed)
    undoable = facts.of_class(followed, lambda one: one.undoable)
    reversible = facts.of_class(followed, lambda one: one.change is Change.REVERSIBLE)
    has_it = facts.runs(inputs.envelope, followed)
    is_it = terms.equal(inputs.envelope, followed)
    move = Move(
        Turn(
            facts.standing(inputs.envelope),
            facts.scripted(inputs.envelope),
            facts.of_class(inputs.envelope, lambda one: one.irreversible),
            inputs.answer,
            inputs.before,
            inputs.undo,
            inputs.works,
        ),
        Subject(inputs.mine, reversible, by_script),
        terms.either(is_it, has_it),
        inputs.older,
        inputs.newer,
    )
    # a place beyond the last of a class is one more envelope of that class, which changes nothing
    possible = terms.both(
        terms.below(inputs.envelope[: facts.class_bits], len(facts.classes)),
        implies(terms, inputs.mine, terms.pick(by_script, has_it, is_it)),
    )
    return Encoding(
        terms,
        (*level_bits, *followed, by_script),
        facts.is_kind(followed),
        state,
        inputs,
        possible,
        advance(rules, state, move, stands),
        violations(terms, state, undoable, horizon),
        _invariant(terms, state, reversible, terms.either(stands[Standing.OUTSIDE], stands[Standing.DENIED]), horizon),
        State.start(terms),
        facts,
        followed,
    )


def flat(state: Symbolic) -> tuple[Term, ...]:
    """Return all terms of a state, in one row."""
    return (
        *state.pending,
        *state.effect,
        state.begun,
        state.known,
        state.agreed,
        state.sanctioned,
        state.overtaken,
        state.kept,
        state.logged,
        state.strayed,
        *state.since,
    )


def _variables(terms: Terms) -> Symbolic:
    width = len(terms.zero)
    acted, waiting, recorded, repeated = (terms.variable(name) for name in Followed._fields)
    begun, known, agreed, sanctioned, overtaken, kept, logged, strayed = map(terms.variable, State._fields[2:-1])
    return State(
        terms.bits("pending", width),
        Followed(acted, waiting, recorded, repeated),
        begun,
        known,
        agreed,
        sanctioned,
        overtaken,
        kept,
        logged,
        strayed,
        terms.bits("since", width),
    )


def _invariant(terms: Terms, state: Symbolic, reversible: Term, never: Term, horizon: int) -> dict[str, Term]:
    """Return the lemmas that every reachable state satisfies. Together they exclude violations, and every turn preserves
    them.
    """
    effect = state.effect
    kept = terms.either(effect.waiting, effect.recorded)
    return {
        "the buffer counts right": terms.equal(state.since, state.pending),
        "a flush comes before the horizon": terms.below(state.pending, horizon),
        "what acted waits or is recorded": implies(terms, effect.acted, kept),
        "what waits or is recorded acted": implies(terms, kept, effect.acted),
        "nothing is both": -terms.both(effect.waiting, effect.recorded),
        "nothing happens twice": -effect.repeated,
        "what acted had its turn and was permitted": implies(
            terms, effect.acted, terms.both(state.begun, state.sanctioned)
        ),
        "nothing is permitted that the manifest does not grant": implies(terms, state.sanctioned, -never),
        "what waits can be undone": implies(terms, effect.waiting, reversible),
        "no approval is recorded that was not given": implies(terms, state.known, state.agreed),
        "nothing is overtaken": -state.overtaken,
        "the buffer holds what waits": same(terms, state.kept, effect.waiting),
        "the log holds what is recorded": same(terms, state.logged, effect.recorded),
        "the buffer goes nowhere astray": -state.strayed,
    }


class Facts:
    """The properties of an envelope as functions of its number.

    A number has two parts: the class of the envelope, which holds all that gate and buffer ask, and its place in the class. So
    a turn costs as much as there are classes, however many kinds of effects there are.
    """

    def __init__(self, terms: Terms, alphabet: Alphabet) -> None:
        self._terms = terms
        self._kinds = alphabet.kinds
        own = [
            Class(
                kind.standing, frozenset(), kind.change is Change.IRREVERSIBLE, kind.change, kind.meant, kind.undoable
            )
            for kind in alphabet.kinds
        ]
        run = [_class_of_run([alphabet.kinds[number] for number in kinds]) for _, kinds in alphabet.scripts]
        self.classes = sorted({*own, *run}, key=Class.order)
        self.numbers = _places(own + run, self.classes)
        self._runs = [(self.numbers[len(own) + place], kinds) for place, (_, kinds) in enumerate(alphabet.scripts)]
        self.class_bits = (len(self.classes) - 1).bit_length()
        self.bits = self.class_bits + max(place for _, place in self.numbers).bit_length()

    def of_class(self, number: Bits, holds: Callable[[Class], bool]) -> Term:
        """Return whether the class of an envelope is one of these."""
        return self._terms.within(
            number[: self.class_bits], [place for place, one in enumerate(self.classes) if holds(one)]
        )

    def standing(self, number: Bits) -> dict[Standing, Term]:
        """Return the standing of an envelope's effect; a script has none of its own."""
        return {line: self.of_class(number, partial(_stands, line)) for line in Standing}

    def meant(self, number: Bits) -> dict[Standing, Term]:
        """Return the standing of an envelope's effect by the meaning of the manifest."""
        return {line: self.of_class(number, partial(_means, line)) for line in Standing}

    def scripted(self, number: Bits) -> dict[Standing, Term]:
        """Return the standings of the effects of the script that an envelope runs."""
        return {line: self.of_class(number, partial(_has, line)) for line in Standing}

    def runs(self, number: Bits, kind: Bits) -> Term:
        """Return whether an envelope runs a script with effects of this kind."""
        terms = self._terms
        has = (
            (place, any_of(terms, (self.is_at(kind, self.numbers[one]) for one in kinds)))
            for place, kinds in self._runs
        )
        return any_of(terms, (terms.both(self.is_at(number, place), has_it) for place, has_it in has))

    def is_at(self, number: Bits, place: tuple[int, int]) -> Term:
        """Return whether the number is this class and this index in it."""
        terms, (one, member) = self._terms, place
        return terms.both(terms.is_at(number[: self.class_bits], one), terms.is_at(number[self.class_bits :], member))

    def is_kind(self, number: Bits) -> Term:
        """Return whether the number is that of an existing effect, not of a script."""
        terms = self._terms
        found = terms.false
        for place, one in enumerate(self.classes):
            size = sum(number == place for number, _ in self.numbers[: len(self._kinds)])
            if size and one.own:
                inside = terms.below(number[self.class_bits :], size)
                found = terms.either(found, terms.both(terms.is_at(number[: self.class_bits], place), inside))
        return found


class Class(NamedTuple):
    """The properties of an envelope that gate and buffer look at."""

    own: Standing | None  # of its own effect
    scripted: frozenset[Standing]  # of those of the script that it runs
    irreversible: bool
    change: Change | None  # of its own effect
    meant: Standing | None = None  # what the manifest means for its own effect
    undoable: bool = True

    def order(self) -> tuple[str, ...]:
        """Return a sort key that does not depend on hashes."""
        said = (self.own or "~", self.change or "", self.meant or "", str(self.undoable))
        return (*said, *sorted(self.scripted), str(self.irreversible))


def _stands(line: Standing, one: Class) -> bool:
    return one.own is line


def _means(line: Standing, one: Class) -> bool:
    return one.meant is line


def _has(line: Standing, one: Class) -> bool:
    return line in one.scripted


def _class_of_run(kinds: Sequence[EffectKind]) -> Class:
    change = any(kind.change is Change.IRREVERSIBLE for kind in kinds)
    return Class(None, frozenset(kind.standing for kind in kinds), change, None)


def _places(found: Sequence[Class], classes: Sequence[Class]) -> list[tuple[int, int]]:
    """Return for each envelope the number of its class, and its index in it."""
    seen: Counter[int] = Counter()
    places = []
    for one in found:
        number = classes.index(one)
        places.append((number, seen[number]))
        seen[number] += 1
    return places
