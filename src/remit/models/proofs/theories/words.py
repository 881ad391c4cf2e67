"""Theory of confirmations at an executor (`executor/accept.py`, `confirmed`), for any number of actions, requests,
previews, confirmations and keys.

A signature is a function of a key and what is signed, and nobody has it who has not the key: that is what `honest` says. Everything else that is presented may be anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import z3

from remit.authority.values.confirmation import Confirmation, preview_digest
from remit.authority.values.request import Request
from remit.executor import accept as code
from remit.models.explore.model import Patch
from remit.models.proofs.solver import value
from remit.models.proofs.theory import Claim, Mutant, Planted, Term, Theorem, Theory, Tie, Told

if TYPE_CHECKING:
    from random import Random


class WordSubject(NamedTuple):
    """What a word is about, or what is to happen: an action, the commitment to a request, and the inputs with which it happens."""

    action: Term
    commitment: Term
    preview: Term


def binds(word: WordSubject, wanted: WordSubject) -> Term:
    """Return whether a confirmation is about what is to happen."""
    return z3.And(*(one == other for one, other in zip(word, wanted, strict=True)))


def signed(known: Term, holds: Term) -> Term:
    """Return whether it is an approver's: by a known key, with a valid signature."""
    return z3.And(known, holds)


def confirmed(there: Term, bound: Term, by_approver: Term) -> Term:
    """Return whether it counts."""
    return z3.And(there, bound, by_approver)


class WordRules(NamedTuple):
    """The rules."""

    binds: Callable[[WordSubject, WordSubject], Term] = binds
    signed: Callable[[Term, Term], Term] = signed
    confirmed: Callable[[Term, Term, Term], Term] = confirmed


def counts(rules: WordRules, word: WordSubject, wanted: WordSubject, there: Term, known: Term, holds: Term) -> Term:
    """Return whether a confirmation lets something happen."""
    return rules.confirmed(there, rules.binds(word, wanted), rules.signed(known, holds))


_THERE, _KNOWN, _HOLDS = z3.Bools("there known holds")
_KEY = z3.Int("key")
_word = WordSubject(*z3.Ints("action-signed commitment-signed preview-signed"))
_wanted = WordSubject(*z3.Ints("action commitment preview"))
_other = WordSubject(*z3.Ints("other-action other-commitment other-preview"))
_approves = z3.Function("the approver with this key approved", *[z3.IntSort()] * 4, z3.BoolSort())


def _told(word: WordSubject, wanted: WordSubject, so: Term) -> Told:
    pairs = ((f"{name} signed", one) for name, one in zip(WordSubject._fields, word, strict=True))
    return (
        *pairs,
        *((f"{name} wanted", one) for name, one in zip(WordSubject._fields, wanted, strict=True)),
        ("it counts", so),
    )


def _approved(rules: WordRules) -> Iterator[Claim]:
    """A signature that holds is over what an approver approved, if the key is an approver's."""
    honest = z3.Implies(z3.And(_KNOWN, _HOLDS), _approves(_KEY, *_word))
    so = counts(rules, _word, _wanted, _THERE, _KNOWN, _HOLDS)
    yield Claim(
        "a word that counts", (honest,), so, z3.And(_THERE, _approves(_KEY, *_wanted)), _told(_word, _wanted, so)
    )


def _one_thing(rules: WordRules) -> Iterator[Claim]:
    """One word, presented for two things: they are one thing. So with marks, by which an action happens once, it is used once."""
    first, second = (counts(rules, _word, it, _THERE, _KNOWN, _HOLDS) for it in (_wanted, _other))
    same = z3.And(*(one == other for one, other in zip(_wanted, _other, strict=True)))
    yield Claim(
        "one word for two",
        (),
        z3.And(first, second),
        same,
        (*_told(_word, _wanted, first), ("and for another action", _other.action)),
    )


def _nothing_less(rules: WordRules) -> Iterator[Claim]:
    """Without a confirmation, with an unknown key, or with an invalid signature, nothing counts; a right confirmation
    does.
    """
    so = counts(rules, _word, _wanted, _THERE, _KNOWN, _HOLDS)
    told = (
        ("there is a word", _THERE),
        ("its key is known", _KNOWN),
        ("its signature holds", _HOLDS),
        ("it counts", so),
    )
    less = z3.Or(z3.Not(_THERE), z3.Not(_KNOWN), z3.Not(_HOLDS))
    same = z3.And(*(one == other for one, other in zip(_word, _wanted, strict=True)))
    yield Claim("less than a word", (), less, z3.Not(so), told, seen=same)
    yield Claim("a right one", (), z3.And(same, z3.Not(less)), so, told)


