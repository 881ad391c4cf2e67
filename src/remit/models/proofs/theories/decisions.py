"""The laws of decisions (`models/ruling_laws.py`), for any number of entries, layers, requests and principals. Rules and code are compared in `_decisions`.

The laws are written over truth values, for any solver of the standard; here each of their claims is looked at by itself, and so is what it is about.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import z3

from remit.models.explore.patching import Patch
from remit.models.proofs.theories._decisions import (
    DECIDING,
    JUDGING,
    Operators,
    decided,
    judged,
    ruled,
    ruled_whole,
    some_meaning,
    some_whole,
)  # fmt: skip
from remit.models.proofs.theory import Claim, Mutant, Planted, Theorem, Theory, Tie
from remit.models.ruling_bugs import BUGS, ADenialAlsoDecides
from remit.models.ruling_laws import LAWS, said
from remit.policy.gate import Gate

# every law, by the name of its theorem: a law that stands here no more, or not yet, fails
_LAWS = dict(
    zip(
        (
            "deny-wins-in-every-decision", "nothing-without-a-grant", "narrowing-never-frees", "rights-never-mix", "delegates-within-their-senders",
            "approval-outweighs-no-denial", "people-outrank-manifests", "asking-grants-nothing", "levels-in-order", "unknown-never-helps",
        ),
        LAWS,
        strict=True,
    )
)  # fmt: skip
_NAMES = {law: name for name, law in _LAWS.items()}


def _claims(law: str) -> Callable[[Operators], Iterator[Claim]]:
    def claims(operators: Operators) -> Iterator[Claim]:
        text = said(law, operators.rules)
        declared = [f"(declare-const {name} Bool)" for name in text.names]
        asserted = [f"(assert {one})" for one in (text.given, *text.claims, *text.reached)]
        given, *rest = z3.parse_smt2_string("\n".join((*declared, *asserted)))
        told = (("so are", _listed(text.names)),)
        for number, claim in enumerate(rest[: len(text.claims)], 1):
            yield Claim(f"part {number}", (given,), True, claim, told)
        for number, about in enumerate(rest[len(text.claims) :], 1):
            yield Claim(f"what it is about, {number}", (given,), about, True, told)

    return claims


def _listed(names: tuple[str, ...]) -> Any:
    """A text of everything that is so."""
    return z3.Concat(*(z3.If(z3.Bool(name), z3.StringVal(f"{name} "), z3.StringVal("")) for name in names))


def _words(bug: Callable[..., Any]) -> str:
    return re.sub(r"(?<!^)([A-Z])", r" \1", bug.__name__.replace("_", " ")).lower()


def _mutants() -> Iterator[Mutant]:
    """Every bug. Who decides between asking and allowing where it is denied is not seen from outside, so no tie tells that one."""
    for bug, laws in BUGS.items():
        for law in laws:
            also = f", for {_NAMES[law]}" if len(laws) > 1 else ""
            yield Mutant(f"{_words(bug)}{also}", _NAMES[law], "rules", bug, tied=bug is not ADenialAlsoDecides)


def _unasked(real: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *given: real(*given)._replace(gate=Gate.ALLOW)


def theory() -> Theory:
    """The theory."""
    meanings = (
        Planted("lets a denial of another place pass", Patch(JUDGING, "_met", lambda real: lambda rules, forms, **given: [] if given else real(rules, forms))),
        Planted("does not look at limits", Patch(JUDGING, "_unmet", lambda _: lambda *_: "")),
        Planted("ranks by nothing", Patch(JUDGING, "_rank", lambda _: lambda *_: 0)),
        Planted("demands no level", Patch(JUDGING, "_least", lambda _: lambda *_: 0)),
    )  # fmt: skip
    calls = (
        Planted("asks nobody who sent it", Patch(DECIDING, "_policies", lambda _: lambda session, principals: map(session.policy, principals))),
        Planted("does it for another without asking", Patch(DECIDING, "_for_another", _unasked)),
    )  # fmt: skip
    return Theory(
        "decisions", "decisions of the guard, for any number of entries, requests and principals", Operators(),
        tuple(Theorem(name, law, _claims(law)) for name, law in _LAWS.items()), tuple(_mutants()),
        (
            Tie("one meaning of a request", ruled, judged, some_meaning, meanings, samples=350),
            Tie("a call of several", ruled_whole, decided, some_whole, calls, samples=200),
        ),
    )  # fmt: skip