_THEOREMS = (
    Theorem("a-word-is-for-what-was-approved", "among any number of confirmations, one counts only for the action, request and preview that its approver approved",
            _approved),
    Theorem("a-word-is-for-one-thing", "one confirmation never counts for two actions, requests or previews", _one_thing),
    Theorem("nothing-less-than-a-word", "a missing confirmation, an unknown key or an invalid signature never counts, whatever it claims", _nothing_less),
)  # fmt: skip


class WordCase(NamedTuple):
    """What of a word is as it should be."""

    there: bool
    action: bool
    commitment: bool
    preview: bool
    known: bool
    holds: bool


def _every() -> Iterator[WordCase]:
    for truths in product((False, True), repeat=len(WordCase._fields)):
        yield WordCase(*truths)


def _sample(random: Random) -> WordCase:
    return WordCase(*(random.random() < 0.7 for _ in WordCase._fields))


def _encoded(rules: WordRules, case: WordCase) -> Any:
    word = WordSubject(*(z3.IntVal(0 if so else 1) for so in (case.action, case.commitment, case.preview)))
    wanted = WordSubject(*[z3.IntVal(0)] * 3)
    return value(counts(rules, word, wanted, *map(z3.BoolVal, (case.there, case.known, case.holds))))


_REQUEST = Request("SendMessage", "anna", "s", {})


def _code(case: WordCase) -> Any:
    inputs = {"to": "anna"}
    right = ("a", "c", preview_digest(_REQUEST, inputs))
    truths = (case.action, case.commitment, case.preview)
    action, commitment, preview = (one if so else "other" for one, so in zip(right, truths, strict=True))
    word = Confirmation(action, commitment, preview, "person", b"") if case.there else None
    person: Any = SimpleNamespace(holds=lambda *_: case.holds)
    nothing: Any = None
    binding: Any = SimpleNamespace(commitment=lambda _: SimpleNamespace(hex=lambda: "c"))
    approvers = {"person": person} if case.known else {}
    known = code.ExecutorConfiguration({}, approvers, {}, "", binding, nothing, 30, 5, nothing, nothing)
    look_up: Any = SimpleNamespace(action_id="a", opening=SimpleNamespace(request=_REQUEST))
    try:
        return code.confirmed(known, word, look_up, inputs) == "person"
    except code.NotAcceptedError:
        return False


def theory() -> Theory:
    """The theory."""
    mutants = (
        Mutant("compares no preview", "a-word-is-for-what-was-approved", "binds",
            lambda word, wanted: z3.And(word.action == wanted.action, word.commitment == wanted.commitment)),
        Mutant("compares no action", "a-word-is-for-one-thing", "binds",
            lambda word, wanted: z3.And(word.commitment == wanted.commitment, word.preview == wanted.preview)),
        Mutant("compares no request", "a-word-is-for-one-thing", "binds",
            lambda word, wanted: z3.And(word.action == wanted.action, word.preview == wanted.preview)),
        Mutant("verifies no signature", "nothing-less-than-a-word", "signed", lambda known, _: known),
        Mutant("takes a key of nobody", "nothing-less-than-a-word", "signed", lambda _, holds: holds),
        Mutant("wants no word", "nothing-less-than-a-word", "confirmed", lambda there, bound, by: z3.Or(z3.Not(there), z3.And(bound, by))),
    )  # fmt: skip
    planted = (
        Planted(
            "compares no preview",
            Patch(
                code,
                "confirmed",
                lambda real: (
                    lambda known, word, look_up, inputs: real(
                        known,
                        word and word._replace(preview=preview_digest(look_up.opening.request, inputs)),
                        look_up,
                        inputs,
                    )
                ),
            ),
        ),
        Planted("takes every word", Patch(code, "confirmed", lambda _: lambda *_: "person")),
    )
    return Theory(
        "words", "words of approvers at an executor, for any number of actions and words", WordRules(), _THEOREMS, mutants,
        (Tie("which words count", _encoded, _code, _sample, planted, _every, samples=0),),
    )  # fmt: skip
